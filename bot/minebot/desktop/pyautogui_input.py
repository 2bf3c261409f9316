"""Clicks and keys through pyautogui, for systems without anything better."""

from __future__ import annotations

import io
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from typing import Any

from minebot.actuator import Button, Key
from minebot.capture import Frame, Pixel, Rect, Window
from minebot.desktop.listener import PointerGuard
from minebot.desktop.mss_screen import WindowTracker
from minebot.desktop.placement import Point, aside, locate
from minebot.errors import CaptureError
from minebot.stop import Stop

_PATIENCE = 1.0
"""Seconds until the pointer is where it was sent. Specified: a limit for a busy window manager."""


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
        with self._guard.held():
            self._stop.check()
            self._guard.check(self.position(), self._stop)
            self._place.guard(spot, point)
            with self._corners_stop(), self._pyautogui.hold([held] if held else []):
                if not self.press_seconds:
                    self._pyautogui.click(point.x, point.y, button=button.value)
                else:
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
        with self._guard.held():
            self._stop.check()
            if self._guard.is_free:
                return
            self._guard.check(self.position(), self._stop)
            self._parked += 1
            point = aside(frame, self._parked, board)
            with self._corners_stop():
                self._pyautogui.moveTo(point.x, point.y)
            self._leave(point)

    def _leave(self, point: Point) -> None:
        """Tell the guard that the pointer is at `point`, once it has arrived.

        A window manager that handles a press first holds the pointer until it is done.
        """
        self._guard.leave(point)
        end = time.monotonic() + _PATIENCE
        while not self._guard.is_at(self.position()) and time.monotonic() < end:
            self._stop.check()
            time.sleep(0.001)

    @contextmanager
    def _corners_stop(self) -> Iterator[None]:
        """A block in which a pointer in a corner is no accident: pyautogui's own way to stop."""
        try:
            yield
        except self._pyautogui.FailSafeException as error:
            self._stop.request("the mouse was moved into a corner of the screen")
            self._stop.check()
            raise AssertionError from error  # the check has raised

    def position(self) -> Point:
        """Where the pointer is."""
        x, y = self._pyautogui.position()
        return Point(int(x), int(y))


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
        with self._guard.held():
            self._stop.check()
            # Its names of keys are X's in small letters.
            name = key.name if len(key.name) == 1 else key.name.lower()
            self._pyautogui.hotkey(*key.modifiers, name)

    def focus(self) -> None:
        """Give the game's window the keyboard; see `Keyboard`."""
        self._focus(None)


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
    return pyautogui


@contextmanager
def _environment(display: str | None) -> Iterator[None]:
    """A block in which the X display is named where pyautogui looks for it, and only there."""
    before = {name: os.environ.get(name) for name in ("DISPLAY", "XAUTHORITY")}
    if display is not None:
        os.environ["DISPLAY"] = display
        if before["XAUTHORITY"] is None and not (Path.home() / ".Xauthority").exists():
            # Its X library gives up without a login file, though the display needs none.
            os.environ["XAUTHORITY"] = os.devnull
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


def _xlib_errors() -> tuple[type[Exception], ...]:
    """python-xlib's errors, which have no common base, if pyautogui has come to import it."""
    error = sys.modules.get("Xlib.error")
    names = ("DisplayError", "XauthError", "ConnectionClosedError")
    return tuple(getattr(error, name) for name in names) if error else ()
