"""The `Mouse` and `Keyboard` ports: what the program does to the game.

Beside them what every mouse needs to notice the person's hand, a mouse that only
says what it would do, and the mouse for systems other than X11.
"""

from __future__ import annotations

import io
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, redirect_stdout
from enum import Enum
from typing import Any, Protocol

from bot.desktop.windows import Window
from bot.errors import CaptureError
from bot.frame import Point
from bot.keys import Key
from bot.stop import Stop

__all__ = [
    "Button",
    "DryKeyboard",
    "DryMouse",
    "Keyboard",
    "Leash",
    "Mouse",
    "PyAutoGuiKeyboard",
    "PyAutoGuiMouse",
]


class Button(Enum):
    """A mouse button, by what it does in the game."""

    LEFT = 1
    RIGHT = 3


class Mouse(Protocol):
    """Something that can click."""

    def click(self, point: Point, button: Button) -> None:
        """Press and release `button` at the screen point, and return when that has landed.

        Raises Stopped, and clicks nothing, once the person has asked for the stop
        or has moved the pointer since the last click; WindowError, and clicks
        nothing, when what lies under the point is not the game's window.
        """
        ...

    def rest(self, point: Point) -> None:
        """Put the pointer at the screen point, if it is where a click of this mouse left it.

        What a game shows for as long as the pointer lies on it then goes. Raises Stopped
        as `click` does.
        """
        ...


class Keyboard(Protocol):
    """Something that can press a key."""

    def press(self, key: str, window: Window | None = None) -> None:
        """Press and release `key`, as `bot.keys` writes it, in the game's window.

        With `window` in that one, which has to be one of the game's own. Raises
        UsageError for what is no key, Stopped or WindowError as `Mouse.click` does.
        """
        ...

    def focus(self) -> None:
        """Have what is typed go to the game's window; raises WindowError."""
        ...


_JITTER = 2
"""Points that the pointer may move at once: a desk that is bumped, not a hand that moves."""

_DRIFT = 6
"""Points that it may move in sum: a slow hand between fast clicks."""


class Leash:
    """Where the bot left the pointer: when it goes elsewhere, the person has the mouse.

    And which keys it presses itself, so that they are not taken for the person's.
    Several threads may use it; what belongs together is done under `held`.
    """

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._left: Point | None = None
        self._drift = Point(0, 0)
        self._keys: Counter[int] = Counter()
        # A lock of their own: Esc is heard also while a click waits for the person's hand.
        self._typing = threading.Lock()

    def type(self, key: int) -> None:
        """The bot is about to press the key of this number."""
        with self._typing:
            self._keys[key] += 1

    def typed(self, key: int) -> bool:
        """Whether the bot has pressed the key itself: true once for each time it did."""
        with self._typing:
            own = self._keys[key] > 0
            self._keys[key] -= own
            return own

    def held(self) -> AbstractContextManager[bool]:
        """The lock under which the pointer is moved, or looked at."""
        return self._lock

    def leave(self, point: Point) -> None:
        """The bot has put the pointer at `point`."""
        self._left = point

    @property
    def is_free(self) -> bool:
        """Whether the bot has put the pointer nowhere yet: it is where the person left it."""
        return self._left is None

    def look(self, at: Point, stop: Stop) -> None:
        """Ask for the stop when the person has moved the pointer, which is now at `at`."""
        if self._left is not None and _far(at, self._left, _JITTER):
            stop.request(_MOVED)

    def glance(self, where: Callable[[], Point], stop: Stop) -> None:
        """As `look`, from another thread; while a click is under way the mouse looks itself.

        It does not wait for the click: that may be waiting for the person.
        """
        if self._lock.acquire(blocking=False):
            try:
                self.look(where(), stop)
            finally:
                self._lock.release()

    def check(self, at: Point, stop: Stop) -> None:
        """As `look`, with small moves the same way adding up. Raises Stopped."""
        if self._left is not None:
            self.look(at, stop)
            x, y = self._drift
            self._drift = Point(x + at.x - self._left.x, y + at.y - self._left.y)
            self._left = at
            if _far(self._drift, Point(0, 0), _DRIFT):
                stop.request(_MOVED)
        stop.check()


_MOVED = "the mouse was moved"


def _far(a: Point, b: Point, limit: int) -> bool:
    return max(abs(a.x - b.x), abs(a.y - b.y)) > limit


class DryMouse:
    """Says what it would click, and touches nothing."""

    def __init__(self, stop: Stop, say: Callable[[str], None]) -> None:
        self._stop = stop
        self._say = say

    def click(self, point: Point, button: Button) -> None:
        """Say it. Raises Stopped once the person has asked for the stop."""
        self._stop.check()
        self._say(f"would click {button.name.lower()} at {point.x},{point.y}")

    def rest(self, point: Point) -> None:
        """Nothing to say: no click has left the pointer anywhere."""


class DryKeyboard:
    """Says what it would press, and touches nothing."""

    def __init__(self, stop: Stop, say: Callable[[str], None]) -> None:
        self._stop = stop
        self._say = say

    def press(self, key: str, window: Window | None = None) -> None:
        """Say it. Raises Stopped once the person has asked for the stop."""
        self._stop.check()
        self._say(f"would press {Key.parse(key)}" + (f" in {window}" if window else ""))

    def focus(self) -> None:
        """Nothing to say: the window is left as it is."""


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
