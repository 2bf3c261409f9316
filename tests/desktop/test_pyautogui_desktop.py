"""The desktop of other systems, with a stand-in for pywinctl over a real window."""

from __future__ import annotations

import sys
import threading
import time
from collections import namedtuple
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import mss
import pytest
from xcffib import xproto

from minebot.actuator import Button, Key
from minebot.capture import Pixel, State
from minebot.desktop.pyautogui_desktop import PyAutoGuiDesktop
from minebot.desktop.x11.display import Display
from minebot.errors import (
    CaptureError,
    Stopped,
    WindowCovered,
    WindowError,
    WindowGone,
    WindowMoved,
)
from minebot.sandbox.private_display import PrivateDisplay
from minebot.stop import Stop
from tests.desktop.rig import PLACE, pyautogui_on
from tests.desktop.x11.client import Client
from tests.support.stopping import promised

LEFT = Button.LEFT


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


def test_windows_are_listed(window: NativeWindow) -> None:
    (found,) = PyAutoGuiDesktop().windows()
    assert (found.id, found.title, found.app_ids) == ("4711", "Mines", ("minesweeper.exe",))
    assert (found.rect, found.state) == (PLACE, State.SHOWN)
    assert PyAutoGuiDesktop().pick("minesweeper.exe", lambda _: False) == found
    window.isMinimized = True
    assert PyAutoGuiDesktop().windows()[0].state is State.MINIMISED


def test_handles_that_are_no_numbers_are_counted(window: NativeWindow) -> None:
    window.handle = ("Minesweeper", "Mines")
    assert PyAutoGuiDesktop().windows()[0].id == "1"


def test_a_minimised_window_comes_forward(window: NativeWindow) -> None:
    desktop = PyAutoGuiDesktop()
    (found,) = desktop.windows()
    with desktop.open(found, Stop()) as window_session:
        window.isMinimized = True
        window_session.control.show()
        assert window.asked == ["restore", "activate"]
        window.obeys = False
        with pytest.raises(WindowError, match="does not come forward"):
            window_session.control.show()
        window.isAlive = False
        with pytest.raises(WindowGone):
            window_session.control.show()
        with pytest.raises(WindowGone):
            window_session.control.enlarge()
    with pytest.raises(WindowGone), desktop.open(found, Stop()):
        pass


def test_a_window_is_enlarged_where_it_can_be(window: NativeWindow) -> None:
    desktop = PyAutoGuiDesktop()
    (found,) = desktop.windows()
    with desktop.open(found, Stop()) as window_session:
        assert window_session.control.enlarge()
        window.obeys = False
        assert not window_session.control.enlarge()
    assert window.asked == ["resize 400x266", "resize 533x354"]


