"""Follows the lattice of which a skeleton is a part to its ends, and judges if it is a board."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from bot.vision.beside import Around, beside
from bot.vision.candidate import Lattice
from bot.vision.cells import Cells
from bot.vision.comb import followed
from bot.vision.extent import Ends
from bot.vision.lines import extended, on_pixels
from bot.vision.looks import Looks, by_faces, by_rims
from bot.vision.mesh import Mesh
from bot.vision.patches import Bools, Patches
from bot.vision.phase import phase
from bot.vision.pieces import Pixels
from bot.vision.sense import sense
from bot.vision.span import Span

ALIKE = (4.0, 12.0, 24.0)
"""Cells look alike within so many levels, root mean square; the next is tried where that is too
strict: where steps are no whole pixels cells differ. Guessed."""
_APART = 0.6
"""Nor do they differ by more than this share of what they differ by in themselves. Guessed."""
_LEAST = 4
"""The least columns and rows of a board of which nothing is known."""
_FEWEST = 30
"""So few tiles may be a keypad's, or buttons. Guessed."""
_TINY = 7.95
"""Of tiles with fewer pixels a side only what breaks no rule is certain, but for the pointer: a
pixel more or less is an eighth of a tile."""
_FLAWLESS = 0.98
"""How sure that is. Guessed."""
_SQUARE = 0.03
"""By so much of a step tiles may be oblong for what is seen of their steps. Guessed."""
_BEYOND = 6
"""So many lines beyond those that have flat pieces are looked at first. Guessed."""
_NEXT = 3
"""The same where those pieces fill a rectangle, as the tiles of a fresh board do. Guessed."""

NO_END = "where it ends is not to be seen"


def follow(pixels: Pixels, mesh: Mesh, known: Lattice | None = None) -> Lattice | None:
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
    reach = _NEXT if mesh.is_full else _BEYOND
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


def judge(pixels: Pixels, looks: Looks, cells: Cells) -> Lattice:
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


def _best(
    pixels: Pixels, net: Cells, seed: Span, known: Lattice | None
) -> tuple[Lattice | None, bool]:
    """The surest lattice that the seed may be a part of, and whether the net was too small.

    One that is known to be certain is not judged again.
    """
    patches = Patches.of(pixels, net)
    ends = Ends(pixels, net, patches.are_flat, patches)
    # What is as far from a cell as its own sides are from each other is another thing.
    most = max(ALIKE[0], _APART * patches.part(*seed.cells).contrast)
    levels = sorted({min(level, most) for level in ALIKE})

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
            lattice = lattice.less_sure(NO_END)
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
    lattice = judge(pixels, looks, cells)
    # Of chequered tiles rims tell the shades: there is nothing around them.
    if lattice.is_certain or looks.turned.any():
        return lattice
    other = judge(pixels, by_faces(patches), cells)
    return max(lattice, other, key=lambda each: each.sureness)


def _is_small(cells: Cells) -> bool:
    """Whether they are too few to be taken for a board."""
    return min(cells.x.size, cells.y.size) < _LEAST or cells.x.size * cells.y.size < _FEWEST
