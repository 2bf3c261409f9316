"""The loop against a make-believe game: playing, and clicks that are lost."""

from __future__ import annotations

import random

import pytest

from bot.actuator import Button
from bot.board import Board, Cell
from bot.layout import Layout
from bot.play.result import Outcome, Settings
from bot.policy.plan import Plan
from bot.profile import Conduct
from tests.fake_game import EASY, FakeGame, Table, draw, easy_table


@pytest.mark.parametrize("flags", [True, False])
def test_a_board_is_played_to_its_end(flags: bool) -> None:
    table = easy_table(settings=Settings(flags=flags))
    game = table.play()
    assert game.outcome is Outcome.WON
    assert not game.guesses
    assert not EASY.mines & set(table.game.opened)
    assert game.seconds > 0
    assert game.clicks == len(table.game.desk.clicks)
    right = [button for _, button in table.game.desk.clicks if button is Button.RIGHT]
    assert game.flags == len(right)
    assert flags or not right


def test_a_lost_click_is_sent_again() -> None:
    table = easy_table()
    chance = random.Random(3)
    table.game.mangle = lambda square, button: [(square, button)] if chance.random() < 0.6 else []
    game = table.play()
    assert game.outcome is Outcome.WON
    assert not EASY.mines & set(table.game.opened)


def test_clicks_that_never_land_end_in_stuck() -> None:
    table = easy_table()
    table.game.mangle = lambda *_: []
    game = table.play()
    assert game.outcome is Outcome.STUCK
    assert "does not react" in game.reason or "nothing changes" in game.reason
    assert game.clicks < 50


def test_only_the_first_click_lands_is_stuck_and_says_on_what() -> None:
    table = easy_table()
    seen: list[int] = []

    def first_only(square: int, button: Button) -> list[tuple[int, Button]]:
        seen.append(square)
        return [(square, button)] if len(seen) == 1 else []

    table.game.mangle = first_only
    game = table.play()
    assert game.outcome is Outcome.STUCK
    assert "open" in game.reason or "flag" in game.reason


def test_a_persons_flag_on_a_safe_cell_is_taken_off_and_the_cell_opened() -> None:
    layout = EASY
    start = Board.hidden(9, 9)
    game = FakeGame(layout, start)
    game.apply(0, Button.LEFT)
    wrong = next(
        square
        for square in game.board.squares(Cell.HIDDEN)
        if square not in layout.mines
        and any(game.board.cells[other] <= 8 for other in game.board.neighbours(square))
    )
    game.apply(wrong, Button.RIGHT)
    game.paint()
    table = Table(game)
    assert table.play().outcome is Outcome.WON
    assert f"unflag {wrong % 9},{wrong // 9}" in table.notes.moves
    assert not layout.mines & set(game.opened)


def test_wrong_flags_all_over_never_make_a_chord_hit_a_mine() -> None:
    chance = random.Random(11)
    for _ in range(20):
        layout = Layout.scattered(9, 9, 12, chance, clear=range(3))
        game = FakeGame(layout)
        game.apply(0, Button.LEFT)
        for square in chance.sample(sorted(game.board.squares(Cell.HIDDEN)), 12):
            game.apply(square, Button.RIGHT)
        game.paint()
        before = len(game.opened)
        table = Table(game)
        result = table.play()
        hit = layout.mines & set(game.opened[before:])
        assert not hit or result.guesses


def test_without_flags_the_board_is_won_too_when_a_person_flagged_mines() -> None:
    game = FakeGame(EASY)
    game.apply(0, Button.LEFT)
    for mine in EASY.mines:
        game.apply(mine, Button.RIGHT)
    game.paint()
    table = Table(game, Settings(flags=False))
    assert table.play().outcome is Outcome.WON


