"""The X11 desktop: windows, bringing them forward, and playing in one."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from functools import partial
from pathlib import Path

from bot.actuator import Mouse
from bot.capture import Window
from bot.desktop.mss_screen import WindowScreen
from bot.desktop.pointer_guard import Leash
from bot.desktop.ports import Seat
from bot.desktop.pyautogui_input import PyAutoGuiMouse
from bot.desktop.x11.display import Display
from bot.desktop.x11.front import bring_forward
from bot.desktop.x11.keyboard import XKeyboard
from bot.desktop.x11.mouse import XMouse
from bot.desktop.x11.pane import Pane
from bot.desktop.x11.size import enlarge, resize
from bot.desktop.x11.tree import dialogs_of, list_windows
from bot.desktop.x11.watcher import Watcher
from bot.desktop.x11.wayland import refuse_blindness
from bot.stop import Stop

__all__ = ["XDesktop"]


class XDesktop:
    """One X display; see `bot.desktop.ports.Desktop`."""

    def __init__(self, name: str | None = None, *, pyautogui: bool = False) -> None:
        """`name` is such as ":0"; None takes DISPLAY when it is needed.

        With `pyautogui` it clicks through that, and not by XTEST itself.
        """
        self._name = name
        self._pyautogui = pyautogui

    def windows(self) -> list[Window]:
        """The programs' windows. Raises CaptureError."""
        with Display(self._name) as display:
            refuse_blindness(display)
            return list_windows(display)

    def front(self, window: Window) -> None:
        """Bring the window forward. Raises WindowError or CaptureError."""
        with Display(self._name) as display:
            bring_forward(display, window)

    def enlarge(self, window: Window) -> bool:
        """Make the window larger; see `bot.desktop.ports.Desktop`."""
        with Display(self._name) as display:
            return enlarge(display, window)

    def resize(self, window: Window, width: int, height: int) -> bool:
        """Give the window another size; see `bot.desktop.ports.Desktop`."""
        with Display(self._name) as display:
            return resize(display, window, width, height)

    @contextmanager
    def open(self, window: Window, stop: Stop) -> Iterator[Seat]:
        """Play in the window for a `with` block. Raises WindowError or CaptureError."""
        with ExitStack() as ends:
            display = ends.enter_context(Display(self._name))
            leash = Leash()
            pane = Pane(display, window)
            mouse: Mouse = XMouse(pane, stop, leash)
            if self._pyautogui:
                _show_to_pyautogui(display.name)
                mouse = PyAutoGuiMouse(stop, leash, pane.guard)
            keyboard = XKeyboard(pane, stop, leash)
            screen = ends.enter_context(closing(WindowScreen(pane, display.name)))
            watching = ends.enter_context(Display(display.name))
            ends.enter_context(Watcher(watching, stop, leash))
            yield Seat(screen, mouse, keyboard, partial(dialogs_of, display, window.id))


def _show_to_pyautogui(display: str) -> None:
    """Name the display where pyautogui looks for it: in the environment, and there alone."""
    os.environ["DISPLAY"] = display
    if "XAUTHORITY" not in os.environ and not (Path.home() / ".Xauthority").exists():
        # Its X library gives up without a login file, though the display needs none.
        os.environ["XAUTHORITY"] = os.devnull
