"""Learns how a game draws its cells, from pictures of which some cells are known."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product

import numpy as np
from numpy.typing import NDArray

from bot.board import Board, Cell
from bot.calibrate.shades import in_both_shades
from bot.capture import Frame
from bot.errors import GridNotFound, UsageError
from bot.profile.sheets import MOST_GROUNDS
from bot.profile.values import ApartLook, GridLook, Profile, Sample, SampleLook, Thumbnail
from bot.vision.glyphs import SAME
from bot.vision.grid import Grid
from bot.vision.locate import locate
from bot.vision.reader import Reader
from bot.vision.samples import Features, features, likeness
from bot.vision.thumbnails import distances, reaches, shrink

Samples = tuple[Sample, ...] | tuple[Thumbnail, ...]
Kind = type[Sample] | type[Thumbnail]

_WELL_WITHIN = 0.5
"""A tile nearer to a sample than this share of its reach needs none of its own."""
_SHADES_LEVELS = 12.0
"""No sample stands for looks that are lighter or darker by more."""


def learn(
    pictures: Iterable[Labelled], kind: Kind, before: Samples = (), *, split: bool = False
) -> Samples:
    """Samples of that kind of all known cells in the pictures, added to what was learnt `before`.

    Glyphs on a ground hold at any size of the tiles, thumbnails for any texture. With `split`
    each phase of the game has samples of its own.
    """
    if kind is Sample:
        glyphs = [sample for sample in before if isinstance(sample, Sample)]
        for cell, tile, phase in _tiles(pictures, split=split):
            _add(glyphs, cell, features(tile), phase)
        return tuple(sorted(glyphs, key=lambda sample: (sample.phase, sample.cell, sample.height)))
    thumbnails = [sample for sample in before if isinstance(sample, Thumbnail)]
    for cell, tile, phase in _tiles(pictures, split=split):
        _add_thumbnail(thumbnails, cell, tile, phase)
    return tuple(sorted(in_both_shades(thumbnails), key=_place))


def kinds(grid: GridLook, before: Samples = ()) -> tuple[Kind, ...]:
    """The kinds of samples by which the cells of such a grid may be told, the best first.

    Tiles that stand apart are flat as a rule, and differ by what is drawn on them. Others may
    differ by their sides alone. All samples are of one kind: that of those `before`.
    """
    if before:
        return (type(before[0]),)
    return (Sample, Thumbnail) if isinstance(grid, ApartLook) else (Thumbnail,)


def _place(sample: Thumbnail) -> tuple[object, ...]:
    """Together with those that go onto the same sheet, in the order of the cells."""
    return bool(sample.opacity), sample.behind, sample.uneven, sample.phase, sample.cell


def _tiles(
    pictures: Iterable[Labelled], *, split: bool
) -> Iterator[tuple[Cell, NDArray[np.uint8], str]]:
    """Each different tile of the pictures, with its cell and phase."""
    seen: set[tuple[int, str, bytes]] = set()
    for picture in pictures:
        frame, grid = picture.open(), picture.grid
        phase = picture.phase if split else ""
        for square, cell in enumerate(picture.cells):
            if cell is None:
                continue
            y, x = divmod(square, grid.width)
            left, top, side, _ = grid.rect(x, y)
            tile = frame.pixels[top : top + side, left : left + side]
            key = (cell, phase, tile[..., :3].tobytes())
            if key not in seen:
                seen.add(key)
                yield cell, tile, phase


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


@dataclass(frozen=True, slots=True)
class Labelled:
    """A picture and what its squares show, row-major; None for what is not known."""

    open: Callable[[], Frame]
    grid: Grid
    cells: Sequence[Cell | None]
    phase: str
    """`playing` or `lost`."""
    game: int
    """Pictures of one game, in the order in which they were taken, have the same number."""
    marks: frozenset[int] = frozenset()
    """Hidden squares with a question mark or the like on them."""

    def unmarked(self) -> Labelled:
        """The same, what the marked squares show being left open."""
        cells = [None if s in self.marks else cell for s, cell in enumerate(self.cells)]
        return replace(self, cells=cells)


@dataclass(frozen=True, slots=True)
class Check:
    """How a profile reads labelled pictures."""

    pictures: int
    read: Counter[Cell]
    """Cells that are read as they are labelled."""
    refused: Counter[Cell]
    """Labelled cells that are not read."""
    wrong: tuple[str, ...]
    """What contradicts a label, the rules or an earlier picture of the same game."""

    @property
    def right(self) -> int:
        """How many cells are read as they are labelled."""
        return self.read.total()

    @property
    def unread(self) -> list[Cell]:
        """What is on boards that are played, but is not read more often than it is."""
        return [cell for cell in Cell if cell <= Cell.FLAG and self.refused[cell] > self.read[cell]]

    @property
    def faults(self) -> tuple[int, int]:
        """The fewer the better: what is wrong, then what is not read."""
        return len(self.wrong), self.refused.total()


def with_look(profile: Profile, frame: Frame, grid: Grid, square: int, cell: Cell) -> Profile:
    """The profile in which that square's look is that cell; raises UsageError where none can be."""
    look = profile.cells
    if not isinstance(look, SampleLook):
        raise UsageError(f"{profile.name} tells cells by inks, to which no look can be added")
    cells: list[Cell | None] = [None] * (grid.width * grid.height)
    cells[square] = cell
    samples = look.samples
    for phase in sorted({sample.phase for sample in samples}):
        shown = Labelled(lambda: frame, grid, cells, phase, 0)
        samples = learn([shown], kinds(profile.grid, samples)[0], samples, split=True)
    return replace(profile, cells=SampleLook(samples))


