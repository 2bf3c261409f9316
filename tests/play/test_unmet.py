"""A number that was never met: played on without, and learnt once it can be no other."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import count, islice
from pathlib import Path
from random import Random

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from bot.actuator import Button
from bot.board import Board, Cell
from bot.capture import Frame, Pixel, Rect, Window
from bot.errors import UnreadableTile
from bot.layout import Layout
from bot.play.eye import Sight
from bot.play.result import GameResult, Outcome, Settings
from bot.play.session import open_session
from bot.play.unknown_game import profile_at_first_sight
from bot.play.unmet import Unmet
from bot.profile import Profile, SampleLook, load
from bot.recording import pictures
from bot.stop import Stop
from bot.vision.first_sight_reader import FirstSightReader
from bot.vision.grid import Grid
from bot.vision.locate import locate
from bot.vision.reader import Reader
from tests.fake_game import FakeGame
from tests.fake_sight import blind

SHOTS = Path(__file__).parents[2] / "fixtures" / "screenshots" / "gnome-mines"
SIZE = "default-8x8n10-w600x450"
KNOWN = {Cell.EMPTY, Cell.ONE, Cell.TWO}
FIRST = 30
"""The square that is open at first."""


@cache
def _tiles() -> tuple[NDArray[np.uint8], Grid, dict[Cell, NDArray[np.uint8]]]:
    """A fresh window of GNOME Mines, its grid, and each cell's tile."""
    look, tiles = load("gnome-mines").grid, dict[Cell, NDArray[np.uint8]]()
    fresh = pictures.load(SHOTS / f"{SIZE}-fresh.png")
    fresh_grid = locate(fresh, look)
    paths = [SHOTS / f"{SIZE}-{name}.txt" for name in ("fresh", "middle-1", "middle-2", "lost")]
    for path in (*paths, SHOTS / "default-16x16n40-w700x600-lost.txt"):
        frame, board = pictures.load(path.with_suffix(".png")), Board.parse(path.read_text())
        grid = locate(frame, look)
        for square, value in enumerate(board.cells):
            rect = grid.rect(*board.xy(square))
            tile = frame.pixels[rect.top : rect.bottom, rect.left : rect.right]
            side = (fresh_grid.tile, fresh_grid.tile)
            tiles.setdefault(Cell(value), cv2.resize(tile, side, interpolation=cv2.INTER_AREA))
    return fresh.pixels, fresh_grid, tiles


class GnomeGame(FakeGame):
    """The rules of a game in the tiles of GNOME Mines, on a board of 8x8."""

    def __init__(self, layout: Layout) -> None:
        super().__init__(layout)
        cells = bytearray(self.board.cells)
        self._open(cells, FIRST)
        self.board = Board(8, 8, None, bytes(cells))
        self.lost = False
        self.desk.paint(self.picture())

    def shown(self, square: int) -> Cell:
        """What is drawn on a square."""
        return Cell(self.board.cells[square])

    def picture(self) -> NDArray[np.uint8]:
        fresh, grid, tiles = _tiles()
        pixels = fresh.copy()
        for square in range(64):
            rect = grid.rect(*self.board.xy(square))
            tile = tiles[self.shown(square)]
            pixels[rect.top : rect.bottom, rect.left : rect.right] = tile
        return pixels

    def _clicked(self, pixel: Pixel, button: Button) -> None:
        _, grid, _ = _tiles()
        squares = (s for s in range(64) if grid.rect(*self.board.xy(s)).holds(pixel))
        if not self.lost:
            self.apply(next(squares), button)
        if self.board.lost and not self.lost:
            self.lost = True
            cells = bytearray(self.board.cells)
            for mine in self.layout.mines:
                if cells[mine] == Cell.HIDDEN:
                    cells[mine] = Cell.MINE
            self.board = Board(8, 8, None, bytes(cells))
        self.desk.paint(self.picture())


