"""A game that was played: every click with the board before and after it.

Where it comes from does not matter here: a recording, a replay file, or looking on. For that `acts`
tells which clicks lie between two boards that were seen one after the other. An opening may start
from any of its empty cells, and a chord that opens a single cell looks like a click on it. If
nothing tells them apart, the simplest click with the same effect is assumed. A click without an
effect cannot be seen.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Annotated

from msgspec import Meta

from minebot.board import Action, Board, Cell
from minebot.errors import Contradiction
from minebot.layout import Layout
from minebot.play.result import layout_of
from minebot.solver import solve

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


def _has_its_flags(board: Board, square: int) -> bool:
    """Whether a chord there opens what is hidden around it: on a number with as many flags."""
    around = [board.cells[other] for other in board.neighbours(square)]
    return 0 < around.count(Cell.FLAG) == board.cells[square]


_TURNS_OUT = {int(Cell.MINE): int(Cell.EXPLODED), int(Cell.FLAG): int(Cell.HIDDEN)}
"""What a square that shows this turns out to be once it is opened; any other shows the same."""


@dataclass(slots=True)
class Simulated:
    """A game played over again, given what each square of it turned out to show."""

    board: Board
    shows: Sequence[int]
    """A `Cell` for each square; hidden ones were never opened, mines blow up."""

    def click(self, action: Action, square: int) -> Board:
        """The board after a click."""
        changes: dict[int, int] = {}
        old = self.board.cells[square]
        if action is Action.FLAG and old == Cell.HIDDEN:
            changes = {square: Cell.FLAG}
        elif action is Action.UNFLAG and old == Cell.FLAG:
            changes = {square: Cell.HIDDEN}
        elif action is Action.OPEN and old == Cell.HIDDEN:
            changes = self._opened([square])
        elif action is Action.CHORD and _has_its_flags(self.board, square):
            changes = self._opened(hidden_around(self.board, square))
        self.board = self.board.showing(changes)
        return self.board

    def _opened(self, squares: list[int]) -> dict[int, int]:
        """What the board shows where these hidden squares are opened, and all that they open."""
        opened: dict[int, int] = {}
        for square in squares:  # grows while it is walked
            shown = self.shows[square]
            if shown == Cell.EMPTY and square not in opened:
                squares += hidden_around(self.board, square)
            opened[square] = _TURNS_OUT.get(shown, shown)
        return opened


def replayed(
    source: str,
    clicks: Iterable[Click],
    game: Simulated,
    ended: float,
    *,
    late: bool = False,
    chords: bool = False,
) -> PlayedGame:
    """The game that these clicks make, from the board of `game` on.

    The end is as the clicks leave it, with the mines that `game` shows where one was hit. With
    `late` clicks count that were sent before the end was seen; with `chords` one that should open
    a cell is a chord if that is open by then.
    """
    acts = []
    for click in clicks:
        act = ClickEvent(click, game.board, game.board)
        if not act.late:
            action = Action.CHORD if chords and act.overtaken else click.action
            act = replace(act, after=game.click(action, click.square))
        elif not late:
            break
        acts.append(act)
    final = game.board
    if final.lost:
        hidden = final.squares(Cell.HIDDEN)
        final = final.showing({at: Cell.MINE for at in hidden if game.shows[at] == Cell.MINE})
    return PlayedGame(source, tuple(acts), final, ended)


def acts(
    before: Board, after: Board, seconds: float, press: frozenset[int] = frozenset()
) -> list[ClickEvent]:
    """The clicks that lead from one board to the next, seen at `seconds`, in a likely order.

    `press` are the squares that looked pressed last. Flags that a game sets by itself when it is
    won, and mines that it shows when it is lost, are nobody's clicks.
    """
    # Mines that nobody hit stay what they were.
    shows = after.showing({square: before.cells[square] for square in after.squares(Cell.MINE)})
    game = Simulated(before, shows.cells)
    found = [
        ClickEvent(Click(seconds, action, square), game.board, game.click(action, square))
        for action, square in _between(game, after, press)
    ]
    # What came first of several clicks at once is not seen, nor what else may have come to the
    # same. Flags alone come to the same in any order, and do not change what one click opens.
    opening = sum(bool(act.opened) for act in found)
    return [
        replace(act, sure=len(found) == 1 or not opening or (opening == 1 and bool(act.opened)))
        for act in found
    ]


def _between(game: Simulated, after: Board, press: frozenset[int]) -> Iterator[tuple[Action, int]]:
    """The clicks that lead to the board `after`, each once the one before is done in `game`."""
    changes = list(after.changes(game.board))
    opened = [at for at, old, new in changes if old == Cell.HIDDEN and new <= Cell.EIGHT]
    unflagged = [at for at, old, new in changes if old == Cell.FLAG and new != Cell.MINE]
    # An opening would have taken a cell along that was not flagged any more.
    spared = after.around(at for at in opened if after.cells[at] == Cell.EMPTY)
    late = [at for at in unflagged if at in spared and after.cells[at] == Cell.HIDDEN]
    yield from ((Action.UNFLAG, at) for at in unflagged if at not in late)
    if not after.lost and (not opened or Cell.HIDDEN in after.cells):
        flagged = [at for at, old, new in changes if old == Cell.HIDDEN and new == Cell.FLAG]
        yield from ((Action.FLAG, at) for at in flagged)
    opens = _opens(game.board, after, press)
    while opens:
        yield _first(game.board, opens)
    yield from ((Action.UNFLAG, at) for at in late)


def _first(board: Board, opens: list[tuple[Action, Sequence[int]]]) -> tuple[Action, int]:
    """Take out the click that came first: one that opens what is safe, if there is any.

    A quick player's next click may be worked out from what the last one showed. Of the cells from
    which an opening may start it is the safest, so that no player is blamed.
    """
    if len(opens) == len(opens[0][1]) == 1:
        return opens[0][0], opens.pop()[1][0]
    try:
        verdict = solve(board, risk=True, every=True)
    except Contradiction:  # a wrong reading, or a wrong total: nothing tells
        return opens[0][0], opens.pop(0)[1][0]
    safe, risk = set(verdict.safe), verdict.risk or ()

    def is_safe(action: Action, squares: Sequence[int]) -> bool:
        if action is Action.CHORD:
            return safe.issuperset(hidden_around(board, squares[0]))
        return not safe.isdisjoint(squares)

    at = next((at for at, one in enumerate(opens) if is_safe(*one)), 0)
    action, squares = opens.pop(at)
    return action, min(squares, key=lambda square: risk[square] or 0.0)


def _opens(
    before: Board, after: Board, press: frozenset[int]
) -> list[tuple[Action, Sequence[int]]]:
    """The clicks and chords that open what is open now, with their squares; a hit mine last."""
    new = {*before.squares(Cell.HIDDEN)} & {*after.opened, *after.squares(Cell.EXPLODED)}
    found: list[tuple[Action, Sequence[int]]] = []
    while new and (chord := _chord(before, after, new, press)):
        clue, opened = chord
        found.append((Action.CHORD, (clue,)))
        new -= opened
    for seed in sorted(_seeds(after, new), key=lambda one: after.cells[one[0]] == Cell.EXPLODED):
        told = press.intersection(seed)
        found.append((Action.OPEN, sorted(told) or seed))
    return found


def _seeds(after: Board, new: set[int]) -> list[tuple[int, ...]]:
    """What must have been clicked, one square of each: of openings an empty one."""
    empty = {at for at in new if after.cells[at] == Cell.EMPTY}
    alone = new - empty - after.around(empty)
    seeds = []
    while empty:
        region = [min(empty)]
        for square in region:  # grows while it is walked
            region += empty.intersection(after.neighbours(square)).difference(region)
        empty.difference_update(region)
        seeds.append(tuple(sorted(region)))
    return seeds + [(at,) for at in sorted(alone)]


def _chord(
    before: Board, after: Board, new: set[int], press: frozenset[int]
) -> tuple[int, set[int]] | None:
    """The chord that explains most, and what it opened; None if single clicks do."""
    best: tuple[int, set[int]] | None = None
    seeds, most = _seeds(after, new), 1
    for clue in sorted(before.opened):
        hidden = {*hidden_around(before, clue)}
        if not hidden or not hidden <= new or not _has_its_flags(before, clue):
            continue
        hit = [seed for seed in seeds if hidden.intersection(seed)]
        # All that was pressed lies around a number that is chorded on.
        told = len(press) > 1 and press <= hidden
        if len(hit) > most or (told and len(hit) >= most):
            most = len(hit)
            clicked = {at for seed in hit for at in seed}
            rim = after.around(at for at in clicked if after.cells[at] == Cell.EMPTY)
            best = clue, clicked | hidden | (new & rim)
    return best
