"""A number that was never met: played on without, and learnt once it can be no other."""

from __future__ import annotations

from dataclasses import replace
from itertools import count, islice
from random import Random

import pytest

from bot.actuator import Button
from bot.board import Cell
from bot.calibrate.run import Wishes
from bot.calibrate.samples import with_look
from bot.capture import Frame, Pixel
from bot.errors import UnreadableTile
from bot.layout import Layout
from bot.play.eye import Sight
from bot.play.result import GameResult, Learns, Outcome, Settings
from bot.play.session import open_session
from bot.play.unmet import Unmet
from bot.profile import Profile, SampleLook
from bot.stop import Stop
from bot.vision.grid import Grid
from bot.vision.reader import Reader
from tests.calibrate.table_game import TableGame
from tests.calibrate.test_run import _calibrated, _numbers, _profile

_KNOWN = {Cell.EMPTY, Cell.ONE, Cell.TWO}


@pytest.fixture(scope="module")
def known() -> Profile:
    """A profile that was learnt on boards with hardly a 3."""
    game = TableGame(9, 9, 10, 1)
    game.desk.on_resize = None
    learnt = _calibrated(game, Wishes("n", 8))
    return replace(_profile(learnt), status=None, conduct=learnt.conduct)


@pytest.fixture(scope="module")
def few(known: Profile) -> Profile:
    """The same, which knows no 3."""
    return _without(known, *map(Cell, range(3, 9)))


def _layouts() -> list[Layout]:
    """Boards that show a 3, and no higher number."""
    drawn = (Layout.scattered(9, 9, 12, Random(number), {30}) for number in count())
    found = []
    while len(found) < 6:
        layout = next(drawn)
        if Cell.THREE in _numbers(layout) <= {*_KNOWN, Cell.THREE}:
            found.append(layout)
    return found


def _learns(game: TableGame, learnt: list[Cell]) -> Learns:
    def learns(profile: Profile, frame: Frame, grid: Grid, square: int, cell: Cell) -> Profile:
        assert game.cell(square) == cell
        learnt.append(cell)
        return with_look(profile, frame, grid, square, cell)

    return learns


def _played(game: TableGame, few: Profile, settings: Settings) -> GameResult | None:
    """How the game ended, None where it was refused; lost it is on a guess alone."""
    desk = game.desk
    with open_session(desk, desk.window, few, Stop(), settings) as session:
        try:
            played = session.play()
        except UnreadableTile:
            assert not game.lost
            return None
    assert played.outcome is (Outcome.LOST if game.lost else Outcome.WON)
    assert played.outcome is Outcome.WON or played.hit_a_guess
    return played


def test_what_is_learnt_while_playing_is_right(few: Profile) -> None:
    learnt: list[Cell] = []
    for layout in _layouts():
        game = TableGame(9, 9, 12, 1)
        game.begin(layout)
        _played(game, few, Settings(mines=12, learns=_learns(game, learnt)))
    assert set(learnt) == {Cell.THREE}


class _Smudged(TableGame):
    """Some of its 2s are covered by something that was never met either."""

    def cell(self, square: int) -> Cell | str:
        cell = super().cell(square)
        return Cell.SEVEN if cell == Cell.TWO and square % 5 == 0 else cell


def test_another_look_of_a_number_that_was_met_is_played_and_not_learnt(few: Profile) -> None:
    learnt: list[Cell] = []
    played = 0
    for seed in range(12):
        layout = Layout.scattered(9, 9, 10, Random(seed), {30})
        if not _numbers(layout) <= _KNOWN:
            continue
        game = _Smudged(9, 9, 10, 1)
        game.begin(layout)
        result = _played(game, few, Settings(mines=10, learns=_learns(game, learnt)))
        played += result is not None and Cell.SEVEN in map(game.cell, range(81))
    assert played
    assert not learnt


def test_a_number_is_learnt_that_is_certain_before_the_mines_around_it_are(few: Profile) -> None:
    learnt: list[Cell] = []
    game = TableGame(9, 9, 12, 1)
    # At the end one of two squares holds a mine, and both are beside the same 3.
    game.begin(Layout.scattered(9, 9, 12, Random(109), {30}))
    assert _played(game, few, Settings(mines=12, learns=_learns(game, learnt)))
    assert learnt == [Cell.THREE]


def test_without_leave_to_learn_it_is_refused(few: Profile) -> None:
    for layout in _layouts():
        game = TableGame(9, 9, 12, 1)
        game.begin(layout)
        if not _played(game, few, Settings(mines=12)):
            return
    raise AssertionError("no board showed a 3")