def conclude(pictures: Sequence[Labelled], profile: Profile) -> tuple[Profile, Check]:
    """The profile with samples added by which the pictures are read best, and how well.

    Glyphs are tried before thumbnails. A game may draw things otherwise once it is lost; where
    one set of samples for both phases does not read everything, each phase has its own. Question
    marks are given up where they look too much like flags, which are needed more. Raises
    UsageError when nothing in the pictures is known, GridNotFound when the profile's way to find
    the grid does not find that of the first picture.
    """
    first = pictures[0]
    grid = locate(first.open(), profile.grid)
    if (grid.columns, grid.rows) != (first.grid.columns, first.grid.rows):
        raise GridNotFound("the grid is not found where it was at first")
    best: tuple[Profile, Check] | None = None
    before = profile.cells.samples if isinstance(profile.cells, SampleLook) else ()
    unmarked = [picture.unmarked() for picture in pictures]
    for kind, shown, split in product(
        kinds(profile.grid, before), (pictures, unmarked), (False, True)
    ):
        samples = learn(shown, kind, before, split=split)
        if not samples:
            raise UsageError("nothing in the pictures is known")
        tried = replace(profile, cells=SampleLook(samples))
        found = _check(shown, tried)
        if best is None or found.faults < best[1].faults:
            best = tried, found
        if found.faults == (0, 0):
            break
    assert best is not None
    return best


def _check(pictures: Sequence[Labelled], profile: Profile) -> Check:
    """Read the pictures with the profile and compare."""
    reader = Reader(profile)
    read: Counter[Cell] = Counter()
    refused: Counter[Cell] = Counter()
    wrong: list[str] = []
    last: tuple[int, Board] | None = None
    for picture in pictures:
        grid = picture.grid
        looks = reader.readings(picture.open(), grid)
        for square, (cell, look) in enumerate(zip(picture.cells, looks, strict=True)):
            y, x = divmod(square, grid.width)
            if cell is None:
                continue
            if look.cell is None:
                refused[cell] += 1
            elif look.cell != cell:
                wrong.append(f"({x}, {y}) is {cell.name.lower()}, read as {look.cell.name.lower()}")
            else:
                read[cell] += 1
        cells = [look.cell for look in looks if look.cell is not None]
        if len(cells) == len(looks):
            board = Board(grid.width, grid.height, None, bytes(cells))
            if not board.lost:
                wrong += board.problems()
            if last is not None and last[0] == picture.game and not board.follows(last[1]):
                wrong.append("opened cells were lost")
            last = picture.game, board
    return Check(len(pictures), read, refused, tuple(wrong))
