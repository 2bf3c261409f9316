"""Desktops without X11: windows by pywinctl, clicks by pyautogui.

It cannot wait for repaints, hear Esc, or know whether a click has arrived; Ctrl-C and a moved mouse
stop it.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Any

from minebot.capture import Frame, Rect, State, Window
from minebot.desktop.listener import Listener, PointerGuard
from minebot.desktop.placement import Point, WindowPlacement
from minebot.desktop.portable_io import PyAutoGuiKeyboard, PyAutoGuiMouse, WindowScreen
from minebot.desktop.ports import Desktop, StopWay, WindowSession
from minebot.errors import CaptureError, WindowCovered, WindowError, WindowGone, WindowHidden
from minebot.stop import POLL_SECONDS, Clock, Stop, SystemClock

_NAP = 0.005
"""Seconds after which a window may have repainted. Specified: a third of a picture at 60 Hz."""


class PyAutoGuiDesktop(Desktop):
    """The screen of this machine; see `minebot.desktop.ports.Desktop`."""

    def __init__(self) -> None:
        self._listed: dict[str, Any] = {}

    def windows(self) -> list[Window]:
        """The programs' windows. Raises CaptureError without pywinctl."""
        natives = _pywinctl().getAllWindows()
        # Handles are numbers on Windows and pairs of names on macOS.
        handles = ((native.getHandle(), native) for native in natives)
        self._listed = {
            str(handle if isinstance(handle, int) else count): native
            for count, (handle, native) in enumerate(handles, 1)
        }
        return [_window(id_, native) for id_, native in self._listed.items()]

    @contextmanager
    def open(self, window: Window, stop: Stop) -> Iterator[WindowSession]:
        """Play in the window for a `with` block. Raises WindowGone or CaptureError."""
        guard, clock = PointerGuard(), SystemClock(stop)
        tracked = self._tracked(window)
        mouse = PyAutoGuiMouse(stop, guard, tracked)
        with closing(WindowScreen(tracked, clock)) as screen, _PointerWatcher(mouse, stop, guard):
            yield WindowSession(
                window=window,
                screen=screen,
                mouse=mouse,
                keyboard=PyAutoGuiKeyboard(
                    stop, guard, lambda other: self._tracked(other or window).show()
                ),
                control=tracked,
                dialogs=lambda: [
                    other
                    for other in self.windows()
                    if other.parent == window.id and other.state is State.SHOWN
                ],
                picture=lambda other: self._picture(other, clock),
                stops=frozenset({StopWay.POINTER}),
                clock=clock,
            )

    def _picture(self, window: Window, clock: Clock) -> Frame:
        with closing(WindowScreen(self._tracked(window), clock)) as screen:
            return screen.grab()

    def _tracked(self, window: Window) -> _TrackedWindow:
        if window.id not in self._listed:
            raise WindowGone(f"{window} has been closed")
        return _TrackedWindow(window, self._listed[window.id])


class _TrackedWindow:
    """One window while it is being played: a `WindowTracker`, and its `WindowControl`."""

    def __init__(self, window: Window, native: Any) -> None:
        """Raises WindowGone."""
        self._window = window
        self._native = native
        self._check_alive()

    def show(self) -> None:
        self._check_alive()
        if self._native.isMinimized:
            self._native.restore(wait=True)
        if not self._native.activate(wait=True):
            raise WindowError(f"{self._window} does not come forward: click on it yourself first")

    def enlarge(self) -> bool:
        self._check_alive()
        before = self._native.size
        self._native.resizeTo(before.width * 4 // 3, before.height * 4 // 3, wait=True)
        after = self._native.size
        return bool(after.width > before.width or after.height > before.height)

    def look(self) -> WindowPlacement:
        rect = self._now()
        # Nothing lists what lies over a window; its corners and its middle can be asked about.
        right, bottom = rect.right - 1, rect.bottom - 1
        middle = Point((rect.left + right) // 2, (rect.top + bottom) // 2)
        corners = [Point(x, y) for x in (rect.left, right) for y in (rect.top, bottom)]
        for point in (middle, *corners):
            self._check_top(point)
        return WindowPlacement(rect)

    def wait(self, seconds: float) -> bool:
        time.sleep(min(seconds, _NAP))
        return True

    def guard(self, spot: WindowPlacement, point: Point) -> None:
        spot.check(self._window, self._now())
        self._check_top(point)

    def _check_top(self, point: Point) -> None:
        top = _pywinctl().getTopWindowAt(point.x, point.y)
        if top != self._native:
            above = repr(top.title) if top else "nothing that can be seen"
            raise WindowCovered(f"{self._window} is covered at {point} by {above}")

    def _now(self) -> Rect:
        self._check_alive()
        if self._native.isMinimized:
            raise WindowHidden(f"{self._window} is minimised")
        return _inside(self._native)

    def _check_alive(self) -> None:
        if not self._native.isAlive:
            raise WindowGone(f"{self._window} has been closed")


class _PointerWatcher(Listener):
    """Requests the stop once the mouse was moved, or cannot be found."""

    def __init__(self, mouse: PyAutoGuiMouse, stop: Stop, guard: PointerGuard) -> None:
        super().__init__(stop, "the mouse")
        self._mouse = mouse
        self._guard = guard

    def listen(self) -> None:
        """See `Listener`."""
        while self.waits(seconds=POLL_SECONDS):
            self._guard.glance(self._mouse.position, self._stop)


def _window(id_: str, native: Any) -> Window:
    shown = native.isVisible and not native.isMinimized
    parent = native.getParent()
    return Window(
        id=id_,
        title=native.title,
        app_ids=tuple(filter(None, (native.getAppName(),))),
        state=State.SHOWN if shown else State.MINIMISED,
        rect=_inside(native),
        parent=str(parent) if isinstance(parent, int) and parent else "",
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
