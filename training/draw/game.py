"""What the cells of a game show at one moment: a board that some play could have led to."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from minebot.vision.classification import Label
from training.draw.ink import Random

Labels = NDArray[np.int64]
_AT_SIDES = ((-1, 0), (0, -1), (0, 1), (1, 0))
_AROUND = (*_AT_SIDES, (-1, -1), (-1, 1), (1, -1), (1, 1))
"""Steps down and to the right."""


def moment(rng: Random, rows: int, columns: int) -> Labels:
    """Labels of shape (rows, columns) at a random moment of a random game."""
    if rng.random() < 0.16:
        return np.full((rows, columns), int(Label.HIDDEN))
    # A third of all boards are thick with mines: plain ones hardly show 6, 7 and 8.
    density = rng.uniform(0.25, 0.75) if rng.random() < 0.33 else rng.uniform(0.08, 0.25)
    mines = rng.random((rows, columns)) < density
    if rng.random() < 0.8:
        y, x = int(rng.integers(rows)), int(rng.integers(columns))
        mines[max(0, y - 1) : y + 2, max(0, x - 1) : x + 2] = False
    if density > 0.3 and min(rows, columns) > 4:
        _surround(rng, mines)
    counts = _neighbours(mines)
    opened = _play(rng, mines, counts)
    cells = np.where(opened, counts, int(Label.HIDDEN))
    _mark(rng, cells, mines)
    if rng.random() < 0.3:
        _lose(rng, cells, mines)
        if rng.random() < 0.12:  # All is shown after a loss.
            rest = np.isin(cells, (Label.HIDDEN, Label.QUESTION)) & ~mines
            cells[rest] = counts[rest]
    elif rng.random() < 0.03:  # A game that is won shows its mines.
        cells = np.where(mines, int(Label.MINE), counts)
    return cells


def _neighbours(mines: NDArray[np.bool_]) -> Labels:
    rows, columns = mines.shape
    padded = np.pad(mines.astype(np.int64), 1)
    views = [
        padded[1 + down : rows + 1 + down, 1 + right : columns + 1 + right]
        for down in (-1, 0, 1)
        for right in (-1, 0, 1)
        if down or right
    ]
    return np.sum(views, axis=0)


def _surround(rng: Random, mines: NDArray[np.bool_]) -> None:
    """Put 6 to 8 mines around some cells, since chance hardly does."""
    rows, columns = mines.shape
    for _ in range(int(rng.integers(1, 4))):
        y, x = int(rng.integers(1, rows - 1)), int(rng.integers(1, columns - 1))
        block = rng.random((3, 3)) < rng.uniform(0.75, 1.0)
        block[1, 1] = False
        mines[y - 1 : y + 2, x - 1 : x + 2] = block


def _play(rng: Random, mines: NDArray[np.bool_], counts: Labels) -> NDArray[np.bool_]:
    """Open safe cells, zeros with their neighbours, until a random share of them is open.

    In some games a zero opens the cells at its four sides alone, or none.
    """
    rows, columns = mines.shape
    steps = _AROUND
    if rng.random() < 0.08:
        steps = _AT_SIDES if rng.random() < 0.5 else ()
    opened = np.zeros((rows, columns), bool)
    safe = rng.permutation(np.argwhere(~mines))
    share = 1.0 if rng.random() < 0.12 else rng.random() ** 0.7
    target, done = int(share * len(safe)), 0
    if rng.random() < 0.1:  # A few clicks after the start.
        target = int(rng.integers(1, 6))
    connected = rng.random() < 0.7
    for row, column in safe.tolist():
        if done >= target:
            break
        near = opened[max(0, row - 1) : row + 2, max(0, column - 1) : column + 2].any()
        if connected and done and not near and rng.random() < 0.9:
            continue
        stack = [(row, column)]
        while stack:
            y, x = stack.pop()
            if opened[y, x] or mines[y, x]:
                continue
            opened[y, x] = True
            done += 1
            if counts[y, x] == 0:
                around = ((y + down, x + right) for down, right in steps)
                stack += [
                    (a, b)
                    for a, b in around
                    if 0 <= a < rows and 0 <= b < columns and not opened[a, b]
                ]
    return opened


def _mark(rng: Random, cells: Labels, mines: NDArray[np.bool_]) -> None:
    """Set flags, some of them wrong, and question marks."""
    hidden = cells == Label.HIDDEN
    if rng.random() < 0.75:
        cells[mines & (rng.random(cells.shape) < rng.random())] = Label.FLAG
    if rng.random() < 0.25:
        cells[~mines & hidden & (rng.random(cells.shape) < 0.06)] = Label.FLAG
    if rng.random() < 0.15:
        share = rng.uniform(0.02, 0.3)
        cells[(cells == Label.HIDDEN) & (rng.random(cells.shape) < share)] = Label.QUESTION


def _lose(rng: Random, cells: Labels, mines: NDArray[np.bool_]) -> None:
    """Hit a mine, and show the others as games do."""
    hit = np.argwhere(mines & (cells != Label.FLAG))
    wrong = (cells == Label.FLAG) & ~mines
    if rng.random() < 0.2:  # Mines are shown in place of flags as well.
        cells[mines & (cells == Label.FLAG)] = Label.MINE
    if rng.random() < 0.75:  # Else the mine that was hit is all that is shown.
        cells[mines & ((cells == Label.HIDDEN) | (cells == Label.QUESTION))] = Label.MINE
    if rng.random() < 0.7:
        cells[wrong] = Label.WRONG_FLAG
    if len(hit) and rng.random() < 0.9:
        count = 1 if rng.random() < 0.95 else min(len(hit), 3)
        for y, x in rng.permutation(hit)[:count].tolist():
            cells[y, x] = Label.EXPLODED
