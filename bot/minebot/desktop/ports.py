"""The `Desktop` port: the windows on the screen, and a session in one of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from enum import Enum
from typing import Protocol

from minebot.actuator import Keyboard, Mouse
from minebot.capture import Frame, Screen, Window
from minebot.desktop.window_query import pick
from minebot.errors import CaptureError
from minebot.stop import Clock, Stop


class StopWay(Enum):
    """A way to stop besides Ctrl-C, as in "Esc stops"; the status line says the first heard."""

    KEY = "any key"
    ESC = "Esc"
    ESC_IN_GAME = "Esc in the game's window"
    POINTER = "moving the mouse"
    SESSION = "ending the session that the desktop shows"


class WindowControl(Protocol):
    """What may be done to the game's window."""

    def show(self) -> None:
        """Show the whole window, uncovered; raises WindowError, saying what is in the way."""
        ...

    def enlarge(self) -> bool:
        """Make the window a third wider and higher, as far as the screen allows.

        Returns whether it has become larger, never where only its user can resize it; raises
        WindowGone.
        """
        return False


def unseen(window: Window) -> Frame:
    """The `WindowSession.picture` of desktops that show no window but the game's."""
    raise CaptureError(f"{window} cannot be seen on this desktop")


@dataclass(frozen=True, slots=True)
class WindowSession:
    """What playing in one window needs."""

    window: Window
    screen: Screen
    mouse: Mouse
    keyboard: Keyboard
    control: WindowControl
    dialogs: Callable[[], Sequence[Window]]
    """What the game has put in front of its window, latest last; none where nobody can know."""
    picture: Callable[[Window], Frame]
    """What one of those windows shows; raises WindowError, CaptureError if none can be seen."""
    stops: frozenset[StopWay]
    """Ways to stop that work here; the messages to the user list these and no others."""
    clock: Clock
    no_effect: str = ""
    """Why clicks may change nothing on this desktop, and what to do then; empty for no reason."""


class Desktop(Protocol):
    """A window system."""

    def windows(self) -> Sequence[Window]:
        """The programs' windows, hidden ones too.

        Raises Unlisted if the system does not list them, CaptureError without a screen.
        """
        ...

    def pick(self, query: str | None, known: Callable[[Window], bool]) -> Window:
        """The window that `query` means; with None the only one of a game that is `known`.

        A desktop that lists no windows has its user point at one. Raises WindowError,
        saying what there is and what to type.
        """
        return pick(query, self.windows(), known)

    def open(self, window: Window, stop: Stop) -> AbstractContextManager[WindowSession]:
        """Open a window session for a `with` block, once for each window.

        During the block each way in `WindowSession.stops` requests `stop`; so does a listener that
        fails. Raises WindowGone, CaptureError if the desktop lacks something that is needed.
        """
        ...
