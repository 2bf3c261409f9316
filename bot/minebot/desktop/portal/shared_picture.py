"""The shared picture as a `Screen`, with the pointer and the keyboard that the user has allowed.

A desktop sends a picture only when something has changed, so the last one is valid until another
comes. But just after a click or a key, a picture may arrive that was taken before it. And on a busy
machine a picture can get stuck in the desktop until it sends another: PipeWire passes on a picture
when the next program has taken the one before, and does not try again (0.3.65 and 1.4: pw_stream's
process of a driver). A stream that is received anew sends the picture as it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from minebot.actuator import BUTTON_CODES, MODIFIERS, Button, Key
from minebot.capture import Frame, Pixel, Rect, Window
from minebot.desktop.placement import WindowPlacement, aside, locate
from minebot.desktop.portal.gst import Pipeline
from minebot.desktop.portal.idle_monitor import IdleAttribution
from minebot.desktop.portal.portal_session import WINDOW, PortalSession, Stream
from minebot.desktop.ports import WindowControl
from minebot.errors import CaptureError, WindowError, WindowGone, WindowMoved
from minebot.stop import POLL_SECONDS, Clock, Stop

_ANSWER = 0.25
"""Seconds after input in which its effect has come, if it has any that can be seen. Measured on
GNOME 43 painting without a GPU: 0.03 to 0.24, 0.08 usually."""
_FIRST = 10.0
"""Seconds that the first picture may take, starts anew included. Specified: a limit."""
_START = 1.0
"""Seconds after which a start that brought no picture is repeated. Measured on GNOME 43: a picture
takes 0.02 to 0.4; of 157 starts beside six busy processes on two cores, 3 brought none."""
_AROUND = 4
"""Pixels around a click that must not have changed. Specified: the smallest cells read have 10."""
_SQUARE = 0.02
"""Share by which the two sides' scales may differ. Specified: sizes are rounded to whole numbers,
which is a fiftieth of a window of 50 pixels."""
_MOTION = ("NotifyPointerMotionAbsolute", "udd")
_BUTTON = ("NotifyPointerButton", "iu")
_KEY = ("NotifyKeyboardKeysym", "iu")
"""Methods of RemoteDesktop, with what they take: stream and place, code or keysym and state."""
_NAP = 0.002
"""Seconds between two checks whether the user could be heard. Specified: a stop is heard in 0.1."""
_WARM_SECONDS = 0.4
"""A new device's first events are lost: measured on GNOME 43, 1 to 31 of them in 0.3 s."""


