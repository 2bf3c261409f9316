"""The pipeline from a board to a verdict: propagation, then probes, then counting."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from bot.board import Board, Cell, neighbourhood
from bot.solver.counting import count
from bot.solver.probes import backbone, explain
from bot.solver.propagation import propagate
from bot.solver.rules import Clash, Front, Rules, Shape, fronts
from bot.solver.weighing import weigh

__all__ = ["Solver", "Verdict", "solve"]

_KEPT = 4096
_COVERED = frozenset({Cell.HIDDEN, Cell.FLAG})
_UNFLAG = bytes.maketrans(bytes([Cell.FLAG]), bytes([Cell.HIDDEN]))


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is known about the covered squares of a board; squares are row-major.

    A flag is a player's opinion: flagged squares are judged as hidden ones.
    """

    safe: tuple[int, ...]
    """Squares that hold no mine in any layout, ascending."""
    mines: tuple[int, ...]
    """Squares that hold a mine in every layout, ascending."""
    risk: tuple[float | None, ...] | None = None
    """Each covered square's mine probability, None for the others; None if not asked for."""
    layouts: int | None = None
    """How many mine layouts fit; None if risk is, or while the total is unknown."""


def solve(board: Board, *, risk: bool | Literal["auto"] = "auto", every: bool = False) -> Verdict:
    """Judge one board by itself; see `Solver.solve`."""
    return Solver().solve(board, risk=risk, every=every)


