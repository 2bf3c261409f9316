"""Finds a grid of tiles that stand apart: squares of one size on a plain ground.

Everything that is not of the ground's colour falls into connected pieces. The tiles
are the pieces of the commonest size that is nearly square, and where they stand is a
full lattice; buttons, icons and texts beside it are of other sizes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import pairwise

import cv2
import numpy as np

from bot.capture import Frame, Rect
from bot.errors import Clipped, GridNotFound
from bot.profile.values import ApartLook
from bot.vision.framed import Mask, mask
from bot.vision.grid import Grid

_ODD_TILES = 0.1
"""So many of the tiles, at most, may be of another size than the rest. Guessed."""
_ROUNDING = 1
"""Pixels by which tiles, and the gaps between them, may differ from each other.
Measured: GTK hands out whole pixels."""
_UNEVEN = 0.05
"""Tiles beside the board may differ from its own by this share of one. Guessed: two pixels of the
size at which a scaled picture had them."""
_LEAST = 4
"""The least tiles across and down; fewer are a chance likeness.
Specified: the game's smallest board."""
_NEXT = 2
"""So many pixels of a next tile are looked for around the board. Guessed."""
_BLANK = 0.1
"""The least share of the picture that a blank board takes; a button has 3 %. Measured."""
_PLAIN = 0.8
"""The share of it that has one colour; there may be a word on it. Guessed."""


def gather(frame: Frame, look: ApartLook) -> Grid:
    """The grid of the most tiles that stand apart; raises GridNotFound."""
    ground = _ground(frame, look)
    pieces = _pieces(ground, look)
    try:
        return _lattice(ground, pieces, look)
    except GridNotFound:
        if _is_blank(frame, ground, pieces):
            raise GridNotFound("the board shows no tiles: the game may be paused") from None
        raise


def _lattice(ground: Mask, pieces: list[Rect], look: ApartLook) -> Grid:
    """The grid of the most tiles among the pieces; raises GridNotFound."""
    squares = [box for box in pieces if abs(box.width - box.height) <= 2 * _ROUNDING]
    tile = _commonest_size(squares)
    alike = [box for box in squares if _is_near(box.width, tile) and _is_near(box.height, tile)]
    tiles = _largest_patch(alike)
    columns = _lines([box.left for box in tiles])
    rows = _lines([box.top for box in tiles])
    if min(len(columns), len(rows)) < _LEAST:
        raise GridNotFound("nothing in the picture looks like tiles on a plain ground")
    missing = len(columns) * len(rows) - len(tiles)
    if not 0 <= missing <= _ODD_TILES * len(tiles):
        raise GridNotFound("not all tiles can be seen: the board is covered or being drawn")
    if missing:
        _check_filled(ground, columns, rows, tile)
    right, bottom = max(box.right for box in tiles), max(box.bottom for box in tiles)
    board = Rect(columns[0], rows[0], right - columns[0], bottom - rows[0])
    _check_whole(pieces, board, columns, rows)
    _check_alone([box for box in pieces if not box.meets(board)], columns, rows, tile)
    _check_ground_around(ground, board, columns, rows, tile)
    if look.least_step is not None and _are_close(columns, rows, look.least_step):
        raise Clipped("the board may be cut off: make the window larger")
    return Grid(columns, rows, min(min(box.width, box.height) for box in tiles), board)


