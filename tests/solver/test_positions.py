"""Mid-game positions that three other engines have judged, and boards that need no guess."""

from __future__ import annotations

import gzip
import json

import pytest

from minebot.board import Board
from minebot.layout import Layout
from minebot.solver import Solver, solve
from tests.solver.games import DATA, SHARED, guaranteed, play

SAMPLE = (DATA / "positions.jsonl").read_text().splitlines()
ALL = SHARED / "positions" / "positions.jsonl.gz"
BOARDS = list(guaranteed((DATA / "guaranteed.tsv").read_text().splitlines()))


def check(line: str) -> None:
    """Every way to solve one position gives what it says."""
    position = json.loads(line)
    board = Board.parse("\n".join(position["rows"]), position["mines"])
    expected = [risk for row in position["risk"] for risk in row]
    safe = tuple(square for square, risk in enumerate(expected) if risk == 0)
    mines = tuple(square for square, risk in enumerate(expected) if risk == 1)
    counted = solve(board, risk=True)
    assert counted.layouts == int(position["layouts"])
    assert counted.risk == pytest.approx(tuple(expected), abs=1e-9)
    for verdict in (counted, solve(board, risk=False, every=True)):
        assert (verdict.safe, verdict.mines) == (safe, mines)
    quick = solve(board)
    assert bool(quick.safe) is bool(safe)
    assert set(quick.safe) <= set(safe)


@pytest.mark.parametrize("line", SAMPLE, ids=lambda line: str(json.loads(line)["kind"]))
def test_a_position_is_judged_as_by_other_engines(line: str) -> None:
    check(line)


@pytest.mark.skipif(not ALL.exists(), reason=f"{ALL} is not there; a sample is tested")
def test_all_positions_are_judged_as_by_other_engines() -> None:
    with gzip.open(ALL, "rt") as lines:
        for line in lines:
            check(line)


@pytest.mark.parametrize(
    ("layout", "first"),
    [row[1:] for row in BOARDS],
    ids=[f"{preset}-{number}" for number, (preset, _, _) in enumerate(BOARDS)],
)
def test_a_board_that_needs_no_guess_is_won_without_one(layout: Layout, first: int) -> None:
    for board, verdict in play(layout, first, Solver()):
        assert verdict.safe, f"stuck:\n{board}"
