"""A number of mines that is written beside a board."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import cv2
import numpy as np
import pytest

from minebot.capture import Frame, Pixel, Rect
from minebot.profile.schema import CounterStyle, RelativePosition
from minebot.vision.counter import numbers, read_counter
from minebot.vision.grid import Grid
from minebot.vision.text import Grey, Tesseract

GRID = Grid.regular(Rect(40, 80, 180, 180), 20, 20, Rect(40, 80, 180, 180))
ABOVE, BELOW = Pixel(40, 50), Pixel(40, 310)
OCR = Tesseract()


def _frame(*said: tuple[str, Pixel]) -> Frame:
    """A window with these texts, each from its lower left corner on."""
    pixels = np.full((340, 260, 3), 225, np.uint8)
    pixels[80:260, 40:220] = 170
    for text, at in said:
        font = cv2.FONT_HERSHEY_SIMPLEX
        cv2.putText(pixels, text, (at.x, at.y), font, 0.7, (20, 20, 20), 2, cv2.LINE_AA)
    return Frame(np.dstack([pixels, np.zeros((340, 260), np.uint8)]))


def _style(at: Pixel) -> CounterStyle:
    return CounterStyle(RelativePosition.of(at, GRID.bounds, GRID.tile), "text", 10)


def _saying(texts: Iterable[str]) -> Callable[[Grey], str]:
    """An engine that reads these texts, one after the other."""
    left = iter(texts)
    return lambda _: next(left)


def test_numbers_are_found_with_their_places() -> None:
    found = numbers(_frame(("Mines: 12", ABOVE), ("305", BELOW)), GRID, OCR)
    assert [one.value for one in found] == [12, 305]
    assert found[0].rect.bottom <= GRID.bounds.top < GRID.bounds.bottom <= found[1].rect.top


def test_a_number_on_the_board_is_none_beside_it() -> None:
    assert numbers(_frame(("12", Pixel(100, 150))), GRID, OCR) == []


@pytest.mark.parametrize(("text", "value"), [("Mines: 8", 8), ("Mines: 12", 12), ("7", 7)])
def test_the_number_in_its_place_is_read(text: str, value: int) -> None:
    frame = _frame((text, ABOVE), ("99", BELOW))
    (line, _) = numbers(frame, GRID, OCR)
    assert read_counter(frame, GRID, _style(line.rect.middle), lambda: OCR) == value


def test_a_line_somewhere_else_is_not_taken_for_it() -> None:
    frame = _frame(("Mines: 12", ABOVE))
    assert read_counter(frame, GRID, _style(BELOW), lambda: OCR) is None


def test_of_two_lines_beside_each_other_the_one_in_its_place_is_read() -> None:
    frame = _frame(("12", ABOVE), ("77", Pixel(180, ABOVE.y)))
    left, right = numbers(frame, GRID, OCR)
    assert {left.value, right.value} == {12, 77}
    for line in (left, right):
        assert read_counter(frame, GRID, _style(line.rect.middle), lambda: OCR) == line.value


@pytest.mark.parametrize(("said", "value"), [("Mines: 12", 12), ("-3 left", -3), ("mines 0", 0)])
def test_one_number_is_the_lines(said: str, value: int) -> None:
    (found,) = numbers(_frame(("Mines", ABOVE)), GRID, lambda _: said)
    assert found.value == value


@pytest.mark.parametrize(
    "said", ["", "Mines", "12:30", "12/99", "12 of 99", "1.5", "12,5", "a12", "12345", "x2 8", "8x"]
)
def test_no_other_number_is_taken(said: str) -> None:
    assert numbers(_frame(("Mines", ABOVE)), GRID, lambda _: said) == []


def test_two_readings_that_differ_are_no_number() -> None:
    frame = _frame(("Mines", ABOVE))
    (found,) = numbers(frame, GRID, _saying(["Mines: 8", "Mines: 8"]))
    assert found.value == 8
    assert numbers(frame, GRID, _saying(["Mines: 8", "Mines: 3"])) == []
