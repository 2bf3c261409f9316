"""The picture of the risks: a tile for each cell, bluer for safer, more orange for riskier."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from minebot.board import Board
from minebot.capture import Frame
from minebot.puzzle.drawings import chart
from minebot.recording import pictures
from minebot.recording.palette import colours

RISKS = (0.0, 0.1, 0.3, 0.6, 1.0, None)
BOARD = Board.parse("?????1")


def background(frame: Frame, column: int) -> tuple[int, int, int]:
    """The red, green and blue of the tile in a column of a one-row board of six."""
    side = (frame.width - 1) // 6
    blue, green, red = frame.pixels[3, column * side + 3, :3].tolist()
    return red, green, blue


def test_tiles_turn_from_blue_to_orange_and_certain_ones_have_colours_of_their_own() -> None:
    frame = chart(BOARD, RISKS)
    warmth = [red - blue for red, _, blue in (background(frame, at) for at in range(1, 4))]
    assert warmth == sorted(warmth)
    assert warmth[0] < 0 < warmth[-1]
    named = colours()
    for column, name in ((0, "safe"), (4, "mine"), (5, "open")):
        assert background(frame, column) == named[name][::-1]


def test_every_covered_tile_and_every_clue_is_written_on() -> None:
    frame = chart(BOARD, RISKS)
    side = frame.height - 1
    for column in range(6):
        tile = frame.pixels[8:-8, column * side + 4 : (column + 1) * side - 4, :3]
        assert len(np.unique(tile.reshape(-1, 3), axis=0)) > 1


def test_the_advised_cell_is_filled_as_on_the_page() -> None:
    plain, filled = chart(BOARD, RISKS), chart(BOARD, RISKS, advised=1)
    differing = np.nonzero((plain.pixels != filled.pixels).any(axis=(0, 2)))[0]
    side = plain.height - 1
    assert side <= differing.min()
    assert differing.max() < 2 * side
    assert background(filled, 1) == colours()["best"][::-1]


def test_a_covered_cell_without_a_risk_is_drawn_as_not_read() -> None:
    frame = chart(BOARD, (0.0, None, *RISKS[2:]))
    assert background(frame, 1) == colours()["unsure"][::-1]


@pytest.mark.parametrize(("width", "height"), [(1, 1), (30, 16), (300, 2), (1000, 1)])
def test_large_boards_stay_pictures_of_a_size_that_opens(
    tmp_path: Path, width: int, height: int
) -> None:
    frame = chart(Board.hidden(width, height), [0.5] * (width * height))
    assert frame.width <= 8001
    (tmp_path / "risk.png").write_bytes(pictures.png(frame))
    assert pictures.load(tmp_path / "risk.png").width == frame.width
