"""Where a game counts its flags and mines, found out from pictures with their boards."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from fixtures.seven_segments import GRID as COUNTER_GRID
from fixtures.seven_segments import RED, SIZES, window
from fixtures.waiting import wait_until
from minebot.board import Board, Cell
from minebot.capture import Frame, Rect
from minebot.learn.mine_counter import find_counter, find_number, find_status
from minebot.play.observer import Observation
from minebot.profile import load
from minebot.profile.schema import CounterStyle, RelativePosition
from minebot.recording import pictures
from minebot.vision.counter import read_counter
from minebot.vision.grid import Grid
from minebot.vision.known_game import reader_of
from minebot.vision.reading import Reading
from minebot.vision.status import StatusReader
from minebot.vision.text import Tesseract
from tests.learn.drawn_game import LEFT, SIDE, STRIP, TOP, DrawnGame

OCR = Tesseract()
SHOTS = Path(__file__).parents[2] / "fixtures" / "screenshots" / "gnome-mines"
GRID = Grid.regular(Rect(LEFT, TOP, 9 * SIDE, 9 * SIDE), SIDE, SIDE, Rect(0, 0, 1, 1))
PLAYED = ("default-8x8n10-w600x450-fresh", "default-8x8n10-w600x450-middle-2")


def _observation(frame: Frame, grid: Grid, board: Board) -> Observation:
    return Observation(frame, Reading(board, grid, (), None), 0.0, 0.0)


def _by_flags(shown: Iterable[Observation]) -> dict[int, list[Observation]]:
    found: dict[int, list[Observation]] = {}
    for one in shown:
        found.setdefault(one.board.count(Cell.FLAG), []).append(one)
    return found


def _counted(name: str) -> Observation:
    frame = pictures.load(SHOTS / f"{name}.png")
    board = Board.parse((SHOTS / f"{name}.txt").read_text())
    grid = reader_of(load("gnome-mines")).read(frame, partly=True).grid
    return _observation(frame, grid, board)


@pytest.mark.trained
def test_the_line_is_found_that_counts_the_flags_that_are_set() -> None:
    shown = _by_flags(map(_counted, PLAYED))
    assert len(shown) == 2
    look = find_status(shown, Tesseract())
    assert look is not None
    assert look.side == "right"
    match = look.total.search("0/10")
    assert match is not None
    assert match["mines"] == "10"


@pytest.mark.trained
def test_a_line_that_does_not_follow_the_flags_is_not_taken() -> None:
    shown = _by_flags(map(_counted, PLAYED))
    assert find_status(shown, lambda _line: "0/10") is None


@pytest.mark.trained
@pytest.mark.parametrize("count", [0, 1])
def test_nothing_is_found_where_no_flag_was_set(count: int) -> None:
    shown = _by_flags([_counted(PLAYED[0])] * count)
    assert find_status(shown, lambda _line: "0/10") is None


class _Counts(DrawnGame):
    """A game that writes the mines left above its board."""

    says = "Mines: {}"

    def picture(self) -> NDArray[np.uint8]:
        pixels = super().picture()
        flags = len(self.flags)
        said = np.ascontiguousarray(pixels[:STRIP, :, :3])
        text, font = self.says.format(self.size[2] - flags, flags), cv2.FONT_HERSHEY_SIMPLEX
        cv2.putText(said, text, (LEFT, 30), font, 0.7, (20, 20, 20), 2, cv2.LINE_AA)
        pixels[:STRIP, :, :3] = said
        return pixels


def _shown(game: DrawnGame, flags: int) -> Observation:
    """The game's picture with so many flags."""
    game.flags = set(range(flags))
    board = Board.hidden(9, 9).showing(dict.fromkeys(range(flags), Cell.FLAG))
    return _observation(Frame(game.picture()), GRID, board)


@pytest.mark.parametrize("says", ["Mines: {}", "{}", "Flags left {}"])
def test_the_number_of_mines_left_is_found_in_words(says: str) -> None:
    game = _Counts(1, (9, 9, 12))
    game.says = says
    look = find_number({flags: [_shown(game, flags)] for flags in range(4)}, OCR)
    assert look is not None
    assert (look.kind, look.mines, look.at.side) == ("text", 12, "above")
    frame = _shown(game, 5)
    assert read_counter(frame.frame, frame.grid, look, lambda: OCR) == 7


@pytest.mark.parametrize("says", ["Mines: 12", "Flags: {1}", "Mines {}/12", "Time 0:{}", "{} 12"])
def test_another_number_is_not_taken_for_it(says: str) -> None:
    game = _Counts(1, (9, 9, 12))
    game.says = says
    assert find_number({flags: [_shown(game, flags)] for flags in range(4)}, OCR) is None


def test_a_number_is_not_found_where_no_flag_was_set() -> None:
    game = _Counts(1, (9, 9, 12))
    assert find_number({0: [_shown(game, 0), _shown(game, 0)]}, OCR) is None


def test_another_total_than_the_usual_one_is_read_with_and_without_flags() -> None:
    look = CounterStyle(RelativePosition("above", "start", 2, 4.25), "text", 12)
    game = _Counts(1, (9, 9, 15))
    with StatusReader(look, lambda: OCR) as reader:
        for flags, told in ((2, None), (3, None), (0, None), (3, 15)):
            picture = _shown(game, flags)
            reader.submit(picture.frame, picture.grid, flags)
            wait_until(lambda: not reader.busy)
            assert reader.latest.mines == told
        reader.reset()
        assert reader.latest.mines is None


def _pictures(shown: Sequence[tuple[int, int]]) -> list[Observation]:
    """Pictures in which a counter shows that and so many flags are set."""
    covered = Board.hidden(COUNTER_GRID.width, COUNTER_GRID.height)
    boards = [covered.showing(dict.fromkeys(range(flags), Cell.FLAG)) for _, flags in shown]
    frames = [window(f"{value:03}", SIZES[0], *RED) for value, _ in shown]
    pairs = zip(frames, boards, strict=True)
    return [_observation(frame, COUNTER_GRID, board) for frame, board in pairs]


def test_what_counts_the_mines_left_is_found() -> None:
    pictures = _pictures([(10, 0), (9, 1), (8, 2), (9, 1), (10, 0)])
    look = find_counter(_by_flags(pictures))
    assert look is not None
    assert [read_counter(one.frame, COUNTER_GRID, look) for one in pictures] == [10, 9, 8, 9, 10]


@pytest.mark.parametrize(
    "shown",
    [
        [(1, 0), (2, 1), (3, 2), (4, 1), (5, 0)],
        [(10, 0), (10, 1), (10, 2), (10, 1), (10, 0)],
        [(10, 0), (9, 1), (8, 2), (9, 1), (11, 0)],
        [(0, 0), (0, 0), (0, 0), (0, 0)],
        [(10, 0), (9, 1), (8, 2)],
    ],
    ids=["clock", "another", "at-last-another", "nothing", "too-few"],
)
def test_what_counts_something_else_is_not(shown: Sequence[tuple[int, int]]) -> None:
    assert find_counter(_by_flags(_pictures(shown))) is None
