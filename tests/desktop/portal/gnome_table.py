"""A game on a real GNOME, shared through its portal."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from fixtures.desktops.gnome import HeadlessGnome
from fixtures.desktops.mutter_user import MutterUser
from fixtures.desktops.portal_dialog import answering, share_screen
from minebot.board import Board, Cell
from minebot.capture import Frame
from minebot.desktop.portal.desktop import PortalDesktop
from minebot.desktop.ports import WindowSession
from minebot.profile import load
from minebot.stop import Stop
from minebot.vision.grid import Grid
from minebot.vision.known_game import KnownGameReader


class Table:
    """A desktop, what its user does when asked, and what the user was told."""

    def __init__(self, gnome: HeadlessGnome, token: Path) -> None:
        self.gnome = gnome
        self.user = gnome.user
        self.said: list[str] = []
        self.stop = Stop()
        self.desktop = PortalDesktop(self.said.append, bus=gnome.bus, token=token)
        self.window = self.desktop.pick(None, lambda _: False)

    def share(self, how: Callable[[MutterUser], None] = share_screen) -> None:
        """Have the sharing allowed, for the sessions that follow."""
        stop = Stop()
        with answering(self.user, how, stop), self.desktop.open(self.window, stop):
            pass
        self.user.close_eyes()

    @contextmanager
    def window_session(self) -> Iterator[WindowSession]:
        with self.desktop.open(self.window, self.stop) as window_session:
            window_session.control.show()
            yield window_session


def read(frame: Frame) -> tuple[Board, Grid]:
    reading = KnownGameReader(load("sgt-mines")).read(frame)
    return reading.board, reading.grid


def still(window_session: WindowSession) -> Frame:
    """The picture once nothing changes any more."""
    while window_session.screen.wait(0.5):
        window_session.screen.grab()
    return window_session.screen.grab()


def flagged(window_session: WindowSession, count: int) -> Board:
    """The board once it has so many flags; a busy shell may take more than `still` waits."""
    end = time.monotonic() + 10
    while True:
        board, _ = read(still(window_session))
        if board.count(Cell.FLAG) >= count or time.monotonic() > end:
            return board
