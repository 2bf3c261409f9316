"""The desktop of other systems, with a stand-in for pywinctl over a real window."""

from __future__ import annotations

import sys
import time
from collections import namedtuple
from collections.abc import Iterator
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import pytest

from bot.actuator import Button
from bot.capture import State
from bot.desktop.choose import native
from bot.desktop.place import Point
from bot.desktop.portable import PortableDesktop
from bot.desktop.ports import Desktop
from bot.desktop.windows import find
from bot.errors import CaptureError, Stopped, WindowError, WindowMoved
from bot.sandbox.display import PrivateDisplay
from bot.stop import Stop
from tests.desktop.rig import PLACE, pyautogui_on
from tests.desktop.x11.client import Client

Edges = namedtuple("Edges", "left top right bottom")


@dataclass(eq=False)
class NativeWindow:
    """What pywinctl says of a window."""

    client: Client
    handle: Any
    title: str = "Mines"
    isAlive: bool = True  # noqa: N815 - pywinctl's names
    isVisible: bool = True  # noqa: N815
    isMinimized: bool = False  # noqa: N815
    parent: Any = 0
    obeys: bool = True
    asked: list[str] = field(default_factory=list)

    def getHandle(self) -> Any:  # noqa: N802
        return self.handle

    def getAppName(self) -> str:  # noqa: N802
        return "minesweeper.exe"

    def getParent(self) -> Any:  # noqa: N802
        return self.parent

    @property
    def size(self) -> Any:
        return self.client.rect

    def resizeTo(self, width: int, height: int, *, wait: bool) -> None:  # noqa: N802
        self.asked.append(f"resize {width}x{height}")
        if wait and self.obeys:
            self.client.resize(width, height)
            self.client.wait_for(lambda: self.client.rect.width == width)

    def getClientFrame(self) -> Edges:  # noqa: N802
        rect = self.client.rect
        return Edges(rect.left, rect.top, rect.right, rect.bottom)

    def restore(self, *, wait: bool) -> None:
        self.asked.append("restore")
        self.isMinimized = not wait

    def activate(self, *, wait: bool) -> bool:
        self.asked.append("activate")
        return wait and self.obeys


@pytest.fixture
def window(bare_desk: PrivateDisplay, monkeypatch: pytest.MonkeyPatch) -> Iterator[NativeWindow]:
    with Client(bare_desk.name, PLACE) as client, pyautogui_on(bare_desk.name):
        window = NativeWindow(client, 4711)
        stand_in = SimpleNamespace(
            getAllWindows=lambda: [window], getTopWindowAt=lambda _x, _y: window, window=window
        )
        monkeypatch.setitem(sys.modules, "pywinctl", stand_in)
        yield window


