"""The exported script has the layouts for its models: z3 says so."""

from __future__ import annotations

import re

import pytest
import z3
from hypothesis import given, settings
from hypothesis import strategies as st

from minebot.board import Board, Cell
from minebot.puzzle.answer import answer
from minebot.puzzle.texts import Puzzle, smtlib, symbol
from tests.puzzle.brute import COVERED, boards, layouts
from tests.support.articles import AMBIGUOUS, NOTEBOOK, PAPER, SAFE, SUCCESSIVE


def models(board: Board) -> list[frozenset[int]]:
    """The squares with a one in every model, found by adding the negation of each."""
    solver = z3.Solver()
    solver.from_string(smtlib(board))
    variables = {square: z3.Int(symbol(board, square)) for square in board.squares(*COVERED)}
    found = []
    while solver.check() == z3.sat:
        model = solver.model()
        values = {
            square: model.eval(each, model_completion=True).as_long()
            for square, each in variables.items()
        }
        found.append(frozenset(square for square, value in values.items() if value))
        if not values:
            break
        solver.add(z3.Or([variables[square] != value for square, value in values.items()]))
    return found


@settings(derandomize=True, deadline=None, max_examples=60)
@given(st.one_of(boards(), boards(possible=False)))
def test_models_are_the_layouts_one_for_one(board: Board) -> None:
    shown = frozenset(board.squares(Cell.MINE, Cell.EXPLODED))
    found = [model | shown for model in models(board)]
    assert sorted(map(sorted, found)) == sorted(map(sorted, layouts(board)))


def run(script: str) -> tuple[str, dict[str, int]]:
    """What z3 prints for a whole script: its verdict, and the values it gives."""
    context = z3.Context()
    said = z3.Z3_eval_smtlib2_string(context.ref(), script)
    values = {name: int(value) for name, value in re.findall(r"\((r\d+c\d+) (\d+)\)", said)}
    return said.split(maxsplit=1)[0], values


def test_the_script_prints_every_cell_of_the_newspaper_puzzle() -> None:
    board = Puzzle.parse(PAPER).board
    verdict, values = run(smtlib(board, "paper"))
    mines = answer(board).mines
    assert verdict == "sat"
    assert values == {
        symbol(board, square): int(square in mines) for square in board.squares(*COVERED)
    }


def test_the_script_of_the_notebooks_board_has_its_10_mines() -> None:
    board = Board.parse(NOTEBOOK, mines=10)
    _, values = run(smtlib(board))
    assert sum(values.values()) == 10
    assert values["r1c3"] == values["r6c6"] == 1
    assert models(board) == [answer(board).mines]


def test_an_ambiguous_puzzle_has_both_its_answers() -> None:
    board = Puzzle.parse(AMBIGUOUS).board
    assert sorted(map(sorted, models(board))) == [[2], [12]]


@pytest.mark.parametrize(("text", "safe"), tuple(zip(SUCCESSIVE, SAFE, strict=True)))
def test_a_mine_on_a_safe_cell_is_unsatisfiable_and_elsewhere_not(
    text: str, safe: tuple[tuple[int, int], ...]
) -> None:
    board = Board.parse(text)
    solver = z3.Solver()
    solver.from_string(smtlib(board))
    refused = [
        (y + 1, x + 1)
        for square in board.squares(*COVERED)
        for x, y in [board.xy(square)]
        if solver.check(z3.Int(symbol(board, square)) == 1) == z3.unsat
    ]
    assert tuple(refused) == safe


def test_every_sum_has_two_terms_at_least() -> None:
    for text in ("?1", "11", "00"):
        for terms in re.findall(r"\(\+ ([^()]*)\)", smtlib(Board.parse(text, mines=1))):
            assert len(terms.split()) >= 2


def test_a_board_that_cannot_be_is_unsatisfiable() -> None:
    for text in ("?3?", "1*\n*?", "01"):
        assert not models(Board.parse(text))


def test_a_board_without_covered_cells_asks_for_no_values() -> None:
    script = smtlib(Board.parse("00"))
    assert "get-value" not in script
    assert run(script)[0] == "sat"
