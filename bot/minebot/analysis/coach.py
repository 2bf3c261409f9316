"""What a coach says of a position: that there is something to see, and not where, unless asked."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from minebot.analysis.recommendation import recommend
from minebot.board import Board, Cell
from minebot.errors import Contradiction
from minebot.solver import Solver

SAFE, GUESS, FLAG = KINDS = ("safe", "guess", "flag")
"""What a coach may be asked for: see `minebot watch --coach`."""


class Coach:
    """Looks at the boards of games, one after another, and says what has become true."""

    def __init__(self, kinds: Collection[str] = KINDS, *, show: bool = False) -> None:
        """`kinds` are some of `KINDS`; with `show` it names a cell, too."""
        self._kinds, self._show = {*kinds, ""}, show
        self._solver = Solver()
        self._board: Board | None = None
        self._said: tuple[str, ...] = ()

    def look(self, board: Board) -> str:
        """What is true of `board` and was not of the board before, in one line; else nothing."""
        if board == self._board:
            return ""
        before = self._said if self._board is not None and board.follows(self._board) else ()
        silent = board.lost or not board.begun
        found = () if silent else self._judge(board)
        self._board, self._said = board, tuple(
            f"{text}: {where}" if self._show else text
            for kind, text, where in found if kind in self._kinds
        )  # fmt: skip
        return "; ".join(one for one in self._said if one not in before)

    def _judge(self, board: Board) -> Iterator[tuple[str, str, str]]:
        """All that is true of a board: what kind it is, what it is, and where."""
        try:
            verdict = self._solver.solve(board, risk=self._show, every=True)
        except Contradiction as error:
            yield "", "the position contradicts itself", str(error)
            return
        advised = recommend(board, verdict).move if self._show else None
        move = advised.said if advised else ""
        if verdict.safe:
            yield SAFE, "a safe move exists", move
        elif len(verdict.mines) < board.covered:
            yield GUESS, "you must guess now", move
        wrong = set(board.squares(Cell.FLAG)).intersection(verdict.safe)
        if wrong:
            text = f"{len(wrong)} flags are wrong" if len(wrong) > 1 else "a flag is wrong"
            yield FLAG, text, board.names_of(wrong)
            return
        trusted = board.showing(dict.fromkeys(board.squares(Cell.FLAG), Cell.MINE))
        try:
            Solver().solve(trusted, every=True)
        except Contradiction as error:  # Each flag may be right, but not all.
            yield FLAG, "a flag is wrong", str(error)
