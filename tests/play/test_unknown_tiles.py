"""A number that was never met: played on without, and learnt once it can be no other."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Set
from contextlib import suppress
from itertools import count, islice
from random import Random
from types import MappingProxyType

import numpy as np
import pytest
from numpy.typing import NDArray

from minebot.actuator import Button
from minebot.board import Board, Cell
from minebot.capture import Frame, Pixel, Rect, Window
from minebot.errors import UnreadableTile
from minebot.layout import Layout
from minebot.play.identify import profile_at_first_sight
from minebot.play.observer import Observation
from minebot.play.result import GameResult, Outcome, PlaySettings
from minebot.play.session import open_session
from minebot.play.unknown_tiles import UnknownTiles
from minebot.policy.style import Style
from minebot.profile import Profile, load
from minebot.stop import Stop
from minebot.vision.board_reader import BoardReader
from minebot.vision.first_sight_reader import FirstSightReader
from minebot.vision.grid import Grid
from minebot.vision.reading import Reading
from minebot.vision.tiles import TileReading
from tests.support.fake_game import FakeGame
from tests.support.fake_sight import blind

LEFT, TILE = 24, 16
BOUNDS = Rect(LEFT, LEFT, 8 * TILE, 8 * TILE)
GRID = Grid.regular(BOUNDS, TILE, TILE, BOUNDS)
KNOWN = {Cell.EMPTY, Cell.ONE, Cell.TWO}
FIRST = 30
"""The square that is open at first."""


class HalfSighted(BoardReader):
    """Reads some cells, each drawn in a level of grey of its own, and learns the others."""

    def __init__(
        self,
        profile: Profile,
        unmet: Set[Cell],
        resembles: Mapping[Cell, str] = MappingProxyType({}),
    ) -> None:
        """`resembles` are labels that the tiles of unmet cells may be."""
        super().__init__(profile)
        self._resembles = {_level(cell): label for cell, label in resembles.items()}
        self._known = {_level(cell): cell for cell in Cell if cell not in unmet}

    def _find(self, frame: Frame) -> Grid:  # noqa: ARG002
        return GRID

    def _read_board(
        self,
        frame: Frame,
        grid: Grid,
        pixels: NDArray[np.uint32],  # noqa: ARG002
    ) -> Reading:
        levels = frame.pixels[LEFT + 8 : LEFT + 8 * TILE : TILE, LEFT + 8 : LEFT + 8 * TILE : TILE]
        tiles = [
            TileReading(self._known.get(level), ((self._resembles.get(level, str(level)), 1.0),))
            for level in levels[..., 0].ravel().tolist()
        ]
        return Reading.of(grid, tiles, self.profile, self._overlook)

    def expect(self, *, flagged: Set[int], opened: Set[int]) -> None:
        """It knows what a flag is, and keeps the sets to be looked at."""
        self.expected = flagged, opened

    def teach(self, frame: Frame, grid: Grid, square: int, cell: Cell) -> None:
        at = grid.centre(square % 8, square // 8)
        self._known[int(frame.pixels[at.y, at.x, 0])] = cell
        self._reread()

    def refute(self, frame: Frame, grid: Grid, square: int) -> bool:  # noqa: ARG002
        return False


def _level(cell: Cell) -> int:
    return 18 * cell + 20


class GreyGame(FakeGame):
    """The rules of a game in levels of grey, on a board of 8x8."""

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
        pixels = np.zeros((BOUNDS.bottom + LEFT, BOUNDS.right + LEFT, 4), np.uint8)
        for square in range(64):
            rect = GRID.rect(*self.board.xy(square))
            level = _level(self.shown(square))
            pixels[rect.top : rect.bottom, rect.left : rect.right] = level
        return pixels

    def _clicked(self, pixel: Pixel, button: Button) -> None:
        squares = (s for s in range(64) if GRID.rect(*self.board.xy(s)).holds(pixel))
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


ABOVE_TWO = frozenset(map(Cell, range(3, 9)))
AT_FIRST_SIGHT = load("gnome-mines").changed(status=None)
BY_COLOURS = load("sgt-mines").changed(status=None)


@pytest.fixture
def unmet_are(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Have whatever reads a game not know the looks of these cells."""

    def take(unmet: Set[Cell], resembles: Mapping[Cell, str] = MappingProxyType({})) -> None:
        monkeypatch.setattr(
            "minebot.play.session.reader_of", lambda profile: HalfSighted(profile, unmet, resembles)
        )

    take(ABOVE_TWO)
    return take