class Solver:
    """Judges the boards of a game one after another, and remembers what stays true.

    Any board may follow any other: what does not belong to the game seen last
    starts afresh.
    """

    def __init__(self) -> None:
        self._board: Board | None = None
        self._cells = b""
        self._rules = Rules()
        self._backbone = lru_cache(_KEPT)(backbone)
        self._count = lru_cache(_KEPT)(count)

    def solve(
        self, board: Board, *, risk: bool | Literal["auto"] = "auto", every: bool = False
    ) -> Verdict:
        """Judge `board`.

        Stops as soon as a stage has found a safe square, so `safe` and `mines` may
        be incomplete; with `every`, and where risk is worked out, they name every
        square that the clues and the total decide. `risk` may be True, False or
        "auto": only if no square is safe.

        While the total is unknown, certainty rests on the clues alone, and risk
        takes each cell for a mine with odds of 1 to 4 before it reads the clues.

        Raises Contradiction if no layout fits. Without `every` or risk a clash far
        from the safe squares found may go unnoticed.
        """
        try:
            return self._solve(board, risk, every)
        except Clash:
            self._board = None
            raise explain(board) from None

    def _solve(self, board: Board, risk: bool | Literal["auto"], every: bool) -> Verdict:
        self._take(board)
        rules = self._rules
        hurry = risk is not True and not every
        propagate(rules, hurry=hurry)
        self._total_rule(board)
        if hurry and rules.safe:
            return self._verdict()
        if risk is True:
            return self._weigh(board)
        self._probe(board)
        if risk is False or rules.safe:
            return self._verdict()
        return self._weigh(board)

    def _verdict(self) -> Verdict:
        return Verdict(tuple(sorted(self._rules.safe)), tuple(sorted(self._rules.mined)))

    def _take(self, board: Board) -> None:
        """Bring the rules up to date with the squares that have changed."""
        cells = board.cells.translate(_UNFLAG)
        last = self._board
        fresh = (
            last is None
            or (last.width, last.height, last.mines) != (board.width, board.height, board.mines)
            or any(
                now != before != Cell.HIDDEN for now, before in zip(cells, self._cells, strict=True)
            )
        )
        if fresh:
            self._rules = Rules()
            self._cells = bytes([Cell.HIDDEN]) * len(cells)
        rules = self._rules
        changed = [
            square
            for square, (now, before) in enumerate(zip(cells, self._cells, strict=True))
            if now != before
        ]
        self._board, self._cells = board, cells
        around = neighbourhood(board.width, board.height)
        for square in changed:
            rules.forget(square, mine=cells[square] > Cell.HIDDEN)
        for square in changed:
            mines = cells[square]
            if mines > Cell.EIGHT:
                continue
            undecided = []
            for other in around[square]:
                if cells[other] < Cell.HIDDEN:
                    continue
                if cells[other] > Cell.HIDDEN or other in rules.mined:
                    mines -= 1
                elif other not in rules.safe:
                    undecided.append(other)
            rules.add(square, mines, undecided)

    def _left(self, board: Board) -> tuple[int | None, int]:
        """The mines not yet placed, and the undecided cells that no rule touches."""
        rules = self._rules
        touched = sum(1 for of in rules.of_cell.values() if of)
        hidden = self._cells.count(Cell.HIDDEN)
        untouched = hidden - len(rules.safe) - len(rules.mined) - touched
        if board.mines is None:
            return None, untouched
        shown = self._cells.count(Cell.MINE) + self._cells.count(Cell.EXPLODED)
        return board.mines - shown - len(rules.mined), untouched

    def _untouched(self) -> list[int]:
        rules = self._rules
        return [
            square
            for square, cell in enumerate(self._cells)
            if cell == Cell.HIDDEN
            and not rules.of_cell.get(square)
            and square not in rules.safe
            and square not in rules.mined
        ]

    def _total_rule(self, board: Board) -> None:
        mines, untouched = self._left(board)
        if mines is None:
            return
        rules = self._rules
        undecided = untouched + sum(1 for of in rules.of_cell.values() if of)
        if not 0 <= mines <= undecided:
            raise Clash
        if undecided and mines in (0, undecided):
            for square in [*self._untouched(), *rules.of_cell]:
                rules.decide(square, mine=mines > 0)

    def _probe(self, board: Board) -> None:
        """Decide everything that is certain."""
        rules = self._rules
        found = fronts(rules)
        mines, untouched = self._left(board)
        if mines is None or not _binds(found, mines, untouched):
            agreed = [(front, self._backbone(front.shape)[0]) for front in found]
        else:
            front = _joined(found)
            values, elsewhere = backbone(front.shape, mines, untouched)
            agreed = [(front, values)]
            if elsewhere is not None:
                for square in self._untouched():
                    rules.decide(square, mine=elsewhere)
        for front, values in agreed:
            for group, value in zip(front.groups, values, strict=True):
                if value is not None:
                    for cell in group:
                        rules.decide(cell, mine=value)

    def _weigh(self, board: Board) -> Verdict:
        rules = self._rules
        found = fronts(rules)
        mines, untouched = self._left(board)
        counts = [self._count(front.shape) for front in found]
        weighed = weigh(counts, [front.shape.sizes for front in found], mines, untouched)
        risk: list[float | None] = [None] * len(self._cells)
        for square in rules.safe:
            risk[square] = 0.0
        for square in rules.mined:
            risk[square] = 1.0
        if untouched:
            for square in self._untouched():
                risk[square] = weighed.untouched
        for front, risks in zip(found, weighed.risks, strict=True):
            for group, value in zip(front.groups, risks, strict=True):
                for square in group:
                    risk[square] = value
        return Verdict(
            tuple([square for square, value in enumerate(risk) if value == 0.0]),
            tuple([square for square, value in enumerate(risk) if value == 1.0]),
            tuple(risk),
            weighed.layouts,
        )


def _binds(found: list[Front], mines: int, untouched: int) -> bool:
    """Whether the total may rule out a layout that the fronts allow, by cheap bounds."""
    cells = sum(sum(front.shape.sizes) for front in found)
    return not (cells < mines < untouched)


def _joined(found: list[Front]) -> Front:
    """All fronts as one."""
    sizes: list[int] = []
    joined_rules: list[tuple[int, tuple[int, ...]]] = []
    groups: list[tuple[int, ...]] = []
    for front in found:
        start = len(sizes)
        sizes.extend(front.shape.sizes)
        groups.extend(front.groups)
        joined_rules.extend(
            (mines, tuple([start + group for group in of])) for mines, of in front.shape.rules
        )
    return Front(Shape(tuple(sizes), tuple(joined_rules)), tuple(groups))
