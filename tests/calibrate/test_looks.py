"""Which tiles look alike."""

from __future__ import annotations

import numpy as np

from bot.calibrate.looks import Lookbook
from bot.capture import Frame, Rect
from bot.vision.grid import Grid

GRID = Grid((0, 20, 40, 60), (0,), 20, Rect(0, 0, 80, 20))


def _frame(*tiles: np.ndarray) -> Frame:
    return Frame(np.ascontiguousarray(np.concatenate(tiles, axis=1)))


def _tile(level: int, ink: int | None = None) -> np.ndarray:
    tile = np.full((20, 20, 4), level, np.uint8)
    if ink is not None:
        tile[5:15, 8:12] = ink
    return tile


def test_a_drawing_on_a_slightly_darker_ground_looks_alike_another_drawing_does_not() -> None:
    wide = _tile(180)
    wide[8:12, 5:15] = 20
    looks = Lookbook().looks(_frame(_tile(180, 20), _tile(175, 16), wide, _tile(180)), GRID)
    assert looks[0] == looks[1]
    assert len(set(looks)) == 3


def test_looks_are_the_same_in_another_frame() -> None:
    book = Lookbook()
    one = book.looks(_frame(_tile(180, 20), _tile(90), _tile(30), _tile(180)), GRID)
    other = book.looks(_frame(_tile(30), _tile(180), _tile(180, 20), _tile(240)), GRID)
    assert other[:3] == [one[2], one[3], one[0]]
    assert other[3] not in one


def test_two_looks_with_one_between_them_become_one() -> None:
    book = Lookbook()
    light, dark, between = _tile(100, 60), _tile(100, 36), _tile(100, 48)
    first = book.looks(_frame(light, light, dark, dark), GRID)
    assert first[0] != first[2]
    assert len(set(book.looks(_frame(light, dark, between, between), GRID))) == 1
    assert book.same(first[2]) == book.same(first[0])
