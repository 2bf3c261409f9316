"""One window and a person at it, real or make-believe: what the contract suites run on."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

import numpy as np

from bot.actuator import Button, Keyboard, Mouse
from bot.capture import Point, Rect, Screen
from bot.desktop.pointer_guard import Leash
from bot.desktop.ports import Seat
from bot.desktop.pyautogui_input import PyAutoGuiMouse
from bot.desktop.x11.desktop import XDesktop
from bot.desktop.x11.display import Display
from bot.desktop.x11.pane import Pane
from bot.sandbox.display import PrivateDisplay
from bot.stop import Stop
from tests.desktop.x11.client import Client
from tests.fake_desktop import FakeDesk

__all__ = ["PLACE", "Rig", "fake_rig", "pyautogui_on", "x11_rig"]

PLACE = Rect(200, 150, 300, 200)
"""Where every rig's window starts."""

BLUE = 0x336699
"""What it shows."""


class Rig(Protocol):
    """A window with a seat in front of it, and what may happen to it."""

    screen: Screen
    mouse: Mouse
    keyboard: Keyboard
    stop: Stop

    def clicks(self, count: int) -> list[tuple[int, int, Button]]:
        """What has been clicked in the window once `count` clicks have come: x, y, button."""
        ...

    def paint(self, rect: Rect, colour: int) -> None:
        """The game repaints a part of its window."""
        ...

    def resize(self, width: int, height: int) -> None:
        """The person gives the window another size."""
        ...

    def move(self, left: int, top: int) -> None:
        """The person moves the window."""
        ...

    def cover(self, rect: Rect) -> None:
        """Another window comes up over a part of the screen."""
        ...

    def hide(self) -> None:
        """The person puts the window away."""
        ...

    def close(self) -> None:
        """The person closes the window."""
        ...

    def push(self, x: int, y: int) -> None:
        """The person moves the mouse by so much."""
        ...

    def pointer(self) -> Point:
        """Where the pointer is on the screen."""
        ...


class _FakeRig:
    def __init__(self, desk: FakeDesk, seat: Seat, stop: Stop) -> None:
        self._desk = desk
        self.screen, self.mouse, self.keyboard, _ = seat
        self.stop = stop

    def clicks(self, count: int) -> list[tuple[int, int, Button]]:
        assert len(self._desk.clicks) == count
        return [(x, y, button) for (x, y), button in self._desk.clicks]

    def paint(self, rect: Rect, colour: int) -> None:
        pixels = self._desk.picture()
        pixels[rect.top : rect.bottom, rect.left : rect.right] = _bgrx(colour)
        self._desk.paint(pixels)

    def resize(self, width: int, height: int) -> None:
        self._desk.paint(_plain(width, height))

    def move(self, left: int, top: int) -> None:
        self._desk.move(Point(left, top))

    def cover(self, rect: Rect) -> None:
        self._desk.covered = rect

    def hide(self) -> None:
        self._desk.minimise()

    def close(self) -> None:
        self._desk.close()

    def push(self, x: int, y: int) -> None:
        at = self._desk.pointer
        self._desk.pointer = Point(at.x + x, at.y + y)

    def pointer(self) -> Point:
        return self._desk.pointer


@contextmanager
def fake_rig() -> Iterator[Rig]:
    """The make-believe one."""
    desk, stop = FakeDesk(_plain(PLACE.width, PLACE.height), Point(*PLACE[:2])), Stop()
    with desk.open(desk.window, stop) as seat:
        yield _FakeRig(desk, seat, stop)


class _XRig:
    def __init__(self, client: Client, screen: Screen, mouse: Mouse, keyboard: Keyboard) -> None:
        self._client = client
        self._others: list[Client] = []
        self.screen, self.mouse, self.keyboard = screen, mouse, keyboard
        self.stop = Stop()

    def clicks(self, count: int) -> list[tuple[int, int, Button]]:
        return [(p.x, p.y, Button(p.detail)) for p in self._client.expect(count)]

    def paint(self, rect: Rect, colour: int) -> None:
        self._client.paint(rect, colour)

    def resize(self, width: int, height: int) -> None:
        self._client.resize(width, height)

    def move(self, left: int, top: int) -> None:
        self._client.move(left, top)

    def cover(self, rect: Rect) -> None:
        name = self._client.display.name
        self._others.append(Client(name, rect, "Notice", "notice", "Notice", override=True))

    def hide(self) -> None:
        self._client.unmap()

    def close(self) -> None:
        self._client.destroy()

    def push(self, x: int, y: int) -> None:
        self._client.push(x, y)

    def pointer(self) -> Point:
        display = self._client.display
        at = display.core.QueryPointer(display.root).reply()
        return Point(at.root_x, at.root_y)

    def end(self) -> None:
        for other in self._others:
            other.close()


@contextmanager
def x11_rig(desk: PrivateDisplay, *, pyautogui: bool = False) -> Iterator[Rig]:
    """A real window on a private display, clicked by XTEST or by pyautogui."""
    stop = Stop()
    desktop = XDesktop(desk.name)
    with Client(desk.name, PLACE, colour=BLUE) as client:
        desktop.front(client.window)
        with desktop.open(client.window, stop) as seat:
            rig = _XRig(client, *seat[:3])
            rig.stop = stop
            if pyautogui:
                with Display(desk.name) as display:
                    rig.mouse = _pyautogui_mouse(Pane(display, client.window), stop)
                    yield rig
            else:
                yield rig
            rig.end()


def _pyautogui_mouse(pane: Pane, stop: Stop) -> PyAutoGuiMouse:
    with pyautogui_on(pane.display.name):
        return PyAutoGuiMouse(stop, Leash(), pane.guard)


@contextmanager
def pyautogui_on(display: str) -> Iterator[None]:
    """A block in which pyautogui may be imported: it opens a display, for good.

    So all tests have to give it the same one.
    """
    before = dict(os.environ)
    os.environ["DISPLAY"] = display
    # The login file may be empty but must exist.
    os.environ["XAUTHORITY"] = os.devnull
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ResourceWarning)
            yield
    finally:
        os.environ.clear()
        os.environ.update(before)


def _plain(width: int, height: int) -> np.ndarray[tuple[int, int, int], np.dtype[np.uint8]]:
    return np.full((height, width, 4), _bgrx(BLUE), np.uint8)


def _bgrx(colour: int) -> tuple[int, int, int, int]:
    return (colour & 255, colour >> 8 & 255, colour >> 16, 0)
