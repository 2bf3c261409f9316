"""Positions to begin with: one named pattern opens a cell, and nothing else does."""

from __future__ import annotations

from itertools import islice
from random import Random

import pytest

from minebot.analysis.explanation import why_certain
from minebot.analysis.patterns import family
from minebot.analysis.starter_drills import PATTERNS, positions
from minebot.board import Cell
from minebot.solver import solve

pytestmark = pytest.mark.thorough


@pytest.mark.parametrize("name", PATTERNS)
def test_the_pattern_alone_opens_a_cell(name: str) -> None:
    (board,) = islice(positions(name, Random(5)), 1)
    assert board.mines is not None
    safe = solve(board, every=True).safe
    assert safe
    for square in safe:
        assert family(why_certain(board, square, mine=False).pattern) == name
    assert board.count(Cell.HIDDEN) > board.mines
