"""Hold the X server for a moment, so that nothing changes between a check and a click.

    python server_grab.py CONNECTION SHARED

As a program of its own this file is what watches a `ServerGrab`. The arguments are descriptors that
it inherits: its parent's connection to the server, and shared memory. It ends with standard input.
"""

from __future__ import annotations

import mmap
import os
import select
import socket
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # the program of its own finds no packages
    from minebot.desktop.x11.display import Display
    from minebot.stop import Stop

_SIZE = 2
"""Bytes of shared memory: the count and the mark below. Specified."""
_COUNT = 0
"""Offset of the number of grabs and releases, modulo 256: odd while held. Specified."""
_ENDED = 1
"""Offset of the mark that the connection has ended; 1 for yes. Specified."""
_INTERVAL_SECONDS = 0.1
"""Time between two looks. Specified: the display answers within a second."""
_STOPPED = "Tt"
"""The states of a process that was stopped, by a signal or by a debugger; proc(5)."""


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
            memory.truncate(_SIZE)
            self._shared = mmap.mmap(memory.fileno(), _SIZE)
            connection, shared = display.fileno(), memory.fileno()
            with suppress(OSError):  # where no program can be started it plays without
                self._watch = subprocess.Popen(
                    [sys.executable, "-IS", __file__, str(connection), str(shared)],
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
            if self._shared[_ENDED]:
                self._stop.request("the program was frozen in the middle of a click")
                self._stop.check()

    def _count(self) -> None:
        self._shared[_COUNT] = (self._shared[_COUNT] + 1) % 256

    def close(self) -> None:
        """End the watch, which has the connection too: the server would go on knowing it."""
        if self._watch is not None:
            self._watch.communicate()


def _watch_parent(connection: int, shared: int) -> None:
    """Watch the parent until standard input is closed, or until its connection was ended."""
    memory = mmap.mmap(shared, _SIZE)
    last = 0
    while not select.select([sys.stdin], [], [], _INTERVAL_SECONDS)[0]:
        count = memory[_COUNT]
        if count % 2 and count == last and _is_stopped(os.getppid()):
            memory[_ENDED] = 1
            socket.socket(fileno=connection).shutdown(socket.SHUT_RDWR)
            return
        last = count


def _is_stopped(process: int) -> bool:
    # The program's name stands before it in brackets, and may hold anything.
    stat = Path(f"/proc/{process}/stat").read_text(encoding="utf-8", errors="replace")
    return stat.rpartition(")")[2].split()[0] in _STOPPED


if __name__ == "__main__":
    _watch_parent(*map(int, sys.argv[1:]))
