"""Finds the board in any picture, of whatever game: the largest lattice of tiles that look alike.

Between its edges a picture falls into flat pieces (`pieces`). The tiles of a board have pieces of
one size in rows and columns (`mesh`); from there the lattice is followed to its ends (`follow`).
Then its cells are compared (`looks`), and the rules of the game tell a board from a calendar
(`sense`). What edges are is tried coarser where nothing is found: some tiles have a grain.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import cv2
import numpy as np

from bot.capture import Frame
from bot.errors import Clipped, GridNotFound
from bot.vision.beyond import goes_on
from bot.vision.candidate import Lattice
from bot.vision.cells import Cells
from bot.vision.follow import ALIKE, NO_END, follow, judge
from bot.vision.grid import Grid
from bot.vision.looks import by_faces, by_rims
from bot.vision.mesh import Mesh, joined, meshes
from bot.vision.patches import Patches
from bot.vision.pieces import Boxes, Mask, Pixels, edges, lines, pieces
from bot.vision.repeats import repeated

_LEVELS = (6, 24, 48)
"""Edges are steps of more levels of 255: flat tiles have others than such with a grain. Guessed."""
_LINES = (9, 8)
"""Lines between tiles with a grain: so many pixels of them are told by so many levels. Guessed."""
_BLURRED = 14
"""The same once neighbouring pixels are mixed, for the coarsest grain. Guessed."""
_FAINT = 2
"""The same for tiles of two shades that hardly differ, and fade into each other. Guessed."""
_MORE = 2
"""So many tiles around a board are looked at again. Guessed."""
_EQUAL = 0.8
"""A second board with this share of the first one's tiles is as good as that. Guessed."""
_AGAIN = 3
"""From so many of its first columns and rows, and its last, a lattice is followed again."""
_RIVAL = 0.4
"""What covers less than this share of what a certain board's seen tiles do is not looked at: it
is a smaller one. Guessed."""


def find(frame: Frame) -> Lattice:
    """The board in the picture.

    Raises GridNotFound where there is none for sure, and where two are equally good.
    """
    pixels = _bgr(frame)
    found = lattices(pixels)
    sure = [lattice for lattice in found if lattice.is_sure]
    if not sure:
        objection = next((each.objection for each in found if each.objection), "")
        raise GridNotFound(
            "nothing in the window looks like a board"
            + (f"; what looks most like one is none: {objection}" if objection else "")
        )
    best = sure[0]
    if goes_on(pixels, best.cells):
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
        seen = [by_rims(patches, alike, None, besides) for alike in ALIKE for besides in (1, 2)]
        every += [judge(pixels, looks, cells) for looks in (*seen, by_faces(patches))]
    return max(every, key=lambda each: each.sureness)


def lattices(pixels: Pixels) -> list[Lattice]:
    """What may be a board, the best first.

    Pixels are blue, green, red, and contiguous.
    """
    found: list[Lattice] = []
    for parts, are_flat, are_sharp in _skeletons(pixels):
        flat = list(found)
        least = 0.0
        for mesh in parts:
            if mesh.covered < least:
                break
            if are_flat and any(lattice.holds(mesh) for lattice in found if lattice.is_certain):
                continue
            lattice = follow(pixels, mesh)
            if lattice is None:
                continue
            if not are_flat:
                lattice = _agreed(pixels, lattice, found, flat)
            lattice = replace(lattice, seen=mesh.seen)
            lattice = _sharper(_refuted(lattice, found), found, are_sharp)
            found.append(lattice)
            if are_flat and lattice.is_certain:
                least = max(least, _RIVAL * mesh.covered)
        found = _without_parts(found)
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


def _without_parts(found: Sequence[Lattice]) -> list[Lattice]:
    """The lattices, less sure where two lie on the same lines next to each other."""
    sure = [lattice for lattice in found if lattice.is_sure]
    return [
        each.less_sure("it may be a part")
        if each.is_sure and any(map(each.is_cut_from, sure))
        else each
        for each in found
    ]


def _sharper(lattice: Lattice, found: Sequence[Lattice], is_sharp: bool) -> Lattice:
    """The lattice with its cells where they were seen first, though not as a board's.

    Of blurred pixels it is less certain where tiles begin; so it is of coarser edges, where those
    seen first were refused for their ends alone.
    """
    for other in found:
        if is_sharp and other.objection != NO_END:
            continue
        if lattice.is_sure and not other.is_sure and lattice.is_nearly(other):
            return replace(lattice, cells=other.cells)
    return lattice


def _refuted(lattice: Lattice, found: Sequence[Lattice]) -> Lattice:
    """The lattice, less sure where as many tiles were seen of another board there whose end was
    not, or all a little beside it, and they were no board.
    """
    for other in found:
        if other.is_sure or other.seen < lattice.seen:
            continue
        if other.objection == NO_END and lattice.contradicts(other):
            return lattice.less_sure(NO_END)
        is_known = other.is_seen_whole and other.seen > lattice.seen
        if is_known and lattice.is_nearly(other) and not lattice.cells.is_same(other.cells):
            return lattice.less_sure(other.objection)
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
    if any(other.objection == NO_END for other in same):
        return lattice.less_sure(NO_END)
    if any(other.objection == NO_END and lattice.is_shifted(other) for other in flat):
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
    # What is seen of all of its lines, and of no others, is the same board.
    again = [
        (mesh.seen, follow(part, mesh, known))
        for mesh in parts
        if known is None or not known.has_lines_of(mesh)
    ]
    seen = [replace(each, seen=count).moved(left, top) for count, each in again if each is not None]
    for other in (*others, *seen):
        if other.is_sure and best.contradicts(other):
            return best.less_sure(f"it may be {best}, or {other}")
    for other in seen:
        # The more tiles are seen, the more certain it is where they begin.
        if other.is_sure and other.seen > best.seen and best.is_nearly(other):
            return replace(best, cells=other.cells)
    return best


def _is_seen_again(pixels: Pixels, cells: Cells) -> bool:
    """Whether the lattice is the same from its first tiles, and from its last."""
    for few in (slice(0, _AGAIN), slice(-_AGAIN, None)):
        x, y = cells.x[few], cells.y[few]
        at = np.tile(x, y.size), np.repeat(y, x.size)
        again = follow(pixels, Mesh(x, y, cells.step, cells.side, at, x.size * y.size))
        if again is None or not again.is_certain or not again.cells.is_same(cells):
            return False
    return True


def _skeletons(pixels: Pixels) -> Iterator[tuple[list[Mesh], bool, bool]]:
    """What may be the skeletons of boards, by one way to see them after another.

    And whether they are those of tiles with flat pieces, and of pixels that are not blurred.
    """
    every = []
    for edged, lost in _edged(pixels):
        every.append((pieces(edged, lost), not lost))
        yield _flat(every[-1][0]), True, not lost
    for boxes, are_sharp in every:
        yield _flat(boxes, scattered=True), True, are_sharp
    yield list(repeated(pixels)), False, False
    yield _flat(pieces(edges(pixels, _FAINT), 1)), True, True


def _flat(boxes: Boxes, scattered: bool = False) -> list[Mesh]:
    """Those of such flat pieces, the largest first; of a few that may be far apart."""
    every = list(meshes(boxes, scattered))
    parts = joined(every)
    # What lies on the lines of a board need be no part of it.
    known = {id(mesh) for mesh in parts}
    parts += [mesh for mesh in every if mesh.is_full and id(mesh) not in known]
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
