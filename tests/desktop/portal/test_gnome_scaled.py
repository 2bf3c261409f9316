"""A real GNOME whose screen is scaled."""

from __future__ import annotations

from pathlib import Path

import pytest

from fixtures.desktops.gnome import HeadlessGnome
from fixtures.desktops.portal_dialog import share_screen
from minebot.actuator import Button
from minebot.board import Cell
from minebot.errors import CaptureError
from tests.desktop.portal.gnome_table import Table, flagged, read, still

pytestmark = pytest.mark.gnome

SIZE = (2560, 2048)


def test_at_two_hundred_per_cent_each_click_lands_on_its_cell(tmp_path: Path) -> None:
    with HeadlessGnome(SIZE, scale=2) as gnome, gnome.game("sgt-mines 9x9n10#1"):
        table = Table(gnome, tmp_path / "token")
        table.share(share_screen)
        with table.window_session() as window_session:
            frame = still(window_session)
            board, grid = read(frame)
            assert grid.tile == 40
            cells = set(range(0, len(board.cells), 4))
            for cell in cells:
                window_session.mouse.click(frame, grid.centre(cell % 9, cell // 9), Button.RIGHT)
            board = flagged(window_session, len(cells))
        table.desktop.close()
    assert {square for square, cell in enumerate(board.cells) if cell == Cell.FLAG} == cells


def test_with_fractional_scaling_it_is_refused(tmp_path: Path) -> None:
    with HeadlessGnome(SIZE, scale=2, fractional=True) as gnome:
        table = Table(gnome, tmp_path / "token")
        with pytest.raises(CaptureError, match="fractional scaling, and a screen at 200 %"):
            table.share(share_screen)
        table.desktop.close()
    assert not (tmp_path / "token").exists(), "the next time it asks anew"
