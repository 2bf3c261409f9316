"""A first sight that sees what a test says, in place of the trained networks."""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass, field

import numpy as np
import pytest

from minebot.board import Board
from minebot.errors import Contradiction, GridNotFound
from minebot.profile.schema import KeptTiles
from minebot.vision.classification import Bytes, Classified, Label
from minebot.vision.detection import GridCandidate
from minebot.vision.rules import Seen


@dataclass(frozen=True)
class Sight:
    """Sees one thing in every frame, once it is installed."""

    classified: Classified | None
    """None if nothing is found, for the reason `refusal`."""
    seen: Seen | None = None
    refusal: Exception | None = None
    is_possible: bool = True
    """Whether a mine layout fits what is seen."""
    kept: list[Sequence[KeptTiles]] = field(default_factory=list)
    """What was to be recalled, look after look."""

    def install(self, patch: pytest.MonkeyPatch) -> None:
        """Have readers see this."""
        for name in ("find", "label_board", "label_in_part", "recalled", "steadied", "enlarged"):
            patch.setattr(f"minebot.vision.first_sight_reader.{name}", getattr(self, name))

    def find(self, pixels: Bytes) -> Classified:  # noqa: ARG002
        """What stands for `board_finder.find`."""
        if self.classified is None:
            assert self.refusal is not None
            raise self.refusal
        return self.classified

    def label_board(self, classified: Classified, chances: np.ndarray) -> Seen:
        """What stands for `rules.label_board`."""
        if not self.is_possible:
            raise Contradiction("no mine layout fits")
        return self.label_in_part(classified, chances)

    def label_in_part(self, classified: Classified, chances: np.ndarray) -> Seen:  # noqa: ARG002
        """What stands for `rules.label_in_part`."""
        assert self.seen is not None
        return self.seen

    def recalled(
        self,
        seen: Seen,
        classified: Classified,  # noqa: ARG002
        chances: np.ndarray,  # noqa: ARG002
        kept: Sequence[KeptTiles],
    ) -> Seen:
        """What stands for `rules.recalled`."""
        self.kept.append(kept)
        return seen

    def steadied(self, pixels: Bytes, classified: Classified) -> Classified:  # noqa: ARG002
        """What stands for `classification.steadied`, and for `enlarged`."""
        return classified

    enlarged = steadied


def seeing(
    board: Board,
    *,
    doubtful: Set[int] = frozenset(),
    between: tuple[Label, Label] = (Label.FIVE, Label.SIX),
    corner: tuple[int, int] = (10, 10),
    pitch: int = 16,
    groups: Sequence[int] | None = None,
    is_possible: bool = True,
) -> Sight:
    """Sees this board in every frame, without a border; `doubtful` squares are in doubt.

    `groups` has equal numbers for tiles that are drawn alike; by default no two are.
    """
    x, y = (
        start + pitch * (np.arange(count) + 0.5)
        for start, count in zip(corner, (board.width, board.height), strict=True)
    )
    labels = np.array(list(board.cells), np.int64)
    probabilities = np.zeros((labels.size, len(Label)))
    probabilities[np.arange(labels.size), labels] = 1.0
    for square in doubtful:
        labels[square] = -1
        probabilities[square] = 0
        probabilities[square, list(between)] = 0.75, 0.25
    shape = board.height, board.width
    alike = range(labels.size) if groups is None else groups
    grouped = np.unique(alike, return_inverse=True)[1]
    drawings = np.arange(108 * (grouped.max() + 1)).astype(np.uint8).reshape(-1, 108)
    chances = probabilities.reshape(*shape, -1)
    tiles = grouped.reshape(shape)
    lattice = GridCandidate(x, y, (pitch, pitch), 1.0)
    seen = Seen(labels.reshape(shape), chances, drawings[tiles], np.zeros(shape, bool))
    classified = Classified(lattice, chances, tiles, drawings, 1.0)
    return Sight(classified, seen, is_possible=is_possible)


blind = Sight(None, refusal=GridNotFound("no board at first sight"))
"""Sees no board in any frame."""
asleep = Sight(None, refusal=AssertionError("the networks were run"))
"""Must not be asked."""
