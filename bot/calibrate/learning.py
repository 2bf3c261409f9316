"""Learns how a game draws its cells from pictures whose boards are known."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from bot.board import Board, Cell
from bot.capture import Frame
from bot.errors import UsageError
from bot.profile.sheets import MOST_GROUNDS
from bot.profile.values import ApartLook, GridLook, Sample, Thumbnail
from bot.vision.glyphs import SAME
from bot.vision.grid import Grid
from bot.vision.locate import locate
from bot.vision.samples import Features, features, likeness
from bot.vision.thumbnails import distances, reaches, shrink

__all__ = ["Samples", "learn", "learn_known"]

Pictures = Iterable[tuple[Frame, Board, str]]
Known = tuple[Frame, Grid, Sequence[int | None], str]
"""A picture, where its tiles are, what is known of them, and the phase of the game."""
Samples = tuple[Sample, ...] | tuple[Thumbnail, ...]

_WELL_WITHIN = 0.5
"""A tile nearer to a sample than this share of its reach needs none of its own."""
_SHADES_LEVELS = 12.0
"""No sample stands for looks that are lighter or darker by more."""


def learn(pictures: Pictures, grid: GridLook) -> Samples:
    """Samples of all cells in pictures, each with its board and the phase of its game.

    Tiles that stand apart are flat, and their samples are of glyphs on a ground: those
    hold at any size. Where tiles touch, the samples are thumbnails, which hold for any
    texture.

    Raises GridNotFound, and UsageError where a board is not the picture's.
    """
    return learn_known(_located(pictures, grid), grid)


def learn_known(pictures: Iterable[Known], grid: GridLook, before: Samples = ()) -> Samples:
    """As `learn`, from pictures of which only some cells need be known.

    What was learnt `before` is added to.
    """
    if isinstance(grid, ApartLook):
        glyphs = [sample for sample in before if isinstance(sample, Sample)]
        for cell, tile, phase in _tiles(pictures):
            _add(glyphs, cell, features(tile), phase)
        return tuple(sorted(glyphs, key=lambda sample: (sample.phase, sample.cell, sample.height)))
    thumbnails = [sample for sample in before if isinstance(sample, Thumbnail)]
    for cell, tile, phase in _tiles(pictures):
        _add_thumbnail(thumbnails, cell, tile, phase)
    return tuple(sorted(thumbnails, key=_place))


def _place(sample: Thumbnail) -> tuple[object, ...]:
    """Together with those that go onto the same sheet, in the order of the cells."""
    return bool(sample.opacity), sample.behind, sample.uneven, sample.phase, sample.cell


def _located(pictures: Pictures, look: GridLook) -> Iterator[Known]:
    for frame, board, phase in pictures:
        grid = locate(frame, look)
        if (grid.width, grid.height) != (board.width, board.height):
            raise UsageError(
                f"the picture shows {grid.width}x{grid.height} cells, its text has "
                f"{board.width}x{board.height}"
            )
        yield frame, grid, board.cells, phase


def _tiles(pictures: Iterable[Known]) -> Iterator[tuple[Cell, NDArray[np.uint8], str]]:
    """Each different tile of the pictures, with its cell and phase."""
    seen: set[tuple[int, str, bytes]] = set()
    for frame, grid, cells, phase in pictures:
        for square, cell in enumerate(cells):
            if cell is None:
                continue
            y, x = divmod(square, grid.width)
            left, top, side, _ = grid.rect(x, y)
            tile = frame.pixels[top : top + side, left : left + side]
            key = (cell, phase, tile[..., :3].tobytes())
            if key not in seen:
                seen.add(key)
                yield Cell(cell), tile, phase


def _add(samples: list[Sample], cell: Cell, seen: Features, phase: str) -> None:
    """Widen the sample that the tile is like, or add one."""
    for index, sample in enumerate(samples):
        if (sample.cell, sample.phase) != (cell, phase):
            continue
        if likeness(seen, replace(sample, grounds=(seen.ground,))) < SAME:
            continue
        if likeness(seen, sample) < SAME:
            if len(sample.grounds) == MOST_GROUNDS:
                continue
            samples[index] = replace(sample, grounds=(*sample.grounds, seen.ground))
        return
    samples.append(_sample(cell, seen, phase))


def _sample(cell: Cell, seen: Features, phase: str) -> Sample:
    """A sample, as exact as a sheet can show it."""
    if seen.ink is None:
        return Sample(cell, (seen.ground,), phase)
    aspect, height = max(0.01, round(seen.aspect, 2)), max(0.01, round(seen.height, 2))
    return Sample(cell, (seen.ground,), phase, seen.ink, min(99.0, aspect), height, seen.shape)


def _add_thumbnail(
    samples: list[Thumbnail], cell: Cell, tile: NDArray[np.uint8], phase: str
) -> None:
    """Let a sample that the tile is like stand for its lightness too, or add one."""
    small = shrink(tile[None])
    for index, sample in enumerate(samples):
        if sample.opacity or (sample.cell, sample.phase) != (cell, phase):
            continue
        known = np.frombuffer(sample.pixels, np.uint8).astype(np.float32)[None]
        shade = abs(float(small.mean() - known.mean()))
        far = distances(small, known, np.array([shade], np.float32))
        if shade <= _SHADES_LEVELS and far[0, 0] <= _WELL_WITHIN * reaches(known)[0]:
            if shade > sample.shade:
                samples[index] = replace(sample, shade=round(shade, 1))
            return
    pixels = np.rint(small[0]).astype(np.uint8).tobytes()
    samples.append(Thumbnail(cell, pixels, phase=phase))
