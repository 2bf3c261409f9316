"""Compiles everything that a guess may need: `python -m bot.policy.guessing.prepare`."""

from __future__ import annotations

from bot.board import Board
from bot.policy.guessing.choose import choose
from bot.policy.guessing.folder import mark
from bot.policy.guessing.values import Reason, Strategy
from bot.solver import solve

__all__ = ["prepare"]

_OPEN = """\
???????
???????
???????
???1???
???????
???????
???????"""
_LATE = """\
0001?
0001?"""


def prepare() -> None:
    """Make one guess of each kind, which compiles and keeps all that is needed for it."""
    for text, mines, expected in ((_OPEN, 9, Reason.LOOKAHEAD), (_LATE, 1, Reason.ENDGAME)):
        board = Board.parse(text, mines)
        verdict = solve(board, risk=True)
        choice = choose(board, verdict.risk or (), set(verdict.mines), Strategy.FULL)
        assert choice.reason is expected
    mark()


if __name__ == "__main__":
    prepare()
