"""What was seen of a game while it was calibrated: frames, and what their squares show."""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Self

import numpy as np

from bot.board import Cell
from bot.calibrate.meaning import Evidence, Findings
from bot.capture import Frame
from bot.vision.grid import Grid

__all__ = ["Ending", "Packed", "Shot"]


@dataclass(frozen=True, slots=True)
class Packed:
    """A frame, kept small."""

    data: bytes
    shape: tuple[int, ...]

    @classmethod
    def of(cls, frame: Frame) -> Self:
        """Pack a frame."""
        return cls(zlib.compress(frame.pixels.tobytes(), 1), frame.pixels.shape)

    def frame(self) -> Frame:
        """The frame again, at the screen's corner."""
        return Frame(np.frombuffer(zlib.decompress(self.data), np.uint8).reshape(self.shape))


@dataclass(frozen=True, slots=True)
class Ending:
    """How a game ended; squares are row-major."""

    outcome: str
    """`won` or `lost`."""
    hit: int | None
    """The mine that was clicked."""
    covered: frozenset[int]
    """Squares that were covered before the last click."""
    strange: frozenset[int]
    """Those of them that look otherwise than any covered square did in play."""

    def cell(self, square: int, *, mine: bool) -> Cell | None:
        """What a square shows that was covered and not flagged by the player."""
        if square not in self.strange:
            return Cell.HIDDEN
        if self.outcome == "won":
            return Cell.FLAG if mine else None
        if square == self.hit:
            return Cell.EXPLODED
        return Cell.MINE if mine else Cell.HIDDEN


@dataclass(slots=True)
class Shot:
    """A frame, the game that it is of, and what it shows as far as that is known at once."""

    packed: Packed
    grid: Grid
    game: int
    looks: Sequence[int]
    """Of all squares, in row-major order."""
    shown: dict[int, Cell] = field(default_factory=dict)
    """What the squares show that are not open."""
    opened: frozenset[int] = frozenset()
    """Those that are, and hold no mine."""
    ending: Ending | None = None
    marks: frozenset[int] = frozenset()
    """Squares with a mark that is no flag; they are hidden all the same."""

    @property
    def phase(self) -> str:
        """`playing`, or `lost`; a game that was won looks as while it was played."""
        return "lost" if self.ending is not None and self.ending.outcome == "lost" else "playing"

    def cells(self, game: Evidence, findings: Findings) -> list[Cell | None]:
        """What each square shows, None where that did not become certain."""
        mines = findings.mines[self.game]
        return [self._cell(square, game, findings, mines) for square in range(len(self.looks))]

    def _cell(
        self, square: int, game: Evidence, findings: Findings, mines: Mapping[int, bool]
    ) -> Cell | None:
        if square in self.shown:
            return self.shown[square]
        if square in self.opened:
            # What looked open at first may have been lit by the pointer.
            look = game.opened.get(square)
            number = None if look is None else findings.number(look)
            return None if number is None else Cell(number)
        if self.ending is None or square not in self.ending.covered or square not in mines:
            return None
        return self.ending.cell(square, mine=mines[square])
