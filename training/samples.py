"""What the networks are shown in training, made from drawn pictures as they are needed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
import torch
from torch import Tensor
from torch.utils.data import IterableDataset, get_worker_info

from minebot.vision.classification import PITCH, SIDE, Label, cut, group
from training.draw.ink import Bytes, Random
from training.draw.page import Lattice
from training.draw.picture import Picture, degraded, draw

POOL = 240
"""Pictures kept; one is drawn anew for each that is used `USES` times on average."""
USES = 8
TRAINING_SEEDS = 1_000_000_000
"""Pictures for training are numbered from here; those below are for evaluation."""


Known = tuple[Sequence[Picture], float]
"""Labelled pictures of real games, and the share of picks that is one of them."""


class Pool:
    """Drawn pictures, replaced one after the other while they are used, and known real ones."""

    def __init__(self, rng: Random, known: Known = ((), 0.0)) -> None:
        self._rng = rng
        self._known, self._share = known
        self._pictures: list[Picture] = []

    def pick(self) -> Picture:
        """A picture: a known one, one drawn now, or one of those drawn before."""
        if self._known and self._rng.random() < self._share:
            picture = self._known[int(self._rng.integers(len(self._known)))]
            copies = [replace(one, labels=_copy(one.labels)) for one in picture.lattices]
            return degraded(self._rng, Picture(picture.pixels.copy(), copies))
        if len(self._pictures) < POOL or self._rng.random() < 1 / USES:
            picture = draw(TRAINING_SEEDS + int(self._rng.integers(2**40)))
            if len(self._pictures) < POOL:
                self._pictures.append(picture)
            else:
                self._pictures[self._rng.integers(POOL)] = picture
            return picture
        return self._pictures[self._rng.integers(len(self._pictures))]


def _copy(labels: np.ndarray | None) -> np.ndarray | None:
    return None if labels is None else labels.copy()


def _seeded() -> Random:
    """Another stream of random numbers in each worker and each run."""
    info = get_worker_info()
    cv2.setNumThreads(1)
    return np.random.default_rng(None if info is None else info.seed)


# -- detection

CROPS = 24
"""Crops in a batch; `scale` times as many of these and of tiles make a larger one."""
CROP = 256
"""Pixels a side of what the detecting network is shown."""
CELLS = (7.0, 64.0)
"""Pixels of the cells that it is to find."""
UNSURE_CELLS = (5.5, 90.0)
"""Up to these sizes nothing is asked of it."""


class Crops(IterableDataset):
    """Batches of crops, shape (n, 3, CROP, CROP), with targets of shape (n, 8, ...).

    Targets: lattice, its weight, small lattice, its weight, and the four phases.
    """

    def __init__(self, known: Known = ((), 0.0), scale: int = 1) -> None:
        self._known, self._scale = known, scale

    def __iter__(self) -> Iterator[tuple[Tensor, Tensor]]:
        rng = _seeded()
        pool = Pool(rng, self._known)
        while True:
            crops: list[Bytes] = []
            targets = []
            while len(crops) < CROPS * self._scale:
                picture = pool.pick()
                for _ in range(2):
                    crop, target = _crop(rng, picture)
                    crops.append(crop)
                    targets.append(target)
            stacked = np.stack(crops).transpose(0, 3, 1, 2)
            yield (
                torch.from_numpy(np.ascontiguousarray(stacked)),
                torch.from_numpy(np.stack(targets)),
            )


def _crop(rng: Random, picture: Picture) -> tuple[Bytes, np.ndarray]:
    lattice = picture.lattices[rng.integers(len(picture.lattices))] if picture.lattices else None
    pitch = float(lattice.x[1] - lattice.x[0]) if lattice is not None else rng.uniform(10, 60)
    scale = _scale(rng, pitch)
    high, wide = picture.pixels.shape[:2]
    size = max(16, round(wide * scale)), max(16, round(high * scale))
    way = cv2.INTER_AREA if scale < 1 else (cv2.INTER_LINEAR, cv2.INTER_NEAREST)[rng.integers(2)]
    image = picture.pixels if scale == 1 else cv2.resize(picture.pixels, size, interpolation=way)
    fx, fy = image.shape[1] / wide, image.shape[0] / high
    middle = rng.uniform(0, image.shape[1]), rng.uniform(0, image.shape[0])
    if lattice is not None and rng.random() < 0.85:
        middle = (
            rng.uniform(lattice.x[0], lattice.x[-1]) * fx,
            rng.uniform(lattice.y[0], lattice.y[-1]) * fy,
        )
    left, top = (
        int(np.clip(at - rng.uniform(0.2, 0.8) * CROP, min(0, room - CROP), max(0, room - CROP)))
        for at, room in zip(middle, (image.shape[1], image.shape[0]), strict=True)
    )
    out = np.empty((CROP, CROP, 3), np.uint8)
    out[:] = image[0, 0] if rng.random() < 0.5 else rng.integers(0, 256, 3)
    x0, y0, x1, y1 = max(0, left), max(0, top), left + CROP, top + CROP
    part = image[y0:y1, x0:x1]
    out[y0 - top : y0 - top + part.shape[0], x0 - left : x0 - left + part.shape[1]] = part
    if rng.random() < 0.3:
        out = np.ascontiguousarray(out[..., rng.permutation(3)])
    if rng.random() < 0.15:
        out = 255 - out
    target = np.zeros((8, CROP // 4, CROP // 4), np.float32)
    target[1] = target[3] = 1
    for one in picture.lattices:
        _aim(target, one.x * fx - left, one.y * fy - top)
    return out, target


def _scale(rng: Random, pitch: float) -> float:
    """By how much to zoom: often not, often as the first, coarse look does, else by any amount."""
    if rng.random() < 0.4:
        return 1.0
    if rng.random() < 0.4:
        return 0.25 if pitch > 20 else 0.5
    wish = rng.uniform(2, 6)
    if rng.random() < 0.85:
        wish = np.exp(rng.uniform(np.log(CELLS[0]), np.log(CELLS[1])))
    return float(np.clip(wish / pitch, 0.12, 1.8))


def _aim(target: np.ndarray, x: np.ndarray, y: np.ndarray) -> None:
    """Enter a lattice into the targets."""
    across, down = _phase(x, target.shape[2]), _phase(y, target.shape[1])
    inside = (np.abs(down) <= np.pi)[:, None] & (np.abs(across) <= np.pi)[None]
    pitch = float(min(np.diff(x).mean(), np.diff(y).mean()))
    if CELLS[0] <= pitch <= CELLS[1]:
        target[0][inside] = 1
        maps = (
            np.cos(across)[None],
            np.sin(across)[None],
            np.cos(down)[:, None],
            np.sin(down)[:, None],
        )
        for number, values in enumerate(maps, 4):
            target[number][inside] = np.broadcast_to(values, inside.shape)[inside]
    elif pitch < CELLS[0]:
        target[2][inside] = 1
    if UNSURE_CELLS[0] < pitch < CELLS[0] or CELLS[1] < pitch < UNSURE_CELLS[1]:
        target[1][inside] = 0
    if pitch < 2 or CELLS[0] - 1 < pitch < CELLS[0] + 1.5:
        target[3][inside] = 0


def _phase(middles: np.ndarray, size: int) -> np.ndarray:
    """The angle within the nearest cell of each fourth pixel; beyond pi outside of the lattice."""
    at = 4.0 * np.arange(size) + 2.0
    pitch = np.diff(middles).mean()
    cell = np.clip(np.searchsorted(middles + pitch / 2, at), 0, len(middles) - 1)
    return 2 * np.pi * (at - middles[cell]) / pitch


# -- classification

TILES = 420
"""Different tiles in a batch, at most about."""
LATTICES = 40
"""Lattices in a batch, at most."""
TRIES = 400
"""Pictures that are looked at for a batch, at most."""
RARE = tuple(
    int(one)
    for one in (
        *(Label.FIVE, Label.SIX, Label.SEVEN, Label.EIGHT),
        *(Label.EXPLODED, Label.WRONG_FLAG, Label.QUESTION),
    )
)
"""Labels that few boards have: boards with them are shown more often, and count twice."""
PITCHES = (0.5, 2 / 3, 1.5, 2.0)
"""By how much a wrong grid's pitch is off."""
ENLARGED = 30, 45
"""Range of the pixels from one cell to the next in a third of the lattices: tiles in doubt are
classified enlarged as well. Specified: it is around `classification._LARGE_PITCH`."""


