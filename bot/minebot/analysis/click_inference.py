"""Which clicks lie between two boards that were seen one after the other.

An opening may start from any of its empty cells, and a chord that opens a single cell looks like
a click on it. If nothing tells them apart, the simplest click with the same effect is assumed.
A click without an effect cannot be seen.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import chain

from minebot.analysis.played_game import Click, ClickEvent, Simulated, hidden_around
from minebot.board import Action, Board, Cell
from minebot.errors import Contradiction
from minebot.solver import solve


def acts(
    before: Board, after: Board, seconds: float, press: frozenset[int] = frozenset()
) -> list[ClickEvent]:
    """The clicks that lead from one board to the next, seen at `seconds`, in a likely order.

    `press` are the squares that looked pressed last. Flags that a game sets by itself when it is
    won, and mines that it shows when it is lost, are nobody's clicks.
    """
    flags = list(_flags(before, after))
    # An opening would have taken a cell along that was not flagged any more.
    late = [
        (action, square)
        for action, square in flags
        if action is Action.UNFLAG
        and after.cells[square] == Cell.HIDDEN
        and any(
            after.cells[other] == Cell.EMPTY and before.cells[other] == Cell.HIDDEN
            for other in before.neighbours(square)
        )
    ]
    # Mines that nobody hit stay what they were.
    shows = after.showing({square: before.cells[square] for square in after.squares(Cell.MINE)})
    again = Simulated(before, shows.cells)
    found = []

    def do(action: Action, square: int) -> None:
        last = again.board
        found.append(ClickEvent(Click(seconds, action, square), last, again.click(action, square)))

    for action, square in flags:
        if (action, square) not in late:
            do(action, square)
    opens = _opens(again.board, after, press)
    while opens:
        action, squares = opens.pop(_first(again.board, opens))
        do(action, _likeliest(again.board, squares))
    for action, square in late:
        do(action, square)
    # What came first of several clicks at once is not seen, nor what else may have come to the
    # same. Flags alone come to the same in any order, and do not change what one click opens.
    opening = sum(bool(act.opened) for act in found)
    return [
        replace(act, sure=len(found) == 1 or not opening or (opening == 1 and bool(act.opened)))
        for act in found
    ]


def _likeliest(board: Board, squares: Sequence[int]) -> int:
    """Choose the clicked square of an opening: the safest, so that no player is blamed."""
    if len(squares) == 1 or not board.begun:
        return squares[0]
    try:
        risk = solve(board, risk=True).risk
    except Contradiction:
        return squares[0]
    assert risk is not None
    return min(squares, key=lambda at: risk[at] or 0.0)


def _first(board: Board, opens: Sequence[tuple[Action, Sequence[int]]]) -> int:
    """Which of several clicks came first: one that opens what is safe, if there is any.

    A quick player's next click may be worked out from what the last one showed.
    """
    if len(opens) == 1:
        return 0
    try:
        safe = set(solve(board, risk=False, every=True).safe)
    except Contradiction:
        return 0  # a wrong reading, or a wrong total: nothing tells
    for at, (action, squares) in enumerate(opens):
        chords = action is Action.CHORD
        if safe >= {*hidden_around(board, squares[0])} if chords else safe.intersection(squares):
            return at
    return 0


def _flags(before: Board, after: Board) -> Iterable[tuple[Action, int]]:
    changes = list(after.changes(before))
    for square, old, new in changes:
        if old == Cell.FLAG and new != Cell.MINE:
            yield Action.UNFLAG, square
    opened = any(old == Cell.HIDDEN and new <= Cell.EIGHT for _, old, new in changes)
    over = after.lost or (opened and Cell.HIDDEN not in after.cells)
    for square, old, new in changes:
        if old == Cell.HIDDEN and new == Cell.FLAG and not over:
            yield Action.FLAG, square


def _opens(
    before: Board, after: Board, press: frozenset[int]
) -> list[tuple[Action, Sequence[int]]]:
    """The clicks and chords that open what is open now, with their squares; a hit mine last."""
    new = {
        square
        for square, old, now in after.changes(before)
        if old == Cell.HIDDEN and (now <= Cell.EIGHT or now == Cell.EXPLODED)
    }
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
    rims: set[int] = set()
    seeds = []
    while empty:
        region, waiting = set(), [min(empty)]
        while waiting:
            square = waiting.pop()
            if square in empty:
                empty.remove(square)
                region.add(square)
                waiting += after.neighbours(square)
            rims.add(square)
        seeds.append(tuple(sorted(region)))
    return seeds + [(at,) for at in sorted(new - rims)]


def _chord(
    before: Board, after: Board, new: set[int], press: frozenset[int]
) -> tuple[int, set[int]] | None:
    """The chord that explains most, and what it opened; None if single clicks do."""
    best: tuple[int, set[int]] | None = None
    seeds, most = _seeds(after, new), 1
    for clue, number in enumerate(before.cells):
        if not Cell.EMPTY < number <= Cell.EIGHT:
            continue
        hidden = {*hidden_around(before, clue)}
        flags = sum(before.cells[at] == Cell.FLAG for at in before.neighbours(clue))
        if flags != number or not hidden or not hidden <= new:
            continue
        hit = [seed for seed in seeds if hidden.intersection(seed)]
        # All that was pressed lies around a number that is chorded on.
        told = len(press) > 1 and press <= hidden
        if len(hit) > most or (told and len(hit) >= most):
            most = len(hit)
            clicked = {at for seed in hit for at in seed}
            empty = (at for at in clicked if after.cells[at] == Cell.EMPTY)
            rim = chain.from_iterable(map(after.neighbours, empty))
            best = clue, clicked | hidden | new.intersection(rim)
    return best
