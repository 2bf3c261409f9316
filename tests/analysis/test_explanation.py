"""Why a cell is certain: the pattern and its family, the steps, and where they lead."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import assume, given

from minebot.analysis.explanation import ProofStep, Rule, Why, family, why_certain
from minebot.analysis.recommendation import explain
from minebot.board import Board, Cell
from minebot.solver.constraints import constraints_of
from tests.support.brute import boards, certain, layouts, steady

SAMPLE = (
    (Path(__file__).parents[1] / "solver" / "data" / "positions.jsonl").read_text().splitlines()
)


def test_the_sentence_names_the_clues_and_the_total() -> None:
    board = Board.parse("1???", 1)
    assert why_certain(board, 3, mine=False).text == (
        "row 1, column 4 is safe by the 1 at row 1, column 1 and the mine total (mine count)"
    )
    steps = why_certain(board, 3, mine=False).steps
    assert [step.text for step in steps][-1].endswith("so row 1, column 4 is safe")
    with pytest.raises(ValueError, match="not certain"):
        why_certain(Board.parse("?1?"), 0, mine=True)


@pytest.mark.parametrize(
    ("rows", "mines", "cell", "mine", "pattern"),
    [
        ("1?\n11", None, (0, 1), True, "full clue"),
        ("0?\n??", None, (0, 1), False, "satisfied clue"),
        ("???\n121", None, (0, 1), False, "1-2-1"),
        ("1???", None, (0, 3), None, ""),
        ("?11?", None, (0, 3), True, "full clue"),
        ("111\n???", None, (1, 2), False, "1-1"),
        ("121\n???", None, (1, 2), True, "1-2"),
        ("00000\n12100\n???00", None, (2, 1), False, "1-2-1"),
        ("0000000\n0121000\n?????00", None, (2, 2), False, "1-2-1"),
        ("1221\n????", None, (1, 0), False, "1-2-2-1"),
        ("1???", 1, (0, 3), False, "mine count"),
    ],
)
def test_what_players_call_it(
    rows: str, mines: int | None, cell: tuple[int, int], mine: bool | None, pattern: str
) -> None:
    board = Board.parse(rows, mines)
    row, column = cell
    square = board.square(column, row)
    if mine is not None:
        assert why_certain(board, square, mine=mine).pattern == pattern
        return
    for either in (False, True):
        with pytest.raises(ValueError, match="not certain"):
            why_certain(board, square, mine=either)


@pytest.mark.parametrize(
    ("name", "short"),
    [
        ("1-2-1", "1-2-1"),
        ("1-2-1 by reduction", "1-2-1"),
        ("satisfied clue, in 3 steps", "satisfied clue"),
        ("chain of 4 steps, 1-2 by reduction", "chain"),
        ("overlap of 2 and 3 by reduction", "overlap"),
        ("1-3 hole", "hole"),
        ("2-2 hole by reduction", "hole"),
        ("mine count", "mine count"),
    ],
)
def test_a_family_has_one_name(name: str, short: str) -> None:
    assert family(name) == short


def follows(board: Board, step: ProofStep, known: dict[int, bool]) -> bool:
    """Whether the clues of a step decide its cells, given what was known before, by trying all."""
    about = [one for one in constraints_of(board) if one.clue in step.clues]
    free = sorted({cell for one in about for cell in one.squares if cell not in known})
    fitting = []
    for number in range(1 << len(free)):
        trial = {**known, **{cell: bool(number >> at & 1) for at, cell in enumerate(free)}}
        if all(sum(trial[cell] for cell in one.squares) == one.mines for one in about):
            fitting.append(trial)
    return all(trial[cell] is step.mine for trial in fitting for cell in step.cells)


@steady(200)
@given(boards())
def test_each_step_follows_and_the_last_one_is_about_the_cell(board: Board) -> None:
    assume(layouts(board))
    safe, mines = certain(board)
    for square in board.squares(Cell.HIDDEN, Cell.FLAG):
        found = explain(board, square)
        assert isinstance(found, Why) is (square in safe | mines)
        if not isinstance(found, Why):
            continue
        assert found.mine is (square in mines)
        assert square in found.steps[-1].cells
        assert found.steps[-1].mine is found.mine
        known: dict[int, bool] = {}
        for step in found.steps:
            assert set(step.clues) <= set(found.proof.clues)
            if step.rule in (Rule.SATISFIED, Rule.FULL, Rule.PAIR) and not step.depth:
                assert follows(board, step, known), step.text
                known.update(dict.fromkeys(step.cells, bool(step.mine)))


@pytest.mark.parametrize("line", SAMPLE, ids=lambda line: str(json.loads(line)["kind"]))
def test_a_supposition_ends_in_a_clash(line: str) -> None:
    position = json.loads(line)
    board = Board.parse("\n".join(position["rows"]), position["mines"])
    risk = [chance for row in position["risk"] for chance in row]
    for square in [at for at, chance in enumerate(risk) if chance in (0, 1)][::5]:
        steps = why_certain(board, square, mine=risk[square] == 1).steps
        assert square in steps[-1].cells
        supposed = [step for step in steps if step.rule is Rule.SUPPOSE]
        assert bool(supposed) is any(step.rule is Rule.CLASH for step in steps)
