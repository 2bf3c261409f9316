"""Finds the board in any picture, of whatever game: the largest lattice of tiles that look alike.

Between its edges a picture falls into flat pieces (`pieces`). The tiles of a board have pieces of
one size in rows and columns (`mesh`); from there the lattice is followed to its ends (`extent`).
Then its cells are compared (`looks`), and the rules of the game tell a board from a calendar
(`sense`). What edges are is tried coarser where nothing is found: some tiles have a grain.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np

from bot.capture import Frame, Rect
from bot.errors import Clipped, GridNotFound
from bot.vision.cells import Cells
from bot.vision.extent import grow, settled
from bot.vision.grid import Grid
from bot.vision.looks import looks
from bot.vision.mesh import joined, meshes
from bot.vision.pieces import Mask, Pixels, edges, pieces
from bot.vision.sense import Around, sense

_LEVELS = (6, 24, 48)
"""Edges are steps of more levels of 255: flat tiles have others than such with a grain. Guessed."""
_BLURRED = 14
"""The same once neighbouring pixels are mixed, for the coarsest grain. Guessed."""
_ALIKE = (4.0, 12.0, 24.0)
"""Cells look alike within so many levels, root mean square; the next is tried where that is too
strict: where steps are no whole pixels cells differ. Guessed."""
_SURE = 0.5
"""What is less sure is not taken for a board. Guessed."""
_CERTAIN = 0.75
"""What is surer goes before what is larger. Guessed."""
_LEAST = 4
"""The least columns and rows of a board of which nothing is known."""
_FEWEST = 30
"""So few tiles may be a keypad's, or buttons. Guessed."""
_EQUAL = 0.8
"""A second board with this share of the first one's tiles is as good as that. Guessed."""
_MARGIN = 2
"""A board that ends fewer pixels before the picture may be cut off there. Guessed."""
_CUT = 6.0
"""A part of a tile differs by less from a whole one, in levels of 255. Guessed."""
_LARGE = 0.86
"""Where flat pieces have this side, in steps, no larger ones are looked for. Guessed."""
_RIVAL = 0.4
"""What covers less than this share of what a certain board's seen tiles do is not looked at: it
is a smaller one. Guessed."""
_BESIDE = (0.35, 0.6, 0.85)
"""So far outside the cells is looked for their colour, in steps. Guessed."""


@dataclass(frozen=True, slots=True)
class Lattice:
    """A lattice of cells that may be a board."""

    cells: Cells
    sureness: float
    """That it is a board, from 0 to 1."""
    objection: str = ""
    """What speaks against it."""

    @property
    def tiles(self) -> int:
        """How many tiles there are."""
        return self.cells.x.size * self.cells.y.size

    @property
    def is_sure(self) -> bool:
        """Whether it is taken for a board."""
        return self.sureness > _SURE

    @property
    def bounds(self) -> Rect:
        """The rectangle of all cells, in pixels."""
        return self.grid().bounds

    def grid(self) -> Grid:
        """The cells as tiles that fill whole pixels."""
        columns, rows = self.cells.begins
        tile = int(min(self.cells.step) + 0.05)
        bounds = Rect(
            columns[0], rows[0], columns[-1] + tile - columns[0], rows[-1] + tile - rows[0]
        )
        return Grid(columns, rows, tile, bounds)

    def __str__(self) -> str:
        left, top, _, _ = self.bounds
        return f"{self.cells.x.size}x{self.cells.y.size} tiles at {left},{top}"


def find(frame: Frame) -> Lattice:
    """The board in the picture.

    Raises GridNotFound where there is none for sure, and where two are equally good.
    """
    found = lattices(np.ascontiguousarray(frame.pixels[..., :3]))
    sure = [lattice for lattice in found if lattice.is_sure]
    if not sure:
        objection = next((each.objection for each in found if each.objection), "")
        raise GridNotFound(
            "nothing in the window looks like a board"
            + (f"; what looks most like one is none: {objection}" if objection else "")
        )
    best = sure[0]
    if _goes_on(frame, best.cells):
        raise Clipped("the board is cut off: make the window larger, or scroll it into view")
    for other in sure[1:]:
        if other.tiles >= _EQUAL * best.tiles and not other.bounds.meets(best.bounds):
            raise GridNotFound(f"there are two boards: {best}, and {other}")
    return best


def _goes_on(frame: Frame, cells: Cells) -> bool:
    """Whether the picture ends in a part of a next tile, or where a tile does."""
    pixels = frame.pixels[..., :3]
    for picture, across, down in (
        (pixels, (cells.x, cells.step[0]), (cells.y, cells.step[1])),
        (pixels.swapaxes(0, 1), (cells.y, cells.step[1]), (cells.x, cells.step[0])),
    ):
        (lines, step), (others, wide) = across, down
        along = slice(max(0, round(others[0] - wide / 2)), round(others[-1] + wide / 2))
        begin, end = round(lines[0] - step / 2), round(lines[-1] + step / 2)
        left = picture[along, : max(0, begin)]
        right = picture[along, end:]
        same_left = picture[along, round(begin + step) - left.shape[1] : round(begin + step)]
        same_right = picture[along, round(end - step) :][:, : right.shape[1]]
        for part, tiles in ((left, same_left), (right, same_right)):
            if part.shape[1] < step and _is_part(part, tiles):
                return True
    return False


