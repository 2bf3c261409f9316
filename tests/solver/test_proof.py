"""Proofs by contradiction: counts for the SAT solver, and the smallest sets of clues."""

from __future__ import annotations

from itertools import combinations, product

import pytest
from hypothesis import assume, given

from minebot.board import Board
from minebot.errors import UsageError
from minebot.puzzle.texts import exactly
from minebot.solver.constraints import Conflict, constraints_of
from minebot.solver.proof import Problem, Proof, clash, prove
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


def test_a_two_in_the_open_takes_64_clauses() -> None:
    assert len(list(exactly(range(1, 9), 2))) == 64


@pytest.mark.parametrize("size", range(7))
def test_exactly_holds_for_those_counts_alone(size: int) -> None:
    for count in range(-1, size + 2):
        clauses = list(exactly(range(1, size + 1), count))
        for values in product((False, True), repeat=size):
            kept = all(
                any(values[abs(literal) - 1] is (literal > 0) for literal in clause)
                for clause in clauses
            )
            assert kept == (sum(values) == count)


@pytest.mark.parametrize("size", range(1, 6))
def test_counts_as_constraints_are_those_as_clauses(size: int) -> None:
    literals = [(-1) ** at * at for at in range(1, size + 1)]
    for count in range(-1, size + 2):
        with Problem() as short, Problem(exactly(literals, count)) as long:
            short.exactly(literals, count)
            for signs in product((1, -1), repeat=size):
                values = [sign * literal for sign, literal in zip(signs, literals, strict=True)]
                assert short.possible(values) == long.possible(values) == (signs.count(1) == count)


def test_the_backbone_is_what_every_model_has() -> None:
    clauses = [(1,), (-1, 2), (-3,), (4, 5), (-4, -5)]
    with Problem(clauses) as problem:
        assert problem.backbone([[1], [2], [3], [4], [5], [6]]) == [
            True, True, False, None, None, None,
        ]  # fmt: skip
        assert problem.backbone([[1, 2], [1, 3], [4, 5]]) == [True, None, None]
    with Problem([*clauses, (4, 3), (5, 3)]) as problem, pytest.raises(Conflict):
        problem.backbone([[1]])


@pytest.mark.parametrize("count", range(-1, 6))
def test_a_count_can_be_asked_for_or_not(count: int) -> None:
    cells = [1, 2, 3, 4]
    with Problem() as problem:
        problem.exactly_if(5, cells, count, [6, 7, 8, 9])
        for signs in product((1, -1), repeat=4):
            given = [sign * cell for sign, cell in zip(signs, cells, strict=True)]
            assert problem.possible([5, *given]) is (signs.count(1) == count)
            assert problem.possible([-5, *given])


def test_what_clashes_is_named() -> None:
    with Problem([(-1, 2), (-2, -3)]) as problem:
        assert problem.possible([1, -3, 4])
        assert {1, 2} <= problem.true()
        assert not problem.possible([1, 3, 4])
        assert sorted(problem.core()) == [1, 3]


def test_patience_ends() -> None:
    pigeons = range(9)
    in_hole = {(pigeon, hole): 8 * pigeon + hole + 1 for pigeon in pigeons for hole in range(8)}
    with Problem([[in_hole[pigeon, hole] for hole in range(8)] for pigeon in pigeons]) as problem:
        for hole in range(8):
            for one, other in product(pigeons, pigeons):
                if one < other:
                    problem.add([(-in_hole[one, hole], -in_hole[other, hole])])
        assert problem.possible((), patience=5) is None
        assert problem.backbone([[1]], patience=5) is None
