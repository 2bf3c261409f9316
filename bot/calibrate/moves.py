"""What to open next in a game of which not every look is understood, and what looks tell then."""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass
from random import Random

from bot.board import Board, Cell
from bot.calibrate.meaning import Evidence, Findings
from bot.solver import solve

_USUAL_RISK = 0.2
"""That of a square beside no open one, as far as choosing goes."""


@dataclass(frozen=True, slots=True)
class Mind:
    """One moment of one game, and what is known of the looks."""

    game: Evidence
    findings: Findings
    """Of this game alone."""
    total: int | None
    """The number of mines, where it is known."""
    random: Random

    def certain(self) -> tuple[list[int], list[int]]:
        """The squares that are certainly safe, and those that are certainly mines."""
        board = self._board()
        if board is not None:
            verdict = solve(board, risk=False, every=True)
            return list(verdict.safe), list(verdict.mines)
        told = self.findings.mines[0]
        return [s for s in told if not told[s]], [s for s in told if told[s]]

    def guess(self, mines: Sequence[int]) -> int | None:
        """The square to open where none is certain; None when all covered ones are mines."""
        free = sorted(set(self.game.covered) - set(mines))
        if not free:
            return None
        if not self.game.opened:
            return self.random.choice(free)
        board = self._board()
        if board is not None:
            risk = solve(board, risk=True).risk
            assert risk is not None
            return min(free, key=lambda square: (risk[square] or 0.0, square))
        return min(free, key=lambda square: (self._danger(square), self.random.random()))

    def _board(self) -> Board | None:
        """The board, once all its numbers are known."""
        cells = bytearray([Cell.HIDDEN]) * (self.game.width * self.game.height)
        for square, look in self.game.opened.items():
            number = self.findings.number(look)
            if number is None:
                return None
            cells[square] = number
        return Board(self.game.width, self.game.height, self.total, bytes(cells))

    def _danger(self, square: int) -> float:
        """Roughly how likely a mine is, while not all numbers are known."""
        worst = 0.0
        for other in self.game.neighbours(square):
            look = self.game.opened.get(other)
            if look is not None:
                values = self.findings.numbers[look]
                worst = max(worst, sum(values) / len(values) / len(self.game.around(other)))
        return worst or _USUAL_RISK


def is_plain(looks: Sequence[int], width: int, pointer: int | None) -> bool:
    """Whether a square's look depends on nothing but the width and height of its tile.

    Some programs make the first columns and rows a pixel wider than the others.
    `looks` are row-major, `width` to a row; the square below the pointer may look lit.
    """
    looks = list(looks)
    if pointer is not None:
        looks[pointer] = looks[pointer + (1 if pointer % width == 0 else -1)]
    rows = {tuple(looks[start : start + width]) for start in range(0, len(looks), width)}
    columns = {tuple(looks[start::width]) for start in range(width)}
    two_sizes = 2
    return len(rows) <= two_sizes and len(columns) <= two_sizes


def spread(clicks: Iterable[int], opened: Set[int], around: Sequence[Iterable[int]]) -> set[int]:
    """Those of the opened squares that hang together with a click."""
    reached: set[int] = set()
    fresh = set(clicks) & opened
    while fresh:
        reached |= fresh
        fresh = {other for s in fresh for other in around[s]} & opened - reached
    return reached
