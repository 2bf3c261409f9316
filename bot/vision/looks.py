"""How the cells of a lattice look: which are alike, and which have something drawn on them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from bot.vision.cells import Cells
from bot.vision.pieces import Pixels
from bot.vision.turns import paired, parity

Bools = NDArray[np.bool_]
Bytes = NDArray[np.uint8]
Ints = NDArray[np.intp]
Floats = NDArray[np.float32]

_FINE = (6, 12)
"""A cell is told by so many samples across and as many down: by pixels where it has fewer."""
_CORNER = 0.17
"""Numbers and flags leave so much of a cell's corners free, in its sides. Guessed."""
_FACE = 0.2
"""So far inside its sides begins where they are drawn. Guessed."""
_CHANGED = 18
"""A sample of something drawn differs by so many levels of 255 from the cell without. Guessed."""
_INKED = 0.035
"""The least share of such samples. Guessed."""
_SAME = 0.25
"""By this share of its contrast, squared, a drawing differs from the same in another cell.
Guessed."""
_PLAINEST = 0.2
"""This share of the cells with one rim has nothing drawn on it, if any has. Guessed."""
_EVEN = 8.0
"""The samples of a face without a drawing differ by less, in levels of 255. Guessed."""
_NEAR = 4.0
"""Colours that differ by no more levels of 255 are the same. Guessed."""
_SAME_FACE = 5.0
"""So do faces of covered and of opened cells, root mean square, if they are the same. Guessed."""
_ROUGHLY = 0.25
"""The means of sides differ by no more than this share of what rims differ by in themselves, if
they are the same but for a pixel. Guessed."""
_ENOUGH = 60
"""So many cells of one kind tell how they look. Guessed."""
_MOST = 24
"""So many looks are told apart; what is rarer is odd. Guessed."""
_FLAT = 4.0
"""The sides and corners of a cell without lines differ by fewer levels, root mean square."""


@dataclass(frozen=True, slots=True)
class Looks:
    """Of each cell, row-major (rows, columns): how its corners look, and what it shows."""

    ground: Ints
    """The number of its rim's look, the commonest being 0; -1 is odd."""
    shown: Ints
    """The number of what is drawn on it: 0 is nothing, -1 odd."""
    inked: Bools
    """Whether something is drawn on it."""
    even: Bools
    """Whether the face of such cells is of one colour where nothing is drawn on it."""
    turned: Bools
    """Whether its kind has two shades by turns, as the squares of a chess board."""
    spots: Bytes
    """Its colours at its two outermost samples, a quarter inside, and in the middle: shape (rows,
    columns, 7, 7, 3)."""