def _is_blank(frame: Frame, ground: Mask, pieces: list[Rect]) -> bool:
    """Whether the only large thing in the picture is plain."""
    least = _BLANK * frame.width * frame.height
    large = []
    for box in {box for box in pieces if box.width * box.height >= least}:
        inside = (slice(box.top, box.bottom), slice(box.left, box.right))
        if np.count_nonzero(ground[inside]) < (1 - _PLAIN) * box.width * box.height:
            pixels = frame.pixels[inside].view(np.uint32)
            middle = pixels[pixels.shape[0] // 8, pixels.shape[1] // 8]
            large.append(float((pixels == middle).mean()))
    return len(large) == 1 and large[0] >= _PLAIN


def _are_close(columns: tuple[int, ...], rows: tuple[int, ...], step: int) -> bool:
    """Whether the tiles stand as close as the game draws them, both ways."""
    return all(lines[-1] - lines[0] <= step * (len(lines) - 1) for lines in (columns, rows))


def _check_filled(ground: Mask, columns: tuple[int, ...], rows: tuple[int, ...], tile: int) -> None:
    """Raise GridNotFound where the ground shows in the middle of a square.

    A few tiles may reach beyond their squares, by a cross over them or a glow around
    them, and so be of another size; what they show is for the classifier to say.
    """
    quarter = tile // 4
    for top in rows:
        for left in columns:
            middle = ground[
                top + quarter : top + tile - quarter, left + quarter : left + tile - quarter
            ]
            if middle.all():
                raise GridNotFound("a tile is missing: the board is covered or being drawn")


def _check_alone(
    others: list[Rect], columns: tuple[int, ...], rows: tuple[int, ...], tile: int
) -> None:
    """Raise GridNotFound where more tiles stand in line with the board.

    One may be an icon of a tile's size; several are a part of a board that was torn, or of
    one whose tiles came out uneven when the picture was scaled.
    """
    slack = max(_ROUNDING, round(_UNEVEN * tile))

    def is_beside(box: Rect) -> bool:
        if max(abs(box.width - tile), abs(box.height - tile)) > slack:
            return False
        return any(abs(box.left - column) <= slack for column in columns) or any(
            abs(box.top - row) <= slack for row in rows
        )

    beside = [box for box in others if is_beside(box)]
    if len(beside) > 1:
        raise GridNotFound("the tiles are not one board: it is covered or being drawn")


def _check_ground_around(
    ground: Mask, board: Rect, columns: tuple[int, ...], rows: tuple[int, ...], tile: int
) -> None:
    """Raise where a next tile would begin, one gap from the board, and no ground shows.

    Clipped where the picture ends there, GridNotFound where something else lies there.
    """
    across, down = columns[1] - columns[0] - tile, rows[1] - rows[0] - tile
    left, right = board.left - across - _NEXT, board.right + across
    top, bottom = board.top - down - _NEXT, board.bottom + down
    if min(left, top) < 0 or right + _NEXT > ground.shape[1] or bottom + _NEXT > ground.shape[0]:
        raise Clipped("the board is cut off: make the window larger")
    for x in (left, right):
        for row in rows:
            _check_ground(ground[row : row + tile, x : x + _NEXT])
    for y in (top, bottom):
        for column in columns:
            _check_ground(ground[y : y + _NEXT, column : column + tile])


def _check_ground(part: Mask) -> None:
    # A cross or a glow may reach there; a tile would fill it.
    if 2 * np.count_nonzero(part) < part.size:
        raise GridNotFound("the board goes on where no whole tile can be seen")


def _commonest_size(squares: list[Rect]) -> int:
    """The side that most squares have, give or take the rounding."""
    sizes = Counter(min(box.width, box.height) for box in squares)
    if not sizes:
        raise GridNotFound("nothing in the picture looks like tiles on a plain ground")
    return max(
        sizes,
        key=lambda size: (
            sum(sizes[other] for other in sizes if _is_near(other, size)),
            sizes[size],
        ),
    )


def _largest_patch(boxes: list[Rect]) -> list[Rect]:
    """The most boxes that stand one step from the next: an icon of a tile's size is alone."""
    places = {(box.left, box.top): box for box in boxes}
    across, down = _step(box.left for box in boxes), _step(box.top for box in boxes)
    slack = range(-_ROUNDING, _ROUNDING + 1)
    steps = [
        (sign * dx, sign * dy)
        for sign in (-1, 1)
        for one in slack
        for other in slack
        for dx, dy in ((across + one, other), (other, down + one))
    ]
    largest: list[Rect] = []
    while places:
        patch = [places.popitem()[1]]
        for box in patch:
            near = (places.pop((box.left + dx, box.top + dy), None) for dx, dy in steps)
            patch.extend(other for other in near if other is not None)
        largest = max(largest, patch, key=len)
    return largest


def _step(places: Iterable[int]) -> int:
    """The commonest distance from one line to the next."""
    lines = sorted(set(places))
    steps = Counter(after - before for before, after in pairwise(lines))
    wide = [step for step in steps if step > 2 * _ROUNDING]
    return max(wide, key=lambda step: steps[step], default=1)


def _is_near(one: int, other: int) -> bool:
    return abs(one - other) <= _ROUNDING


def _ground(frame: Frame, look: ApartLook) -> Mask:
    """255 where the ground shows, 0 elsewhere."""
    ground = np.zeros(frame.pixels.shape[:2], np.uint8)
    for colour in look.grounds:
        ground |= mask(frame.pixels, colour, look.tolerance)
    return ground


def _pieces(ground: Mask, look: ApartLook) -> list[Rect]:
    """The bounding boxes of what is not ground, specks apart."""
    outlines, _ = cv2.findContours(cv2.bitwise_not(ground), cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)
    boxes = (Rect(*cv2.boundingRect(outline)) for outline in outlines)
    return [box for box in boxes if max(box.width, box.height) >= look.smallest_tile]


def _lines(places: list[int]) -> tuple[int, ...]:
    """The distinct places, those within rounding of each other taken for one.

    Raises GridNotFound where they are not evenly spaced.
    """
    lines: list[int] = []
    for place in sorted(set(places)):
        if not lines or place - lines[-1] > _ROUNDING:
            lines.append(place)
    steps = [after - before for before, after in pairwise(lines)]
    if steps and max(steps) - min(steps) > 2 * _ROUNDING:
        raise GridNotFound("the tiles are not evenly spaced: the board is covered or clipped")
    return tuple(lines)


def _check_whole(
    pieces: list[Rect], board: Rect, columns: tuple[int, ...], rows: tuple[int, ...]
) -> None:
    """Raise Clipped where pieces of tiles adjoin the board: it is cut off there.

    A single one may be an icon in line with the first row.
    """
    across, down = columns[1] - columns[0], rows[1] - rows[0]
    nearby = Rect(
        board.left - across, board.top - down, board.width + 2 * across, board.height + 2 * down
    )
    beside = [
        piece
        for piece in pieces
        if (
            (piece.top in rows and piece.height <= down and piece.width < across)
            or (piece.left in columns and piece.width <= across and piece.height < down)
        )
        and piece.within(nearby)
        and not piece.meets(board)
    ]
    if len(beside) > 1:
        raise Clipped("the board is cut off: make the window larger")
