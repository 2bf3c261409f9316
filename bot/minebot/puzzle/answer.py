"""What fits a board: an answer, whether it is the only one, how many layouts there are."""

from __future__ import annotations

from collections.abc import Collection, Sequence, Set
from dataclasses import dataclass, replace

from minebot.board import Board, Cell
from minebot.solver import Solver, Verdict
from minebot.solver.constraints import (
    ConstraintStore,
    components,
    constraints_of,
    covered,
    mines_left,
    propagate,
)
from minebot.solver.counting import compute_probabilities, count

_MINES = (Cell.MINE, Cell.EXPLODED)


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

    Where several fit, the first open question in reading order is settled with a
    mine, and so on. No layouts are counted on the way, so large boards that hardly
    any clue divides are no trouble.
    """
    solver = Solver()
    first: tuple[list[int], list[int]] | None = None
    mines = set(board.squares(*_MINES))
    while True:
        verdict = solver.solve(board, risk=False, every=True)
        mines.update(verdict.mines)
        beside, free = _undecided(board, mines.union(verdict.safe))
        first = first or (beside, free)
        if not beside:
            # What is left touches no clue: any cells do, as many as the total asks for.
            left = 0 if board.mines is None else board.mines - len(mines)
            return Answer(frozenset(mines.union(free[:left])), *map(tuple, first))
        # A total ties everything together; without one, what shares no clue is independent.
        for square in beside[:1] if board.mines is not None else _leaders(board, beside):
            mines.add(square)
            board = board.showing({square: Cell.MINE})


def _undecided(board: Board, known: Set[int]) -> tuple[list[int], list[int]]:
    """The covered squares that are not `known`: those beside a clue, and the others."""
    beside: list[int] = []
    free: list[int] = []
    for square in board.squares(Cell.HIDDEN, Cell.FLAG):
        if square not in known:
            (beside if _clues(board, square) else free).append(square)
    return beside, free


def _leaders(board: Board, squares: Sequence[int]) -> list[int]:
    """The first of each set of `squares` that clues tie together, directly or in a chain."""
    leaders = []
    left = set(squares)
    for first in squares:
        if first not in left:
            continue
        leaders.append(first)
        waiting = [first]
        while waiting:
            tied = {
                square
                for clue in _clues(board, waiting.pop())
                for square in board.neighbours(clue)
                if square in left
            }
            left -= tied
            waiting += tied
    return leaders


def _clues(board: Board, square: int) -> list[int]:
    return [other for other in board.neighbours(square) if board.cells[other] <= Cell.EIGHT]


def failures(board: Board, mines: Set[int]) -> list[str]:
    """Every way in which a layout fails `board`, empty when it fits.

    Counts from the squares alone, and shares no code with the solver.
    """
    found = []
    for square in board.squares(*map(Cell, range(9))):
        around = sum(other in mines for other in board.neighbours(square))
        if around != board.cells[square]:
            found.append(
                f"the {board.cells[square]} at {board.name_of(square)} has {around} mines around it"
            )
        if square in mines:
            found.append(f"a mine lies under the {board.cells[square]} at {board.name_of(square)}")
    found += [
        f"the mine shown at {board.name_of(square)} is missing"
        for square in board.squares(*_MINES)
        if square not in mines
    ]
    if board.mines is not None and board.mines != len(mines):
        found.append(f"{len(mines)} mines were laid, {board.mines} asked for")
    return found


def weight(board: Board, odds: int = 1, safe: Collection[int] = ()) -> int:
    """The layouts that fit a board and have no mine on the `safe` squares, as an exact number.

    While the total is unknown each counts `odds` times over for every covered cell without a mine:
    with 1 this is the plain number of layouts, with the solver's own odds the weight by which it
    judges such boards. Raises `minebot.solver.constraints.Conflict` if there is no layout.
    """
    rules = ConstraintStore(covered(board))
    rules.decide([*safe], mine=False)
    for one in constraints_of(board):
        rules.add(one.clue, one.mines, one.squares)
    propagate(rules)
    found = [(component, count(component.shape)) for component in components(rules)]
    left, untouched = mines_left(board), len(rules.untouched())
    if left is not None:
        counts = [counted for _, counted in found]
        return compute_probabilities(counts, left - len(rules.mined), untouched).layouts or 0
    whole: int = (1 + odds) ** untouched * odds ** len(rules.safe)
    for component, counted in found:
        cells = sum(component.shape.sizes)
        whole *= sum(
            layouts * odds ** (cells - counted.base - extra)
            for extra, layouts in enumerate(counted.layouts)
            if layouts
        )
    return whole


def with_risks(board: Board, verdict: Verdict) -> Verdict:
    """Add all risks and layouts to a verdict of all that is certain; raises Contradiction."""
    if len(verdict.safe) + len(verdict.mines) == board.covered:
        known = dict.fromkeys(verdict.safe, 0.0) | dict.fromkeys(verdict.mines, 1.0)
        return replace(verdict, risk=tuple(map(known.get, range(len(board.cells)))), layouts=1)
    weighed = Solver().solve(board, risk=True)
    return weighed if weighed.layouts is not None else replace(weighed, layouts=weight(board))


def unflagged(board: Board) -> Board:
    """The board with every flag taken off."""
    return replace(board, cells=board.cells.replace(bytes([Cell.FLAG]), bytes([Cell.HIDDEN])))
