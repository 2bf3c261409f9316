"""Counts as clauses and as constraints, and what all models agree on, against trying all."""

from __future__ import annotations

from itertools import product

import pytest

from minebot.solver.constraints import Conflict
from minebot.solver.sat import Problem, exactly


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


@pytest.mark.parametrize("condition", [False, True])
def test_a_count_under_a_condition_binds_where_it_holds(condition: bool) -> None:
    with Problem(exactly([1, 2, 3], 4, -4)) as problem:
        assert problem.possible([4 if condition else -4]) is not condition
    with Problem(exactly([1, 2, 3], 3, -4)) as problem:
        assert problem.possible([4 if condition else -4, -1]) is not condition


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
