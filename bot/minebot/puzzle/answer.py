"""What fits a board: a layout, whether it is the only one, and a check of it."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass
from itertools import chain

from minebot.board import Board, Cell
from minebot.solver import Solver
from minebot.solver.constraints import ConstraintStore, components, constraints_of, covered


@dataclass(frozen=True, slots=True)
class Answer:
    """One layout that fits a board, and what the other layouts may change in it."""

    mines: frozenset[int]
    """Every square of the layout that holds a mine, those that the board shows too."""
    differ: tuple[int, ...]
    """The squares beside clues with a mine in some layouts and none in others, ascending."""
    free: tuple[int, ...] = ()
    """The squares of which no clue says anything, and the total does not either."""

    @property
    def unique(self) -> bool:
        """Whether no other layout fits."""
        return not (self.differ or self.free)


def answer(board: Board) -> Answer:
    """Find a layout that fits `board`; raises Contradiction if there is none.

    Where several fit, the first open question in reading order is settled with a mine, and so on.
    No layouts are counted on the way, so large boards that hardly any clue divides are no trouble.
    """
    solver = Solver()
    clues = constraints_of(board)
    touched = {square for clue in clues for square in clue.squares}
    untouched = set(covered(board)) - touched
    first: tuple[list[int], list[int]] | None = None
    mines = set(board.shown_mines)
    while True:
        verdict = solver.solve(board, risk=False, every=True)
        mines.update(verdict.mines)
        known = mines.union(verdict.safe)
        beside, free = sorted(touched - known), sorted(untouched - known)
        first = first or (beside, free)
        if not beside:
            # What is left touches no clue: any cells do, as many as the total asks for.
            left = 0 if board.mines is None else board.mines - len(mines)
            return Answer(frozenset(mines.union(free[:left])), *map(tuple, first))
        leaders = beside[:1]
        if board.mines is None:
            # No total ties everything together: what shares no clue, in a chain, is independent.
            tied = ConstraintStore(beside)
            for clue in clues:
                tied.add(clue.clue, 0, clue.squares)
            leaders = [min(chain.from_iterable(one.groups)) for one in components(tied)]
        mines.update(leaders)
        board = board.showing(dict.fromkeys(leaders, Cell.MINE))


def failures(board: Board, mines: Set[int]) -> list[str]:
    """Every way in which a layout fails `board`, empty when it fits.

    Counts from the squares alone, and shares no code with the solver.
    """
    found = []
    for square in board.squares(*map(Cell, range(9))):
        clue = f"the {board.cells[square]} at {board.name_of(square)}"
        around = sum(other in mines for other in board.neighbours(square))
        if around != board.cells[square]:
            found.append(f"{clue} has {around} mines around it")
        if square in mines:
            found.append(f"a mine lies under {clue}")
    missing = sorted({*board.shown_mines} - mines)
    found += [f"the mine shown at {board.name_of(square)} is missing" for square in missing]
    if board.mines is not None and board.mines != len(mines):
        found.append(f"{len(mines)} mines were laid, {board.mines} asked for")
    return found