class PortalScreen:
    """The stream's pictures. For one thread.

    A frame's placement is the stream's, in the units in which it is pointed at; its turn is the
    number of the picture.
    """

    def __init__(self, pictures: Pipeline, stream: Stream, clock: Clock) -> None:
        self._pictures = pictures
        self._stream = stream
        self._clock = clock
        # A still screen sends no other than the last one.
        self._number = 0 if pictures.last is None else 1
        """Number of pictures received."""
        self._old = 0
        """Number of pictures received before the last input was sent."""
        self._began = clock.now()
        self._restart: float | None = None if self._number else self._began + _START
        """When to receive anew unless a picture comes; None where the last one shows how it is."""
        self._is_starting = True
        """Whether no picture has come since the start or restart; the first one shows how it is."""
        self._frame: Frame | None = None
        self._shown = 0
        """The number of that frame's picture."""
        self._scale = 1.0, 1.0
        """Pixels to a unit in which the stream is pointed at, across and down; of the first one."""
        self._problem: str | None = None

    def grab(self) -> Frame:
        """The picture as it is now; see `minebot.capture.Screen`.

        After input it is one that came later: where none has come in time, that of a new start.
        Raises WindowGone, CaptureError, Stopped.
        """
        while self._problem is None and not self._has_current():
            self._await(POLL_SECONDS)
        taken = self._clock.now()
        self._take(0)
        self._check()
        newest = self._pictures.last
        assert newest is not None
        if self._frame is not None and self._shown == self._number:
            pixels = self._frame.pixels
        else:
            pixels = newest.pixels()
            self._check_scale(pixels)
        height, width, _ = pixels.shape
        across, down = self._scale
        units = Rect(0, 0, round(width / across), round(height / down))
        self._frame = Frame(pixels, taken, WindowPlacement(units, self._number))
        self._shown = self._number
        return self._frame

    def wait(self, seconds: float) -> bool:
        """Sleep until there is a picture newer than the last frame; see `minebot.capture.Screen`.

        One from before the last input is none.
        """
        end = self._clock.now() + seconds
        self._take(0)
        while self._problem is None and (self._number == self._shown or not self._has_current()):
            left = end - self._clock.now()
            if left <= 0:
                return False
            self._await(min(left, POLL_SECONDS))
        return True

    def note_input(self) -> None:
        """Note that the desktop has just taken input: all pictures so far are older."""
        self._take(0)
        self._old = self._number
        self._restart = self._clock.now() + _ANSWER
        self._is_starting = False

    def point(self, frame: Frame, at: Pixel) -> tuple[float, float]:
        """Where the middle of a frame's pixel is, in the units in which the stream is pointed at.

        Raises WindowError for a pixel outside the frame, UsageError for a frame from elsewhere.
        """
        locate(frame, at)  # whole units only, but it raises them
        across, down = self._scale
        return (at.x + 0.5) / across, (at.y + 0.5) / down

    def still_shows(self, frame: Frame, at: Pixel) -> bool:
        """Whether the newest picture looks the same there. Raises WindowGone, CaptureError."""
        self._take(0)
        self._check()
        newest = self._pictures.last
        if newest is None or locate(frame, at)[0].turn == self._number:
            return True
        if newest.size != (frame.width, frame.height):
            return False
        around = Rect(*at, 1, 1).grown(_AROUND, _AROUND).clipped(frame.bounds)
        # The fourth byte of a pixel means nothing.
        now, then = newest.pixels(around)[..., :3], frame.part(around)[..., :3]
        return np.array_equal(now, then)

    def _has_current(self) -> bool:
        """Whether the newest picture is to be believed; raises CaptureError if none ever comes."""
        if self._number == 0:
            if self._clock.now() > self._began + _FIRST:
                raise CaptureError(
                    "the desktop sends no picture of what was shared: run minebot again, and "
                    "share the screen in place of the window, or the window in place of the screen"
                )
            return False
        if self._number > self._old or self._restart is None:
            return True
        # Where even a new start brings no picture, nothing has changed.
        return self._is_starting and self._clock.now() >= self._restart

    def _await(self, seconds: float) -> None:
        """Wait up to `seconds` for the next picture; receive anew when it is time to."""
        self._clock.sleep(0)  # raises Stopped
        if self._restart is not None and self._clock.now() >= self._restart:
            self._pictures.restart()
            self._restart = self._clock.now() + _START
            self._is_starting = True
        self._take(seconds)

    def _take(self, seconds: float) -> None:
        """Take the newest picture, or wait up to `seconds` for the next one."""
        picture = self._pictures.next(seconds)
        if picture is None:
            self._problem = self._problem or self._pictures.problem()
        while picture is not None:
            self._number += 1
            if self._restart is not None:
                # One that changes nothing may be from before the input, and hold up the next.
                self._restart = None if self._is_starting else self._clock.now() + _ANSWER
            self._is_starting = False
            picture = self._pictures.next(0)

    def _check(self) -> None:
        """Raise WindowGone or CaptureError once no picture comes any more."""
        if self._problem is not None and self._stream.kind == WINDOW:
            raise WindowGone(
                f"the shared window is closed, or not shared any more: {self._problem}"
            )
        if self._problem is not None:
            raise CaptureError(f"the shared screen cannot be seen any more: {self._problem}")

    def _check_scale(self, pixels: NDArray[np.uint8]) -> None:
        """Raise CaptureError when clicks could miss what this picture shows."""
        height, width, _ = pixels.shape
        if self._frame is None:
            across, down = self._stream.size or (width, height)
            self._scale = (width / across, height / down)
            if abs(self._scale[0] / self._scale[1] - 1) > _SQUARE:
                raise CaptureError(
                    f"the shared picture has {width}x{height} pixels for {across}x{down} points, "
                    "so clicks could miss: run minebot again, and share the whole screen"
                )
        elif self._stream.kind != WINDOW and self._frame.pixels.shape != pixels.shape:
            raise CaptureError("the shared screen has another size now: run minebot again")


@dataclass(eq=False)
class RemoteInput(WindowControl):
    """The `Mouse`, `Keyboard` and `WindowControl` of the shared picture.

    A click takes 3 milliseconds. Keys go to the window that was clicked last: nothing else gives
    one the keyboard. Nothing goes down once the stop was requested.
    """

    _session: PortalSession
    _screen: PortalScreen
    _stop: Stop
    _own: IdleAttribution
    _clock: Clock
    _has_clicked: bool = False
    """Whether the pointer is where it was put, in the game's window."""
    _parked: int = 0
    press_seconds: float = 0.0

    def show(self) -> None:
        """Trust that it is shown, and be ready to click in it."""
        self._warm_up(aside(self._screen.grab(), 0))

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
            self._move(aside(frame, self._parked))

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
