"""Frames by mss, clicks and keys by pyautogui: what works on every system."""

from __future__ import annotations

import io
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout, suppress
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from minebot.actuator import Button, Key
from minebot.capture import Frame, Pixel, Rect, Window
from minebot.desktop.listener import PointerGuard
from minebot.desktop.placement import Point, WindowPlacement, aside, locate
from minebot.errors import CaptureError, WindowError
from minebot.stop import Clock, Stop

_PATIENCE = 1.0
"""Seconds until the pointer is where it was sent. Specified: a limit for a busy window manager."""


class WindowTracker(Protocol):
    """What a screen, and a simple mouse, need to know about their window."""

    def look(self) -> WindowPlacement:
        """Where the window is now; raises WindowGone, WindowCovered, WindowError when hidden."""

    def wait(self, seconds: float) -> bool:
        """As `Screen.wait`, counted from the last `look`."""

    def guard(self, spot: WindowPlacement, point: Point) -> None:
        """Check that a click at the screen point reaches what was at `spot`; see `Mouse.click`."""


class WindowScreen:
    """Captures a window's pixels with one lasting mss object: a new one costs ten frames."""

    def __init__(self, place: WindowTracker, clock: Clock, display: str | None = None) -> None:
        """`display` names the X display. Raises CaptureError."""
        import mss  # noqa: PLC0415

        self._library: Any = mss
        self._place = place
        self._clock = clock
        self._display = display
        self._mss: Any = self._connect()
        """None once it is released."""

    def grab(self) -> Frame:
        """The window as it is now; see `Screen`."""
        # mss asserts that the X server answers, even one that is gone.
        failures = (self._library.ScreenShotError, AssertionError)
        try:
            return self._frame()
        except (*failures, _OffScreen):
            # The window left the screen this very moment, which a second look tells;
            # or the screen has grown, and mss's buffer has to grow with it.
            self.close()
        try:
            return self._frame()
        except failures as error:
            raise CaptureError(f"the screen could not be captured: {error}") from error

    def _frame(self) -> Frame:
        taken = self._clock.now()
        spot = self._place.look()
        self._mss = self._mss or self._connect()
        area = spot.rect._asdict()
        if not spot.rect.within(Rect(*(self._mss.monitors[0][side] for side in Rect._fields))):
            raise _OffScreen("the window is not wholly on the screen")
        shot = self._mss.grab(area)
        # The bytes are this picture's alone, so the frame may keep them as they are.
        pixels = np.frombuffer(shot.raw, np.uint8).reshape(shot.height, shot.width, 4)
        return Frame(pixels, taken, spot)

    def wait(self, seconds: float) -> bool:
        """Sleep until the window repaints; see `Screen`."""
        return self._place.wait(seconds)

    def close(self) -> None:
        """Release the capture library; a second call does nothing."""
        # mss 10.2 frees the connection to a display that is gone again each time it is closed.
        released, self._mss = self._mss, None
        if released is not None:
            # That a display is gone is told by what fails first.
            with suppress(self._library.ScreenShotError):
                released.close()

    def _connect(self) -> Any:
        named = {"display": self._display} if sys.platform == "linux" else {}
        try:
            return self._library.MSS(**named)
        except self._library.ScreenShotError as error:
            raise CaptureError(f"the screen cannot be captured: {error}") from error


class _OffScreen(WindowError):
    """The window is not wholly on the screen, as far as mss knows the screen."""


