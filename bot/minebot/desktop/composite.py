"""Combines desktops, each of which reaches windows that the others do not."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, suppress

from minebot.capture import Window
from minebot.desktop.ports import Desktop, WindowSession
from minebot.errors import Unlisted, WindowError
from minebot.stop import Stop


class CompositeDesktop:
    """Takes the first desktop that has the window. See `minebot.desktop.ports.Desktop`."""

    def __init__(self, desktops: Sequence[Desktop]) -> None:
        """The last one is asked for what none of the others has."""
        self._desktops = desktops
        self._owner: dict[str, Desktop] = {}

    def windows(self) -> Sequence[Window]:
        """The windows of all that list them. Raises Unlisted if none does, CaptureError."""
        listed: list[Window] = []
        for desktop in self._desktops:
            with suppress(Unlisted):
                windows = desktop.windows()
                self._owner.update((window.id, desktop) for window in windows)
                listed.extend(windows)
        return listed or self._desktops[-1].windows()

    def pick(self, query: str | None, known: Callable[[Window], bool]) -> Window:
        """The window that is meant, of the first desktop that has it."""
        *others, last = self._desktops
        for desktop in others:
            with suppress(WindowError):
                window = desktop.pick(query, known)
                self._owner[window.id] = desktop
                return window
        return last.pick(query, known)

    def open(self, window: Window, stop: Stop) -> AbstractContextManager[WindowSession]:
        """Play in the window, on the desktop that it came from."""
        return self._owner.get(window.id, self._desktops[-1]).open(window, stop)
