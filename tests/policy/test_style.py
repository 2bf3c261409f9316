"""The click that saves most: which chords and flags pay, and that none of them can be wrong."""

from __future__ import annotations

from random import Random

import pytest

from fixtures.game_state import GameState
from minebot.board import Action, Board, Cell
from minebot.layout import Layout
from minebot.policy.plan import certain_moves
from minebot.policy.style import Style, most_efficient
from minebot.solver import solve


def test_each_style_has_its_name_on_the_command_line() -> None:
    assert [style.value for style in Style] == ["fast", "efficient", "no-flags"]
    assert [style for style in Style if style.flags] == [Style.FAST]
    assert [style for style in Style if style.chords] == [Style.EFFICIENT]


@pytest.mark.parametrize(
    ("text", "safe", "mines", "expected"),
    [
        ("F??\n?1?\n???", [1, 2, 3, 5, 6, 7, 8], {0}, (4, [])),  # the flag stands already
        ("???\n?1?\n???", [1, 2, 3, 5, 6, 7, 8], {0}, (4, [0])),  # one flag, seven cells
        ("??\n11", [0], {1}, (0, [])),  # a flag and a chord would open one cell
        ("?F?\n?2?\n111", [0, 2, 5], {1, 3}, (4, [3])),  # a flag and a chord, for three cells
    ],
)
def test_what_saves_most(
    text: str, safe: list[int], mines: set[int], expected: tuple[int, list[int]]
) -> None:
    assert most_efficient(Board.parse(text), safe, mines) == expected


def test_a_cell_beside_an_empty_one_needs_no_click() -> None:
    assert most_efficient(Board.parse("?2????"), [2, 3], {0, 4}) == (2, [])


def test_an_open_empty_cell_is_no_number_to_chord_on() -> None:
    board = Board.parse("00?\n01?\n01?")
    assert most_efficient(board, [2], {8})[0] == 2


def test_no_chord_on_a_number_beside_a_flag_that_nothing_proves() -> None:
    # The flag in the corner makes the number look satisfied, and one of the others is the mine.
    board = Board.parse("F??\n?1?\n???")
    square, _ = most_efficient(board, [2], set())
    assert square == 2


@pytest.mark.parametrize("seed", range(20))
def test_chords_open_proven_cells_alone_and_their_flags_are_right(seed: int) -> None:
    random = Random(seed)
    layout = Layout.scattered(9, 9, 12, random, clear=range(3))
    game, wrong = GameState(layout), random.sample(range(20, 81), 4)
    game.click(0)
    for square in wrong:
        game.flag(square)
    proven: set[int] = set()
    while not game.won:
        board = game.board()
        verdict = solve(board, risk=False, every=True)
        proven.update(verdict.mines)
        moves = certain_moves(board, verdict.safe, proven, flags=False, chords=True)
        for move in moves[:1]:
            square = board.square(move.x, move.y)
            if move.action is Action.CHORD:
                around = board.neighbours(square)
                assert proven >= {at for at in around if board.cells[at] == Cell.FLAG}
                assert {at for at in around if board.cells[at] == Cell.HIDDEN} <= {*verdict.safe}
                assert sum(board.cells[at] == Cell.FLAG for at in around) == board.cells[square]
            (game.click if move.action.opens else game.flag)(square)
        assert not game.lost
        if not moves:
            break  # What is left needs a guess.
    assert game.opened
