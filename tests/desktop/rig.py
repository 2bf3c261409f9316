"""One window and a user at it, real or make-believe: what the contract suites run on."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from fixtures.desktops.sway import SwayDesktop
from fixtures.waiting import pass_time, settled, wait_until, within
from minebot.actuator import Button
from minebot.capture import Frame, Pixel, Rect
from minebot.desktop.placement import Point
from minebot.desktop.ports import WindowSession
from minebot.desktop.wayland.desktop import WaylandDesktop
from minebot.desktop.x11.desktop import XDesktop
from minebot.desktop.x11.xtest_input import NUMBERS
from minebot.sandbox.private_display import PrivateDisplay
from minebot.stop import Stop
from tests.desktop.x11.client import Client
from tests.support.fake_desktop import FakeDesk

PLACE = Rect(200, 150, 300, 200)
"""Where every rig's window starts, in points."""

BLUE = 0x336699
"""What it shows."""

RIGS = (
    *("fake", "fake at 1.25", "fake at 2"),
    *("x11", "x11 without a window manager", "pyautogui", "sway"),
    *(pytest.param(f"sway at {scale}", marks=pytest.mark.thorough) for scale in ("1.25", "2")),
    *("portal", "portal at 1.25", "portal at 2"),
)
"""What the contract suites are run on."""

_STATES = {"shift": 1, "ctrl": 4, "alt": 8}
"""X's bits of the modifiers."""

BUTTONS = {number: button for button, number in NUMBERS.items()}


class Rig:
    """A window with a session in it, and what may happen to it."""

    blurs = False
    """Whether one pixel of the program is not one of the frame."""

    def __init__(self, window_session: WindowSession, stop: Stop) -> None:
        self.window_session = window_session
        self.stop = stop
        self.screen, self.mouse, self.keyboard = (
            window_session.screen,
            window_session.mouse,
            window_session.keyboard,
        )

    def grab(self) -> Frame:
        """A frame that can be clicked on: what happened to the window is over."""
        return self.screen.grab()

    def click(
        self,
        frame: Frame,
        x: int,
        y: int,
        button: Button = Button.LEFT,
        held: str | None = None,
    ) -> None:
        """Click on a pixel of the frame."""
        self.mouse.click(frame, Pixel(x, y), button, held)

    def clicks(self, count: int) -> list[tuple[int, int, Button]]:
        """What has been clicked in the window once `count` clicks have come: x, y, button."""
        raise NotImplementedError

    def held(self, count: int) -> list[set[str]]:
        """The modifiers that were held at each of so many clicks."""
        raise NotImplementedError

    def paint(self, rect: Rect, colour: int) -> None:
        """The game repaints a part of its window."""
        raise NotImplementedError

    def resize(self, width: int, height: int) -> None:
        """The user gives the window another size, in points."""
        raise NotImplementedError

    def move(self, left: int, top: int) -> None:
        """The user moves the window."""
        raise NotImplementedError

    def cover(self, rect: Rect) -> None:
        """Another window comes up over a part of the screen."""
        raise NotImplementedError

    def hide(self) -> None:
        """The user puts the window away."""
        raise NotImplementedError

    def close(self) -> None:
        """The user closes the window."""
        raise NotImplementedError

    def push(self, x: int, y: int) -> None:
        """The user moves the mouse by so much."""
        raise NotImplementedError

    def pointer(self) -> Point:
        """Where the pointer is on the screen."""
        raise NotImplementedError


class _FakeRig(Rig):
    def __init__(self, desk: FakeDesk, window_session: WindowSession, stop: Stop) -> None:
        super().__init__(window_session, stop)
        self._desk = desk

    def clicks(self, count: int) -> list[tuple[int, int, Button]]:
        assert len(self._desk.clicks) == count
        return [(x, y, button) for (x, y), button in self._desk.clicks]

    def held(self, count: int) -> list[set[str]]:
        assert len(self._desk.holds) == count
        return [{held} - {None} for held in self._desk.holds]  # type: ignore[misc]  # taken off

    def paint(self, rect: Rect, colour: int) -> None:
        pixels = self._desk.picture()
        pixels[rect.top : rect.bottom, rect.left : rect.right] = bgrx(colour)
        self._desk.paint(pixels)

    def resize(self, width: int, height: int) -> None:
        self._desk.paint(_plain(round(width * self._desk.scale), round(height * self._desk.scale)))

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
def fake_rig(scale: float = 1.0) -> Iterator[Rig]:
    """The make-believe one, with so many pixels to a point."""
    pixels = _plain(round(PLACE.width * scale), round(PLACE.height * scale))
    desk, stop = FakeDesk(pixels, Point(*PLACE[:2]), scale=scale), Stop()
    with desk.open(desk.window, stop) as window_session:
        yield _FakeRig(desk, window_session, stop)


class _XRig(Rig):
    def __init__(self, client: Client, window_session: WindowSession, stop: Stop) -> None:
        super().__init__(window_session, stop)
        self._client = client
        self._others: list[Client] = []

    def grab(self) -> Frame:
        frame = self.screen.grab()
        while not frame.source.settled:  # type: ignore[attr-defined]
            self.window_session.clock.sleep(0.01)
            frame = self.screen.grab()
        return frame

    def clicks(self, count: int) -> list[tuple[int, int, Button]]:
        return [(p.x, p.y, BUTTONS[p.detail]) for p in self._client.expect(count)]

    def held(self, count: int) -> list[set[str]]:
        return [
            {name for name, bit in _STATES.items() if press.state & bit}
            for press in self._client.expect(count)
        ]

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
    desktop = XDesktop(desk.name, pyautogui=pyautogui)
    with (
        Client(desk.name, PLACE, colour=BLUE) as client,
        _quiet_about_pyautogui(),
        desktop.open(client.window, stop) as window_session,
    ):
        window_session.control.show()
        rig = _XRig(client, window_session, stop)
        yield rig
        rig.end()


