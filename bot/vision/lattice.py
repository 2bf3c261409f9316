"""Finds the board in any picture, of whatever game: the largest lattice of tiles that look alike.

Between its edges a picture falls into flat pieces (`pieces`). The tiles of a board have pieces of
one size in rows and columns (`mesh`); from there the lattice is followed to its ends (`extent`).
Then its cells are compared (`looks`), and the rules of the game tell a board from a calendar
(`sense`). What edges are is tried coarser where nothing is found: some tiles have a grain.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache

import cv2
import numpy as np

from bot.capture import Frame
from bot.errors import Clipped, GridNotFound
from bot.vision.beside import beside
from bot.vision.beyond import goes_on
from bot.vision.candidate import Lattice
from bot.vision.cells import Cells
from bot.vision.comb import followed
from bot.vision.extent import Ends
from bot.vision.grid import Grid
from bot.vision.lines import extended, on_pixels
from bot.vision.looks import Looks, by_faces, by_rims
from bot.vision.mesh import Mesh, joined, meshes
from bot.vision.patches import Bools, Patches
from bot.vision.phase import phase
from bot.vision.pieces import Mask, Pixels, edges, lines, pieces
from bot.vision.repeats import repeated
from bot.vision.sense import Around, sense
from bot.vision.span import Span

_LEVELS = (6, 24, 48)
"""Edges are steps of more levels of 255: flat tiles have others than such with a grain. Guessed."""
_LINES = (9, 8)
"""Lines between tiles with a grain: so many pixels of them are told by so many levels. Guessed."""
_BLURRED = 14
"""The same once neighbouring pixels are mixed, for the coarsest grain. Guessed."""
_FAINT = 2
"""The same for tiles of two shades that hardly differ, and fade into each other. Guessed."""
_ALIKE = (4.0, 12.0, 24.0)
"""Cells look alike within so many levels, root mean square; the next is tried where that is too
strict: where steps are no whole pixels cells differ. Guessed."""
_APART = 0.6
"""Nor do they differ by more than this share of what they differ by in themselves. Guessed."""
_MORE = 2
"""So many tiles around a board are looked at again. Guessed."""
_LEAST = 4
"""The least columns and rows of a board of which nothing is known."""
_FEWEST = 30
"""So few tiles may be a keypad's, or buttons. Guessed."""
_TINY = 7.95
"""Of tiles with fewer pixels a side only what breaks no rule is certain, but for the pointer: a
pixel more or less is an eighth of a tile."""
_FLAWLESS = 0.98
"""How sure that is. Guessed."""
_EQUAL = 0.8
"""A second board with this share of the first one's tiles is as good as that. Guessed."""
_AGAIN = 3
"""From so many of its first columns and rows, and its last, a lattice is followed again."""
_SQUARE = 0.03
"""By so much of a step tiles may be oblong for what is seen of their steps. Guessed."""
_BEYOND = 6
"""So many lines beyond those that have flat pieces are looked at first. Guessed."""
_RIVAL = 0.4
"""What covers less than this share of what a certain board's seen tiles do is not looked at: it
is a smaller one. Guessed."""

_NO_END = "where it ends is not to be seen"


def find(frame: Frame) -> Lattice:
    """The board in the picture.

    Raises GridNotFound where there is none for sure, and where two are equally good.
    """
    found = lattices(_bgr(frame))
    sure = [lattice for lattice in found if lattice.is_sure]
    if not sure:
        objection = next((each.objection for each in found if each.objection), "")
        raise GridNotFound(
            "nothing in the window looks like a board"
            + (f"; what looks most like one is none: {objection}" if objection else "")
        )
    best = sure[0]
    if goes_on(frame, best.cells):
        raise Clipped("the board is cut off: make the window larger, or scroll it into view")
    for other in sure[1:]:
        if other.tiles >= _EQUAL * best.tiles and not other.bounds.meets(best.bounds):
            raise GridNotFound(f"there are two boards: {best}, and {other}")
    return best.within(frame.width, frame.height)