def test_it_is_a_desktop_for_what_is_not_linux(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    desktop: Desktop = native()
    assert isinstance(desktop, PortableDesktop)


def test_windows_are_listed(window: NativeWindow) -> None:
    (found,) = PortableDesktop().windows()
    assert (found.id, found.title, found.instance) == (4711, "Mines", "minesweeper.exe")
    assert (found.rect, found.state) == (PLACE, State.SHOWN)
    assert find("minesweeper.exe", [found]) is found
    window.isMinimized = True
    assert PortableDesktop().windows()[0].state is State.MINIMISED


def test_handles_that_are_no_numbers_are_counted(window: NativeWindow) -> None:
    window.handle = ("Minesweeper", "Mines")
    assert PortableDesktop().windows()[0].id == 1


def test_a_minimised_window_comes_forward(window: NativeWindow) -> None:
    desktop = PortableDesktop()
    (found,) = desktop.windows()
    window.isMinimized = True
    desktop.front(found)
    assert window.asked == ["restore", "activate"]
    window.obeys = False
    with pytest.raises(WindowError, match="does not come forward"):
        desktop.front(found)
    window.isAlive = False
    with pytest.raises(WindowError, match="closed"):
        desktop.front(found)


def test_a_window_is_enlarged_where_it_can_be(window: NativeWindow) -> None:
    desktop = PortableDesktop()
    (found,) = desktop.windows()
    assert desktop.enlarge(found)
    window.obeys = False
    assert not desktop.enlarge(found)
    assert window.asked == ["resize 400x266", "resize 533x354"]


def test_a_window_is_given_a_size(window: NativeWindow) -> None:
    desktop = PortableDesktop()
    (found,) = desktop.windows()
    assert desktop.resize(found, 320, 240)
    assert window.client.rect[2:] == (320, 240)
    assert not desktop.resize(found, 320, 240)


def test_what_belongs_to_a_window_is_its_dialog(
    window: NativeWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    desktop = PortableDesktop()
    (found,) = desktop.windows()
    dialog = NativeWindow(window.client, 4712, title="Game over", parent=4711)
    other = NativeWindow(window.client, 4713, title="Another game", parent=("a", "name"))
    listed = [window, dialog, other]
    monkeypatch.setattr(sys.modules["pywinctl"], "getAllWindows", lambda: listed)
    with desktop.open(found, Stop()) as seat:
        assert [other.title for other in seat.dialogs()] == ["Game over"]
        dialog.isMinimized = True
        assert seat.dialogs() == []


def test_it_can_be_played_in(window: NativeWindow) -> None:
    desktop, stop = PortableDesktop(), Stop()
    (found,) = desktop.windows()
    with desktop.open(found, stop) as seat:
        frame = seat.screen.grab()
        assert (frame.origin, frame.width, frame.height) == ((200, 150), 300, 200)
        assert seat.screen.wait(1)
        seat.mouse.click(Point(205, 157), Button.RIGHT)
        press = window.client.expect(1)[0]
        assert (press.x, press.y, press.detail) == (5, 7, 3)
        seat.keyboard.press("n")
        window.client.wait_for(lambda: len(window.client.keys) == 1)
        window.client.push(30, 0)
        end = time.monotonic() + 5
        while stop.reason is None and time.monotonic() < end:
            time.sleep(0.001)
        with pytest.raises(Stopped, match="the mouse was moved"):
            seat.mouse.click(Point(205, 157), Button.LEFT)


def test_a_corner_of_the_screen_is_pyautoguis_own_stop(window: NativeWindow) -> None:
    desktop, stop = PortableDesktop(), Stop()
    (found,) = desktop.windows()
    with desktop.open(found, stop) as seat:
        seat.screen.grab()
        window.client.push(-5000, -5000)
        with pytest.raises(Stopped, match="moved into a corner of the screen"):
            seat.mouse.click(Point(205, 157), Button.LEFT)
        window.client.push(640, 512)
    assert window.client.expect(0) == []
    assert stop.reason == "the mouse was moved into a corner of the screen"


def test_what_is_in_the_way_is_not_clicked(
    window: NativeWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    desktop = PortableDesktop()
    (found,) = desktop.windows()
    with desktop.open(found, Stop()) as seat:
        seat.screen.grab()
        with pytest.raises(WindowError, match="outside"):
            seat.mouse.click(Point(5, 5), Button.LEFT)
        above = SimpleNamespace(title="Notice")
        monkeypatch.setattr(sys.modules["pywinctl"], "getTopWindowAt", lambda _x, _y: above)
        with pytest.raises(WindowError, match=r"covered at .* by 'Notice'"):
            seat.mouse.click(Point(205, 157), Button.LEFT)
        window.client.move(210, 150)
        with pytest.raises(WindowMoved):
            seat.mouse.click(Point(215, 157), Button.LEFT)
        window.isMinimized = True
        with pytest.raises(WindowError, match="minimised"):
            seat.screen.grab()
        window.isAlive = False
        with pytest.raises(WindowError, match="closed"):
            seat.screen.grab()
    assert window.client.expect(0) == []


def test_without_pywinctl_the_message_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pywinctl", None)
    with pytest.raises(CaptureError, match="pywinctl is not installed"):
        PortableDesktop().windows()