def _numbers(layout: Layout) -> set[Cell]:
    return {Cell(layout.numbers[s]) for s in range(64) if s not in layout.mines}


def _layouts(mines: int = 9) -> Iterator[Layout]:
    """Boards that show a 3, and no higher number, and begin with an opening."""
    drawn = (Layout.scattered(8, 8, mines, Random(number), {FIRST}) for number in count())
    for layout in drawn:
        is_opening = not layout.numbers[FIRST]
        if is_opening and Cell.THREE in _numbers(layout) <= {*KNOWN, Cell.THREE}:
            yield layout


def _played(
    game: GreyGame, mines: int, profile: Profile = AT_FIRST_SIGHT
) -> tuple[GameResult | None, list[Cell]]:
    """How the game ended, None where it was refused, and what was learnt; lost it is on a guess."""
    desk, learnt = game.desk, list[Cell]()
    with open_session(desk, desk.window, profile, Stop(), PlaySettings(mines=mines)) as session:
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


@pytest.mark.usefixtures("unmet_are")
def test_what_is_learnt_while_playing_is_right() -> None:
    learnt = set[Cell]()
    for layout in islice(_layouts(), 6):
        learnt.update(_played(GreyGame(layout), 9)[1])
    assert learnt == {Cell.THREE}


def test_the_reader_is_told_which_squares_were_clicked(unmet_are: Callable[..., None]) -> None:
    unmet_are(set())
    game = GreyGame(next(_layouts()))
    desk = game.desk
    with open_session(desk, desk.window, AT_FIRST_SIGHT, Stop(), PlaySettings(mines=9)) as session:
        assert session.play().outcome is Outcome.WON
    assert isinstance(session.reader, HalfSighted)
    flagged, opened = session.reader.expected
    assert opened
    assert not opened & game.layout.mines
    assert not flagged, "it sets none here"


class _Drifting(HalfSighted):
    """Cannot read another covered square each time, as if something drifted over the board."""

    reads = 0

    def read(self, frame: Frame, *, partly: bool = False) -> Reading:
        reading = super().read(frame, partly=True)
        covered = [s for s in reading.board.squares(Cell.HIDDEN) if s not in self._overlook]
        tiles, self.reads = list(reading.tiles), self.reads + 1
        if self.reads > 3:
            tiles[covered[self.reads % len(covered)]] = TileReading(None, (("flag", 1.0),))
        return Reading.of(GRID, tiles, self.profile, self._overlook).checked(partly=partly)


def test_a_board_on_which_other_tiles_are_in_doubt_each_time_is_given_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("minebot.play.session.reader_of", lambda profile: _Drifting(profile, set()))
    game = GreyGame(next(_layouts()))
    clock = game.desk.clock
    began = clock.now()
    assert _played(game, 9)[0] is None
    assert 30 < clock.now() - began < 40


class _Smudged(GreyGame):
    """Some of its 2s are covered by something that was never met either."""

    def shown(self, square: int) -> Cell:
        cell = super().shown(square)
        return Cell.THREE if cell == Cell.TWO and square % 5 == 0 else cell


@pytest.mark.usefixtures("unmet_are")
def test_another_look_of_a_number_that_was_met_is_learnt_for_that_number() -> None:
    learnt, played = set[Cell](), 0
    drawn = (Layout.scattered(8, 8, 8, Random(seed), {FIRST}) for seed in count())
    fit = (one for one in drawn if not one.numbers[FIRST] and _numbers(one) <= KNOWN)
    for layout in islice(fit, 8):
        game = _Smudged(layout)
        result, taught = _played(game, 8)
        learnt.update(taught)
        played += result is not None and Cell.THREE in map(game.shown, range(64))
    assert played
    assert learnt == {Cell.TWO}


@pytest.mark.parametrize(
    ("profile", "accepts"), [(AT_FIRST_SIGHT, True), (BY_COLOURS, False)], ids=["sight", "colours"]
)
def test_a_profile_that_knows_the_colours_of_its_game_learns_nothing(
    profile: Profile, *, accepts: bool
) -> None:
    layout = next(_layouts())
    game = GreyGame(layout)
    reader = HalfSighted(profile, ABOVE_TWO)
    frame = Frame(game.picture())
    last = Observation(frame, reader.read(frame), 0.0, None)
    game.apply(_three(layout, last.board), Button.LEFT)
    now = Frame(game.picture())
    with pytest.raises(UnreadableTile) as error:
        reader.read(now)
    assert UnknownTiles(reader).accept(error.value, now, last, set(), set()) is accepts