def test_what_belongs_to_a_window_is_its_dialog(
    window: NativeWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    desktop = PyAutoGuiDesktop()
    (found,) = desktop.windows()
    dialog = NativeWindow(window.client, 4712, title="Game over", parent=4711)
    other = NativeWindow(window.client, 4713, title="Another game", parent=("a", "name"))
    listed = [window, dialog, other]
    monkeypatch.setattr(sys.modules["pywinctl"], "getAllWindows", lambda: listed)
    with desktop.open(found, Stop()) as window_session:
        assert [other.title for other in window_session.dialogs()] == ["Game over"]
        dialog.isMinimized = True
        assert window_session.dialogs() == []


def test_it_can_be_played_in(window: NativeWindow) -> None:
    desktop, stop = PyAutoGuiDesktop(), Stop()
    (found,) = desktop.windows()
    with desktop.open(found, stop) as window_session:
        assert window_session.stops == promised()["Windows, macOS"]
        frame = window_session.screen.grab()
        assert (frame.width, frame.height) == (300, 200)
        assert window_session.screen.wait(1)
        window_session.mouse.click(frame, Pixel(5, 7), Button.RIGHT)
        press = window.client.expect(1)[0]
        assert (press.x, press.y, press.detail) == (5, 7, 3)
        window_session.keyboard.press(Key("n"))
        window.client.wait_for(lambda: len(window.client.keys) == 1)
        window.client.push(30, 0)
        stop.wait(5)
        with pytest.raises(Stopped, match="the mouse was moved"):
            window_session.mouse.click(frame, Pixel(5, 7), Button.LEFT)


@pytest.mark.parametrize("scale", [1.25, 1.5, 2.0])
def test_pixels_finer_than_points_are_clicked_where_they_show(
    window: NativeWindow, monkeypatch: pytest.MonkeyPatch, scale: float
) -> None:
    """As mss has it on a laptop whose screen is scaled."""
    grab = mss.MSS.grab

    def finer(self: Any, area: Any) -> Any:
        shot = grab(self, area)
        width, height = round(shot.width * scale), round(shot.height * scale)
        return SimpleNamespace(raw=bytes(4 * width * height), width=width, height=height)

    monkeypatch.setattr(mss.MSS, "grab", finer)
    desktop = PyAutoGuiDesktop()
    (found,) = desktop.windows()
    with desktop.open(found, Stop()) as window_session:
        frame = window_session.screen.grab()
        assert (frame.width, frame.height) == (300 * scale, 200 * scale)
        points = [(0, 0), (17, 33), (150, 100), (299, 199)]
        for x, y in points:
            window_session.mouse.click(
                frame, Pixel(int((x + 0.5) * scale), int((y + 0.5) * scale)), LEFT
            )
        assert [(press.x, press.y) for press in window.client.expect(4)] == points


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_pointer_that_cannot_be_found_any_more_stops(
    window: NativeWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    def lost() -> None:
        raise OSError("no pointer")

    desktop, stop = PyAutoGuiDesktop(), Stop()
    (found,) = desktop.windows()
    with desktop.open(found, stop) as window_session:
        frame = window_session.screen.grab()
        window_session.mouse.click(frame, Pixel(5, 7), LEFT)
        monkeypatch.setattr(sys.modules["pyautogui"], "position", lost)
        stop.wait(5)
        with pytest.raises(Stopped, match="what listens for the mouse has failed"):
            window_session.mouse.click(frame, Pixel(5, 7), LEFT)
    assert len(window.client.expect(1)) == 1


def test_a_corner_of_the_screen_is_pyautoguis_own_stop(window: NativeWindow) -> None:
    desktop, stop = PyAutoGuiDesktop(), Stop()
    (found,) = desktop.windows()
    with desktop.open(found, stop) as window_session:
        frame = window_session.screen.grab()
        window.client.push(-5000, -5000)
        with pytest.raises(Stopped, match="moved into a corner of the screen"):
            window_session.mouse.click(frame, Pixel(5, 7), LEFT)
        window.client.push(640, 512)
    assert window.client.expect(0) == []
    assert stop.reason == "the mouse was moved into a corner of the screen"


def test_a_key_is_not_pressed_either_with_the_pointer_there(window: NativeWindow) -> None:
    desktop, stop = PyAutoGuiDesktop(), Stop()
    (found,) = desktop.windows()
    with desktop.open(found, stop) as window_session:
        window.client.push(-5000, -5000)
        with pytest.raises(Stopped, match="moved into a corner of the screen"):
            window_session.keyboard.press(Key("n"))
        window.client.push(640, 512)
    window.client.take()
    assert window.client.keys == []


def test_a_button_is_released_though_the_mouse_goes_to_a_corner_meanwhile(
    window: NativeWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    desktop, stop, as_usual = PyAutoGuiDesktop(), Stop(), time.sleep
    (found,) = desktop.windows()

    def pushed(seconds: float) -> None:
        if seconds == 0.0321:
            window.client.push(-5000, -5000)
        as_usual(seconds)

    monkeypatch.setattr(time, "sleep", pushed)
    display = window.client.display
    with desktop.open(found, stop) as window_session:
        window_session.mouse.press_seconds = 0.0321
        window_session.mouse.click(window_session.screen.grab(), Pixel(5, 7), LEFT, "ctrl")
        assert not display.core.QueryPointer(display.root).reply().mask
        assert stop.wait(5)
        assert stop.reason == "the mouse was moved"
        window.client.push(640, 512)


def test_a_window_manager_that_holds_the_pointer_is_no_hand(window: NativeWindow) -> None:
    desktop, stop = PyAutoGuiDesktop(), Stop()
    (found,) = desktop.windows()
    with (
        _press_looked_at_first(window.client.display.name),
        desktop.open(found, stop) as window_session,
    ):
        frame = window_session.screen.grab()
        window_session.mouse.click(frame, Pixel(5, 7), LEFT)
        window_session.mouse.park(frame)
        stop.wait(0.1)  # while the pointer is watched
        window_session.mouse.click(frame, Pixel(50, 70), LEFT)
        assert stop.reason is None
        # A press that the manager still holds when it leaves would be lost.
        assert [(press.x, press.y) for press in window.client.expect(2)] == [(5, 7), (50, 70)]


@contextmanager
def _press_looked_at_first(name: str) -> Iterator[None]:
    """A block in which presses freeze the pointer for 0.2 s, as a busy window manager's do."""

    def has_pressed() -> bool:
        return any(isinstance(event, xproto.ButtonPressEvent) for event in manager.pending())

    def look() -> None:
        while not over.is_set():
            if not manager.until(has_pressed, 0.1):
                continue
            over.wait(0.2)
            manager.core.AllowEvents(xproto.Allow.ReplayPointer, 0)
            manager.flush()

    over = threading.Event()
    with Display(name) as manager:
        press, frozen = xproto.EventMask.ButtonPress, xproto.GrabMode.Sync
        free, anything = xproto.GrabMode.Async, xproto.ModMask.Any
        # No other window, no other cursor, any button.
        manager.core.GrabButton(False, manager.root, press, frozen, free, 0, 0, 0, anything)
        manager.flush()
        thread = threading.Thread(target=look, daemon=True)
        thread.start()
        try:
            yield
        finally:
            over.set()
            thread.join()


def test_what_is_in_the_way_is_not_clicked(
    window: NativeWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    desktop = PyAutoGuiDesktop()
    (found,) = desktop.windows()
    with desktop.open(found, Stop()) as window_session:
        frame = window_session.screen.grab()
        above = SimpleNamespace(title="Notice")
        monkeypatch.setattr(sys.modules["pywinctl"], "getTopWindowAt", lambda _x, _y: above)
        with pytest.raises(WindowCovered, match=r"covered at .* by 'Notice'"):
            window_session.mouse.click(frame, Pixel(5, 7), LEFT)
        with pytest.raises(WindowCovered, match=r"covered at .* by 'Notice'"):
            window_session.screen.grab()
        monkeypatch.setattr(sys.modules["pywinctl"], "getTopWindowAt", lambda _x, _y: window)
        window.client.move(210, 150)
        window_session.screen.grab()
        with pytest.raises(WindowMoved):
            window_session.mouse.click(frame, Pixel(15, 7), LEFT)
        window.client.move(-50, 150)
        with pytest.raises(WindowError, match="not wholly on the screen"):
            window_session.screen.grab()
        window.isMinimized = True
        with pytest.raises(WindowError, match="minimised"):
            window_session.screen.grab()
        window.isAlive = False
        with pytest.raises(WindowGone):
            window_session.screen.grab()
    assert window.client.expect(0) == []


@pytest.mark.parametrize("at", [(200, 150), (499, 150), (200, 349), (499, 349), (349, 249)])
def test_a_window_that_covers_a_corner_or_the_middle_is_seen(
    window: NativeWindow, monkeypatch: pytest.MonkeyPatch, at: tuple[int, int]
) -> None:
    above = SimpleNamespace(title="Notice")
    monkeypatch.setattr(
        sys.modules["pywinctl"], "getTopWindowAt", lambda *place: above if place == at else window
    )
    desktop = PyAutoGuiDesktop()
    (found,) = desktop.windows()
    with desktop.open(found, Stop()) as window_session, pytest.raises(WindowCovered):
        window_session.screen.grab()


def test_without_pywinctl_the_message_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pywinctl", None)
    with pytest.raises(CaptureError, match="pywinctl is not installed"):
        PyAutoGuiDesktop().windows()