def judged(frame: Frame, grid: Grid) -> Lattice:
    """How sure it is that a grid, of four columns and rows at least, is a board's; it may have been
    found in another way.

    The outermost tiles may be drawn otherwise than those within.
    """
    pixels = _bgr(frame)
    whole = Cells.of(grid)
    every = []
    for edge in (0, 1):
        cells = whole.part(slice(edge, grid.height - edge), slice(edge, grid.width - edge))
        patches = Patches.of(pixels, cells)
        seen = [by_rims(patches, alike, None, besides) for alike in _ALIKE for besides in (1, 2)]
        every += [_judged(pixels, looks, cells) for looks in (*seen, by_faces(patches))]
    return max(every, key=lambda each: each.sureness)


def lattices(pixels: Pixels) -> list[Lattice]:
    """What may be a board, the best first.

    Pixels are blue, green, red, and contiguous.
    """
    found: list[Lattice] = []
    for parts, are_flat in _skeletons(pixels):
        flat = list(found)
        least = 0.0
        for mesh in parts:
            if mesh.covered < least:
                break
            if are_flat and any(lattice.holds(mesh) for lattice in found if lattice.is_certain):
                continue
            lattice = _followed(pixels, mesh)
            if lattice is None:
                continue
            if not are_flat:
                lattice = _agreed(pixels, lattice, found, flat)
            lattice = replace(_sharper(lattice, found), seen=mesh.seen)
            found.append(lattice)
            if are_flat and lattice.is_certain:
                least = max(least, _RIVAL * mesh.covered)
        if any(lattice.is_sure for lattice in found):
            break
    found.sort(key=_rank, reverse=True)
    # Where each tile was seen for itself, and no more, another look would show the same.
    if found and found[0].is_sure and not (found[0].is_certain and found[0].is_seen_whole):
        best = _doubted(pixels, found[0], found[1:])
        if not best.is_sure:
            # What made it doubtful is no surer than it was itself.
            found[1:] = [
                other.less_sure(best.objection) if other.bounds.meets(best.bounds) else other
                for other in found[1:]
            ]
        found[0] = best
    return found


def _bgr(frame: Frame) -> Pixels:
    return np.asarray(cv2.cvtColor(frame.pixels, cv2.COLOR_BGRA2BGR), np.uint8)


def _sharper(lattice: Lattice, found: Sequence[Lattice]) -> Lattice:
    """The lattice with its cells where they were seen first, though not as a board's.

    Of blurred pixels it is less certain where tiles begin.
    """
    for other in found:
        if lattice.is_sure and not other.is_sure and lattice.is_nearly(other):
            return replace(lattice, cells=other.cells)
    return lattice


def _agreed(
    pixels: Pixels, lattice: Lattice, found: Sequence[Lattice], flat: Sequence[Lattice]
) -> Lattice:
    """The lattice of what repeats itself, less sure where what else was found does not agree.

    Of that some was followed from flat pieces.
    """
    # A part of the board may repeat itself as the whole does: two parts must agree.
    same = [other for other in found if lattice.cells.is_same(other.cells)]
    if not same and not (lattice.is_certain and _is_seen_again(pixels, lattice.cells)):
        return lattice.less_sure("it is seen in one part alone")
    if any(other.objection == _NO_END for other in same):
        return lattice.less_sure(_NO_END)
    if any(other.objection == _NO_END and lattice.is_shifted(other) for other in flat):
        return lattice.less_sure("where its tiles begin is not to be seen")
    if any(other.tiles > lattice.tiles and lattice.contradicts(other) for other in flat):
        return lattice.less_sure("it may be a part")
    return lattice


