"""The pointer and the keyboard that the user has allowed."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack

from minebot.actuator import BUTTON_CODES, MODIFIERS, Button, Key
from minebot.capture import Frame, Pixel, Rect, Window
from minebot.desktop.portal.idle_monitor import IdleAttribution
from minebot.desktop.portal.portal_session import PortalSession
from minebot.desktop.portal.screen import PortalScreen
from minebot.desktop.ports import WindowControl
from minebot.errors import CaptureError, WindowError, WindowMoved
from minebot.stop import Clock, Stop

_MOTION = ("NotifyPointerMotionAbsolute", "udd")
_BUTTON = ("NotifyPointerButton", "iu")
_KEY = ("NotifyKeyboardKeysym", "iu")
"""Methods of RemoteDesktop, with what they take: stream and place, code or keysym and state."""
_NAP = 0.002
"""Seconds between two checks whether the user could be heard. Specified: a stop is heard in 0.1."""
_WARM_SECONDS = 0.4
"""A new device's first events are lost: measured on GNOME 43, 1 to 31 of them in 0.3 s."""


class RemoteInput(WindowControl):
    """The `Mouse`, `Keyboard` and `WindowControl` of the shared picture.

    A click takes 3 milliseconds. Keys go to the window that was clicked last: nothing else gives
    one the keyboard. Nothing goes down once the stop was requested.
    """

    def __init__(
        self,
        session: PortalSession,
        screen: PortalScreen,
        stop: Stop,
        own: IdleAttribution,
        clock: Clock,
    ) -> None:
        self._session = session
        self._screen = screen
        self._stop = stop
        self._own = own
        self._clock = clock
        self._has_clicked = False
        """Whether the pointer is where it was put, in the game's window."""
        self._parked = 0
        self.press_seconds = 0.0

    def show(self) -> None:
        """Trust that it is shown, and be ready to click in it."""
        self._warm_up(self._screen.edge(self._screen.grab()))

    def click(self, frame: Frame, at: Pixel, button: Button, held: str | None = None) -> None:
        """Press and release; see `minebot.actuator.Mouse`.

        Where the window is nobody tells: it counts as moved when the newest picture looks
        another way around the pixel.
        """
        if held and not self._session.has_keyboard:
            raise CaptureError(f"nobody can click with {held}: the desktop was not to allow keys")
        place = self._screen.point(frame, at)
        self._stop.check()
        if not self._screen.still_shows(frame, at):
            raise WindowMoved(f"what was seen at {at} of the shared picture has changed or moved")
        self._move(place)
        self._tap((held,) if held else (), _BUTTON, BUTTON_CODES[button], self.press_seconds)
        self._has_clicked = True

    def park(self, frame: Frame, board: Rect | None = None) -> None:  # noqa: ARG002 - always there
        """Move to the picture's left edge; see `minebot.actuator.Mouse`."""
        self._stop.check()
        if self._has_clicked:
            self._parked += 1
            self._move(self._screen.edge(frame, self._parked))

    def press(self, key: Key, window: Window | None = None) -> None:  # noqa: ARG002 - none is known
        """Press and release; see `Keyboard`. Raises WindowError before the first click."""
        if not self._session.has_keyboard:
            raise WindowError(f"{str(key)!r} cannot be pressed: the desktop was not to allow keys")
        if not self._has_clicked:
            raise WindowError(
                f"{str(key)!r} cannot be pressed: on this desktop only a click gives a game the "
                "keyboard, and there was none yet: have a new board ready, then run minebot again"
            )
        self._let_listen()
        self._tap(key.modifiers, _KEY, key.keysym)

    def focus(self) -> None:
        """Trust that the window which was clicked has the keyboard."""

    def _warm_up(self, at: tuple[float, float]) -> None:
        """Wake up new devices by a motion to that place, and Shift. Raises Stopped."""
        if self._session.is_warm:
            return
        self._stop.check()
        self._session.notify(*_MOTION, self._session.stream.node, *at)
        if self._session.has_keyboard:
            for state in (1, 0):
                self._session.notify(*_KEY, MODIFIERS["shift"], state)
        self._clock.sleep(_WARM_SECONDS)
        self._session.is_warm = True

    def _move(self, to: tuple[float, float]) -> None:
        """Put the pointer there, in the stream's units."""
        self._warm_up(to)
        self._let_listen()
        self._stop.check()
        with self._own.under_way():
            self._session.notify(*_MOTION, self._session.stream.node, *to)

    def _let_listen(self) -> None:
        """Pause until the user would have been heard, after some time without that."""
        while self._own.has_to_rest():
            self._clock.sleep(_NAP)

    def _tap(
        self, held: Sequence[str], method: tuple[str, str], what: int, seconds: float = 0.0
    ) -> None:
        """Press a button or key for so long, with the `held` modifiers down around it."""
        with ExitStack() as down:  # what is down is released, even after a stop
            for how, each in (*((_KEY, MODIFIERS[name]) for name in held), (method, what)):
                self._stop.check()
                self._state(how, each, 1)
                down.callback(self._state, how, each, 0)
            if seconds:
                self._clock.sleep(seconds)
        self._screen.note_input()

    def _state(self, method: tuple[str, str], what: int, state: int) -> None:
        with self._own.under_way():
            self._session.notify(*method, what, state)
