"""A game that is started on a desktop, whichever that is."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from minebot.capture import State, Window
from minebot.desktop.ports import Desktop
from minebot.errors import WindowError
from minebot.sandbox.process import Program, running, window_names


@contextmanager
def opened(
    desktop: Desktop, command: Sequence[str], environ: Mapping[str, str]
) -> Iterator[tuple[Window, Program]]:
    """The window that the program shows, and the program, which ends with the `with` block.

    `environ` is on top of the user's own environment, or all there is if it has a PATH.
    Raises WindowError when the program is missing, ends at once or shows no window.
    """
    before = {window.id for window in desktop.windows()}
    whole = dict(environ) if "PATH" in environ else {**os.environ, **environ}
    shown: list[Window] = []

    def comes() -> bool:
        named = window_names(command[0])
        shown[:] = [
            window
            for window in desktop.windows()
            if window.id not in before
            and window.state is State.SHOWN
            and any(part in name.casefold() for part in named for name in window.names)
        ]
        return bool(shown)

    with running(command, whole, WindowError) as program:
        program.wait_until(comes)
        yield shown[0], program
