"""Groups of cells that only a guess can tell apart."""

from __future__ import annotations

from minebot.board import Board
from minebot.policy.guessing.recommend import Reason, Strategy, choose
from minebot.solver import solve

FIFTY_FIFTY = """\
?????1001?
?????2013?
?????201??
?????20122
?????20000
?????20000
?????20000
?????10000"""
"""In the upper right corner two cells share one mine, whatever lies on the left: two mines
below them keep every clue away that would touch only one of them."""


def test_a_front_that_nothing_can_explain_is_played_at_once() -> None:
    board = Board.parse(FIFTY_FIFTY, 11)
    verdict = solve(board, risk=True)
    choice = choose(board, verdict.risk or (), set(verdict.mines), Strategy.FULL)
    assert choice.reason is Reason.FORCED
    assert board.xy(choice.best.square) in ((9, 0), (9, 1))
    assert choice.best.risk == choice.best.score == 0.5
    other = choose(board, verdict.risk or (), set(verdict.mines), Strategy.ENDGAME)
    assert board.xy(other.best.square) not in ((9, 0), (9, 1))
