"""What was read in a picture: its board, its tiles in doubt, its text."""

from __future__ import annotations

import pytest

from minebot.board import Board, Cell
from minebot.capture import Rect
from minebot.errors import UsageError
from minebot.vision.grid import Grid
from minebot.vision.reading import Reading
from minebot.vision.tiles import TileReading

CELLS = [Cell.HIDDEN, Cell.ONE, None, Cell.FLAG, Cell.TWO, None]
GRID = Grid.regular(Rect(0, 0, 48, 32), 16, 16, Rect(0, 0, 48, 32))
READING = Reading.of(GRID, [TileReading(cell) for cell in CELLS], None)


def test_a_tile_in_doubt_counts_as_hidden() -> None:
    assert READING.board == Board.parse("?1?\nF2?")


def test_a_tile_in_doubt_is_marked_in_the_text() -> None:
    assert str(READING) == "?1~\nF2~"


def test_the_mark_is_no_cell_of_a_board() -> None:
    with pytest.raises(UsageError, match="row 1, column 3"):
        Board.parse(str(READING))


def test_it_says_which_tiles_are_in_doubt_and_how_many() -> None:
    assert READING.unread == (2, 5)
    assert READING.doubt == pytest.approx(1 / 3)