def test_a_flash_is_waited_for_and_counts_as_the_end() -> None:
    table = easy_table(settings=Settings(flags=False))
    game = table.game
    paint = game.paint
    flashes = iter([True] * 5)

    def flash() -> None:
        done = all(
            cell <= Cell.EIGHT or square in EASY.mines
            for square, cell in enumerate(game.board.cells)
        )
        if done and next(flashes, False):
            game.desk.paint(draw(game.board, flash=True))
        else:
            paint()

    game.paint = flash  # type: ignore[method-assign]
    grab = table.player._screen.grab

    def grab_and_go_on():  # type: ignore[no-untyped-def]
        frame = grab()
        if game.board.covered == len(EASY.mines):
            game.paint()
        return frame

    table.player._screen.grab = grab_and_go_on  # type: ignore[method-assign]
    result = table.play()
    assert result.outcome is Outcome.WON
    assert any("flash" in problem for problem in table.notes.problems)


def test_a_guess_is_made_only_with_the_total_when_that_can_be_had() -> None:
    # Whichever of the two cells it is, the clues say no more.
    layout = Layout.parse("""
        ..*
        ...
    """)
    table = Table(FakeGame(layout, Board.parse("01?\n01?")), mines=1)
    game = table.play()
    assert game.outcome in (Outcome.WON, Outcome.LOST)
    assert [guess.risk for guess in game.guesses] == [0.5]


def test_a_guess_is_reported_with_its_risk() -> None:
    layout = Layout.parse("*.\n..")
    start = Board.parse("??\n?1")
    table = Table(FakeGame(layout, start))
    game = table.play()
    assert game.guesses[0].risk == pytest.approx(1 / 3)
    assert game.outcome in (Outcome.WON, Outcome.LOST)
    if game.outcome is Outcome.LOST:
        assert layout.mines & set(table.game.opened)


def test_without_any_total_a_guess_says_so() -> None:
    layout = Layout.parse("*.\n..")
    table = Table(FakeGame(layout, Board.parse("??\n?1")), mines=None)
    table.status.problem = "no status line here"
    game = table.play()
    assert "no status line here" in game.warning
    assert game.guesses


def test_a_finished_board_is_left_alone() -> None:
    won = Board.parse("01F\n011")
    table = Table(FakeGame(Layout.parse("..*\n..."), won), mines=1)
    assert table.play().outcome is Outcome.WON
    lost = Board.parse("01!\n011")
    other = Table(FakeGame(Layout.parse("..*\n..."), lost), mines=1)
    assert other.play().outcome is Outcome.LOST
    assert not table.game.desk.clicks + other.game.desk.clicks


def test_the_preview_clicks_nothing() -> None:
    game = FakeGame(EASY)
    game.apply(0, Button.LEFT)
    game.paint()
    table = Table(game)
    board, plan = table.player.preview()
    assert board.mines == len(EASY.mines)
    assert plan.moves
    assert not game.desk.clicks


def test_each_game_begins_afresh() -> None:
    table = easy_table()
    assert table.play().outcome is Outcome.WON
    table.game.board = Board.hidden(9, 9)
    table.game.paint()
    again = table.play()
    assert again.outcome is Outcome.WON
    assert table.status.resets >= 2


@pytest.mark.parametrize("flags", [True, False])
def test_where_flags_win_the_game_the_mines_are_flagged(flags: bool) -> None:
    table = easy_table(settings=Settings(flags=flags), conduct=Conduct(flags_to_win=True))
    table.game.flags_when_won = False
    assert table.play().outcome is Outcome.WON
    assert set(table.game.board.squares(Cell.FLAG)) == EASY.mines


def test_long_thinking_is_not_taken_for_a_game_that_stands_still() -> None:
    table = easy_table()
    think = table.player._think
    late: list[tuple[int, Button]] = []

    def slowly(board: Board) -> Plan:
        table.clock.now += 60
        return think(board)

    def a_look_later():  # type: ignore[no-untyped-def]
        table.game.paint()
        frame = grab()
        while late:
            table.game.apply(*late.pop(0))
        return frame

    def keep(square: int, button: Button) -> list[tuple[int, Button]]:
        late.append((square, button))
        return []

    grab = table.player._screen.grab
    table.player._think = slowly  # type: ignore[method-assign]
    table.player._screen.grab = a_look_later  # type: ignore[method-assign]
    table.game.mangle = keep
    assert table.play().outcome is Outcome.WON