@dataclass(frozen=True, slots=True)
class Patches:
    """Samples of cells."""

    samples: Bytes
    """Shape (rows, columns, fine, fine, 3), blue-green-red."""

    @classmethod
    def of(cls, pixels: Pixels, cells: Cells) -> Patches:
        """Those of the cells, which may reach beyond the picture by a pixel."""
        fine = int(np.clip(min(cells.step) + 0.01, *_FINE))
        down = _places(cells.ends[1], fine).clip(0, pixels.shape[0] - 1)
        across = _places(cells.ends[0], fine).clip(0, pixels.shape[1] - 1)
        # Samples are means of what is around them, and not of the next cell.
        wide = int(min(cells.step) / fine)
        left, right = max(0, int(across[0]) - wide), int(across[-1]) + wide + 1
        top, bottom = max(0, int(down[0]) - wide), int(down[-1]) + wide + 1
        crop = pixels[top:bottom, left:right]
        if wide > 1:
            crop = np.asarray(cv2.blur(crop, (wide, wide)), np.uint8)
        taken = crop.take(down - top, axis=0).take(across - left, axis=1)
        shaped = taken.reshape(cells.y.size, fine, cells.x.size, fine, 3).swapaxes(1, 2)
        return cls(np.ascontiguousarray(shaped))

    def part(self, rows: slice, columns: slice) -> Patches:
        """Those of some of the cells."""
        return Patches(self.samples[rows, columns])

    @property
    def _rim(self) -> Bools:
        """Which samples are the outermost, or lie at the corners: shape (fine, fine)."""
        fine = self.samples.shape[2]
        reach = np.minimum(np.arange(fine), np.arange(fine)[::-1])
        corner = reach < max(1, round(_CORNER * fine))
        return np.asarray((reach[:, None] == 0) | (reach == 0) | (corner[:, None] & corner))

    def _corners(self) -> Bytes:
        """The samples just inside their corners: shape (cells, n)."""
        fine = self.samples.shape[2]
        at = [1, fine - 2]
        return self.samples[:, :, at][:, :, :, at].reshape(-1, 4 * 3)

    def _sides(self) -> Iterator[Bytes]:
        """The samples at each of their four sides: shape (cells, n)."""
        fine = self.samples.shape[2]
        rows, columns = self.samples.shape[:2]
        near = np.arange(fine) < max(1, round(_CORNER * fine))
        # The ends of a side are those of the sides next to it.
        within = np.ones(fine, np.bool_)
        within[[0, -1]] = False
        for down, across in (
            (near, within),
            (near[::-1], within),
            (within, near),
            (within, near[::-1]),
        ):
            side = self._rim & down[:, None] & across
            yield self.samples[:, :, side].reshape(rows * columns, -1)

    @property
    def are_flat(self) -> Bools:
        """Which have neither lines nor corners that differ from the rest."""
        rows, columns = self.samples.shape[:2]
        rims = self.samples[:, :, self._rim].reshape(rows * columns, -1, 3).astype(np.float32)
        return np.asarray(_spread(rims) < _FLAT).reshape(rows, columns)

    def are_flat_but(self, side: int) -> Bools:
        """The same, whatever there is at one side: left, right, top or bottom."""
        rows, columns = self.samples.shape[:2]
        seen = self._rim.copy()
        seen[(slice(None), [0, -1][side]) if side < 2 else ([0, -1][side - 2],)] = False
        rims = self.samples[:, :, seen].reshape(rows * columns, -1, 3).astype(np.float32)
        return np.asarray(_spread(rims) < _FLAT).reshape(rows, columns)

    def _rough(self, chosen: Ints) -> Floats:
        """What tells some cells even where they are drawn a pixel off: shape (cells, 5, 3).

        It is the usual colour of their faces, and the mean ones of their sides.
        """
        rows, columns, fine = self.samples.shape[:3]
        deep = max(2, fine // 4)
        every = self.samples.reshape(rows * columns, fine, fine, 3)[chosen].astype(np.float32)
        face = np.median(every[:, deep:-deep, deep:-deep].reshape(len(every), -1, 3), axis=1)
        sides = every[:, :deep], every[:, -deep:], every[:, :, :deep], every[:, :, -deep:]
        return np.stack([face, *(side.mean(axis=(1, 2)) for side in sides)], axis=1)

    @property
    def contrast(self) -> float:
        """How much the rims of most cells differ within themselves, in levels, root mean square."""
        rows, columns = self.samples.shape[:2]
        usual = np.median(self.samples[:, :, self._rim].reshape(rows * columns, -1, 3), axis=0)
        return float(usual.std(axis=0).max())

    def looks(
        self, alike: float, own: tuple[slice, slice] | None = None, besides: int = 1
    ) -> Looks:
        """The looks of cells whose rims are alike within so many levels, root mean square.

        At a board's border a side may be another one, and where a gap's middle lies within a
        pixel two may be the next cell's: so many sides may differ.
        Some of the rows and columns are known to be a board's own: what looks as none of those
        is odd.
        """
        order = _outwards(self.samples.shape[:2], own or np.s_[:, :])
        ground = _grouped([self._corners(), *self._sides()], alike, order, besides=besides)
        return self._told(self._merged(ground), own or np.s_[:, :])

    def faces(self) -> Looks:
        """The looks of cells whose faces have the same colour, whatever their rims look like.

        Of tiles with rounded corners, or far apart, rims show the ground alone.
        """
        rows, columns = self.samples.shape[:2]
        inner = self.samples[:, :, 1:-1, 1:-1].reshape(rows * columns, -1, 3)
        order = _outwards((rows, columns), np.s_[:, :])
        return self._told(_grouped([np.median(inner, axis=1)], _SAME_FACE, order), np.s_[:, :])

    def _told(self, ground: Ints, own: tuple[slice, slice]) -> Looks:
        """The looks of cells of which those with one number have the same ground."""
        rows, columns, fine = self.samples.shape[:3]
        face = slice(round(_FACE * fine), fine - round(_FACE * fine))
        faces = self.samples[:, :, face, face].reshape(rows * columns, -1).astype(np.float32)
        plain, even = _plain(faces, ground)
        drawn = faces - plain
        changed = (np.abs(drawn) > _CHANGED).reshape(rows * columns, -1, 3)
        inked = (changed[..., 0] | changed[..., 1] | changed[..., 2]).mean(axis=1) >= _INKED
        shown = np.zeros(rows * columns, np.intp)
        order = np.arange(np.count_nonzero(inked))
        marks = _grouped([drawn[inked]], 0.0, order, _SAME)
        shown[inked] = np.where(marks < 0, -1, marks + 1)
        shape = rows, columns
        at = [0, 1, fine // 4, fine // 2, fine - 1 - fine // 4, fine - 2, fine - 1]
        spots = self.samples[:, :, at][:, :, :, at]
        ground, turned = _in_turns(ground.reshape(shape), plain, own)
        return Looks(
            ground,
            shown.reshape(shape),
            inked.reshape(shape),
            even.reshape(shape),
            turned,
            spots,
        )

    def _merged(self, ground: Ints) -> Ints:
        """The groups, those made one that are the same but for a pixel."""
        numbers = np.arange(int(ground.max(initial=-1)) + 1)
        if numbers.size < 2:
            return ground
        most = max(_NEAR, _ROUGHLY * self.contrast)
        usual = [
            np.median(self._rough(_some(np.flatnonzero(ground == number))), axis=0)
            for number in numbers
        ]
        for number in numbers[1:]:
            for other in numbers[:number]:
                far = np.abs(usual[number] - usual[other])
                if far[0].max() <= _NEAR and far[1:].max() <= most:
                    ground = np.where(ground == number, numbers[other], ground)
                    numbers[number] = numbers[other]
                    break
        return _ranked(ground)


def _in_turns(ground: Ints, plain: Floats, own: tuple[slice, slice]) -> tuple[Ints, Bools]:
    """The ground of cells, two shades by turns being one; and whether they are such."""
    kinds = int(ground.max(initial=-1)) + 1
    turned = np.zeros(ground.shape, np.bool_)
    if kinds < 2:
        return ground, turned
    _, first = np.unique(ground, return_index=True)
    faces = plain[first[-kinds:]].reshape(kinds, -1, 3)
    others = paired(ground, np.median(faces, axis=1), own)
    squares = parity((ground.shape[0], ground.shape[1]))
    for kind, other in enumerate(others):
        if other <= kind:
            continue
        both = (ground == kind) | (ground == other)
        which = np.bincount(squares[ground == kind], minlength=2).argmax()
        right = both & ((squares == which) == (ground == kind))
        ground = np.where(right, kind, np.where(both, -1, ground))
        turned |= right
    return (
        (_ranked(ground.ravel()).reshape(ground.shape), turned)
        if turned.any()
        else (ground, turned)
    )


def _places(ends: Ints, fine: int) -> Ints:
    """Where the samples of each cell are taken; cells begin where the one before ends."""
    parts = (np.arange(fine) + 0.5) / fine
    wide = np.diff(ends)[:, None]
    return np.asarray(ends[:-1, None] + np.floor(parts * wide), np.intp).ravel()


def _plain(faces: Floats, ground: Ints) -> tuple[Floats, Bools]:
    """How each face looks with nothing drawn on it: as the plainest with the same rim do.

    And whether that is of one colour.
    """
    plain, even = faces.copy(), np.zeros(faces.shape[0], np.bool_)
    coloured = faces.reshape(faces.shape[0], -1, 3)
    contrast = _spread(coloured)
    for number in range(int(ground.max(initial=-1)) + 1):
        chosen = np.flatnonzero(ground == number)
        order = np.argsort(contrast[chosen], kind="stable")
        some = _some(chosen[order[: max(1, int(_PLAINEST * chosen.size))]])
        usual = np.median(faces[some], axis=0)
        plain[chosen], even[chosen] = usual, _spread(usual.reshape(1, -1, 3))[0] < _EVEN
    odd = ground < 0
    if odd.any():
        plain[odd] = np.tile(np.median(coloured[odd], axis=1), coloured.shape[1])
        even[odd] = True
    return plain, even


def _some(chosen: Ints) -> Ints:
    """Some of the cells, as many as tell how they look."""
    return chosen[:: max(1, chosen.size // _ENOUGH)]


def _spread(samples: Floats) -> Floats:
    """The standard deviation of the samples of each cell, shape (cells, n, 3), in the colour in
    which it is greatest."""
    number = samples.shape[1]
    mean = np.einsum("ijk->ik", samples) / number
    square = np.einsum("ijk,ijk->ik", samples, samples) / number
    return np.asarray(np.sqrt(np.maximum(square - mean * mean, 0)).max(axis=1))


def _outwards(shape: tuple[int, int], own: tuple[slice, slice]) -> Ints:
    """The numbers of some of the cells, from the middle of those to the border."""
    numbers = np.arange(shape[0] * shape[1]).reshape(shape)[own]
    rows, columns = (np.abs(np.arange(size) - (size - 1) / 2) for size in numbers.shape)
    far = np.maximum.outer(rows / rows.size, columns / columns.size)
    return np.asarray(numbers.ravel()[np.argsort(far, axis=None, kind="stable")])


def _grouped(
    parts: Sequence[Bytes | Floats],
    levels: float,
    order: Ints,
    share: float = 0.0,
    besides: int = 0,
) -> Ints:
    """A number for each, the same for those alike; the commonest is 0, what is alone is -1.

    They are alike within so many levels, root mean square, or that share of their squares, in
    the first of their parts and all others but so many. What is like none of those in the order
    is odd: groups are formed around the first of them.
    """
    exact = [part.astype(np.float32) for part in parts]
    squares = [np.einsum("ij,ij->i", part, part) for part in exact]
    numbers = np.full(exact[0].shape[0], -1)
    for found in range(_MOST):
        order = order[numbers[order] < 0]
        if not order.size:
            break
        leader = order[0]
        left = np.flatnonzero(numbers < 0)
        alike = np.zeros((len(exact), left.size), np.bool_)
        for part, square, fits in zip(exact, squares, alike, strict=True):
            far = square[left] + square[leader] - 2 * (part[left] @ part[leader])
            most = levels**2 * part.shape[1]
            fits[:] = far <= np.maximum(most, share * np.maximum(square[left], square[leader]))
        near = alike[0] & (alike[1:].sum(axis=0) >= len(exact) - 1 - besides)
        near |= left == leader
        numbers[left[near]] = found
    return _ranked(numbers)


def _ranked(numbers: Ints) -> Ints:
    """The groups numbered anew, the commonest 0; what is alone is -1."""
    counts = np.bincount(numbers[numbers >= 0], minlength=1)
    order = np.argsort(-counts, kind="stable")
    rank = np.empty_like(order)
    rank[order] = np.arange(order.size)
    rank[counts < 2] = -1
    return np.where(numbers >= 0, rank[numbers], -1)
