"""Playing a board that only a person can see: name a cell, ask what it shows, go on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from minebot.board import Board, Cell
from minebot.errors import Contradiction, Stopped
from minebot.policy.plan import next_moves
from minebot.puzzle.texts import percent
from minebot.solver import Solver, Verdict

_HELP = "type its number, 0 to 8, x if it is a mine, u to take back the answer before, q to stop"
_SHOWN = {str(number): number for number in range(9)} | dict.fromkeys("x*", Cell.EXPLODED)
"""What the cell shows, by the answer. Specified by `_HELP`."""


@dataclass(slots=True)
class Dialogue:
    """One talk about one board."""

    board: Board
    """What is known so far, at every moment."""
    ask: Callable[[str], str | None]
    """Shows a question and returns the line that was typed, None when no more will come."""
    tell: Callable[[str], None]
    """Shows a line."""
    _before: list[Board] = field(default_factory=list)
    _solver: Solver = field(default_factory=Solver)

    def run(self) -> Board:
        """Talk until every cell still covered is a mine, or one was hit; returns the board.

        Raises Contradiction if no layout fits the given board, Stopped when the answers end.
        """
        self.tell(_HELP)
        while not self.board.lost:
            verdict = self._solver.solve(self.board)
            if not verdict.safe and self.board.covered == len(verdict.mines):
                break
            square, question = self._next(verdict)
            while not self._take(square, self._answer(question)):
                pass
        return self.board

    def _next(self, verdict: Verdict) -> tuple[int, str]:
        """The cell to open now and the question about it."""
        board = self.board
        # Flags are the person's own: only the cell matters here, not how to click it.
        plan = next_moves(board.unflagged(), verdict)
        square = board.square(plan.moves[0].x, plan.moves[0].y)
        where = board.name_of(square)
        if verdict.safe:
            return square, f"{where} is safe; its number: "
        if plan.guess is None:
            return square, f"{where} is a good first cell; its number: "
        chance = f"a mine at {percent(plan.guess.risk)} %"
        return square, f"no cell is certain; try {where}, {chance}; its number: "

    def _answer(self, question: str) -> str:
        line = self.ask(question)
        if line is None or line.strip().lower() in ("q", "quit"):
            how = "the answers ended" if line is None else "stopped"
            raise Stopped(f"{how}; cells still covered: {self.board.covered}")
        return line.strip().lower()

    def _take(self, square: int, answer: str) -> bool:
        """Act on an answer; returns whether it could be used."""
        if answer in ("u", "undo"):
            if not self._before:
                self.tell("there is no answer to take back")
                return False
            self.board = self._before.pop()
            return True
        if answer not in _SHOWN:
            self.tell(f"{answer!r} is no answer: {_HELP}")
            return False
        after = self.board.showing({square: _SHOWN[answer]})
        try:
            self._solver.solve(after, risk=False, every=True)
        except Contradiction as error:
            self.tell(f"that cannot be: {error}; type another number, or u")
            return False
        self._before.append(self.board)
        self.board = after
        return True