def _three(layout: Layout, board: Board) -> int:
    """A covered square that is a 3."""
    covered = board.squares(Cell.HIDDEN)
    return next(s for s in covered if s not in layout.mines and layout.numbers[s] == Cell.THREE)


def test_a_guess_that_shows_mines_which_were_never_met_has_lost(
    unmet_are: Callable[..., None],
) -> None:
    unmet_are({Cell.MINE, Cell.EXPLODED})
    behaviour = BY_COLOURS.behaviour.changed(end_message_milliseconds=60_000)
    lost = 0
    for layout in islice(_layouts(12), 12):
        game = GreyGame(layout)
        played = _played(game, 12, BY_COLOURS.changed(behaviour=behaviour))[0]
        lost += played is not None and game.lost
        # However long the game's messages stay, a mine that shows is not waited for.
        assert game.desk.clock.now() < 60
    assert lost


def test_a_guess_may_not_show_what_was_never_met() -> None:
    layout = next(_layouts())
    game = GreyGame(layout)
    reader = HalfSighted(AT_FIRST_SIGHT, ABOVE_TWO)
    frame = Frame(game.picture())
    last = Observation(frame, reader.read(frame), 0.0, None)
    square = _three(layout, last.board)
    game.apply(square, Button.LEFT)
    now = Frame(game.picture())
    with pytest.raises(UnreadableTile) as error:
        reader.read(now)
    unmet = UnknownTiles(reader)
    assert not unmet.accept(error.value, now, last, {square}, set())
    numbered = HalfSighted(AT_FIRST_SIGHT, ABOVE_TWO, {Cell.THREE: "four"})
    assert UnknownTiles(numbered).accept(error.value, now, last, {square}, set())
    assert unmet.accept(error.value, now, last, set(), set())
    # It may be covered still, as it was not clicked: its tile is no number's.
    seen = Observation(now, reader.read(now), 0.0, None)
    everywhere = set(range(64))
    assert not unmet.learn(seen, seen.board, set(), everywhere, set(), search=True)
    assert unmet.learn(
        seen, seen.board, {square}, everywhere - layout.mines, layout.mines, search=True
    )


@pytest.mark.parametrize("guesses", [True, False])
def test_it_is_guessed_around_what_cannot_be_read_and_that_is_said(
    unmet_are: Callable[..., None], *, guesses: bool
) -> None:
    unmet_are(ABOVE_TWO, dict.fromkeys(map(Cell, range(3, 9)), "four"))
    around = 0
    drawn = (Layout.scattered(8, 8, 14, Random(seed), {FIRST}) for seed in count())
    games = (GreyGame(layout) for layout in drawn if not layout.numbers[FIRST])
    for game in islice((one for one in games if ABOVE_TWO.isdisjoint(one.board.cells)), 8):
        desk, settings = game.desk, PlaySettings(mines=14, guesses=guesses)
        with open_session(desk, desk.window, AT_FIRST_SIGHT, Stop(), settings) as session:
            try:
                played = session.play()
            except UnreadableTile:
                assert not game.lost
                continue
        told = "cannot read the tile at row" in played.warning
        assert not told or played.guesses
        assert (played.outcome is Outcome.LOST) is bool(played.hit_a_guess) is game.lost
        around += told
    assert bool(around) is guesses


@pytest.mark.parametrize(("resembles", "accepts"), [("three", True), ("four", False)])
def test_a_number_that_fades_into_doubt_stays_what_it_was(resembles: str, *, accepts: bool) -> None:
    layout = next(_layouts())
    game = GreyGame(layout)
    square = _three(layout, game.board)
    game.apply(square, Button.LEFT)
    frame = Frame(game.picture())
    last = Observation(frame, HalfSighted(AT_FIRST_SIGHT, set()).read(frame), 0.0, None)
    reader = HalfSighted(AT_FIRST_SIGHT, ABOVE_TWO, {Cell.THREE: resembles})
    with pytest.raises(UnreadableTile) as error:
        reader.read(frame)
    unmet = UnknownTiles(reader)
    assert unmet.accept(error.value, frame, last, {square}, set()) is accepts
    if accepts:
        assert unmet.filled(reader.read(frame).board).cells[square] == Cell.THREE
        assert not unmet.unclear


