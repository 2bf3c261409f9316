"""The rig of a shared window, make-believe but for what is ours of the portal's backend."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import pytest
from numpy.typing import NDArray

from fixtures.waiting import within
from minebot.actuator import MODIFIERS, Button
from minebot.capture import Rect, Window
from minebot.desktop.placement import Point
from minebot.desktop.portal.idle_monitor import IdleAttribution, IdleMonitor
from minebot.desktop.portal.shared_picture import PortalScreen, RemoteInput
from minebot.desktop.ports import StopWay, WindowSession, unseen
from minebot.stop import Stop, SystemClock
from tests.desktop.portal.fake_share import FakeShare
from tests.desktop.rig import BLUE, PLACE, Rig, bgrx

_HAND = 0.5
"""Seconds that a hand moves the mouse for."""


class Asked:
    """How often the user was told of a dialog, and the stop."""

    def __init__(self) -> None:
        self.count = 0
        self.stop = Stop()
        self.clock = SystemClock(self.stop)

    def __call__(self) -> None:
        self.count += 1


class _PortalRig(Rig):
    def __init__(self, share: FakeShare, window_session: WindowSession, stop: Stop) -> None:
        super().__init__(window_session, stop)
        self._share = share

    def clicks(self, count: int) -> list[tuple[int, int, Button]]:
        assert len(self._share.clicks) == count
        scale = self._share.scale
        return [(int(x * scale), int(y * scale), button) for x, y, button in self._share.clicks]

    def held(self, count: int) -> list[set[str]]:
        assert len(self._share.clicks) == count
        names = {symbol: name for name, symbol in MODIFIERS.items()}
        down: set[str] = set()
        found = []
        for member, *body in self._share.notified:
            if member == "NotifyKeyboardKeysym":
                (down.add if body[1] else down.discard)(names[body[0]])
            elif member == "NotifyPointerButton" and body[1]:
                found.append(set(down))
        assert not down
        return found

    def paint(self, rect: Rect, colour: int) -> None:
        self._share.paint(rect, bgrx(colour))

    def resize(self, width: int, height: int) -> None:
        self._share.show(_plain(width, height, self._share.scale))

    def move(self, left: int, top: int) -> None:  # noqa: ARG002
        pytest.skip("a shared window is clicked wherever it is")

    def cover(self, rect: Rect) -> None:  # noqa: ARG002
        pytest.skip("a shared window does not tell what covers it")

    def hide(self) -> None:
        pytest.skip("a shared window does not tell that it was put away")

    def close(self) -> None:
        self._share.end("the window has been closed")

    def push(self, x: int, y: int) -> None:
        if max(abs(x), abs(y)) < 10:
            pytest.skip("here nobody tells how far the mouse was moved")
        left, top = self._share.pointer
        self._share.pointer = (left + x, top + y)

        def is_heard() -> bool:
            self._share.be_active()
            return self.stop.reason is not None

        within(is_heard, _HAND)

    def pointer(self) -> Point:
        x, y = self._share.pointer
        return Point(PLACE.left + int(x), PLACE.top + int(y))


@contextmanager
def portal_rig(scale: float = 1.0) -> Iterator[Rig]:
    """A make-believe shared window, with so many pixels to a point."""
    share, stop = FakeShare(_plain(PLACE.width, PLACE.height, scale), scale), Stop()
    share.is_warm = True
    clock, own = SystemClock(stop), IdleAttribution()
    screen = PortalScreen(share, share.stream, clock)
    devices = RemoteInput(share, screen, stop, own, clock)
    with IdleMonitor(share.idle_seconds, stop, own):
        window_session = WindowSession(
            window=Window("portal", "the shared window"),
            screen=screen,
            mouse=devices,
            keyboard=devices,
            control=devices,
            dialogs=lambda: (),
            picture=unseen,
            stops=frozenset({StopWay.POINTER}),
            clock=clock,
        )
        yield _PortalRig(share, window_session, stop)


def _plain(width: int, height: int, scale: float) -> NDArray[np.uint8]:
    return np.full((round(height * scale), round(width * scale), 4), bgrx(BLUE), np.uint8)