def _doubted(pixels: Pixels, best: Lattice, others: Sequence[Lattice]) -> Lattice:
    """The best lattice, less sure where what is seen in another way is another board there."""
    (wide, high), bounds = best.cells.step, best.bounds
    left, top = max(0, int(bounds.left - _MORE * wide)), max(0, int(bounds.top - _MORE * high))
    right, bottom = bounds.right + int(_MORE * wide), bounds.bottom + int(_MORE * high)
    part = np.ascontiguousarray(pixels[top:bottom, left:right])
    known = best.moved(-left, -top) if best.is_certain else None
    parts = joined(list(meshes(pieces(edges(part, _LEVELS[1])))))
    again = [_followed(part, mesh, known) for mesh in parts]
    for other in (*others, *(each.moved(left, top) for each in again if each is not None)):
        if other.is_sure and best.contradicts(other):
            return best.less_sure(f"it may be {best}, or {other}")
    return best


def _is_seen_again(pixels: Pixels, cells: Cells) -> bool:
    """Whether the lattice is the same from its first tiles, and from its last."""
    for few in (slice(0, _AGAIN), slice(-_AGAIN, None)):
        x, y = cells.x[few], cells.y[few]
        at = np.tile(x, y.size), np.repeat(y, x.size)
        again = _followed(pixels, Mesh(x, y, cells.step, cells.side, at, x.size * y.size))
        if again is None or not again.is_certain or not again.cells.is_same(cells):
            return False
    return True


def _followed(pixels: Pixels, mesh: Mesh, known: Lattice | None = None) -> Lattice | None:
    """The whole lattice of which the mesh is a part; None for one of few lines.

    One that is known to be certain is not judged again.
    """
    height, width = pixels.shape[:2]
    right = down = 0.0
    if mesh.is_whole:
        again = mesh if mesh.is_square else followed(pixels, mesh)
        mesh = again if again.is_square else mesh
    else:
        mesh = mesh if mesh.is_even else followed(pixels, mesh)
        right, down = phase(pixels, mesh)
    reach = _BEYOND
    while True:
        x, left = extended(mesh.x + right, mesh.step[0], width, reach)
        y, top = extended(mesh.y + down, mesh.step[1], height, reach)
        seed = Span(left, left + mesh.x.size, top, top + mesh.y.size)
        # Tiles are square, but for a pixel in some: the more lines, the better the step is known.
        wide, high = mesh.step
        likely = wide if mesh.x.size >= mesh.y.size else high
        if abs(wide - high) > _SQUARE * likely:
            likely = 0.0
        x, across, wide = on_pixels(x, wide, seed.columns, likely or wide)
        y, along, high = on_pixels(y, high, seed.rows, likely or high)
        net = Cells(x, y, (wide, high), mesh.side, (across, along))
        best, limited = _best(pixels, net, seed, known)
        if not limited or reach > max(width, height) / min(mesh.step):
            return best
        reach *= 3


def _best(
    pixels: Pixels, net: Cells, seed: Span, known: Lattice | None
) -> tuple[Lattice | None, bool]:
    """The surest lattice that the seed may be a part of, and whether the net was too small.

    One that is known to be certain is not judged again.
    """
    patches = Patches.of(pixels, net)
    ends = Ends(pixels, net, patches.are_flat, patches)
    # What is as far from a cell as its own sides are from each other is another thing.
    most = max(_ALIKE[0], _APART * patches.part(*seed.cells).contrast)
    levels = sorted({min(level, most) for level in _ALIKE})

    @cache
    def loosely() -> Bools:
        looks = by_rims(patches, levels[-1], seed.cells)
        return ends.known(looks, seed) & (~ends.flat | looks.turned)

    best: Lattice | None = None
    limited = False
    for besides, alike in [(1, levels[0]), (2, levels[0]), *((1, level) for level in levels[1:])]:
        span = replace(seed)
        looks = by_rims(patches, alike, seed.cells, besides)
        certain = ends.settle(span, looks, loosely)
        if not span.is_small and span != seed and (looks.ground[span.cells] < 0).any():
            # What was odd in the seed may be common in all of it.
            certain = ends.settle(span, by_rims(patches, alike, span.cells, besides), loosely)
        if span.is_small:
            continue
        cells = net.part(*span.cells)
        height, width = pixels.shape[:2]
        cut = (
            cells.x[0] > 1.5 * net.step[0] and not span.left,
            cells.x[-1] + 1.5 * net.step[0] < width and span.right == net.x.size,
            cells.y[0] > 1.5 * net.step[1] and not span.top,
            cells.y[-1] + 1.5 * net.step[1] < height and span.bottom == net.y.size,
        )
        if any(cut):
            limited = True
            continue
        if certain and known is not None and known.cells.has_ends_of(cells):
            return known, False
        lattice = _told(pixels, patches.part(*span.cells), cells, (alike, besides))
        if not certain:
            lattice = lattice.less_sure(_NO_END)
        if best is None or lattice.sureness > best.sureness:
            best = lattice
        if best.is_certain:
            return best, False
    return best, limited


