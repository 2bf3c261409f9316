"""How the cells of a lattice look: which are alike, and which have something drawn on them."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import numpy as np

from bot.vision.groups import grouped, ranked
from bot.vision.medians import median
from bot.vision.patches import Bools, Bytes, Floats, Ints, Patches, spread
from bot.vision.turns import paired, parity
from bot.vision.uneven import matched, own_sizes, sizes

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
_SIZED = 4
"""So many cells of one kind and size tell how such look. Guessed."""
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


def by_rims(
    patches: Patches, alike: float, own: tuple[slice, slice] | None = None, besides: int = 1
) -> Looks:
    """The looks of cells whose rims are alike within so many levels, root mean square.

    At a board's border a side may be another one, and where a gap's middle lies within a
    pixel two may be the next cell's: so many sides may differ.
    Some of the rows and columns are known to be a board's own: what looks as none of those
    is odd.
    """
    order = _outwards(patches.shape, own or np.s_[:, :])
    ground = grouped(patches.rims(), alike, order, besides=besides)
    return _told(patches, _merged(patches, ground), own or np.s_[:, :])


def by_faces(patches: Patches) -> Looks:
    """The looks of cells whose faces have the same colour, whatever their rims look like.

    Of tiles with rounded corners, or far apart, rims show the ground alone.
    """
    rows, columns = patches.shape
    inner = patches.samples[1:-1, 1:-1].reshape(-1, rows * columns, 3)
    order = _outwards((rows, columns), np.s_[:, :])
    return _told(patches, grouped([median(inner)], _SAME_FACE, order), np.s_[:, :])


def _told(patches: Patches, ground: Ints, own: tuple[slice, slice]) -> Looks:
    """The looks of cells of which those with one number have the same ground."""
    fine, (rows, columns) = patches.fine, patches.shape
    face = slice(round(_FACE * fine), fine - round(_FACE * fine))
    faces = patches.samples[face, face].reshape(-1, rows * columns, 3).astype(np.float32)
    plain, even, kinds = _plain(faces, ground, sizes(patches.lengths))
    drawn = np.subtract(faces, plain, out=plain)
    changed = np.abs(drawn) > _CHANGED
    changes = (changed[..., 0] | changed[..., 1] | changed[..., 2]).sum(axis=0, dtype=np.uint8)
    inked = changes / len(faces) >= _INKED
    shown = np.zeros(rows * columns, np.intp)
    order = np.arange(np.count_nonzero(inked))
    marked = drawn[:, inked].swapaxes(0, 1).reshape(order.size, drawn.shape[0] * 3)
    marks = grouped([marked], 0.0, order, _SAME)
    shown[inked] = np.where(marks < 0, -1, marks + 1)
    shape = rows, columns
    at = [0, 1, fine // 4, fine // 2, fine - 1 - fine // 4, fine - 2, fine - 1]
    spots = patches.samples[at][:, at].transpose(2, 3, 0, 1, 4)
    ground, turned = _in_turns(ground.reshape(shape), kinds, own)
    return Looks(
        ground,
        shown.reshape(shape),
        inked.reshape(shape),
        even.reshape(shape),
        turned,
        spots,
    )


def _merged(patches: Patches, ground: Ints) -> Ints:
    """The groups, those made one that are the same but for a pixel."""
    numbers = np.arange(int(ground.max(initial=-1)) + 1)
    if numbers.size < 2:
        return ground
    chosen = [_some(np.flatnonzero(ground == number)) for number in numbers]
    rough = patches.rough(np.concatenate(chosen))
    ends = np.cumsum([some.size for some in chosen])[:-1]
    usual = np.stack([median(some) for some in np.split(rough, ends)])
    most = 0.0
    for number in numbers[1:]:
        far = np.abs(usual[:number] - usual[number])
        is_near = far[:, 0].max(axis=1) <= _NEAR
        is_first = numbers[:number] == np.arange(number)
        for other in np.flatnonzero(is_near & is_first):
            most = most or max(_NEAR, _ROUGHLY * patches.contrast)
            if far[other, 1:].max() <= most:
                ground = np.where(ground == number, other, ground)
                numbers[number] = other
                break
    size = sizes(patches.lengths)
    return _matched(patches, ranked(ground), size) if size.any() else ranked(ground)


def _matched(patches: Patches, ground: Ints, size: Ints) -> Ints:
    """The groups, those made one that are the same but for the size of their cells."""
    own = own_sizes(ground, size)
    pure = np.flatnonzero(own >= 0)
    if np.unique(own[pure]).size < 2:
        return ground
    groups = [_some(np.flatnonzero(ground == number)) for number in pure]
    usual = np.stack([median(patches.rough(group)) for group in groups])
    drawn = np.array([patches.drawn(group) for group in groups], np.float32)
    others = np.arange(own.size)
    others[pure] = pure[matched(own[pure], usual, drawn)]
    return ranked(np.where(ground >= 0, others[ground], -1))


def _in_turns(ground: Ints, plain: Floats, own: tuple[slice, slice]) -> tuple[Ints, Bools]:
    """The ground of cells, two shades by turns being one; and whether they are such.

    Plain are the faces of each kind, shape (samples, kinds, 3).
    """
    turned = np.zeros(ground.shape, np.bool_)
    if plain.shape[1] < 2:
        return ground, turned
    others = paired(ground, median(plain), own)
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
        (ranked(ground.ravel()).reshape(ground.shape), turned) if turned.any() else (ground, turned)
    )


def _plain(faces: Floats, ground: Ints, size: Ints) -> tuple[Floats, Bools, Floats]:
    """How each face looks with nothing drawn on it: as the plainest with the same rim do.

    And whether that is of one colour; and the same of each kind of ground. Shapes (samples, cells,
    3), (cells,), and (samples, kinds, 3). Of a size that some cells have, those of that size tell:
    not where they differ in their middle, for then all of them have something drawn on them.
    """
    contrast = spread(faces)
    kinds = int(ground.max(initial=-1)) + 1

    def told(chosen: Ints) -> Floats:
        order = np.argsort(contrast[chosen], kind="stable")
        some = _some(chosen[order[: max(1, int(_PLAINEST * chosen.size))]])
        return median(faces.take(some, axis=1), axis=1)

    # What is odd is after the last.
    usual = np.zeros((len(faces), kinds + 1, 3), np.float32)
    for number in range(kinds):
        usual[:, number] = told(np.flatnonzero(ground == number))
    plain, even = usual.take(ground, axis=1, mode="wrap"), (spread(usual) < _EVEN)[ground]
    odd = ground < 0
    if odd.any():
        plain[:, odd] = median(faces[:, odd])
    if size.any():
        middle = _middle(len(faces))
        for number, each in product(range(kinds), range(int(size.max()) + 1)):
            chosen = np.flatnonzero((ground == number) & (size == each))
            if chosen.size < _SIZED:
                continue
            own = told(chosen)
            if np.abs(own - usual[:, number])[middle].max() <= _CHANGED:
                plain[:, chosen], even[chosen] = own[:, None], spread(own[:, None]) < _EVEN
    return plain, even, usual[:, :kinds]


def _middle(samples: int) -> Bools:
    """Which of a face's samples lie in the middle half of it, both ways."""
    side = round(samples**0.5)
    from_end = np.minimum(np.arange(side), np.arange(side)[::-1])
    return np.asarray(np.minimum.outer(from_end, from_end) >= side // 4).ravel()


def _some(chosen: Ints) -> Ints:
    """Some of the cells, as many as tell how they look."""
    return chosen[:: max(1, chosen.size // _ENOUGH)]


def _outwards(shape: tuple[int, int], own: tuple[slice, slice]) -> Ints:
    """The numbers of some of the cells, from the middle of those to the border."""
    numbers = np.arange(shape[0] * shape[1]).reshape(shape)[own]
    rows, columns = (np.abs(np.arange(size) - (size - 1) / 2) for size in numbers.shape)
    far = np.maximum.outer(rows / rows.size, columns / columns.size)
    return np.asarray(numbers.ravel()[np.argsort(far, axis=None, kind="stable")])