def _without(*unmet: Cell) -> Profile:
    """The profile of the game, which has never met these cells."""
    profile = load("gnome-mines")
    assert isinstance(profile.cells, SampleLook)
    some = tuple(sample for sample in profile.cells.samples if sample.cell not in unmet)
    look = SampleLook(some)  # type: ignore[arg-type]  # all of one kind
    return replace(profile, cells=look, status=None)


@pytest.fixture(autouse=True)
def without_first_sight(monkeypatch: pytest.MonkeyPatch) -> None:
    """The networks would know what the profile does not."""
    monkeypatch.setattr("bot.play.session.reader_of", Reader)


@pytest.fixture(scope="module")
def few() -> Profile:
    """A profile that knows no number above 2."""
    return _without(*map(Cell, range(3, 9)))


def _numbers(layout: Layout) -> set[Cell]:
    return {Cell(layout.number(s)) for s in range(64) if s not in layout.mines}


def _layouts(mines: int = 9) -> Iterator[Layout]:
    """Boards that show a 3, and no higher number, and begin with an opening."""
    drawn = (Layout.scattered(8, 8, mines, Random(number), {FIRST}) for number in count())
    for layout in drawn:
        is_opening = not layout.number(FIRST)
        if is_opening and Cell.THREE in _numbers(layout) <= {*KNOWN, Cell.THREE}:
            yield layout


def _played(game: GnomeGame, profile: Profile, mines: int) -> tuple[GameResult | None, list[Cell]]:
    """How the game ended, None where it was refused, and what was learnt; lost it is on a guess."""
    desk, learnt = game.desk, list[Cell]()
    with open_session(desk, desk.window, profile, Stop(), Settings(mines=mines)) as session:
        teach = session.reader.teach

        def teaches(frame: Frame, grid: Grid, square: int, cell: Cell) -> None:
            assert game.board.cells[square] == cell
            learnt.append(cell)
            teach(frame, grid, square, cell)

        session.reader.teach = teaches  # type: ignore[method-assign]  # to see what is taught
        try:
            played = session.play()
        except UnreadableTile:
            assert not game.lost
            return None, learnt
    assert played.outcome is (Outcome.LOST if game.lost else Outcome.WON)
    assert played.outcome is Outcome.WON or played.hit_a_guess
    return played, learnt


def test_what_is_learnt_while_playing_is_right(few: Profile) -> None:
    learnt = set[Cell]()
    for layout in islice(_layouts(), 6):
        learnt.update(_played(GnomeGame(layout), few, 9)[1])
    assert learnt == {Cell.THREE}


class _Smudged(GnomeGame):
    """Some of its 2s are covered by something that was never met either."""

    def shown(self, square: int) -> Cell:
        cell = super().shown(square)
        return Cell.THREE if cell == Cell.TWO and square % 5 == 0 else cell


def test_another_look_of_a_number_that_was_met_is_played_and_not_learnt(few: Profile) -> None:
    learnt, played = list[Cell](), 0
    drawn = (Layout.scattered(8, 8, 8, Random(seed), {FIRST}) for seed in count())
    fit = (one for one in drawn if not one.number(FIRST) and _numbers(one) <= KNOWN)
    for layout in islice(fit, 8):
        game = _Smudged(layout)
        result, taught = _played(game, few, 8)
        learnt += taught
        played += result is not None and Cell.THREE in map(game.shown, range(64))
    assert played
    assert not learnt


def test_a_profile_that_tells_cells_by_their_inks_learns_nothing() -> None:
    reader = Reader(load("sgt-mines"))
    game = GnomeGame(next(_layouts()))
    frame = Frame(game.picture())
    last = Sight(frame, _tiles()[1], game.board, 0.0, None)
    unmet = Unmet(reader, Settings())
    error = UnreadableTile((0, 0), {})
    everything = set(range(64))
    assert not unmet.accept(error, frame, last, safe=everything, proven=set(), guessed=set())


