"""A game without a profile is played at first sight."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import numpy as np
import pytest
from numpy.typing import NDArray

from minebot.actuator import Button
from minebot.board import Board, Cell
from minebot.capture import Pixel, Window
from minebot.errors import GridNotFound, UnknownGame
from minebot.layout import Layout
from minebot.play.identify import NAME, described, identify, profile_at_first_sight
from minebot.play.result import GameResult, Outcome, PlaySettings
from minebot.play.session import open_session
from minebot.profile import load
from minebot.stop import Stop
from minebot.vision.first_sight_reader import FirstSightReader
from minebot.vision.known_game import KnownGameReader, is_first_sight, reader_of
from tests.support.fake_game import EASY, FakeGame, Table
from tests.support.fake_sight import blind, seeing


def _identified(game: FakeGame) -> tuple[str, str | None]:
    with game.desk.open(game.desk.window, Stop()) as window_session:
        profile, seen = identify(window_session)
    return profile.name, seen


@pytest.fixture
def unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    """No known game fits what the window shows."""
    monkeypatch.setattr("minebot.play.identify.fitting", lambda *_: [])


def test_a_known_game_is_known_by_its_pixels() -> None:
    assert _identified(FakeGame(EASY)) == ("sgt-mines", None)


@pytest.mark.usefixtures("unknown")
def test_an_unknown_game_is_seen_before_it_is_played(monkeypatch: pytest.MonkeyPatch) -> None:
    fresh = Board.hidden(9, 9)
    seeing(fresh).install(monkeypatch)
    assert _identified(FakeGame(EASY)) == (NAME, "a board of 9x9, fresh")


@pytest.mark.usefixtures("unknown")
def test_a_board_that_ends_with_its_window_may_be_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = seeing(Board.hidden(9, 9), corner=(0, 10))
    seen.install(monkeypatch)
    told = "a board of 9x9, fresh, at the window's edge (left), where cells may be cut off"
    assert _identified(FakeGame(EASY)) == (NAME, told)


@pytest.mark.usefixtures("unknown")
def test_a_window_without_a_board_is_no_game(monkeypatch: pytest.MonkeyPatch) -> None:
    blind.install(monkeypatch)
    with pytest.raises(UnknownGame, match="at first sight: no board"):
        _identified(FakeGame(EASY))


@pytest.mark.usefixtures("unknown")
def test_tiles_for_which_no_mines_can_lie_are_no_game(monkeypatch: pytest.MonkeyPatch) -> None:
    doubtful = seeing(Board.hidden(9, 9), doubtful={7})
    doubtful.install(monkeypatch)
    assert _identified(FakeGame(EASY)) == (NAME, "a board of 9x9, fresh")
    replace(doubtful, is_possible=False).install(monkeypatch)
    with pytest.raises(UnknownGame, match="at first sight: no mine layout fits"):
        _identified(FakeGame(EASY))


def test_where_several_known_games_fit_the_user_says_which(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    several = [load("sgt-mines"), load("classic")]
    monkeypatch.setattr("minebot.play.identify.fitting", lambda *_: several)
    with pytest.raises(GridNotFound, match="may be sgt-mines, classic: --profile NAME"):
        _identified(FakeGame(EASY))


@pytest.mark.parametrize(
    ("board", "words"),
    [
        ("??\n??", "a board of 2x2, fresh"),
        ("1?\n1?\n1?", "a board of 2x3, 3 cells open"),
        ("1F\n1?", "a board of 2x2, 2 cells open, 1 flag"),
        ("FF\n1?", "a board of 2x2, 1 cell open, 2 flags"),
    ],
)
def test_a_board_is_described_in_a_few_words(board: str, words: str) -> None:
    assert described(Board.parse(board)) == words


def test_only_a_profile_without_an_appearance_is_read_at_first_sight() -> None:
    for one in (profile_at_first_sight(Window("0x1", "some game")), load("kmines")):
        assert is_first_sight(one)
        assert isinstance(reader_of(one), FirstSightReader)
    assert isinstance(reader_of(load("sgt-mines")), KnownGameReader)


def _played(game: FakeGame, said: list[str]) -> GameResult:
    profile = profile_at_first_sight(game.desk.window)
    settings = PlaySettings(say=lambda line: said.append(str(line)))
    with open_session(game.desk, game.desk.window, profile, Stop(), settings) as session:
        return session.play()


@pytest.mark.trained
def test_a_board_is_played_to_its_end_and_its_mines_flagged() -> None:
    game, said = FakeGame(EASY), list[str]()
    game.mines_become = None
    result = _played(game, said)
    assert result.outcome is Outcome.WON
    assert not EASY.mines & set(game.opened)
    assert set(game.board.squares(Cell.FLAG)) == EASY.mines
    assert not said


@pytest.mark.trained
def test_a_game_in_which_no_click_flags_is_played_without_flags() -> None:
    game, said = FakeGame(EASY), list[str]()
    game.mines_become = None
    right: list[int] = []

    def without_flags(square: int, button: Button) -> list[tuple[int, Button]]:
        if button is Button.RIGHT:
            right.append(square)
            return []
        return [(square, button)]

    game.mangle = without_flags
    result = _played(game, said)
    assert result.outcome is Outcome.WON
    assert not EASY.mines & set(game.opened)
    assert len(right) == 1
    assert right[0] in EASY.mines
    assert said == ["a click sets no flag here: it is played without flags"]


@pytest.mark.trained
def test_a_game_that_takes_all_clicks_to_be_where_the_pointer_is_gets_one_at_a_time() -> None:
    game = _LateGame(Layout.scattered(9, 9, 10, Random(0), clear=[0, 1, 9, 10]))
    assert _played(game, []).outcome is Outcome.WON
    assert not game.layout.mines & set(game.opened)


class _LateGame(FakeGame):
    """It looks only when it paints where the pointer is, and takes all clicks to be there."""

    def __init__(self, layout: Layout) -> None:
        super().__init__(layout)
        self.mines_become = None
        self._clicks: list[tuple[Pixel, Button]] = []
        self._picture = self.desk.picture
        self.desk.picture = self._caught_up  # type: ignore[method-assign]

    def _clicked(self, pixel: Pixel, button: Button) -> None:
        self._clicks.append((pixel, button))

    def _caught_up(self) -> NDArray[np.uint8]:
        clicks, self._clicks = self._clicks, []
        for _, button in clicks:
            super()._clicked(clicks[-1][0], button)
        self.desk.repainted = False
        return self._picture()


@pytest.mark.parametrize(("program", "key"), [("chromium", "Escape"), ("python3", None)])
def test_what_a_page_says_at_its_end_is_closed_as_its_browser_has_it(
    program: str, key: str | None
) -> None:
    profile = profile_at_first_sight(Window("1", "Mines", (program,)))
    assert profile.behaviour.end_message_key == key


def test_zeros_that_open_their_sides_alone_are_believed() -> None:
    game = _Sideways(EASY)
    table = Table(game, behaviour=profile_at_first_sight(game.desk.window).behaviour)
    assert table.play().outcome is Outcome.WON


class _Sideways(FakeGame):
    """Empty cells open those at their four sides alone."""

    def _open(self, cells: bytearray, square: int) -> None:
        if cells[square] != Cell.HIDDEN:
            return
        cells[square] = self.layout.numbers[square]
        x, y = self.board.xy(square)
        if cells[square] == Cell.EMPTY:
            for other in self.board.neighbours(square):
                if x == other % self.board.width or y == other // self.board.width:
                    self._open(cells, other)


@pytest.mark.trained
def test_a_game_that_takes_no_flags_once_it_is_won_has_been_won() -> None:
    game, said = FakeGame(EASY), list[str]()
    game.mines_become = None

    def until_won(square: int, button: Button) -> list[tuple[int, Button]]:
        is_won = set(game.board.squares(Cell.HIDDEN, Cell.FLAG)) <= EASY.mines
        return [] if is_won else [(square, button)]

    game.mangle = until_won
    result = _played(game, said)
    assert result.outcome is Outcome.WON
    assert not EASY.mines & set(game.opened)
