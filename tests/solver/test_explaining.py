"""A contradiction says which clues clash, or what totals the clues leave room for."""

from __future__ import annotations

import pytest
from hypothesis import assume, given

from minebot.board import Board
from minebot.errors import Contradiction
from minebot.solver import solve
from minebot.solver.pipeline import explain
from tests.support.brute import layouts, spoilt_boards, steady


@pytest.mark.parametrize(
    ("text", "mines", "said", "clues"),
    [
        (
            "3?\n??\n0?",
            None,
            "no layout fits the clues 3 at row 1, column 1 and 0 at row 3, column 1",
            (0, 4),
        ),
        ("1", None, "no layout fits the clue 1 at row 1, column 1", (0,)),
        ("2?1?", None, "no layout fits the clue 2 at row 1, column 1", (0,)),
        ("1?2?1", 1, "no layout of 1 mines in all; the clues fit 2 mines", ()),
        ("1?2?1", 4, "no layout of 4 mines in all; the clues fit 2 mines", ()),
        ("?1?????", 6, "no layout of 6 mines in all; the clues fit 1 to 5 mines", ()),
        ("?*?", 0, "no layout of 0 mines in all; the clues fit 1 to 3 mines", ()),
    ],
)
def test_says(text: str, mines: int | None, said: str, clues: tuple[int, ...]) -> None:
    raised = explain(Board.parse(text, mines))
    assert str(raised) == said
    assert raised.clues == clues


@steady(60)
@given(spoilt_boards())
def test_the_clues_named_clash_and_no_fewer_do(board: Board) -> None:
    assume(not layouts(board))
    with pytest.raises(Contradiction) as caught:
        solve(board, risk=True)
    named = list(caught.value.clues)
    alone = board.with_mines(None)
    assert bool(named) is not bool(layouts(alone))
    if named:
        assert not layouts(alone, named)
        for one in named:
            assert layouts(alone, [other for other in named if other != one])
