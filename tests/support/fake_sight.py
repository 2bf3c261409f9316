"""A first sight that sees what a test says, in place of the trained networks."""

from __future__ import annotations

from collections.abc import Sequence, Set
from typing import Protocol

import numpy as np

from minebot.board import Board
from minebot.capture import Frame
from minebot.errors import GridNotFound
from minebot.profile.appearance import KeptTiles
from minebot.vision.classification import Label
from minebot.vision.detection.fit import GridCandidate
from minebot.vision.first_sight import Seen, grid_of


class Look(Protocol):
    """What stands for `first_sight.look`."""

    def __call__(
        self, frame: Frame, *, partly: bool = False, kept: Sequence[KeptTiles] = ()
    ) -> Seen:
        """What is seen in a frame."""
        ...


def seeing(
    board: Board,
    *,
    doubtful: Set[int] = frozenset(),
    between: tuple[Label, Label] = (Label.FIVE, Label.SIX),
    corner: tuple[int, int] = (10, 10),
    pitch: int = 16,
    groups: Sequence[int] | None = None,
) -> Look:
    """Sees this board in every frame, without a border; `doubtful` squares are in doubt.

    `groups` has equal numbers for tiles that are drawn alike; by default no two are.
    """
    x, y = (
        start + pitch * (np.arange(count) + 0.5)
        for start, count in zip(corner, (board.width, board.height), strict=True)
    )
    lattice = GridCandidate(x, y, (pitch, pitch), 1.0)
    labels = np.array(list(board.cells), np.int64)
    probabilities = np.zeros((labels.size, len(Label)))
    probabilities[np.arange(labels.size), labels] = 1.0
    for square in doubtful:
        labels[square] = -1
        probabilities[square] = 0
        probabilities[square, list(between)] = 0.75, 0.25
    shape = board.height, board.width
    seen = Seen(
        lattice,
        grid_of(lattice),
        labels.reshape(shape),
        probabilities.reshape(*shape, len(Label)),
        np.arange(labels.size).reshape(shape) if groups is None else np.reshape(groups, shape),
        np.arange(108 * (labels.size if groups is None else max(groups) + 1))
        .astype(np.uint8)
        .reshape(-1, 108),
        np.zeros(shape, bool),
    )

    def look(
        frame: Frame,  # noqa: ARG001
        *,
        partly: bool = False,  # noqa: ARG001
        kept: Sequence[KeptTiles] = (),  # noqa: ARG001
    ) -> Seen:
        return seen

    return look


def blind(frame: Frame, *, partly: bool = False, kept: Sequence[KeptTiles] = ()) -> Seen:  # noqa: ARG001
    """Sees no board in any frame."""
    raise GridNotFound("no board at first sight")


def asleep(frame: Frame, *, partly: bool = False, kept: Sequence[KeptTiles] = ()) -> Seen:  # noqa: ARG001
    """Must not be asked."""
    raise AssertionError("the networks were run")