class _SwayRig(Rig):
    """An X11 window on sway, through XWayland: its program tells where it was clicked."""

    def __init__(
        self, sway: SwayDesktop, client: Client, window_session: WindowSession, stop: Stop
    ) -> None:
        super().__init__(window_session, stop)
        self._sway = sway
        self._client = client
        self._name = window_session.window.id.removeprefix("sway:")
        self._others: list[Client] = []
        scale = sway.outputs()[0]["scale"]
        # With a fraction of a pixel to a point a frame has one to each.
        self._scale = scale if scale == int(scale) else 1
        self.blurs = scale != 1
        self._last: Point | None = None

    grab = _XRig.grab
    held = _XRig.held

    def clicks(self, count: int) -> list[tuple[int, int, Button]]:
        scale = self._scale
        return [
            (int((p.x + 0.5) * scale), int((p.y + 0.5) * scale), BUTTONS[p.detail])
            for p in self._client.expect(count)
        ]

    def paint(self, rect: Rect, colour: int) -> None:
        self._client.paint(rect, colour)
        pass_time(0.1)  # until the screen has been painted too

    def resize(self, width: int, height: int) -> None:
        self._tell(f"resize set width {width} px height {height} px")

    def move(self, left: int, top: int) -> None:
        self._tell(f"move absolute position {left} {top}")

    def cover(self, rect: Rect) -> None:
        name = self._client.display.name
        known = {window["id"] for window in self._sway.windows()}
        with self._sway.as_its_user():
            self._others.append(Client(name, rect, "Notice", "notice", "Notice", anywhere=True))
        (number,) = {window["id"] for window in self._sway.windows()} - known
        self._sway.say(f"[con_id={number}] move absolute position {rect.left} {rect.top}")

    def hide(self) -> None:
        self._tell("move scratchpad")

    def close(self) -> None:
        self._client.destroy()
        wait_until(lambda: self._name not in {str(one["id"]) for one in self._sway.windows()})

    def push(self, x: int, y: int) -> None:
        pass_time(0.01)  # no hand comes sooner after a click, and sway tells of none that does
        self._sway.say(f"seat seat0 cursor move {x} {y}")

    def pointer(self) -> Point:
        # XWayland is told of it by and by.
        within(lambda: self._pointer() != self._last, 1)
        self._last = settled(self._pointer, 0.1)
        return self._last

    def _pointer(self) -> Point:
        display = self._client.display
        at = display.core.QueryPointer(display.root).reply()
        return Point(at.root_x, at.root_y)

    def end(self) -> None:
        for other in self._others:
            other.close()

    def _tell(self, command: str) -> None:
        self._sway.say(f"[con_id={self._name}] {command}")


@contextmanager
def sway_rig(sway: SwayDesktop, desktop: WaylandDesktop, scale: float) -> Iterator[Rig]:
    """A real window on a sway without a screen, scaled so."""
    stop = Stop()
    sway.say(f"output HEADLESS-1 scale {scale}")
    sway.say("seat seat0 cursor set 1 1")  # pictures show it
    name = sway.x11_display
    with sway.as_its_user():
        client = Client(name, PLACE, colour=BLUE, anywhere=True)
    with client:
        number = next(window["id"] for window in sway.windows() if window["name"] == "Log")
        sway.say(f"[con_id={number}] move absolute position {PLACE.left} {PLACE.top}")
        window = next(one for one in desktop.windows() if one.title == "Log")
        with desktop.open(window, stop) as window_session:
            window_session.control.show()
            # Sway may paint it a while after it is there, and again where it was moved to.
            wait_until(lambda: _is_plain(window_session.screen.grab()))
            rig = _SwayRig(sway, client, window_session, stop)
            yield rig
            rig.end()


def _is_plain(frame: Frame) -> bool:
    """Whether the window shows what every rig's does at first; its edge may be blurred."""
    shown = bytes.fromhex(f"{BLUE:06x}")[::-1]
    return bool((frame.pixels[2:-2, 2:-2, :3] == list(shown)).all())


def rig_of(name: str, request: pytest.FixtureRequest) -> Any:
    """The context of the one of `RIGS` that is so called."""
    scale = float(name.partition(" at ")[2] or 1)
    if name.startswith("portal"):
        from tests.desktop.portal.portal_rig import portal_rig  # noqa: PLC0415  # imports this

        return portal_rig(scale)
    if name.startswith("fake"):
        return fake_rig(scale)
    if name.startswith("sway"):
        sway = request.getfixturevalue("sway")
        return sway_rig(sway, request.getfixturevalue("on_sway"), scale)
    # pyautogui stays on the display that it opened first.
    which = "desk" if name == "x11" else "bare_desk"
    return x11_rig(request.getfixturevalue(which), pyautogui=name == "pyautogui")


@contextmanager
def _quiet_about_pyautogui() -> Iterator[None]:
    """A block in which pyautogui may leave a file open."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)
        yield


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
        with _quiet_about_pyautogui():
            yield
    finally:
        os.environ.clear()
        os.environ.update(before)


def _plain(width: int, height: int) -> NDArray[np.uint8]:
    return np.full((height, width, 4), bgrx(BLUE), np.uint8)


def bgrx(colour: int) -> tuple[int, int, int, int]:
    """A colour as the pixels of a frame have it."""
    return (colour & 255, colour >> 8 & 255, colour >> 16, 0)
