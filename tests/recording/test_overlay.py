"""What the bot sees, drawn over what it saw."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from minebot.capture import Frame, Rect
from minebot.profile import load
from minebot.recording import pictures
from minebot.recording.overlay import overlay
from minebot.recording.palette import colours
from minebot.vision.grid import Grid
from minebot.vision.known_game import KnownGameReader

SHOT = Path(__file__).parents[2] / "fixtures/screenshots/sgt-mines/9x9n10-t20-early.png"
UNREADABLE = [0, 0, 255]


def _seen(frame: Frame, risk: list[float | None] | None) -> tuple[Frame, Grid, int]:
    reading = KnownGameReader(load("sgt-mines")).read(frame, partly=True)
    drawn = overlay(frame, reading.grid, reading.tiles, risk)
    return drawn, reading.grid, drawn.width // frame.width


def _tile(drawn: Frame, grid: Grid, zoom: int, x: int, y: int) -> NDArray[np.uint8]:
    rect = Rect(*(zoom * length for length in grid.rect(x, y)))
    return drawn.pixels[rect.top : rect.bottom, rect.left : rect.right, :3]


def test_the_picture_is_enlarged_until_a_tile_can_be_written_into() -> None:
    frame = pictures.load(SHOT)
    drawn, grid, zoom = _seen(frame, None)
    assert (drawn.width, drawn.height) == (zoom * frame.width, zoom * frame.height)
    assert zoom * grid.tile >= 44


def test_a_safe_cell_and_a_mine_are_tinted_in_the_colours_of_the_study() -> None:
    frame = pictures.load(SHOT)
    risk: list[float | None] = [None] * 81
    risk[0], risk[1] = 0.0, 1.0
    drawn, grid, zoom = _seen(frame, risk)
    safe, mine, bare = (_tile(drawn, grid, zoom, x, 0).mean(axis=(0, 1)) for x in range(3))
    wanted = np.array(colours()["safe"])
    assert np.abs(safe - wanted).sum() < 0.7 * np.abs(bare - wanted).sum()
    assert mine[2] - mine[0] > bare[2] - bare[0] + 10  # more red than blue


def test_a_tile_that_cannot_be_read_stands_out() -> None:
    frame = pictures.load(SHOT)
    pixels = frame.pixels.copy()
    _, grid, _ = _seen(frame, None)
    rect = grid.rect(4, 4)
    pixels[rect.top : rect.bottom, rect.left : rect.right] = (10, 200, 90, 0)
    drawn, grid, zoom = _seen(Frame(pixels), None)
    red = [
        (x, y)
        for y in range(9)
        for x in range(9)
        if (_tile(drawn, grid, zoom, x, y)[2, 6:-6] == UNREADABLE).all()
    ]
    assert red == [(4, 4)]
