"""The loop when it sees what cannot be, or cannot be read: it never clicks on it."""

from __future__ import annotations

import pytest

from bot.actuator import Button
from bot.board import Board
from bot.errors import Contradiction, UnreadableTile, UsageError
from bot.play.result import Outcome, Settings
from tests.fake_game import EASY, FakeGame, Table, draw, easy_table


def test_an_unreadable_board_is_never_clicked_on() -> None:
    game = FakeGame(EASY)
    pixels = draw(game.board)
    pixels[60:90, 60:90] = (200, 30, 120, 0)
    game.desk.paint(pixels)
    table = Table(game)
    with pytest.raises(UnreadableTile):
        table.play()
    assert not game.desk.clicks


def test_what_covers_a_tile_for_a_moment_is_waited_for() -> None:
    table = easy_table()
    game = table.game
    grabs = 0
    grab = table.player._screen.grab

    def covered_at_first():  # type: ignore[no-untyped-def]
        nonlocal grabs
        grabs += 1
        pixels = draw(game.board)
        if grabs < 4:
            pixels[60:90, 60:90] = (200, 30, 120, 0)
        game.desk.paint(pixels)
        return grab()

    table.player._screen.grab = covered_at_first  # type: ignore[method-assign]
    assert table.play().outcome is Outcome.WON


def test_a_board_that_contradicts_itself_is_never_clicked_on() -> None:
    game = FakeGame(EASY, Board.parse("1?8\n???\n???"))
    table = Table(game)
    with pytest.raises(Contradiction):
        table.play()
    assert not game.desk.clicks


def test_a_contradiction_that_only_a_search_finds_is_never_clicked_on() -> None:
    # The two clues share their only covered cells and want different numbers of mines.
    game = FakeGame(EASY, Board.parse("?1\n?2"))
    with pytest.raises((Contradiction, UsageError)):
        Table(game, mines=1).play()
    assert not game.desk.clicks


def test_lost_opened_cells_stop_the_clicking() -> None:
    table = easy_table()
    game = table.game
    clicks = 0

    def undo(square: int, button: Button) -> list[tuple[int, Button]]:
        nonlocal clicks
        clicks += 1
        if clicks == 4:
            game.board = Board.hidden(9, 9)
            return []
        return [(square, button)] if clicks < 4 else []

    game.mangle = undo
    with pytest.raises(Contradiction, match="opened cells were lost"):
        table.play()
    # Whatever was sent within the round that was under way; nothing after a look.
    assert clicks <= 6


def test_a_wrong_total_is_a_contradiction_and_not_a_lost_game() -> None:
    table = easy_table(settings=Settings(mines=80))
    with pytest.raises(Contradiction):
        table.play()
    assert not EASY.mines & set(table.game.opened)


def test_a_misread_total_is_read_again_and_nothing_proven_by_it_is_kept() -> None:
    table = easy_table(mines=len(EASY.mines) + 40)
    forget = table.status.reset

    def read_right_after_the_doubt() -> None:
        forget()
        if table.status.resets > 2:  # the player's start and the game's are the first two
            table.status._mines = len(EASY.mines)
            assert not table.player._proven

    table.status.reset = read_right_after_the_doubt  # type: ignore[method-assign]

    def prove_something(square: int, button: Button) -> list[tuple[int, Button]]:
        if table.status.resets == 2:
            table.player._proven.add(0)
        return [(square, button)]

    table.game.mangle = prove_something
    game = table.play()
    assert game.outcome is Outcome.WON
    assert table.status.resets > 2
    assert not EASY.mines & set(table.game.opened)


def test_a_total_beyond_the_board_is_refused() -> None:
    table = easy_table(settings=Settings(mines=82))
    with pytest.raises(UsageError, match="82 mines do not fit"):
        table.play()
    assert not table.game.desk.clicks