def test_a_guess_that_shows_mines_which_were_never_met_has_lost(few: Profile) -> None:
    assert isinstance(few.cells, SampleLook)
    blind = _without(Cell.MINE, Cell.EXPLODED)
    lost = 0
    for layout in islice(_layouts(12), 12):
        game = GnomeGame(layout)
        lost += _played(game, blind, 12)[0] is not None and game.lost
    assert lost


@pytest.mark.parametrize("is_known", [True, False])
def test_a_guess_may_show_what_was_never_met_where_a_hit_mine_is_known(
    few: Profile, *, is_known: bool
) -> None:
    layout = next(_layouts())
    game = GnomeGame(layout)
    profile = few if is_known else _without(*map(Cell, range(3, 9)), Cell.EXPLODED)
    reader = Reader(profile)
    frame = Frame(game.picture())
    board = reader.read(frame)
    assert reader.grid is not None
    last = Sight(frame, reader.grid, board, 0.0, None)
    numbered = (s for s in range(64) if s not in layout.mines and layout.number(s) == Cell.THREE)
    three = next(s for s in numbered if board.cells[s] == Cell.HIDDEN)
    game.apply(three, Button.LEFT)
    now = Frame(game.picture())
    with pytest.raises(UnreadableTile) as error:
        reader.read(now)
    unmet = Unmet(reader, Settings())
    known: dict[str, set[int]] = {"safe": set(), "proven": set()}
    assert not unmet.accept(error.value, now, last, **known, guessed=set())
    assert unmet.accept(error.value, now, last, **known, guessed={three}) == is_known


class _Noted(GnomeGame):
    """Something lies over squares of its board."""

    below: frozenset[int] = frozenset()

    def shown(self, square: int) -> Cell:
        return Cell.THREE if square in self.below else super().shown(square)


def test_what_only_lay_over_covered_squares_is_over_when_it_has_gone(few: Profile) -> None:
    layout = next(_layouts())
    game = _Noted(layout)
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
    unmet = Unmet(reader, Settings())
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


class _OddFlags(GnomeGame):
    """In every other column a flag looks otherwise than it was ever met."""

    flagged = 0
    """How often a flag was set there."""
    flagged_twice = False
    """Whether one was taken off again."""

    def _clicked(self, pixel: Pixel, button: Button) -> None:
        before = self._odd()
        super()._clicked(pixel, button)
        self.flagged += len(self._odd() - before)
        self.flagged_twice |= not before <= self._odd()

    def _odd(self) -> set[int]:
        return {s for s in self.board.squares(Cell.FLAG) if s % 8 % 2}

    def shown(self, square: int) -> Cell:
        cell = super().shown(square)
        return Cell.THREE if cell == Cell.FLAG and square % 8 % 2 else cell


def test_a_flag_that_looks_like_nothing_known_is_left_alone(few: Profile) -> None:
    drawn = (Layout.scattered(8, 8, 8, Random(seed), {FIRST}) for seed in count())
    fit = (one for one in drawn if not one.number(FIRST) and _numbers(one) <= KNOWN)
    odd = 0
    for layout in islice(fit, 10):
        game = _OddFlags(layout)
        game.mines_become = None
        assert _played(game, few, 8)[0] is not None
        odd += not game.lost and game.flagged > 0
        assert not game.flagged_twice
    assert odd


def test_a_picture_without_a_board_is_not_played_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.vision.first_sight.look", blind)
    frame, bounds = Frame(np.zeros((60, 60, 4), np.uint8)), Rect(10, 10, 40, 40)
    last = Sight(frame, Grid.regular(bounds, 20, 20, bounds), Board.parse("1?\n??"), 0.0, None)
    unmet = Unmet(FirstSightReader(profile_at_first_sight(Window("1", "Mines"))), Settings())
    error = UnreadableTile((1, 0), {})
    assert not unmet.accept(error, frame, last, safe={1}, proven=set(), guessed=set())
