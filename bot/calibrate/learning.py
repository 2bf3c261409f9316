"""Learns how a game draws its cells from pictures whose boards are known."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from bot.board import SYMBOLS, Board, Cell
from bot.errors import UsageError
from bot.frame import Frame
from bot.profile.toml import SHAPE
from bot.profile.values import GridLook, Sample
from bot.vision.locate import locate
from bot.vision.samples import Features, features, likeness

__all__ = ["learn", "to_toml"]

_SAME = 0.93
"""Glyphs so like each other need one sample only."""


def learn(pictures: Iterable[tuple[Frame, Board, str]], grid: GridLook) -> tuple[Sample, ...]:
    """Samples of all cells in pictures, each with its board and the phase of its game.

    Raises GridNotFound, and UsageError where a board is not the picture's.
    """
    samples: list[Sample] = []
    for frame, board, phase in pictures:
        found = locate(frame, grid)
        if (found.width, found.height) != (board.width, board.height):
            raise UsageError(
                f"the picture shows {found.width}x{found.height} cells, its text has "
                f"{board.width}x{board.height}"
            )
        seen: set[tuple[int, bytes]] = set()
        for square, cell in enumerate(board.cells):
            left, top, side, _ = found.rect(*board.xy(square))
            tile = frame.pixels[top : top + side, left : left + side]
            key = (cell, tile.tobytes())
            if key not in seen:
                seen.add(key)
                _add(samples, Cell(cell), features(tile), phase)
    return tuple(sorted(samples, key=lambda sample: (sample.phase, sample.cell, sample.height)))


def _add(samples: list[Sample], cell: Cell, seen: Features, phase: str) -> None:
    """Widen the sample that the tile is like, or add one."""
    for index, sample in enumerate(samples):
        if (sample.cell, sample.phase) != (cell, phase):
            continue
        if likeness(seen, replace(sample, grounds=(seen.ground,))) < _SAME:
            continue
        if likeness(seen, sample) < _SAME:
            samples[index] = replace(sample, grounds=(*sample.grounds, seen.ground))
        return
    samples.append(
        Sample(cell, (seen.ground,), phase, seen.ink, seen.aspect, seen.height, seen.shape)
    )


def to_toml(samples: Iterable[Sample]) -> str:
    """The samples as a profile holds them."""
    return "\n".join(_entry(sample) for sample in samples)


def _entry(sample: Sample) -> str:
    lines = [
        "[[samples]]",
        f'cell = "{SYMBOLS[sample.cell]}"',
        *([f'phase = "{sample.phase}"'] if sample.phase else []),
        f"ground_rgbs = [{', '.join(str(list(ground)) for ground in sample.grounds)}]",
    ]
    if sample.ink is not None:
        digits = "".join(f"{amount:x}" for amount in sample.shape)
        rows = [digits[start : start + SHAPE] for start in range(0, len(digits), SHAPE)]
        lines += [
            f"ink_rgb = {list(sample.ink)}",
            f"aspect = {sample.aspect:.2f}",
            f"height_tiles = {sample.height:.2f}",
            "shape = [",
            *(f'    "{row}",' for row in rows),
            "]",
        ]
    return "\n".join(lines) + "\n"
