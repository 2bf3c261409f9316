"""Proofs are true, and no fewer clues would do: compared with trying every set of clues."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import assume, given

from minebot.board import Board
from minebot.errors import UsageError
from minebot.solver.constraints import constraints_of
from minebot.solver.proof import Proof, clash, prove
from tests.support.brute import boards, clues, covered, layouts, spoilt_boards, steady

MOST_CLUES = 9
"""Clues of which every set can be tried."""


def fewest(board: Board, square: int, mine: bool, most: int) -> int | None:
    """How many clues it takes, trying all sets of up to `most`."""
    useful = [one.clue for one in constraints_of(board)]
    for size in range(most + 1):
        if any(proves(board, list(some), square, mine) for some in combinations(useful, size)):
            return size
    return None


def proves(board: Board, some: list[int], square: int, mine: bool) -> bool:
    """Whether all layouts that fit these clues agree on it."""
    at = covered(board).index(square)
    return all((layout >> at & 1) == mine for layout in layouts(board, some))


@steady(150)
@given(boards())
def test_a_proof_is_the_smallest(board: Board) -> None:
    found = layouts(board)
    assume(found and len(clues(board)) <= MOST_CLUES)
    alone = board.with_mines(None)
    for at, square in enumerate(covered(board)):
        held = {bool(layout >> at & 1) for layout in found}
        for mine in (True, False):
            proof = prove(board, square, mine=mine)
            assert (proof is not None) is (held == {mine})
            if proof is None:
                continue
            without = fewest(alone, square, mine, MOST_CLUES)
            assert proof.total is (without is None)
            judged = board if proof.total else alone
            assert proves(judged, list(proof.clues), square, mine)
            assert proof.smallest
            assert len(proof.clues) == fewest(judged, square, mine, MOST_CLUES)


@steady(150)
@given(spoilt_boards())
def test_a_clash_is_the_smallest(board: Board) -> None:
    assume(len(clues(board)) <= MOST_CLUES)
    alone = board.with_mines(None)
    found = clash(board)
    assert (found is None) is bool(layouts(alone))
    if found is not None:
        assert found.smallest
        assert not found.total
        assert not layouts(alone, list(found.clues))
        useful = [one.clue for one in constraints_of(board)]
        for some in combinations(useful, len(found.clues) - 1):
            assert layouts(alone, list(some))


@pytest.mark.parametrize(
    ("text", "mines", "square", "mine", "proof"),
    [
        ("?1\n11", None, 0, True, Proof((1,), total=False, smallest=True)),
        ("111\n???", None, 5, False, Proof((0, 1), total=False, smallest=True)),
        ("1???", 1, 3, False, Proof((0,), total=True, smallest=True)),
        ("???", 0, 1, False, Proof((), total=True, smallest=True)),
    ],
)
def test_proofs(text: str, mines: int | None, square: int, mine: bool, proof: Proof) -> None:
    assert prove(Board.parse(text, mines), square, mine=mine) == proof


def test_what_is_open_needs_no_proof() -> None:
    with pytest.raises(UsageError, match="not covered"):
        prove(Board.parse("?1"), 1, mine=False)
