"""The player when it sees what cannot be, or cannot be read: it never clicks on it."""

from __future__ import annotations

import random

import pytest

from minebot.actuator import Button
from minebot.board import Action, Board, Move
from minebot.errors import Contradiction, UnreadableTile, UsageError
from minebot.layout import Layout
from minebot.play.result import Outcome, PlaySettings
from minebot.vision.status import Status
from tests.support.fake_game import EASY, FakeGame, Table, draw, easy_table


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

    def covered_at_first() -> None:
        nonlocal grabs
        grabs += 1
        pixels = draw(game.board)
        if grabs < 4:
            pixels[60:90, 60:90] = (200, 30, 120, 0)
        game.desk.paint(pixels)

    game.desk.on_grab = covered_at_first
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
    assert clicks == 4, "nothing is sent after the first sign of it"


def test_a_wrong_total_is_a_contradiction_and_not_a_lost_game() -> None:
    table = easy_table(settings=PlaySettings(mines=80))
    with pytest.raises(Contradiction):
        table.play()
    assert not EASY.mines & set(table.game.opened)


def test_a_misread_total_is_read_again_and_nothing_proven_by_it_is_kept() -> None:
    # With 46 mines 32 safe cells would be mines, and 8 other ones are safe in any case.
    layout = Layout.scattered(9, 9, 14, random.Random(4), clear=(0, 1, 9, 10))
    game = FakeGame(layout)
    game.apply(0, Button.LEFT)
    game.paint()
    table = Table(game)
    at_first = table.status.resets + 1  # the one with which each game begins

    def read_right_only_after_a_doubt() -> None:
        mines = 46 if table.status.resets == at_first else len(layout.mines)
        table.status.latest = Status(0, mines)

    table.status.on_reset = read_right_only_after_a_doubt
    result = table.play()
    assert table.status.resets > at_first
    moves = [Move.parse(move) for move in table.notes.moves]
    flagged = {layout.square(move.x, move.y) for move in moves if move.action is Action.FLAG}
    assert table.notes.proven - layout.mines, "nothing wrong was proven, so nothing is tested"
    assert flagged <= layout.mines
    assert result.outcome is Outcome.WON
    assert not layout.mines & set(game.opened)


def test_a_total_beyond_the_board_is_refused() -> None:
    table = easy_table(settings=PlaySettings(mines=82))
    with pytest.raises(UsageError, match="82 mines do not fit"):
        table.play()
    assert not table.game.desk.clicks