def _without(profile: Profile, *unmet: Cell) -> Profile:
    assert isinstance(profile.cells, SampleLook)
    some = tuple(sample for sample in profile.cells.samples if sample.cell not in unmet)
    return replace(profile, cells=SampleLook(some))  # type: ignore[arg-type]  # all of one kind


def test_a_guess_that_shows_mines_which_were_never_met_has_lost(few: Profile) -> None:
    blind = _without(few, Cell.MINE, Cell.EXPLODED)
    lost = 0
    for seed in range(12):
        game = TableGame(9, 9, 16, 1)
        game.begin(Layout.scattered(9, 9, 16, Random(seed), {30}))
        lost += _played(game, blind, Settings(mines=16)) is not None and game.lost
    assert lost


@pytest.mark.parametrize("is_known", [True, False])
def test_a_guess_may_show_what_was_never_met_where_a_hit_mine_is_known(
    few: Profile, *, is_known: bool
) -> None:
    game = TableGame(9, 9, 12, 1)
    layout = _layouts()[0]
    game.begin(layout)
    game._open(30)
    profile = few if is_known else _without(few, Cell.EXPLODED)
    reader = Reader(profile)
    frame = Frame(game.picture())
    board = reader.read(frame)
    assert reader.grid is not None
    last = Sight(frame, reader.grid, board, 0.0, None)
    numbered = (s for s in range(81) if s not in layout.mines and layout.number(s) == Cell.THREE)
    three = next(s for s in numbered if board.cells[s] == Cell.HIDDEN)
    game._open(three)
    now = Frame(game.picture())
    with pytest.raises(UnreadableTile) as error:
        reader.read(now)
    unmet = Unmet(reader, Settings(learns=_learns(game, [])))
    known: dict[str, set[int]] = {"safe": set(), "proven": set()}
    assert not unmet.accept(error.value, now, last, **known, guessed=set())
    assert unmet.accept(error.value, now, last, **known, guessed={three}) == is_known


class _Noted(TableGame):
    """Something lies over squares of its board."""

    below: frozenset[int] = frozenset()

    def cell(self, square: int) -> Cell | str:
        return Cell.SEVEN if square in self.below else super().cell(square)


def test_what_only_lay_over_covered_squares_is_over_when_it_has_gone(few: Profile) -> None:
    game = _Noted(9, 9, 12, 1)
    layout = _layouts()[0]
    game.begin(layout)
    game._open(30)
    reader = Reader(few)

    def sight() -> Sight:
        frame = Frame(game.picture())
        board = reader.read(frame)
        assert reader.grid is not None
        return Sight(frame, reader.grid, board, 0.0, None)

    last = sight()
    covered = [s for s in last.board.squares(Cell.HIDDEN) if s not in layout.mines]
    game.below = frozenset(covered[:1])
    with pytest.raises(UnreadableTile) as error:
        reader.read(Frame(game.picture()))
    unmet = Unmet(reader, Settings(learns=_learns(game, [])))
    safe, proven = set(covered), set[int]()
    now = Frame(game.picture())
    assert unmet.accept(error.value, now, last, safe=safe, proven=proven, guessed=set())
    for below in (game.below, frozenset[int]()):
        game.below = below
        seen = sight()
        assert seen.board == last.board
        unmet.learn(seen, unmet.filled(seen.board), safe, proven, search=True)
        assert unmet.squares == below
    assert unmet.filled(seen.board) == seen.board


class _OddFlags(TableGame):
    """In every other column a flag looks otherwise than it was ever met."""

    flagged = 0
    """How often a flag was set there."""
    flagged_twice = False
    """Whether one was taken off again."""

    def click(self, pixel: Pixel, button: Button) -> None:
        before = self._odd()
        super().click(pixel, button)
        self.flagged += len(self._odd() - before)
        self.flagged_twice |= not before <= self._odd()

    def _odd(self) -> set[int]:
        return {s for s, mark in self.marks.items() if mark == "flag" and s % 9 % 2}

    def cell(self, square: int) -> Cell | str:
        cell = super().cell(square)
        return Cell.SEVEN if cell == Cell.FLAG and square % 9 % 2 else cell


def test_a_flag_that_looks_like_nothing_known_is_left_alone(known: Profile) -> None:
    layouts = (Layout.scattered(9, 9, 12, Random(seed), {30}) for seed in count())
    fit = (one for one in layouts if _numbers(one) <= {*_KNOWN, Cell.THREE})
    odd = 0
    for layout in islice(fit, 20):
        game = _OddFlags(9, 9, 12, 1)
        game.begin(layout)
        assert _played(game, known, Settings(mines=12)) is not None
        odd += not game.lost and game.flagged > 0
        assert not game.flagged_twice
    assert odd
