"""How few clicks a board needs, by ZiNi, and where a game spent more."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass

from minebot.analysis.move_rating import RatedMove
from minebot.board import Action, Cell
from minebot.layout import Layout


def zini(layout: Layout, *, human: bool = False) -> int:
    """Return the clicks that a greedy player needs who knows the mines, flags and chords included.

    As players and ms-toollib count it: always the chord that saves most, from the first column on;
    where each chord costs more than it saves, the first cell that needs a click. A `human` begins
    with all openings, and chords only on numbers that are open.
    """
    mines, around, parts = layout.mines, layout.neighbours, _parts(layout)
    order = [layout.square(x, y) for x in range(layout.width) for y in range(layout.height)]
    numbers = [at for at in order if at not in mines and layout.numbers[at]]
    opened = set[int]().union(*layout.openings) if human else set[int]()
    flags, clicks = set[int](), len(layout.openings) if human else 0

    def saved(square: int) -> int:
        near = (square, *around(square))
        missing = sum(at in mines and at not in flags for at in near)
        solved = {parts[at] for at in near if at in parts and at not in opened}
        return len(solved) - missing - (square not in opened)

    savings = {square: saved(square) for square in numbers}
    while len(opened) + len(mines) < len(order):
        able = (square for square in numbers if square in opened or not human)
        best = max(able, key=savings.__getitem__, default=None)
        missing: Set[int] = frozenset()
        if best is not None and savings[best] > 0:
            missing = mines.intersection(around(best)) - flags
            clicks += len(missing) + (best not in opened)
            clicked = {best, *around(best)} - mines
        else:
            clicked = {next(at for at in order if at in parts and at not in opened)}
        clicks += 1
        flags |= missing
        fresh = set[int]().union(*map(layout.opened_by, clicked)) - opened
        opened |= fresh
        changed = {near for at in fresh | missing for near in (at, *around(at))}
        for square in changed & savings.keys():
            savings[square] = saved(square)
    return clicks


@dataclass(frozen=True, slots=True)
class LostClicks:
    """Clicks that a game could have done without."""

    at: int
    """Which of the game's clicks, from 0."""
    clicks: int
    """How many were lost by it."""
    text: str
    """Where and why, for people."""


def lost_clicks(marks: Sequence[RatedMove], layout: Layout) -> tuple[LostClicks, ...]:
    """Where the clicks of a game on `layout` were lost, most clicks first.

    A chord counts as missed if its mines and safe cells were certain, and each of its cells once.
    """
    found = []
    parts, done, counted = _parts(layout), set[int](), set[int]()
    chords = [one.act for one in marks if one.act.click.action is Action.CHORD and one.act.opened]
    used = {at for act in chords for at in layout.neighbours(act.click.square)}
    for marked in marks:
        act = marked.act
        square, action = act.click.square, act.click.action
        solved = {parts[at] for at in act.opened if at in parts} - done
        lost, why = 0, ""
        if act.wasted or act.overtaken or action is Action.UNFLAG:
            lost, why = 1, marked.mark.value
        elif action is Action.FLAG:
            lost, why = int(square not in used), "no chord used the flag"
        elif not solved and not act.after.lost:
            lost, why = 1, "an opening opens it without a click"
        elif action is Action.OPEN:
            saved = _chords(marked, layout, parts, done, counted)
            lost, clue, cells = max(saved, default=(0, 0, ()))
            why = f"a chord on {act.before.name_of(clue)} opens more"
            counted.update(cells)
        done |= solved
        if lost > 0:
            found.append(LostClicks(marked.at, lost, f"{act.before.name_of(square)}: {why}"))
    return tuple(sorted(found, key=lambda one: (-one.clicks, one.at)))


def _chords(
    marked: RatedMove, layout: Layout, parts: Mapping[int, int], done: Set[int], counted: Set[int]
) -> Iterator[tuple[int, int, tuple[int, ...]]]:
    """The chords that would have opened the cell: clicks that each saves, its number, its cells."""
    board, certain = marked.act.before, {*marked.verdict.safe, *marked.verdict.mines}
    for number in board.neighbours(marked.act.click.square):
        near = tuple(at for at in board.neighbours(number) if board.cells[at] >= Cell.HIDDEN)
        if Cell.EMPTY < board.cells[number] <= Cell.EIGHT and certain.issuperset(near):
            flags = sum(at in layout.mines and board.cells[at] != Cell.FLAG for at in near)
            solved = {parts[at] for at in parts.keys() & {*near} - counted} - done
            yield len(solved) - flags - 1, number, near


def _parts(layout: Layout) -> dict[int, int]:
    """The squares that 3BV counts, each with its part: the number of its opening for empty cells,
    counted down from -1, and the square itself for numbers beside none."""
    openings = enumerate(layout.openings, 1)
    parts = {
        at: -number for number, opening in openings for at in opening if not layout.numbers[at]
    }
    rims = frozenset[int]().union(*layout.openings) | layout.mines
    return parts | {at: at for at in range(len(layout.numbers)) if at not in rims}
