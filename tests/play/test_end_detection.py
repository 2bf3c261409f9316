"""How a game has ended where its last board does not say so by itself."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont

from minebot.board import SYMBOLS, Board, Cell
from minebot.capture import Frame, Rect
from minebot.play import end_detection
from minebot.play.end_detection import (
    ended_below,
    ended_by_clicks,
    finished,
    is_revealed,
    is_won_below,
    shown_end,
    shows_mines,
    told,
)
from minebot.play.observer import Observation
from minebot.play.result import Outcome
from minebot.vision.classification import Label
from minebot.vision.first_sight_reader import readings_of
from minebot.vision.grid import Grid
from minebot.vision.reading import Reading
from minebot.vision.text import Text
from minebot.vision.tiles import TileReading
from tests.support.fake_sight import seeing

PICTURE = Path(__file__).parents[2] / "fixtures/screenshots/sgt-mines/9x9n10-t20-middle-flags.png"


@pytest.mark.parametrize(
    ("shown", "total", "opened", "how"),
    [
        ("1*\n11", 1, {(0, 0)}, Outcome.WON),
        ("1*\n11", None, {(0, 0)}, Outcome.WON),
        ("1!\n11", 1, {(0, 0), (1, 1)}, Outcome.WON),
        ("1!\n11", 1, {(0, 0), (1, 0)}, Outcome.LOST),
        ("1*\n11", 1, {(0, 0), (1, 0)}, Outcome.LOST),
        ("1*\n11", 1, set(), None),
        ("1F\n11", None, {(0, 0)}, None),
        ("*?\n!2", 2, {(1, 1)}, Outcome.LOST),
        ("*?\n!2", None, {(1, 1)}, Outcome.LOST),
        ("*F\n33", 2, {(1, 1)}, Outcome.WON),
    ],
)
def test_a_board_with_mines_is_won_if_only_they_are_left_and_none_was_opened(
    shown: str, total: int | None, opened: set[tuple[int, int]], how: Outcome | None
) -> None:
    board = Board.parse(shown)
    squares = {board.square(*xy) for xy in opened}
    assert shown_end(board, squares, total, flags_to_win=False) is how


def test_a_won_board_has_flags_on_what_it_shows_and_no_other_mines() -> None:
    assert finished(Board.parse("*F!\n?55"), Outcome.WON, set(), set()) == Board.parse(
        "FFF\n?55", 4
    )


@pytest.mark.parametrize("total", [1, None])
def test_what_was_still_being_opened_counts_for_no_mine(total: int | None) -> None:
    seen = Board.parse("?1\n?1").with_mines(total)
    assert finished(seen, Outcome.WON, {0}, set()).mines == total


def _observation() -> Observation:
    """A board of which all cells but the first are open."""
    pixels = np.random.default_rng(1).integers(0, 256, (220, 220, 4), np.uint8)
    bounds = Rect(20, 20, 180, 180)
    grid = Grid.regular(bounds, 20, 20, bounds)
    board = Board(9, 9, None, bytes([Cell.HIDDEN, *[1] * 80]))
    return Observation(Frame(pixels), Reading(board, grid, (), None), 0.0, None)


def _of(last: Observation, board: Board) -> Observation:
    """The same with another board."""
    return replace(last, reading=replace(last.reading, board=board))


def test_a_board_has_ended_by_the_last_click_if_something_lies_over_it() -> None:
    last = _observation()
    assert ended_below(last, last.frame, {0}, set(), set()) is None
    hidden = last.frame.pixels.copy()
    hidden[80:180, 40:200] = 250
    assert ended_below(last, Frame(hidden), {0}, set(), set()) is Outcome.WON
    assert ended_below(last, Frame(hidden), {0}, {0}, set()) is None


def _covered(last: Observation) -> Frame:
    hidden = last.frame.pixels.copy()
    hidden[80:180, 40:200] = 250
    return Frame(hidden)


@pytest.mark.parametrize("how", [Outcome.WON, Outcome.LOST, None])
def test_where_a_guess_may_have_won_the_words_of_the_game_tell(how: Outcome | None) -> None:
    last = _observation()
    cells = bytes([Cell.HIDDEN] * 2 + [1] + [0] * 6 + [1] * 2 + [1] + [0] * 69)
    board = _of(last, Board(9, 9, None, cells))
    assert ended_below(board, _covered(last), {0}, {0}, set(), said=how) is how


@pytest.mark.parametrize(
    ("how", "ended"), [(Outcome.WON, Outcome.WON), (Outcome.LOST, None), (None, None)]
)
def test_a_safe_click_has_won_where_the_game_says_so_over_few_cells(
    how: Outcome | None, ended: Outcome | None
) -> None:
    last = _of(_observation(), Board(9, 9, None, bytes([Cell.HIDDEN] * 5 + [1] * 76)))
    words = last.frame.pixels.copy()
    words[100:120, 60:100] = 250
    found = ended_below(last, Frame(words), {0}, set(), set(), said=how)
    assert found is ended


@pytest.mark.parametrize(
    ("shown", "proven", "below", "is_won"),
    [
        (Cell.ONE, {0, 1}, 40, True),
        (Cell.ONE, {0, 1}, 12, False),  # beside the click
        (Cell.ONE, {0}, 40, False),
        (Cell.HIDDEN, {0, 1}, 40, False),
        (None, {0, 1}, 40, False),
    ],
)
def test_what_lies_over_one_cell_when_only_mines_are_left_says_that_it_is_won(
    shown: Cell | None, proven: set[int], below: int, *, is_won: bool
) -> None:
    last = _of(_observation(), Board(9, 9, None, bytes([Cell.HIDDEN] * 3 + [1] * 78)))
    tiles = [TileReading(Cell.HIDDEN)] * 2 + [TileReading(shown)] + [TileReading(Cell.ONE)] * 78
    tiles[below] = TileReading(None)
    assert is_won_below(last.board, tiles, {2}, proven) is is_won
    assert ended_below(last, last.frame, {2}, {2}, proven, tiles=tiles) is None


@pytest.mark.parametrize(
    ("tiles", "is_won"),
    [
        ("~11\n01?", True),
        ("~11\n01~", True),
        ("011\n01?", False),  # nothing lies over it
        ("~1?\n01?", False),
        ("~12\n01?", False),  # no mine layout fits
    ],
)
def test_numbers_that_come_with_the_end_prove_the_last_mines(tiles: str, *, is_won: bool) -> None:
    board = Board.parse("01?\n01?")  # a mine in either of the two
    shown = [
        TileReading(Cell(SYMBOLS.index(s)) if s != "~" else None) for s in "".join(tiles.split())
    ]
    assert is_won_below(board, shown, {2}, set()) is is_won


@pytest.mark.parametrize(
    ("rows", "guessed", "proven", "how"),
    [
        ("?1\n?1", {0}, set(), None),  # whichever of the two it was, the game has ended
        ("?1?\n?1?", {0}, set(), Outcome.LOST),
        ("?1\n?1", set(), {2}, Outcome.WON),
        ("?1?\n?1?", set(), {3}, None),
    ],
)
def test_a_window_that_closes_tells_how_the_game_ended_by_the_last_click(
    rows: str, guessed: set[int], proven: set[int], how: Outcome | None
) -> None:
    assert ended_by_clicks(Board.parse(rows), {0}, guessed, proven) is how


def test_what_fades_in_lies_over_nothing() -> None:
    last = _of(_observation(), Board(9, 9, None, bytes([Cell.HIDDEN] * 3 + [1] * 78)))
    for shown, how in ((1, None), (2, Outcome.LOST), (None, Outcome.LOST)):
        tiles = [TileReading(Cell.HIDDEN)] * 3 + [TileReading(shown and Cell(shown))] * 78
        assert ended_below(last, _covered(last), {0}, {0}, set(), tiles=tiles) is how


def test_a_guess_that_cannot_have_won_has_lost() -> None:
    last = _observation()
    cells = bytes([Cell.HIDDEN] * 3 + [1] * 78)
    board = _of(last, Board(9, 9, None, cells))
    assert ended_below(board, _covered(last), {0}, {0}, set()) is Outcome.LOST


@pytest.mark.parametrize(
    ("how", "ended"), [(Outcome.LOST, Outcome.LOST), (Outcome.WON, None), (None, None)]
)
def test_a_first_click_has_lost_only_where_the_game_says_so(
    how: Outcome | None, ended: Outcome | None
) -> None:
    last = _observation()
    fresh = _of(last, Board.hidden(9, 9))
    assert ended_below(fresh, _covered(last), {0}, {0}, set(), said=how) is ended


@dataclass
class _Words:
    """Reads these words in these pictures, each in a place of its own."""

    shown: dict[int, str]

    def words(self, frame: Frame, part: Rect, enlarged: int) -> list[Text]:
        assert part == frame.bounds
        assert enlarged == 1
        places = enumerate(self.shown[id(frame)].split())
        return [Text(word, Rect(place, 0, 1, 9)) for place, word in places]


@pytest.mark.parametrize(
    ("words", "how"),
    [
        ("Game Help Congratulations! You won.", Outcome.WON),
        ("Game Help GAME OVER Play again", Outcome.LOST),
        ("Game Help Game over", Outcome.LOST),
        ("Game Help Game over: you win", None),
        ("Mines: 10", None),
        ("You lose if you hit a mine", None),
    ],
)
def test_only_words_that_are_new_tell_how_a_game_ended(
    monkeypatch: pytest.MonkeyPatch, words: str, how: Outcome | None
) -> None:
    before, now = Frame(np.zeros((9, 9, 4), np.uint8)), Frame(np.ones((9, 9, 4), np.uint8))
    ocr = _Words({id(before): "Game Help You lose if you hit a mine", id(now): words})
    monkeypatch.setattr(end_detection, "Tesseract", lambda: ocr)
    assert told(before, now) is how


def test_a_word_that_stays_as_it_was_is_not_new(monkeypatch: pytest.MonkeyPatch) -> None:
    pixels = np.zeros((9, 9, 4), np.uint8)
    before = Frame(pixels.copy())
    pixels[:, 1] = 1  # below the second word
    now = Frame(pixels)
    ocr = _Words({id(before): "", id(now): "lost won"})
    monkeypatch.setattr(end_detection, "Tesseract", lambda: ocr)
    assert told(before, now) is Outcome.WON


def _said_over_a_board(words: str) -> Frame:
    """A dark board with these words over its cells and the lines between them."""
    picture = Image.new("RGBA", (720, 520), "white")
    draw = ImageDraw.Draw(picture)
    draw.rectangle((100, 60, 460, 420), fill=(100, 12, 54))
    for x in range(104, 456, 44):
        for y in range(64, 416, 44):
            draw.rectangle((x, y, x + 39, y + 39), fill=(136, 58, 100))
    font = ImageFont.load_default(34)
    draw.text((280, 236), words, font=font, fill=(210, 150, 190), anchor="mm")
    return Frame(np.ascontiguousarray(np.asarray(picture)[..., [2, 1, 0, 3]]))


@pytest.mark.parametrize(
    ("words", "how"),
    [("BOOM!", Outcome.LOST), ("You win!", Outcome.WON), ("Level 2", None)],
)
def test_words_are_read_over_the_lines_of_a_board(words: str, how: Outcome | None) -> None:
    assert told(_said_over_a_board(""), _said_over_a_board(words)) is how


def _has_lost(
    before: str,
    now: str,
    doubtful: Set[int] = frozenset(),
    between: tuple[Label, Label] = (Label.FIVE, Label.SIX),
    clicked: Set[int] = frozenset(),
) -> bool:
    """Whether a guess on the first square has lost by these tiles, of which some are in doubt."""
    seen = seeing(Board.parse(now), doubtful=doubtful, between=between)
    assert seen.seen is not None
    tiles = readings_of(seen.seen)
    return shows_mines(tiles, Board.parse(before), {0}, clicked, at_first_sight=True)


def test_at_first_sight_tiles_in_doubt_are_no_mines() -> None:
    fresh = "?????\n?????"
    assert not _has_lost(fresh, "000??\n?????", {0, 1, 2, 3})
    mines = "!***?\n?????"
    assert _has_lost(fresh, mines)
    assert _has_lost(fresh, mines, {0, 1, 2, 3}, (Label.FLAG, Label.MINE))
    assert not _has_lost("FFFF?\n?????", mines, {0, 1, 2, 3}, (Label.FLAG, Label.MINE))


@pytest.mark.parametrize(
    ("other", "lost"), [(Label.MINE, True), (Label.FLAG, True), (Label.ONE, False)]
)
def test_a_guess_beside_mines_has_lost_unless_it_may_be_a_number(
    other: Label, *, lost: bool
) -> None:
    assert _has_lost("?????\n?????", "!***?\n?????", {0}, (Label.EXPLODED, other)) is lost


@pytest.mark.parametrize(
    ("between", "lost"),
    [
        ((Label.EXPLODED, Label.MINE), True),
        ((Label.OTHER, Label.EXPLODED), True),
        ((Label.EXPLODED, Label.FLAG), True),
        ((Label.FLAG, Label.EXPLODED), False),
        ((Label.EXPLODED, Label.ONE), False),
        ((Label.OTHER, Label.HIDDEN), False),
    ],
)
def test_the_one_mine_shown_where_the_others_are_flagged_has_lost(
    between: tuple[Label, Label], *, lost: bool
) -> None:
    assert _has_lost("?FF?11??\n????????", "!FF?11??\n????????", {0}, between) is lost


def test_a_click_sets_no_flag_where_another_has_opened_a_cell() -> None:
    boards = "????11??\n????????", "!???11??\n????????"
    between = Label.FLAG, Label.EXPLODED
    assert not _has_lost(*boards, {0}, between, clicked={0})
    assert _has_lost(*boards, {0}, between, clicked={0, 4})


def test_a_tile_in_doubt_is_no_mine_while_something_lies_over_others() -> None:
    for doubtful, lost in (({0}, True), ({0, 7}, False)):
        between = Label.OTHER, Label.EXPLODED
        assert _has_lost("?????\n?????", "!????\n?????", doubtful, between) is lost


def test_a_picture_without_a_board_tells_of_no_end() -> None:
    assert not shows_mines((), Board.hidden(9, 9), {0}, set(), at_first_sight=True)


def test_a_safe_click_may_have_opened_all_that_is_left() -> None:
    last = _observation()
    board = Board.parse("\n".join(["???1?????", *["1" * 9] * 7, "?" * 9]))
    last = _of(last, board)
    hidden = last.frame.pixels.copy()
    hidden[40:180, 20:200] = 250
    mines = {4, *range(72, 81)}
    # The squares right of the mine do not hang together with the one that was clicked.
    assert ended_below(last, Frame(hidden), {0}, set(), mines, total=10) is None
    assert ended_below(last, Frame(hidden), {0, 5}, set(), mines, total=10) is Outcome.WON
    assert ended_below(last, Frame(hidden), {0, 5}, set(), mines) is None


@pytest.mark.parametrize(
    ("shown", "opened", "revealed"),
    [
        ("001F\n0122\n01F1", {0}, True),  # 2 and 1 at the right lie beside no empty cell
        ("001F\n0122\n01F1", {0, 7}, False),  # one more may be anything
        ("001F\n0122\n01F1", {0, 7, 11}, False),
        ("001F\n0111\n0000", {0}, False),
        ("????\n????\n????", set(), False),
    ],
)
def test_cells_that_no_click_has_opened_are_the_games_own_doing(
    shown: str, opened: set[int], *, revealed: bool
) -> None:
    fresh = Board.parse("????\n????\n????")
    assert is_revealed(Board.parse(shown), fresh, opened) is revealed
    assert not is_revealed(Board.parse(shown), Board.parse(shown), opened)
    assert not is_revealed(Board.parse(shown), None, opened)
