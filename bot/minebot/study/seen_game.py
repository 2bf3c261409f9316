"""A game as far as somebody who looks on has seen it."""

from __future__ import annotations

from collections.abc import Callable, Set
from dataclasses import dataclass, field, replace

from minebot.analysis.played_game import ClickEvent
from minebot.board import Action, Board, Cell

_PASSING = 0.5
"""Seconds below which a flag that is taken off again may have been the pointer, passing the cell.
Specified: a hand that sees its mistake takes longer. Measured: in recordings of KMines the pointer
looked like a flag for 0.37 s at most, as far as its end was seen."""


@dataclass(slots=True)
class SeenGame:
    """A game as far as it was seen."""

    board: Board
    acts: list[ClickEvent] = field(default_factory=list)
    ended: float = 0.0
    over: bool = False
    unseen: float = 0.0
    """Seconds in which clicks may have been missed."""
    doubt: tuple[Board, int] | None = None
    """The board, and how many acts there were, before the last clicks: where something was believed
    to be open that may only have been pressed, or some cells could not be read."""
    unknown: frozenset[int] = frozenset()
    """Squares that could not be read then, nor since."""

    def amend(self, change: Callable[[Board], Board]) -> None:
        """Change what was seen so far, once it is seen better."""
        self.board = change(self.board)
        self.acts = [
            replace(act, before=change(act.before), after=change(act.after)) for act in self.acts
        ]
        if self.doubt is not None:
            self.doubt = change(self.doubt[0]), self.doubt[1]

    def put_right(self, board: Board, misread: Set[int]) -> None:
        """Take for what this board shows what was open on these squares before, and misread."""
        self.amend(
            lambda one: with_cells(
                one, board, {at for at in misread if one.cells[at] <= Cell.EIGHT}
            )
        )

    def doubt_passing_flags(self) -> None:
        """Tell flags as not certain that were soon taken off again, or nobody saw when."""
        last: dict[int, int] = {}
        for at, act in enumerate(self.acts):
            first = last.pop(act.click.square, at)
            if act.click.action is Action.FLAG:
                last[act.click.square] = at
            elif act.click.action is Action.UNFLAG and first < at:
                lasted = act.click.seconds - self.acts[first].click.seconds
                for one in (first, at) if lasted < _PASSING or not act.sure else ():
                    self.acts[one] = replace(self.acts[one], sure=False)

    def open_flagged(self, board: Board) -> None:
        """Take for opened from the first what shows a number now and looked flagged.

        No hand takes a flag off and opens a cell so soon; a number below the pointer may look so.
        """
        for at, cell in enumerate(board.cells):
            if self.board.cells[at] != Cell.FLAG or not Cell.EMPTY < cell <= Cell.EIGHT:
                continue
            clicks = [(act.click.action, act.click.square) for act in self.acts]
            if (Action.FLAG, at) not in clicks:
                continue
            first = len(clicks) - 1 - clicks[::-1].index((Action.FLAG, at))
            if self.doubt is not None and self.doubt[1] <= first:
                self.doubt = None
            earlier, act, later = self.acts[:first], self.acts[first], self.acts[first + 1 :]
            act = replace(act, click=replace(act.click, action=Action.OPEN))
            self.acts, before = [act, *later], act.before
            self.amend(lambda one, at=at: with_cells(one, board, {at}))  # type: ignore[misc]
            self.acts = [*earlier, replace(self.acts[0], before=before), *self.acts[1:]]


def with_cells(board: Board, other: Board, squares: Set[int]) -> Board:
    """The board with the cells of another one on these squares."""
    return board.showing({at: other.cells[at] for at in squares})


def completed(board: Board, later: Board, unknown: Set[int]) -> Board:
    """The board with what its empty cells opened on squares that could not be seen until later."""
    waiting = list(board.squares(Cell.EMPTY))
    opened: set[int] = set()
    while waiting:
        for at in board.neighbours(waiting.pop()):
            is_hidden = at in unknown and at not in opened and board.cells[at] == Cell.HIDDEN
            if is_hidden and later.cells[at] <= Cell.EIGHT:
                opened.add(at)
                waiting += [at] * (later.cells[at] == Cell.EMPTY)
    return with_cells(board, later, opened)
