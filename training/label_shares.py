"""Tells how often labels are seen on drawn boards, and in games that were played by logic.

    python -m training.label_shares

For each label its share of all tiles, and the share of boards that show it. Half of the players set
a flag on each mine that is certain; none of them sets question marks.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import numpy as np
from numpy.typing import NDArray

from minebot.layout import Layout
from minebot.solver import Solver
from minebot.vision.classification import Label
from training.draw.game import moment

_BOARDS = 2000
"""Boards of each kind. Specified: one in a thousand shows."""
_PRESETS = ((9, 9, 10), (16, 16, 40), (30, 16, 99))
"""Width, height and mines of what is played. Specified: the usual presets."""


def main() -> None:
    """Print a line for each label."""
    drawn, played = _shares(_drawn()), _shares(_played())
    print("label         of tiles: drawn  played    of boards: drawn  played")
    for label in Label:
        tiles, boards = drawn[:, label]
        tiles_played, boards_played = played[:, label]
        print(
            f"{label.name:12} {tiles:16.5f} {tiles_played:7.5f} {boards:17.4f} {boards_played:7.4f}"
        )


def _shares(boards: Iterator[NDArray[np.int64]]) -> NDArray[np.float64]:
    """Shape (2, labels): of tiles, of boards."""
    counts = [np.bincount(one.ravel(), minlength=len(Label)) / one.size for one in boards]
    return np.array([np.mean(counts, axis=0), np.mean(np.array(counts) > 0, axis=0)])


def _drawn() -> Iterator[NDArray[np.int64]]:
    rng = np.random.default_rng(1)
    for _ in range(_BOARDS):
        yield moment(rng, int(rng.integers(8, 17)), int(rng.integers(8, 31)))


def _played() -> Iterator[NDArray[np.int64]]:
    random, solver = Random(1), Solver()
    for number in range(_BOARDS):
        width, height, mines = _PRESETS[number % len(_PRESETS)]
        x, y = random.randrange(1, width - 1), random.randrange(1, height - 1)
        clear = [row * width + x + by for row in range(y - 1, y + 2) for by in (-1, 0, 1)]
        layout = Layout.scattered(width, height, mines, random, clear)
        opened = set(layout.opened_by(layout.square(x, y)))
        target = random.random() * (width * height - mines)
        verdict = solver.solve(layout.seen(opened), risk=False, every=True)
        while verdict.safe and len(opened) < target:
            for square in verdict.safe[:3]:
                opened |= layout.opened_by(square)
            verdict = solver.solve(layout.seen(opened), risk=False, every=True)
        cells = np.frombuffer(bytes(layout.seen(opened).cells), np.uint8).astype(np.int64)
        cells[cells > Label.EIGHT] = Label.HIDDEN
        if random.random() < 0.5:
            cells[list(verdict.mines)] = Label.FLAG
        yield cells


if __name__ == "__main__":
    main()