@dataclass(slots=True)
class _Cells:
    tiles: Bytes
    places: np.ndarray
    labels: np.ndarray
    groups: np.ndarray
    is_board: bool


class Lattices(IterableDataset):
    """Batches of lattices of the same number of rows and columns.

    Tiles (n, 3, 32, 32); and of shape (lattices, rows, columns) each cell's tile, label (-1 where
    nothing is asked) and group; last whether each is a board.
    """

    def __init__(self, known: Known = ((), 0.0), scale: int = 1) -> None:
        self._known, self._scale = known, scale

    def __iter__(self) -> Iterator[tuple[Tensor, Tensor, Tensor, Tensor, Tensor]]:
        rng = _seeded()
        pool = Pool(rng, self._known)
        while True:
            size = int(rng.integers(4, 17)), int(rng.integers(4, 17))
            some: list[_Cells] = []
            count = tries = 0
            most = TILES * self._scale, LATTICES * self._scale, TRIES * self._scale
            while count < most[0] and len(some) < most[1] and tries < most[2]:
                tries += 1
                picture = pool.pick()
                cells = _cells(rng, picture, size) if picture.lattices else None
                if cells is not None:
                    some.append(cells)
                    count += len(cells.tiles)
            if some:
                yield _batch(some)


def _batch(some: list[_Cells]) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor]:
    tiles = np.concatenate([one.tiles for one in some]).transpose(0, 3, 1, 2)
    starts = np.cumsum([0, *(len(one.tiles) for one in some[:-1])])
    groups, known = [], 0
    for one in some:
        _, alike = np.unique(one.groups, return_inverse=True)
        groups.append(alike.reshape(one.groups.shape) + known)
        known += int(alike.max()) + 1
    return (
        torch.from_numpy(np.ascontiguousarray(tiles)),
        torch.from_numpy(np.stack([one.places + at for one, at in zip(some, starts, strict=True)])),
        torch.from_numpy(np.stack([one.labels for one in some])),
        torch.from_numpy(np.stack(groups)),
        torch.tensor([one.is_board for one in some], dtype=torch.float32),
    )


