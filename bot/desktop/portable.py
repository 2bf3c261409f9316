"""The desktop where there is no X11: windows by pywinctl, clicks by pyautogui.

Repaints cannot be waited for here, Esc cannot be heard, and whether a click has
landed cannot be told; the mouse moved by hand and Ctrl-C do stop the bot.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from typing import Any

from bot.capture import Point, Rect, State, Window
from bot.desktop.mss_screen import WindowScreen
from bot.desktop.pointer_guard import Leash
from bot.desktop.ports import Seat
from bot.desktop.pyautogui_input import PyAutoGuiKeyboard, PyAutoGuiMouse
from bot.errors import CaptureError, WindowError, WindowMoved
from bot.stop import Stop

__all__ = ["PortableDesktop"]

_EVERY = 0.02
"""Seconds between two looks at the pointer."""

_NAP = 0.005
"""Seconds after which a window may have repainted."""


class PortableDesktop:
    """The screen of this machine; see `bot.desktop.ports.Desktop`."""

    def __init__(self) -> None:
        self._listed: dict[int, Any] = {}

    def windows(self) -> list[Window]:
        """The programs' windows. Raises CaptureError without pywinctl."""
        natives = _pywinctl().getAllWindows()
        # Handles are numbers on Windows and pairs of names on macOS.
        handles = ((native.getHandle(), native) for native in natives)
        self._listed = {
            handle if isinstance(handle, int) else number: native
            for number, (handle, native) in enumerate(handles, 1)
        }
        return [_window(number, native) for number, native in self._listed.items()]

    def front(self, window: Window) -> None:
        """Bring the window forward. Raises WindowError when it does not come."""
        native = self._native(window)
        if native.isMinimized:
            native.restore(wait=True)
        if not native.activate(wait=True):
            raise WindowError(f"{window} does not come forward: click on it yourself first")

    def enlarge(self, window: Window) -> bool:
        """Make the window larger; see `bot.desktop.ports.Desktop`."""
        native = self._native(window)
        before = native.size
        native.resizeTo(before.width * 4 // 3, before.height * 4 // 3, wait=True)
        return bool(native.size.width > before.width or native.size.height > before.height)

    def resize(self, window: Window, width: int, height: int) -> bool:
        """Give the window another size; see `bot.desktop.ports.Desktop`."""
        native = self._native(window)
        before, client = native.size, native.getClientFrame()
        wider = before.width - (client.right - client.left)
        higher = before.height - (client.bottom - client.top)
        native.resizeTo(width + wider, height + higher, wait=True)
        return bool(native.size != before)

    @contextmanager
    def open(self, window: Window, stop: Stop) -> Iterator[Seat]:
        """Play in the window for a `with` block. Raises WindowError or CaptureError."""
        leash = Leash()
        pane = _Pane(window, self._native(window))
        mouse = PyAutoGuiMouse(stop, leash, pane.guard)
        keyboard = PyAutoGuiKeyboard(stop, leash, lambda other: self.front(other or window))
        with ExitStack() as ends:
            screen = ends.enter_context(closing(WindowScreen(pane)))
            ends.enter_context(_watched(mouse, stop, leash))
            yield Seat(screen, mouse, keyboard, lambda: self._dialogs(window))

    def _dialogs(self, window: Window) -> list[Window]:
        return [
            other
            for other in self.windows()
            if other.parent == window.id and other.state is State.SHOWN
        ]

    def _native(self, window: Window) -> Any:
        native = self._listed.get(window.id)
        if native is None or not native.isAlive:
            raise WindowError(f"{window} has been closed")
        return native


class _Pane:
    """One window while it is being played; see `bot.desktop.mss_screen.Place`."""

    def __init__(self, window: Window, native: Any) -> None:
        self._window = window
        self._native = native
        self._rect = window.rect

    def look(self) -> Rect:
        self._rect = self._now()
        return self._rect

    def wait(self, timeout: float) -> bool:
        time.sleep(min(timeout, _NAP))
        return True

    def guard(self, point: Point) -> None:
        """Raise WindowError unless a click at the point reaches the window."""
        if self._now() != self._rect:
            raise WindowMoved(f"{self._window} has moved since it was last looked at")
        if not self._rect.holds(point):
            raise WindowError(f"({point.x}, {point.y}) lies outside {self._window}")
        top = _pywinctl().getTopWindowAt(point.x, point.y)
        if top != self._native:
            above = repr(top.title) if top else "nothing"
            raise WindowError(f"{self._window} is covered at ({point.x}, {point.y}) by {above}")

    def _now(self) -> Rect:
        if not self._native.isAlive:
            raise WindowError(f"{self._window} has been closed")
        if self._native.isMinimized:
            raise WindowError(f"{self._window} is minimised")
        return _inside(self._native)


@contextmanager
def _watched(mouse: PyAutoGuiMouse, stop: Stop, leash: Leash) -> Iterator[None]:
    """A block during which a moved mouse asks for the stop."""
    over = threading.Event()

    def watch() -> None:
        while not over.wait(_EVERY):
            leash.glance(mouse.position, stop)

    thread = threading.Thread(target=watch, name="minebot-stop", daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def _window(number: int, native: Any) -> Window:
    shown = native.isVisible and not native.isMinimized
    parent = native.getParent()
    return Window(
        id=number,
        title=native.title,
        instance=native.getAppName(),
        rect=_inside(native),
        state=State.SHOWN if shown else State.MINIMISED,
        parent=parent if isinstance(parent, int) else 0,
    )


def _inside(native: Any) -> Rect:
    frame = native.getClientFrame()
    return Rect(frame.left, frame.top, frame.right - frame.left, frame.bottom - frame.top)


def _pywinctl() -> Any:
    try:
        import pywinctl  # type: ignore[import-not-found, unused-ignore]  # noqa: PLC0415
    except ImportError as error:
        raise CaptureError("windows cannot be found: pywinctl is not installed") from error
    except SystemExit as error:
        raise CaptureError("windows cannot be found: pywinctl does not run here") from error
    return pywinctl