def _is_part(part: np.ndarray, tiles: np.ndarray) -> bool:
    """Whether what is left beside the last tiles looks as they do."""
    if part.shape[1] < _MARGIN or part.shape != tiles.shape:
        return bool(part.shape[1] < _MARGIN)
    return float(cv2.absdiff(np.ascontiguousarray(part), np.ascontiguousarray(tiles)).mean()) < _CUT


def lattices(pixels: Pixels) -> list[Lattice]:
    """What may be a board, the best first.

    Pixels are blue, green, red, and contiguous.
    """
    found: list[Lattice] = []
    for edged in _edged(pixels):
        boxes = pieces(edged)
        parts = joined(list(meshes(boxes)))
        least = 0.0
        for mesh in sorted(parts, key=lambda mesh: mesh.covered, reverse=True):
            if mesh.covered < least:
                break
            cells = grow(mesh, boxes, pixels, edged)
            if cells is None or any(cells.is_same(other.cells) for other in found):
                continue
            found.append(_judged(pixels, edged, _refined(pixels, cells)))
            if found[-1].sureness > _CERTAIN:
                least = max(least, _RIVAL * mesh.covered)
        if any(lattice.is_sure for lattice in found):
            break
    return sorted(found, key=_rank, reverse=True)


def _edged(pixels: Pixels) -> Iterator[Mask]:
    """What may be the edges in the picture."""
    for levels in _LEVELS:
        yield edges(pixels, levels)
    yield edges(np.asarray(cv2.blur(pixels, (3, 3)), np.uint8), _BLURRED)


def _rank(lattice: Lattice) -> tuple[bool, bool, float]:
    step = lattice.cells.step
    area = lattice.tiles * step[0] * step[1]
    return lattice.sureness > _CERTAIN, lattice.is_sure, lattice.sureness * area


def _judged(pixels: Pixels, edged: Mask, cells: Cells) -> Lattice:
    """The lattice of these cells, and how sure it is that they are a board."""
    if min(cells.x.size, cells.y.size) < _LEAST or cells.x.size * cells.y.size < _FEWEST:
        return Lattice(cells, 0.0, "it is too small")
    around = Around(_beside(pixels, cells), min(cells.gap), min(cells.gap) / min(cells.step))
    best = 0.0, ""
    look = looks(pixels, edged, cells, _ALIKE[0])
    for alike in _ALIKE:
        if alike != _ALIKE[0]:
            look = look.within(alike)
        verdict = sense(look, around)
        if verdict[0] > best[0] or not best[1]:
            best = verdict
        if best[0] > _SURE:
            break
    return Lattice(cells, *best)


def _beside(pixels: Pixels, cells: Cells) -> list[np.ndarray]:
    """The commonest colour beside each side of the cells, where the picture goes on."""
    height, width = pixels.shape[:2]
    left, right = cells.x[0] - cells.step[0] / 2, cells.x[-1] + cells.step[0] / 2
    top, bottom = cells.y[0] - cells.step[1] / 2, cells.y[-1] + cells.step[1] / 2
    sides: tuple[list[Pixels], ...] = ([], [], [], [])
    for far in _BESIDE:
        x0, x1 = int(left - far * cells.step[0]), int(right + far * cells.step[0])
        y0, y1 = int(top - far * cells.step[1]), int(bottom + far * cells.step[1])
        across, down = slice(max(0, x0), x1), slice(max(0, y0), y1)
        if x0 >= 0:
            sides[0].append(pixels[down, x0])
        if x1 < width:
            sides[1].append(pixels[down, x1])
        if y0 >= 0:
            sides[2].append(pixels[y0, across])
        if y1 < height:
            sides[3].append(pixels[y1, across])
    return [np.median(np.concatenate(side), axis=0) for side in sides if side]


def _refined(pixels: Pixels, cells: Cells) -> Cells:
    """The cells where larger flat pieces between stronger edges show them to be."""
    if max(side / step for side, step in zip(cells.side, cells.step, strict=True)) > _LARGE:
        return cells
    left, top = max(0, int(cells.x[0] - cells.step[0])), max(0, int(cells.y[0] - cells.step[1]))
    right, bottom = int(cells.x[-1] + cells.step[0]), int(cells.y[-1] + cells.step[1])
    part = np.ascontiguousarray(pixels[top:bottom, left:right])
    for levels in _LEVELS[1:]:
        found = settled(cells, pieces(edges(part, levels)), (left, top))
        if found is not cells:
            return found
    return cells
