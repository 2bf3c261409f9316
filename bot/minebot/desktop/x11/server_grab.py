"""Hold the X server for a moment, so that nothing changes between a check and a click."""

from __future__ import annotations

import mmap
import os
import subprocess
import sys
from contextlib import suppress

from minebot.desktop.x11 import frozen_watch
from minebot.desktop.x11.display import Display
from minebot.stop import Stop


class ServerGrab:
    """Holds the server for each `with` block: the requests of all other programs wait.

    A program that is frozen in the block would hold up the whole display, and no program hears
    `kill -STOP`. So a process of its own watches: it ends the connection, and with it the grab.
    What is sent on that connection afterwards goes nowhere, and the block ends with Stopped.
    """

    def __init__(self, display: Display, stop: Stop) -> None:
        self._display = display
        self._stop = stop
        self._watch: subprocess.Popen[bytes] | None = None
        with os.fdopen(os.memfd_create("minebot"), "r+b", 0) as memory:
            memory.truncate(frozen_watch.SIZE)
            self._shared = mmap.mmap(memory.fileno(), frozen_watch.SIZE)
            connection, shared = display.fileno(), memory.fileno()
            with suppress(OSError):  # where no program can be started it plays without
                self._watch = subprocess.Popen(
                    [sys.executable, "-IS", frozen_watch.__file__, str(connection), str(shared)],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                    pass_fds=(connection, shared),
                    start_new_session=True,  # what the terminal sends is for this program
                )

    def __enter__(self) -> None:
        self._count()
        self._display.core.GrabServer()

    def __exit__(self, *_: object) -> None:
        try:
            self._display.core.UngrabServer()
            self._display.flush()
        finally:
            self._count()
            if self._shared[frozen_watch.ENDED]:
                self._stop.request("the program was frozen in the middle of a click")
                self._stop.check()

    def _count(self) -> None:
        self._shared[frozen_watch.COUNT] = (self._shared[frozen_watch.COUNT] + 1) % 256

    def close(self) -> None:
        """End the watch, which has the connection too: the server would go on knowing it."""
        if self._watch is not None:
            self._watch.communicate()
