"""A cell looks empty while the button is down on it, for longer where the machine is busy."""

from __future__ import annotations

import random

import pytest

from minebot.actuator import Button
from minebot.board import Board, Cell
from minebot.errors import Contradiction, Unsettled
from minebot.layout import Layout
from minebot.play.result import Outcome
from minebot.solver import Solver
from tests.support.fake_clock import GRAB_SECONDS
from tests.support.fake_game import EASY, FakeGame, Table, draw, easy_table

WIDTH, HEIGHT = 12, 10
MOST_CLICKS = 4
FIRST = [y * WIDTH + x for y in (2, 3, 4) for x in (2, 3, 4)]
"""Around the square of the first click."""


def show_pressed(
    table: Table, frames: int, of: int | None = None, *, between_flags: bool = False
) -> list[int]:
    """Have each cell that is clicked look pressed for so many frames before it opens.

    With `of` only the click of that number, from 0; with `between_flags` only cells that
    touch no hidden one. Returns a list that these are written to as they are pressed.
    """
    game = table.game
    under_way: list[int] = []
    met: list[int] = []
    seen = clicks = 0

    def release() -> None:
        while under_way:
            game.apply(under_way.pop(), Button.LEFT)

    def press(square: int, button: Button) -> list[tuple[int, Button]]:
        nonlocal seen, clicks
        release()
        if button is Button.RIGHT or game.board.cells[square] != Cell.HIDDEN:
            return [(square, button)]
        clicks += 1
        around = {game.board.cells[other] for other in game.board.neighbours(square)}
        if Cell.HIDDEN not in around:
            met.append(square)
        if of not in (None, clicks - 1) or (between_flags and Cell.HIDDEN in around):
            return [(square, button)]
        under_way.append(square)
        seen = 0
        return []

    def show() -> None:
        nonlocal seen
        if seen == frames:
            release()
            game.paint()
        elif under_way:
            seen += 1
            game.desk.paint(draw(with_cell(game.board, under_way[0], Cell.EMPTY)))

    game.mangle = press
    game.desk.on_grab = show
    return met


def with_cell(board: Board, square: int, cell: Cell) -> Board:
    cells = bytearray(board.cells)
    cells[square] = cell
    return Board(board.width, board.height, board.mines, bytes(cells))


def table_of(seed: int) -> Table:
    layout = Layout.scattered(WIDTH, HEIGHT, 24, random.Random(seed), clear=FIRST)
    return Table(FakeGame(layout))


# In these a cell is pressed that has none but opened cells and flags around it.
@pytest.mark.parametrize("seed", [34, 129, 195, 323])
@pytest.mark.parametrize("frames", [1, 30])
def test_what_it_looks_like_meanwhile_is_not_believed(seed: int, frames: int) -> None:
    table = table_of(seed)
    met = show_pressed(table, frames)
    game = table.play()
    assert met
    assert game.outcome is Outcome.WON or game.guesses
    # A guess may hit a mine, and ends the game then; nothing else may.
    assert len(table.game.layout.mines & set(table.game.opened)) == (game.outcome is Outcome.LOST)


def test_a_cell_that_stays_pressed_is_never_taken_for_open() -> None:
    table = easy_table()
    show_pressed(table, 10**9, of=3)
    with pytest.raises(Unsettled, match="is being pressed"):
        table.play()
    # The click that is held, and none after it was seen.
    assert len(table.game.desk.clicks) <= MOST_CLICKS


@pytest.mark.parametrize("seed", [34, 129, 195])
def test_nor_is_one_between_flags_that_are_known_to_be_right(seed: int) -> None:
    table = table_of(seed)
    show_pressed(table, 10**9, between_flags=True)
    with pytest.raises(Unsettled, match="is being pressed"):
        table.play()
    assert not table.game.layout.mines & set(table.game.opened)


def test_the_first_cell_may_stay_pressed_while_the_game_makes_up_the_board() -> None:
    table = easy_table()
    show_pressed(table, 600, of=0)
    assert table.play().outcome is Outcome.WON
    assert 600 * GRAB_SECONDS < table.clock.now() < 90


def test_what_the_user_flagged_wrongly_is_opened_around_after_a_while() -> None:
    flag = 2 * 9 + 1
    start = with_cell(Board.hidden(9, 9), flag, Cell.FLAG)
    table = Table(FakeGame(EASY, start))
    game = table.play()
    assert game.outcome is Outcome.WON
    assert "the cell at" in " ".join(table.notes.problems)


def test_a_board_that_was_seen_wrong_once_is_played_on() -> None:
    table = easy_table()
    game = table.game
    opened: set[int] = set()
    lies = 0

    def lie_about_what_is_new() -> None:
        nonlocal lies
        now = {square for square, cell in enumerate(game.board.cells) if cell <= Cell.EIGHT}
        for square in sorted(now - opened):
            other = with_cell(game.board, square, Cell(game.board.cells[square] + 1))
            if refuted_by_a_search(other):
                lies += 1
                game.desk.paint(draw(other))
                break
        else:
            game.paint()
        opened.update(now)

    game.desk.on_grab = lie_about_what_is_new
    assert table.play().outcome is Outcome.WON
    assert lies
    assert not EASY.mines & set(game.opened)


def refuted_by_a_search(board: Board) -> bool:
    """Whether the board makes sense cell by cell, and yet no layout fits it."""
    if board.problems():
        return False
    try:
        Solver().solve(board.with_mines(len(EASY.mines)), risk=False, every=True)
    except Contradiction:
        return True
    return False
