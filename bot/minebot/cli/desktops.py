"""The desktop that the arguments mean."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import contextmanager

from minebot.capture import Window
from minebot.cli.console import say
from minebot.desktop.choose import CompositeDesktop, native
from minebot.desktop.ports import Desktop, WindowSession
from minebot.errors import UsageError
from minebot.stop import Stop


def desktop_of(arguments: argparse.Namespace) -> Desktop:
    """The desktop to play on. Raises CaptureError if there is none."""
    pyautogui = arguments.mouse == "pyautogui"
    desktop = native(arguments.display, backend=arguments.desktop, pyautogui=pyautogui, say=say)
    return desktop if arguments.no_stop_key else Stoppable([desktop])


class Stoppable(CompositeDesktop):
    """A desktop on which nobody plays whom the user could stop by Ctrl-C alone."""

    @contextmanager
    def open(self, window: Window, stop: Stop) -> Iterator[WindowSession]:
        """Play in the window; see `minebot.desktop.ports.Desktop`. Raises UsageError too."""
        with super().open(window, stop) as window_session:
            if not window_session.stops:
                raise UsageError(
                    "this desktop tells no program of the user's keys and mouse, so that only "
                    "Ctrl-C in this terminal would stop the game: --no-stop-key plays all the same"
                )
            yield window_session