class PyAutoGuiMouse:
    """Clicks through pyautogui, for systems without anything better."""

    def __init__(
        self,
        stop: Stop,
        guard: PointerGuard,
        place: WindowTracker,
        display: str | None = None,
        through: Callable[[Point, Button], object] | None = None,
    ) -> None:
        """`display` names the X display where there is one.

        `through` waits until a click has reached its window, where somebody may hold it up:
        pyautogui cannot tell. Raises CaptureError if pyautogui cannot work.
        """
        self._stop = stop
        self._guard = guard
        self._place = place
        self._through = through
        self._pyautogui = _pyautogui(display)
        self._parked = 0
        self.press_seconds = 0.0

    def click(self, frame: Frame, at: Pixel, button: Button, held: str | None = None) -> None:
        """Press and release; see `Mouse`."""
        spot, point = locate(frame, at)
        with self._guard.lock:
            self._stop.check()
            self._check_hand()
            self._place.guard(spot, point)
            with self._pyautogui.hold([held] if held else []):
                self._pyautogui.mouseDown(point.x, point.y, button=button.value)
                try:
                    time.sleep(self.press_seconds)
                finally:
                    self._pyautogui.mouseUp(button=button.value)
            if self._through is not None:
                self._through(point, button)
            self._leave(point)

    def park(self, frame: Frame, board: Rect | None = None) -> None:
        """Move to the window's edge; see `Mouse`."""
        with self._guard.lock:
            self._stop.check()
            if self._guard.placed is None:
                return
            self._check_hand()
            self._parked += 1
            point = aside(frame, self._parked, board)
            self._pyautogui.moveTo(point.x, point.y)
            self._leave(point)

    def _leave(self, point: Point) -> None:
        """Tell the guard that the pointer is at `point`, once it has arrived.

        A window manager that handles a press first holds the pointer until it is done.
        """
        self._guard.placed = point
        end = time.monotonic() + _PATIENCE
        while not self._guard.is_at(self.position()) and time.monotonic() < end:
            self._stop.check()
            time.sleep(0.001)

    def _check_hand(self) -> None:
        self._guard.check(self.position(), self._stop)
        _check_corners(self._pyautogui, self._stop)

    def position(self) -> Point:
        """Where the pointer is."""
        return Point(*self._pyautogui.position())


class PyAutoGuiKeyboard:
    """Presses keys through pyautogui."""

    def __init__(
        self, stop: Stop, guard: PointerGuard, focus: Callable[[Window | None], None]
    ) -> None:
        """`focus` gives a window the keyboard, or with None the game's. Raises CaptureError."""
        self._stop = stop
        self._guard = guard
        self._focus = focus
        self._pyautogui = _pyautogui()

    def press(self, key: Key, window: Window | None = None) -> None:
        """Press and release; see `Keyboard`."""
        self._stop.check()
        self._focus(window)
        # pyautogui hangs when two threads use it at once, and the watcher polls the pointer.
        with self._guard.lock:
            _check_corners(self._pyautogui, self._stop)
            # Its names of keys are X's in small letters.
            name = key.name if len(key.name) == 1 else key.name.lower()
            self._pyautogui.hotkey(*key.modifiers, name)

    def focus(self) -> None:
        """Give the game's window the keyboard; see `Keyboard`."""
        self._focus(None)


def _check_corners(pyautogui: Any, stop: Stop) -> None:
    """Stop when the pointer is in a corner of the screen, pyautogui's own way. Raises Stopped."""
    if tuple(pyautogui.position()) in pyautogui.FAILSAFE_POINTS:
        stop.request("the mouse was moved into a corner of the screen")
    stop.check()


def _pyautogui(display: str | None = None) -> Any:
    """Import the module; its first import opens the display, and may fail."""
    try:
        # Its X library writes warnings to standard output, which is not its to write on.
        with _environment(display), redirect_stdout(io.StringIO()):
            import pyautogui  # type: ignore[import-untyped]  # noqa: PLC0415
    except KeyError as error:
        raise CaptureError("pyautogui needs an X display: DISPLAY is not set") from error
    except SystemExit as error:
        raise CaptureError("pyautogui needs tkinter; on Debian: apt install python3-tk") from error
    except ImportError as error:
        raise CaptureError(f"pyautogui cannot be used here: {error}") from error
    except _xlib_errors() as error:
        raise CaptureError(f"pyautogui cannot open the X display: {error}") from error
    # It would sleep a tenth of a second after every click.
    pyautogui.PAUSE = 0
    # Its error for a pointer in a corner would leave down what is pressed: see `_check_corners`.
    pyautogui.FAILSAFE = False
    return pyautogui


@contextmanager
def _environment(display: str | None) -> Iterator[None]:
    """A block in which the X display is named where pyautogui looks for it, and only there."""
    names = ("DISPLAY", "XAUTHORITY")
    before = {name: os.environ[name] for name in names if name in os.environ}
    if display is not None:
        os.environ["DISPLAY"] = display
        if "XAUTHORITY" not in before and not (Path.home() / ".Xauthority").exists():
            # Its X library gives up without a login file, though the display needs none.
            os.environ["XAUTHORITY"] = os.devnull
    try:
        yield
    finally:
        for name in names:
            os.environ.pop(name, None)
        os.environ.update(before)


def _xlib_errors() -> tuple[type[Exception], ...]:
    """python-xlib's errors, which have no common base, if pyautogui has come to import it."""
    error = sys.modules.get("Xlib.error")
    names = ("DisplayError", "XauthError", "ConnectionClosedError")
    return tuple(getattr(error, name) for name in names) if error else ()