def _cells(rng: Random, picture: Picture, size: tuple[int, int]) -> _Cells | None:
    """A part of a lattice of the picture; None where it is too small or would show little new."""
    lattice = picture.lattices[0 if rng.random() < 0.7 else rng.integers(len(picture.lattices))]
    if lattice.labels is None:
        return None if rng.random() < 0.3 else _part(rng, picture.pixels, lattice, size)
    if rng.random() < 0.15:
        return _part(rng, picture.pixels, _misplaced(rng, lattice), size)
    if rng.random() < 0.5 and not np.isin(lattice.labels, RARE).any():
        return None
    if rng.random() < 0.4:
        lattice = _ringed(lattice, lattice.labels, int(rng.integers(1, 4)))
    return _part(rng, picture.pixels, lattice, size)


def _ringed(lattice: Lattice, labels: np.ndarray, width: int) -> Lattice:
    """The lattice with so many lines of what lies outside of the board on each side."""
    sides = []
    for middles in (lattice.x, lattice.y):
        pitch, count = np.diff(middles).mean(), middles.size
        steps = np.arange(-width, count + width)
        ends = middles[0] + pitch * steps
        ends[width : width + count] = middles
        sides.append(ends)
    around = np.pad(labels, width, constant_values=int(Label.OTHER))
    return Lattice(sides[0], sides[1], around)


def _misplaced(rng: Random, lattice: Lattice) -> Lattice:
    """A lattice that does not fit: between the cells, or of another pitch."""
    pitch = float(np.diff(lattice.x).mean()), float(np.diff(lattice.y).mean())
    off, scale = np.zeros(2), 1.0
    if rng.random() < 0.6:
        off = rng.uniform(0.3, 0.7, 2) * (rng.random(2) < 0.7)
        if not off.any():
            off = np.full(2, 0.5)
    else:
        scale = PITCHES[rng.integers(len(PITCHES))]
    x, y = (
        first + step * (shift + (scale - 1) / 2 + scale * np.arange(max(4, int(size / scale))))
        for first, step, shift, size in zip(
            (lattice.x[0], lattice.y[0]), pitch, off, (lattice.x.size, lattice.y.size), strict=True
        )
    )
    return Lattice(x, y, None)


def _part(rng: Random, pixels: Bytes, lattice: Lattice, size: tuple[int, int]) -> _Cells | None:
    rows, columns = size
    labels = lattice.labels
    if lattice.y.size < rows or lattice.x.size < columns:
        return None
    row = int(rng.integers(lattice.y.size - rows + 1))
    column = int(rng.integers(lattice.x.size - columns + 1))
    x, y = lattice.x[column : column + columns], lattice.y[row : row + rows]
    pitch = np.diff(x).mean(), np.diff(y).mean()
    off = np.clip(rng.normal(0, 0.03, 2), -0.08, 0.08)
    # Detection makes most pitches exact, and then tiles that are drawn alike are cut alike.
    zoom = 1.0 if rng.random() < 0.7 else rng.uniform(0.98, 1.02)
    tiles = cut(
        pixels,
        x + off[0] * pitch[0],
        y + off[1] * pitch[1],
        (pitch[0] * zoom, pitch[1] * zoom),
        PITCH if rng.random() < 2 / 3 else int(rng.integers(*ENLARGED)),
    ).reshape(-1, SIDE, SIDE, 3)
    _, groups = group(tiles)
    truth = (
        np.full(rows * columns, -1)
        if labels is None
        else (labels[row : row + rows, column : column + columns].ravel())
    )
    # Of tiles that are grouped though they show different things, each label gets its own.
    _, first, places = np.unique(groups * 32 + truth, return_index=True, return_inverse=True)
    if len(first) > 150:
        return None
    shape = rows, columns
    return _Cells(
        _tinted(rng, tiles[first]),
        places.reshape(shape),
        truth.reshape(shape).astype(np.int64),
        groups.reshape(shape),
        labels is not None,
    )


def _tinted(rng: Random, tiles: Bytes) -> Bytes:
    if rng.random() < 0.3:
        tiles = tiles[..., rng.permutation(3)]
    if rng.random() < 0.08:
        tiles = 255 - tiles
    if rng.random() < 0.3:
        changed = tiles.astype(np.float32) * rng.uniform(0.75, 1.15) + rng.uniform(-20, 20)
        tiles = np.clip(changed, 0, 255).astype(np.uint8)
    if rng.random() < 0.5:
        right, down = (int(step) for step in rng.integers(-1, 2, 2))
        tiles = np.roll(tiles, (down, right), (1, 2))
    return tiles
