"""Clicks and keys by pyautogui, for systems where nothing better is at hand."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout
from typing import Any

from bot.actuator import Button, Key
from bot.capture import Point, Window
from bot.desktop.pointer_guard import Leash
from bot.errors import CaptureError
from bot.stop import Stop

__all__ = ["PyAutoGuiKeyboard", "PyAutoGuiMouse"]


class PyAutoGuiMouse:
    """Clicks through pyautogui, for systems where nothing better is at hand.

    It cannot tell when a click has landed: under X11 that costs clicks.
    """

    def __init__(self, stop: Stop, leash: Leash, guard: Callable[[Point], None]) -> None:
        """`guard` raises WindowError unless the game's window is what lies at a point.

        Raises CaptureError where pyautogui cannot work.
        """
        self._stop = stop
        self._leash = leash
        self._guard = guard
        self._pyautogui = _pyautogui()

    def click(self, point: Point, button: Button) -> None:
        """Press and release; see `Mouse`."""
        with self._leash.held():
            self._stop.check()
            self._leash.check(self.position(), self._stop)
            self._guard(point)
            with self._corners_stop():
                self._pyautogui.click(point.x, point.y, button=button.name.lower())
            self._leash.leave(point)

    def rest(self, point: Point) -> None:
        """Move there; see `Mouse`."""
        with self._leash.held():
            self._stop.check()
            if self._leash.is_free:
                return
            self._leash.check(self.position(), self._stop)
            with self._corners_stop():
                self._pyautogui.moveTo(point.x, point.y)
            self._leash.leave(point)

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

    def __init__(self, stop: Stop, leash: Leash, focus: Callable[[Window | None], None]) -> None:
        """`focus` gives a window, or with None the game's, the keyboard or raises WindowError.

        Raises CaptureError where pyautogui cannot work.
        """
        self._stop = stop
        self._leash = leash
        self._focus = focus
        self._pyautogui = _pyautogui()

    def press(self, key: str, window: Window | None = None) -> None:
        """Press and release; see `Keyboard`."""
        what = Key.parse(key)
        self._stop.check()
        self._focus(window)
        # pyautogui hangs when two threads use it at once, and one looks at the pointer.
        with self._leash.held():
            self._stop.check()
            # Its names of keys are X's in small letters.
            name = what.name if len(what.name) == 1 else what.name.lower()
            self._pyautogui.hotkey(*what.modifiers, name)

    def focus(self) -> None:
        """Give the game's window the keyboard; see `Keyboard`."""
        self._focus(None)


def _pyautogui() -> Any:
    """The module, whose import opens the display and may do worse."""
    try:
        # Its X library writes warnings to standard output, which is not its to write on.
        with redirect_stdout(io.StringIO()):
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


def _xlib_errors() -> tuple[type[Exception], ...]:
    """python-xlib's errors, which have no common base, if pyautogui has come to import it."""
    error = sys.modules.get("Xlib.error")
    names = ("DisplayError", "XauthError", "ConnectionClosedError")
    return tuple(getattr(error, name) for name in names) if error else ()
