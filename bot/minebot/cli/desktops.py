"""The desktop that the arguments mean."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from minebot.capture import Window
from minebot.cli.console import say
from minebot.desktop.choose import native
from minebot.desktop.ports import Desktop, WindowSession
from minebot.errors import UsageError
from minebot.stop import Stop


def desktop_of(arguments: argparse.Namespace) -> Desktop:
    """The desktop to play on. Raises CaptureError if there is none."""
    pyautogui = arguments.mouse == "pyautogui"
    desktop = native(arguments.display, backend=arguments.desktop, pyautogui=pyautogui, say=say)
    return desktop if arguments.no_stop_key else Stoppable(desktop)


class Stoppable:
    """A desktop on which nobody plays whom the user could stop by Ctrl-C alone."""

    def __init__(self, desktop: Desktop) -> None:
        self._desktop = desktop

    @property
    def name(self) -> str:
        """As --desktop has it."""
        return self._desktop.name

    def windows(self) -> Sequence[Window]:
        """The programs' windows; see `minebot.desktop.ports.Desktop`."""
        return self._desktop.windows()

    def pick(self, query: str | None, known: Callable[[Window], bool]) -> Window:
        """The window that is meant; see `minebot.desktop.ports.Desktop`."""
        return self._desktop.pick(query, known)

    @contextmanager
    def open(self, window: Window, stop: Stop) -> Iterator[WindowSession]:
        """Play in the window; see `minebot.desktop.ports.Desktop`. Raises UsageError too."""
        with self._desktop.open(window, stop) as window_session:
            if not window_session.stops:
                raise UsageError(
                    "this desktop tells no program of the user's keys and mouse, so that only "
                    "Ctrl-C in this terminal would stop the game: --no-stop-key plays all the same"
                )
            yield window_session
