"""The exported CNF has the layouts for its models, one for one, to solvers of other make."""

from __future__ import annotations

import re
from itertools import combinations
from pathlib import Path

import pytest
import z3
from hypothesis import given, settings
from hypothesis import strategies as st
from pysat.formula import CNF
from pysat.solvers import Solver as SatSolver

from minebot.board import Board, Cell
from minebot.puzzle.answer import answer
from minebot.puzzle.texts import Puzzle, dimacs
from tests.puzzle.brute import COVERED, boards, layouts
from tests.support.articles import AMBIGUOUS, NOTEBOOK, PAPER, SAFE, SUCCESSIVE

OTHER = "cadical195"
"""Not the solver that the project probes with."""


def header(text: str) -> list[str]:
    """The words of the line that says how many variables and clauses there are."""
    return next(line.split() for line in text.splitlines() if line.startswith("p "))


def models(text: str) -> list[frozenset[int]]:
    """The positive variables of every model, found by adding the negation of each."""
    variables = range(1, int(header(text)[2]) + 1)
    found = []
    with SatSolver(name=OTHER, bootstrap_with=CNF(from_string=text)) as sat:
        while sat.solve():
            true = frozenset(literal for literal in sat.get_model() if literal > 0)
            found.append(true)
            # A variable that no clause mentions is in no model, yet it has two values.
            sat.add_clause([-each if each in true else each for each in variables])
            if not variables:
                break
    return found


def meanings(text: str) -> dict[int, tuple[int, int]]:
    """The (row, column) of each variable, from the comments."""
    lines = re.findall(r"^c variable (\d+) is row (\d+), column (\d+)$", text, re.MULTILINE)
    return {int(variable): (int(row), int(column)) for variable, row, column in lines}


def mines(board: Board, text: str, model: frozenset[int]) -> frozenset[int]:
    """The squares that a model puts mines on."""
    cells = meanings(text)
    return frozenset(
        board.square(cells[variable][1] - 1, cells[variable][0] - 1)
        for variable in model
        if variable in cells
    )


@settings(derandomize=True, deadline=None, max_examples=150)
@given(st.one_of(boards(), boards(possible=False)))
def test_models_are_the_layouts_one_for_one(board: Board) -> None:
    text = dimacs(board)
    shown = frozenset(board.squares(Cell.MINE, Cell.EXPLODED))
    found = [mines(board, text, model) | shown for model in models(text)]
    assert sorted(map(sorted, found)) == sorted(map(sorted, layouts(board)))


def test_the_header_counts_what_follows() -> None:
    text = dimacs(Board.parse(NOTEBOOK, mines=10), "notebook")
    lines = [line for line in text.splitlines() if not line.startswith("c")]
    _, _, variables, clauses = header(text)
    literals = [[int(literal) for literal in line.split()] for line in lines[1:]]
    assert int(clauses) == len(literals)
    assert all(clause[-1] == 0 and 0 not in clause[:-1] for clause in literals)
    assert int(variables) == max(abs(literal) for clause in literals for literal in clause)
    assert "c notebook: 6 columns, 6 rows" in text
    assert len(meanings(text)) == 20


def test_z3_reads_it_and_finds_the_notebooks_only_layout(tmp_path: Path) -> None:
    board = Board.parse(NOTEBOOK, mines=10)
    path = tmp_path / "notebook.dimacs"
    path.write_text(dimacs(board))
    solver = z3.Solver()
    solver.from_file(str(path))
    assert solver.check() == z3.sat
    model = solver.model()
    # z3 calls variable 7 of the file k!7.
    true = frozenset(int(str(each)[2:]) for each in model.decls() if z3.is_true(model[each]))
    assert mines(board, path.read_text(), true) == answer(board).mines
    solver.add(z3.Or([each() != model[each] for each in model.decls()]))
    assert solver.check() == z3.unsat


@pytest.mark.parametrize(("text", "safe"), tuple(zip(SUCCESSIVE, SAFE, strict=True)))
def test_a_mine_on_a_safe_cell_is_unsatisfiable_and_elsewhere_not(
    text: str, safe: tuple[tuple[int, int], ...]
) -> None:
    encoded = dimacs(Board.parse(text))
    with SatSolver(name=OTHER, bootstrap_with=CNF(from_string=encoded)) as sat:
        refused = [
            place
            for variable, place in meanings(encoded).items()
            if not sat.solve(assumptions=[variable])
        ]
    assert tuple(refused) == safe


@pytest.mark.parametrize("puzzle", [PAPER, AMBIGUOUS], ids=["newspaper", "ambiguous"])
def test_a_second_model_exists_where_the_answer_is_not_unique(puzzle: str) -> None:
    board = Puzzle.parse(puzzle).board
    found = answer(board)
    text = dimacs(board)
    answers = [mines(board, text, model) for model in models(text)]
    assert found.mines in answers
    assert (len(answers) == 1) == found.unique


def test_a_total_over_many_cells_stays_small() -> None:
    text = dimacs(Board.hidden(40, 40, 320))
    # A sequential counter takes at least two clauses for each cell and each mine.
    assert int(header(text)[3]) < 1600 * 320


def test_a_total_excludes_all_other_counts() -> None:
    board = Board.hidden(11, 1, 4)
    found = [frozenset(mines(board, dimacs(board), model)) for model in models(dimacs(board))]
    assert sorted(map(sorted, found)) == sorted(map(list, combinations(range(11), 4)))


def test_flags_are_opinions_and_shown_mines_are_not() -> None:
    assert COVERED == (Cell.HIDDEN, Cell.FLAG)
    text = dimacs(Board.parse("F2*", mines=2))
    assert meanings(text) == {1: (1, 1)}
    assert models(text) == [frozenset({1})]
