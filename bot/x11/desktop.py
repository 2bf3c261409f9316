"""The X11 desktop: windows, bringing them forward, and playing in one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager

from bot.actuator import Leash
from bot.capture import WindowScreen
from bot.desktop import Seat
from bot.stop import Stop
from bot.windows import Window
from bot.x11.display import Display
from bot.x11.front import bring_forward
from bot.x11.keyboard import XKeyboard
from bot.x11.mouse import XMouse
from bot.x11.pane import Pane
from bot.x11.tree import list_windows
from bot.x11.watcher import Watcher
from bot.x11.wayland import refuse_blindness

__all__ = ["XDesktop"]


class XDesktop:
    """One X display; see `bot.desktop.Desktop`."""

    def __init__(self, name: str | None = None) -> None:
        """`name` is such as ":0"; None takes DISPLAY when it is needed."""
        self._name = name

    def windows(self) -> list[Window]:
        """The programs' windows. Raises CaptureError."""
        with Display(self._name) as display:
            refuse_blindness(display)
            return list_windows(display)

    def front(self, window: Window) -> None:
        """Bring the window forward. Raises WindowError or CaptureError."""
        with Display(self._name) as display:
            bring_forward(display, window)

    @contextmanager
    def open(self, window: Window, stop: Stop) -> Iterator[Seat]:
        """Play in the window for a `with` block. Raises WindowError or CaptureError."""
        with ExitStack() as ends:
            display = ends.enter_context(Display(self._name))
            leash = Leash()
            pane = Pane(display, window)
            mouse = XMouse(pane, stop, leash)
            keyboard = XKeyboard(pane, stop)
            screen = ends.enter_context(closing(WindowScreen(pane, display.name)))
            watching = ends.enter_context(Display(display.name))
            ends.enter_context(Watcher(watching, stop, leash))
            yield Seat(screen, mouse, keyboard)
