"""Writes out all layouts of a board while they are few, compiled."""

from __future__ import annotations

from minebot.policy.guessing.compiler import Bytes, Numbers, NumberTable, compiled
from minebot.policy.guessing.endgame_workspace import Endgame
from minebot.policy.guessing.workspace import COUNT, HIDDEN, MINE, MINED

_TRIES = 400
"""Cells that may be tried for each layout that fits the room. Specified: four for each cell."""


@compiled
def _order(
    state: Bytes,
    live: Numbers,
    clues: int,
    around: NumberTable,
    taken: Numbers,
    cells: Numbers,
) -> int:
    """Write the undecided cells, near ones near each other; returns how many."""
    taken[:] = 0
    size = 0
    reached = 0
    for start in range(clues + state.size):
        if start < clues:
            first, last, centre = 0, around[live[start], COUNT], live[start]
        else:
            first, last, centre = 8, 9, start - clues
        for at in range(first, last):
            cell = centre if at == 8 else around[centre, at]
            if state[cell] != HIDDEN or taken[cell]:
                continue
            taken[cell] = 1
            cells[size] = cell
            size += 1
        while reached < size:
            cell = cells[reached]
            reached += 1
            for at in range(around[cell, COUNT]):
                clue = around[cell, at]
                if state[clue] >= HIDDEN:
                    continue
                for other in range(around[clue, COUNT]):
                    near = around[clue, other]
                    if state[near] == HIDDEN and not taken[near]:
                        taken[near] = 1
                        cells[size] = near
                        size += 1
    return size


@compiled
def _show(
    chosen: Numbers, cells: Numbers, size: int, column: Numbers, around: NumberTable, row: Bytes
) -> None:
    for at in range(size):
        if chosen[at]:
            row[at] = MINE
            continue
        number = 0
        cell = cells[at]
        for other in range(around[cell, COUNT]):
            place = column[around[cell, other]]
            if place >= 0:
                number += chosen[place]
        row[at] = number


@compiled
def lay_out(
    state: Bytes,
    live: Numbers,
    clues: int,
    mines: int,
    around: NumberTable,
    notes: NumberTable,
    game: Endgame,
) -> tuple[int, int]:
    """Write the undecided cells of a board to `game.cells`, and all its layouts to `game.shown`.

    `notes` has four rows of squares for what is noted here.
    Returns how many layouts and cells there are; -1 layouts where there is no room for them.
    """
    cells, shown = game.cells, game.shown
    need, room, chosen, column = notes[0], notes[1], notes[2], notes[3]
    size = _order(state, live, clues, around, notes[0], cells)
    need[:] = chosen[:] = column[:] = -1
    room[:] = 0
    for at in range(clues):
        clue = live[at]
        need[clue] = state[clue]
        for other in range(around[clue, COUNT]):
            need[clue] -= state[around[clue, other]] == MINED
            room[clue] += state[around[clue, other]] == HIDDEN
    for at in range(size):
        column[cells[at]] = at
    layouts = tries = 0
    left = mines
    depth = 0
    while depth >= 0:
        if depth == size:
            if left == 0:
                if layouts == shown.shape[0]:
                    return -1, size
                _show(chosen, cells, size, column, around, shown[layouts])
                layouts += 1
            depth -= 1
            continue
        cell = cells[depth]
        if chosen[depth] >= 0:
            # Take back what was tried here before.
            left += chosen[depth]
            for at in range(around[cell, COUNT]):
                room[around[cell, at]] += 1
                need[around[cell, at]] += chosen[depth]
        chosen[depth] += 1
        if chosen[depth] == 2:
            chosen[depth] = -1
            depth -= 1
            continue
        tries += 1
        if tries > _TRIES * shown.shape[0]:
            return -1, size
        mine = chosen[depth]
        left -= mine
        fits = 0 <= left <= size - depth - 1
        for at in range(around[cell, COUNT]):
            clue = around[cell, at]
            room[clue] -= 1
            need[clue] -= mine
            if state[clue] < HIDDEN and not 0 <= need[clue] <= room[clue]:
                fits = False
        if fits:
            depth += 1
    return layouts, size
