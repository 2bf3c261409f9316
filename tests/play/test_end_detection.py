"""How a game has ended where its last board does not say so by itself."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from minebot.board import Board, Cell
from minebot.capture import Frame, Rect, Window
from minebot.play import end_detection
from minebot.play.end_detection import (
    ended_below,
    finished,
    is_revealed,
    shows_mines,
    tiles_at,
    told,
    won_showing_mines,
)
from minebot.play.identify import profile_at_first_sight
from minebot.play.observer import Observation
from minebot.play.result import Outcome
from minebot.profile import load
from minebot.recording import pictures
from minebot.vision.classification import Label
from minebot.vision.grid import Grid
from minebot.vision.known_game import reader_of
from minebot.vision.reading import Reading
from minebot.vision.text import Text
from minebot.vision.tiles import TileReading
from tests.support.fake_sight import blind, seeing

PICTURE = Path(__file__).parents[2] / "fixtures/screenshots/sgt-mines/9x9n10-t20-middle-flags.png"


@pytest.mark.parametrize(
    ("shown", "total", "opened", "is_won"),
    [
        ("1*\n11", 1, {(0, 0)}, True),
        ("1*\n11", None, {(0, 0)}, True),
        ("1!\n11", 1, {(0, 0), (1, 1)}, True),
        ("1!\n11", 1, {(0, 0), (1, 0)}, False),
        ("1*\n11", 1, set(), False),
        ("1F\n11", 1, {(0, 0)}, False),
        ("*?\n!2", 2, {(1, 1)}, False),
        ("*?\n!2", None, {(1, 1)}, False),
        ("*F\n33", 2, {(1, 1)}, True),
    ],
)
def test_a_board_with_mines_is_won_if_only_they_are_left_and_none_was_opened(
    shown: str, total: int | None, opened: set[tuple[int, int]], is_won: bool
) -> None:
    board = Board.parse(shown)
    squares = {board.square(*xy) for xy in opened}
    assert won_showing_mines(board, total, squares) is is_won


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
    assert ended_below(board, _covered(last), {0}, {0}, set(), told=lambda *_: how) is how


@pytest.mark.parametrize(
    ("how", "ended"), [(Outcome.WON, Outcome.WON), (Outcome.LOST, None), (None, None)]
)
def test_a_safe_click_has_won_where_the_game_says_so_over_few_cells(
    how: Outcome | None, ended: Outcome | None
) -> None:
    last = _of(_observation(), Board(9, 9, None, bytes([Cell.HIDDEN] * 5 + [1] * 76)))
    words = last.frame.pixels.copy()
    words[100:120, 60:100] = 250
    found = ended_below(last, Frame(words), {0}, set(), set(), told=lambda *_: how)
    assert found is ended


def test_what_fades_in_lies_over_nothing() -> None:
    last = _of(_observation(), Board(9, 9, None, bytes([Cell.HIDDEN] * 3 + [1] * 78)))
    for shown, how in ((1, None), (2, Outcome.LOST), (None, Outcome.LOST)):
        tiles = [TileReading(Cell.HIDDEN)] * 3 + [TileReading(shown and Cell(shown))] * 78
        assert ended_below(last, _covered(last), {0}, {0}, set(), tiles=tiles) is how


def test_what_the_reader_still_sees_of_a_board_is_told_apart_from_what_covers_it() -> None:
    frame, reader = pictures.load(PICTURE), reader_of(load("sgt-mines"))
    last = reader.read(frame)
    pixels = frame.pixels.copy()
    place = last.grid.rect(4, 4)
    pixels[place.top : place.bottom, place.left : place.right] = (10, 200, 90, 0)
    cells = [tile.cell for tile in tiles_at(Frame(pixels), reader)]
    assert cells == [*last.board.cells[:40], None, *last.board.cells[41:]]
    assert not tiles_at(Frame(np.full_like(pixels, 90)), reader)


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
    assert ended_below(fresh, _covered(last), {0}, {0}, set(), told=lambda *_: how) is ended


@pytest.mark.parametrize(
    ("lines", "how"),
    [
        (["Congratulations! You won."], Outcome.WON),
        (["GAME OVER", "Play again"], Outcome.LOST),
        (["Game over: you win"], None),
        (["Mines: 10"], None),
        (["You lose if you hit a mine"], None),
    ],
)
def test_only_words_that_are_new_tell_how_a_game_ended(
    monkeypatch: pytest.MonkeyPatch, lines: list[str], how: Outcome | None
) -> None:
    before, now = Frame(np.zeros((9, 9, 4), np.uint8)), Frame(np.ones((9, 9, 4), np.uint8))
    rules = Text("You lose if you hit a mine", Rect(0, 0, 9, 9))
    shown = {id(before): [rules], id(now): [Text(line, Rect(0, 0, 9, 9)) for line in lines]}
    monkeypatch.setattr(end_detection, "texts", lambda frame: shown[id(frame)])
    assert told(before, now) is how


def test_at_first_sight_tiles_in_doubt_are_no_mines(monkeypatch: pytest.MonkeyPatch) -> None:
    last, now = _observation(), Frame(np.zeros((220, 220, 4), np.uint8))
    last = _of(last, Board.hidden(9, 9))
    profile = profile_at_first_sight(Window("1", "Mines"))
    opened = Board(9, 9, None, bytes([0] * 3 + [Cell.HIDDEN] * 78))
    monkeypatch.setattr("minebot.vision.first_sight.look", seeing(opened, doubtful={0, 1, 2, 3}))
    assert not shows_mines(profile, last, now, {0}, set(), proven=set())
    mines = Board(9, 9, None, bytes([Cell.EXPLODED] + [Cell.MINE] * 3 + [Cell.HIDDEN] * 77))
    monkeypatch.setattr("minebot.vision.first_sight.look", seeing(mines))
    assert shows_mines(profile, last, now, {0}, set(), proven=set())
    for other, lost in ((Label.MINE, True), (Label.FLAG, True), (Label.ONE, False)):
        doubt = seeing(mines, doubtful={0}, between=(Label.EXPLODED, other))
        monkeypatch.setattr("minebot.vision.first_sight.look", doubt)
        assert shows_mines(profile, last, now, {0}, set(), proven=set()) is lost
    as_flags = seeing(mines, doubtful={0, 1, 2, 3}, between=(Label.FLAG, Label.MINE))
    monkeypatch.setattr("minebot.vision.first_sight.look", as_flags)
    assert shows_mines(profile, last, now, {0}, set(), proven=set())
    flagged = _of(last, Board.parse("FFFF?????\n" + "\n".join(["?" * 9] * 8)))
    assert not shows_mines(profile, flagged, now, {0}, set(), proven=set())


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
    between: tuple[Label, Label], lost: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    last, now = _observation(), Frame(np.zeros((220, 220, 4), np.uint8))
    last = _of(last, Board.parse("?FF?11???\n" + "\n".join(["?" * 9] * 8)))
    profile = profile_at_first_sight(Window("1", "Mines"))
    hit = Board.parse("!FF?11???\n" + "\n".join(["?" * 9] * 8))
    doubt = seeing(hit, doubtful={0}, between=between)
    monkeypatch.setattr("minebot.vision.first_sight.look", doubt)
    assert shows_mines(profile, last, now, {0}, set(), proven=set()) is lost


def test_a_click_sets_no_flag_where_another_has_opened_a_cell(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    last, now = _observation(), Frame(np.zeros((220, 220, 4), np.uint8))
    last = _of(last, Board.parse("????11???\n" + "\n".join(["?" * 9] * 8)))
    profile = profile_at_first_sight(Window("1", "Mines"))
    hit = Board.parse("!???11???\n" + "\n".join(["?" * 9] * 8))
    doubt = seeing(hit, doubtful={0}, between=(Label.FLAG, Label.EXPLODED))
    monkeypatch.setattr("minebot.vision.first_sight.look", doubt)
    assert not shows_mines(profile, last, now, {0}, {0}, proven=set())
    assert shows_mines(profile, last, now, {0}, {0, 4}, proven=set())


def test_a_tile_in_doubt_is_no_mine_while_something_lies_over_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    last, now = _observation(), Frame(np.zeros((220, 220, 4), np.uint8))
    last = _of(last, Board.hidden(9, 9))
    profile = profile_at_first_sight(Window("1", "Mines"))
    hit = Board(9, 9, None, bytes([Cell.EXPLODED] + [Cell.HIDDEN] * 80))
    for doubtful, lost in (({0}, True), ({0, 40}, False)):
        looked = seeing(hit, doubtful=doubtful, between=(Label.OTHER, Label.EXPLODED))
        monkeypatch.setattr("minebot.vision.first_sight.look", looked)
        assert shows_mines(profile, last, now, {0}, set(), proven=set()) is lost


@pytest.mark.parametrize(
    ("between", "proven", "before", "lost"),
    [
        ((Label.MINE, Label.OTHER), {1, 2}, "????", True),
        ((Label.MINE, Label.OTHER), {1}, "????", False),
        ((Label.MINE, Label.OTHER), {1, 2}, "?FF?", False),
        ((Label.MINE, Label.HIDDEN), {1, 2}, "????", False),
    ],
)
def test_a_guess_that_is_drawn_like_certain_mines_has_lost(
    between: tuple[Label, Label],
    proven: set[int],
    before: str,
    lost: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    last, now = _observation(), Frame(np.zeros((220, 220, 4), np.uint8))
    last = _of(last, Board.parse(f"{before}11???\n" + "\n".join(["?" * 9] * 8)))
    mines = Board.parse("****11???\n" + "\n".join(["?" * 9] * 8))
    doubt = seeing(mines, doubtful={0, 1, 2, 3}, between=between)
    monkeypatch.setattr("minebot.vision.first_sight.look", doubt)
    profile = profile_at_first_sight(Window("1", "Mines"))
    assert shows_mines(profile, last, now, {0}, set(), proven=proven) is lost


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


def test_a_picture_without_a_board_tells_of_no_end(monkeypatch: pytest.MonkeyPatch) -> None:
    last, now = _observation(), Frame(np.zeros((220, 220, 4), np.uint8))
    monkeypatch.setattr("minebot.vision.first_sight.look", blind)
    profile = profile_at_first_sight(Window("1", "Mines"))
    assert not shows_mines(profile, last, now, {0}, set(), proven=set())


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