def _told(pixels: Pixels, patches: Patches, cells: Cells, alike: tuple[float, int]) -> Lattice:
    """The lattice of these cells, as their rims or their faces tell it.

    Rims are alike within so many levels, but for so many sides.
    """
    if _is_small(cells):
        return Lattice(cells, 0.0, "it is too small")
    looks = by_rims(patches, alike[0], None, alike[1])
    lattice = _judged(pixels, looks, cells)
    # Of chequered tiles rims tell the shades: there is nothing around them.
    if lattice.is_certain or looks.turned.any():
        return lattice
    other = _judged(pixels, by_faces(patches), cells)
    return max(lattice, other, key=lambda each: each.sureness)


def _skeletons(pixels: Pixels) -> Iterator[tuple[list[Mesh], bool]]:
    """What may be the skeletons of boards, by one way to see them after another.

    And whether they are those of tiles with flat pieces.
    """
    for edged, lost in _edged(pixels):
        yield _flat(edged, lost), True
    yield list(repeated(pixels)), False
    yield _flat(edges(pixels, _FAINT), 1), True


def _flat(edged: Mask, lost: int) -> list[Mesh]:
    """Those of what has flat pieces between such edges, the largest first."""
    parts = joined(list(meshes(pieces(edged, lost))))
    return sorted(parts, key=lambda mesh: mesh.covered, reverse=True)


def _edged(pixels: Pixels) -> Iterator[tuple[Mask, int]]:
    """What may be the edges in the picture, and by how many pixels they are too wide each way."""
    for levels in _LEVELS:
        yield edges(pixels, levels), 0
    yield lines(pixels, *_LINES), 0
    yield edges(np.asarray(cv2.blur(pixels, (3, 3)), np.uint8), _BLURRED), 1


def _rank(lattice: Lattice) -> tuple[bool, bool, float]:
    step = lattice.cells.step
    area = lattice.tiles * step[0] * step[1]
    return lattice.is_certain, lattice.is_sure, lattice.sureness * area


def _is_small(cells: Cells) -> bool:
    """Whether they are too few to be taken for a board."""
    return min(cells.x.size, cells.y.size) < _LEAST or cells.x.size * cells.y.size < _FEWEST


def _judged(pixels: Pixels, looks: Looks, cells: Cells) -> Lattice:
    """The lattice of these cells, and how sure it is that they are a board."""
    if _is_small(cells):
        return Lattice(cells, 0.0, "it is too small")
    gap = min(cells.gap)
    around = Around(
        beside(pixels, cells), gap, gap / min(cells.step), cells.are_even, cells.are_oblong
    )
    lattice = Lattice(cells, *sense(looks, around))
    if min(cells.step) < _TINY and lattice.sureness < _FLAWLESS:
        return lattice.less_sure("its tiles are too small to be certain of it")
    return lattice
