"""A game that was played: every click with the board before and after it.

Where it comes from does not matter here: a recording, a replay file, or looking on.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Annotated

from msgspec import Meta

from minebot.board import Action, Board, Cell
from minebot.layout import Layout
from minebot.play.result import layout_of

Seconds = Annotated[float, Meta(ge=-1e9, le=1e9)]
"""A time in a file from outside, on any clock: 30 years to either side, and a number."""


@dataclass(frozen=True, slots=True)
class Click:
    """One click, whatever came of it."""

    seconds: float
    """On the clock of whoever wrote it down."""
    action: Action
    square: int
    """Row-major."""
    was_hidden: bool = False
    """Whether the cell is known to have been hidden in the frame that the player looked at."""


@dataclass(frozen=True, slots=True)
class ClickEvent:
    """A click and the boards around it, both with the mine total where it is known."""

    click: Click
    before: Board
    after: Board
    sure: bool = True
    """Whether just this was clicked, on just this board: not if several were seen at once."""

    @property
    def wasted(self) -> bool:
        """Whether it changed nothing, and the player could see that it would not."""
        return self.before.cells == self.after.cells and not self.overtaken

    @property
    def late(self) -> bool:
        """Whether the game had ended by then, which the player had not seen."""
        return _is_won(self.before) or self.before.lost

    @property
    def overtaken(self) -> bool:
        """Whether an earlier click, after the player looked, ended the game or opened the cell."""
        is_open = self.before.cells[self.click.square] <= Cell.EIGHT
        opens = self.click.action is Action.OPEN and self.click.was_hidden
        return self.late or (opens and is_open)

    @property
    def aimed(self) -> list[int]:
        """The hidden squares that it opens by itself, openings apart: of a chord those around."""
        chords = self.click.action is Action.CHORD
        return hidden_around(self.before, self.click.square) if chords else [self.click.square]

    @property
    def opened(self) -> tuple[int, ...]:
        """The squares that it opened or blew up."""
        changes = self.after.changes(self.before)
        return tuple(at for at, _, new in changes if new <= Cell.EIGHT or new == Cell.EXPLODED)


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A game from its first click to its end, or as far as it went."""

    source: str
    """Where it comes from, as text that is not to be trusted as anything else."""
    acts: tuple[ClickEvent, ...]
    final: Board
    """What was seen last."""
    ended: float
    """When that was seen, in seconds of the same clock as the clicks."""
    known: Layout | None = None
    """Where the mines were, where that is known from elsewhere."""
    unseen: float = 0.0
    """Seconds in which somebody who looked on may have missed clicks."""
    notes: tuple[tuple[str, str], ...] = ()
    """How well a video showed it: further figures for people, each with its name."""

    @property
    def seconds(self) -> float:
        """From the first click to the end; 0 if a file says that it ended before."""
        return max(0.0, self.ended - self.acts[0].click.seconds) if self.acts else 0.0

    @property
    def layout(self) -> Layout | None:
        """Where the mines were, where it is known, or the end shows it or leaves no other way."""
        return self.known or layout_of(self.final)

    @property
    def won(self) -> bool:
        """Whether every safe cell was opened."""
        return _is_won(self.final)

    @property
    def outcome(self) -> str:
        """`won`, `lost` or `unfinished`."""
        return "won" if self.won else "lost" if self.final.lost else "unfinished"


def _is_won(board: Board) -> bool:
    return not board.lost and board.begun and board.mines == board.covered


def hidden_around(board: Board, square: int) -> list[int]:
    """The hidden squares that touch `square`."""
    return [other for other in board.neighbours(square) if board.cells[other] == Cell.HIDDEN]


class Simulated:
    """A game played over again, given what each square of it turned out to show."""

    def __init__(self, start: Board, shows: Sequence[int]) -> None:
        """`shows` has a `Cell` for each square; hidden ones were never opened, mines blow up."""
        self.board = start
        self._shows = shows

    def click(self, action: Action, square: int) -> Board:
        """The board after a click."""
        cells = bytearray(self.board.cells)
        old = cells[square]
        if action is Action.FLAG and old == Cell.HIDDEN:
            cells[square] = Cell.FLAG
        elif action is Action.UNFLAG and old == Cell.FLAG:
            cells[square] = Cell.HIDDEN
        elif action is Action.OPEN and old == Cell.HIDDEN:
            self._open(cells, [square])
        elif action is Action.CHORD and Cell.EMPTY < old <= Cell.EIGHT:
            around = self.board.neighbours(square)
            if sum(cells[other] == Cell.FLAG for other in around) == old:
                self._open(cells, hidden_around(self.board, square))
        self.board = replace(self.board, cells=bytes(cells))
        return self.board

    def _open(self, cells: bytearray, waiting: list[int]) -> None:
        while waiting:
            square = waiting.pop()
            if cells[square] != Cell.HIDDEN:
                continue
            shown = self._shows[square]
            mine = shown in (Cell.MINE, Cell.EXPLODED)
            cells[square] = Cell.EXPLODED if mine else shown if shown <= Cell.EIGHT else Cell.HIDDEN
            if shown == Cell.EMPTY:
                waiting += self.board.neighbours(square)


def replayed(
    source: str,
    clicks: Iterable[Click],
    start: Board,
    shows: Sequence[int],
    ended: float,
    *,
    late: bool = False,
    chords: bool = False,
) -> PlayedGame:
    """The game that these clicks make, from `start` on, given what each square shows.

    The end is as the clicks leave it, with the mines that `shows` has where one was hit. With
    `late` clicks count that were sent before the end was seen; with `chords` one that should open
    a cell is a chord if that is open by then.
    """
    again = Simulated(start, shows)
    acts = []
    for click in clicks:
        act = ClickEvent(click, again.board, again.board)
        if not act.late:
            action = Action.CHORD if chords and act.overtaken else click.action
            act = replace(act, after=again.click(action, click.square))
        elif not late:
            break
        acts.append(act)
    final = again.board
    if final.lost:
        hidden = final.squares(Cell.HIDDEN)
        final = final.showing({at: Cell.MINE for at in hidden if shows[at] == Cell.MINE})
    return PlayedGame(source, tuple(acts), final, ended)