def test_a_first_cell_that_cannot_be_read_is_played_around(
    unmet_are: Callable[..., None],
) -> None:
    unmet_are(ABOVE_TWO, {Cell.THREE: "four"})
    first = 27  # where a first click is an opening as a rule
    drawn = (Layout.scattered(8, 8, 14, Random(seed), {first}) for seed in count())
    layout = next(one for one in drawn if one.numbers[first] == Cell.THREE)
    game = GreyGame(layout)
    game.board = Board.hidden(8, 8)
    game.desk.paint(game.picture())
    desk, settings = game.desk, PlaySettings(mines=14)
    with open_session(desk, desk.window, AT_FIRST_SIGHT, Stop(), settings) as session:
        with suppress(UnreadableTile):  # further numbers, perhaps
            session.play()
        assert session.player.game.guesses
    assert game.opened[0] == first
    assert game.opened.count(first) == 1


class _Doubtful(GreyGame):
    """Some of its covered squares cannot be read once it is played."""

    def shown(self, square: int) -> Cell:
        cell = super().shown(square)
        is_odd = cell == Cell.HIDDEN and square % 9 == 1 and self.opened
        return Cell.THREE if is_odd else cell


@pytest.mark.usefixtures("unmet_are")
def test_covered_squares_that_cannot_be_read_are_opened_where_they_are_safe() -> None:
    drawn = (Layout.scattered(8, 8, 8, Random(seed), {FIRST}) for seed in count())
    fit = (one for one in drawn if not one.numbers[FIRST] and _numbers(one) <= KNOWN)
    won = 0
    for layout in islice(fit, 12):
        game = _Doubtful(layout)
        desk = game.desk
        settings = PlaySettings(mines=8, style=Style.NO_FLAGS)
        with open_session(desk, desk.window, AT_FIRST_SIGHT, Stop(), settings) as session:
            try:
                outcome = session.play().outcome
            except UnreadableTile:
                outcome = None
        assert not layout.mines & set(game.opened) or outcome is Outcome.LOST
        won += outcome is Outcome.WON and any(square % 9 == 1 for square in game.opened[1:])
    assert won


class _Noted(GreyGame):
    """Something lies over squares of its board."""

    below: frozenset[int] = frozenset()

    def shown(self, square: int) -> Cell:
        return Cell.THREE if square in self.below else super().shown(square)


def test_what_only_lay_over_covered_squares_is_over_when_it_has_gone() -> None:
    layout = next(_layouts())
    game = _Noted(layout)
    reader = HalfSighted(AT_FIRST_SIGHT, ABOVE_TWO)

    def observation() -> Observation:
        frame = Frame(game.picture())
        return Observation(frame, reader.read(frame), 0.0, None)

    last = observation()
    covered = [s for s in last.board.squares(Cell.HIDDEN) if s not in layout.mines]
    game.below = frozenset(covered[:1])
    with pytest.raises(UnreadableTile) as error:
        reader.read(Frame(game.picture()))
    unmet = UnknownTiles(reader)
    safe, proven = set(covered), set[int]()
    now = Frame(game.picture())
    assert unmet.accept(error.value, now, last, set(), proven)
    for below in (game.below, frozenset[int]()):
        game.below = below
        seen = observation()
        assert seen.board == last.board
        unmet.learn(seen, unmet.filled(seen.board), safe, safe, proven, search=True)
        assert unmet.squares == below
    assert unmet.filled(seen.board) == seen.board


class _OddFlags(GreyGame):
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


@pytest.mark.usefixtures("unmet_are")
def test_a_flag_that_looks_like_nothing_known_is_left_alone() -> None:
    drawn = (Layout.scattered(8, 8, 8, Random(seed), {FIRST}) for seed in count())
    fit = (one for one in drawn if not one.numbers[FIRST] and _numbers(one) <= KNOWN)
    odd = 0
    for layout in islice(fit, 10):
        game = _OddFlags(layout)
        game.mines_become = None
        assert _played(game, 8)[0] is not None
        odd += not game.lost and game.flagged > 0
        assert not game.flagged_twice
    assert odd


def test_a_picture_without_a_board_is_not_played_on(monkeypatch: pytest.MonkeyPatch) -> None:
    blind.install(monkeypatch)
    frame, bounds = Frame(np.zeros((60, 60, 4), np.uint8)), Rect(10, 10, 40, 40)
    grid = Grid.regular(bounds, 20, 20, bounds)
    last = Observation(frame, Reading(Board.parse("1?\n??"), grid, (), None), 0.0, None)
    unmet = UnknownTiles(FirstSightReader(profile_at_first_sight(Window("1", "Mines"))))
    error = UnreadableTile("", (1, 0), {})
    assert not unmet.accept(error, frame, last, set(), set())
