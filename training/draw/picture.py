"""A whole picture: a board in a random theme on a random page, or a page without one."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from minebot.vision.classification import Label
from training.draw.game import Labels, moment
from training.draw.ink import Bytes, Floats, Random, emoji, hsv, lay_image, random_colour, surface
from training.draw.page import Lattice, clouds, decoy, furnish, ground, write
from training.draw.theme import Theme
from training.draw.tiles import TileTheme, games, pick

Ints = NDArray[np.int64]

_SIZES = (
    *((9, 9), (16, 16), (16, 30), (8, 8), (10, 10), (12, 20), (18, 12), (8, 10)),
    *((14, 18), (20, 24), (5, 5), (6, 7), (24, 30), (30, 45)),
)
"""Rows and columns that games offer; others are drawn too."""
_LARGEST = (1150, 900)
"""Pixels across and down within which a board is drawn."""
_TAKEN = 0.5
"""Share of boards that are drawn with the tiles of real games, where some were fetched."""
_NATURAL = 0.4
"""Share of these on which tiles have the size in which the game has them."""
_ZOOMED = 1500
"""Pixels beyond which no picture is enlarged."""


@dataclass(slots=True)
class Picture:
    """A picture and all lattices in it, boards first."""

    pixels: Bytes
    """Shape (height, width, 3), blue-green-red."""
    lattices: list[Lattice]


def draw(seed: int) -> Picture:
    """The picture of this number; the same on every machine with the same fonts."""
    rng = np.random.default_rng(seed)
    picture = _without_board(rng) if rng.random() < 0.2 else _with_board(rng)
    return degraded(rng, picture)


def _with_board(rng: Random) -> Picture:
    rows, columns = _SIZES[rng.integers(len(_SIZES))]
    if rng.random() < 0.3:
        rows, columns = int(rng.integers(4, 28)), int(rng.integers(4, 34))
    tile = round(np.exp(rng.uniform(np.log(8), np.log(96))))
    tiles = pick(rng, games()) if rng.random() < _TAKEN else None
    if tiles is not None and rng.random() < _NATURAL:
        tile = tiles[Label.HIDDEN].shape[1]
    tile = max(8, min(tile, _LARGEST[0] // columns, _LARGEST[1] // rows))
    pitch_x = tile + (rng.random() if rng.random() < 0.15 else 0)
    pitch_y = pitch_x
    if rng.random() < 0.07:
        pitch_y = tile * rng.uniform(0.8, 1.25)
    theme = Theme(rng, tile) if tiles is None else TileTheme(rng, tile, tiles)
    while not theme.is_readable():
        theme = Theme(rng, tile)
    labels = theme.drawable(moment(rng, rows, columns))
    board, lattice = _board(rng, theme, labels, (pitch_x, pitch_y))
    framed, inset = _framed(rng, theme, board)
    left, right, top, bottom = (int(margin) for margin in rng.integers(0, 260, 4))
    if rng.random() < 0.5:  # A window about the board.
        left, right, bottom = (int(margin) for margin in rng.integers(0, 26, 3))
        top = int(rng.integers(0, 90))
    high, wide = framed.shape[:2]
    page = theme.page if rng.random() < 0.6 else theme.covered
    if rng.random() < 0.25:
        page = surface(rng, dark=rng.random() < 0.4)
    width, height = wide + left + right, high + top + bottom
    image = ground(rng, width, height, page)
    around = (
        (2, 2, width - 2, top - 4),
        (2, top, left - 6, height - 4),
        (left + wide + 6, top, width - 2, height - 4),
        (left, top + high + 4, width - 4, height - 2),
    )
    found = [furnish(rng, image, box) for box in around if rng.random() < 0.6]
    image[top : top + high, left : left + wide] = framed
    if rng.random() < 0.25 and top > 30:
        _face(rng, image, left + wide // 2, top)
    lattice = replace(lattice, x=lattice.x + left + inset, y=lattice.y + top + inset)
    return Picture(image, [lattice, *(one for one in found if one is not None)])


def _without_board(rng: Random) -> Picture:
    width, height = int(rng.integers(300, 900)), int(rng.integers(240, 700))
    image = ground(rng, width, height, surface(rng, dark=rng.random() < 0.4))
    lattices: list[Lattice] = []
    if rng.random() < 0.4:
        write(
            rng,
            image,
            (int(rng.integers(width - 100)), int(rng.integers(height - 50)), width, height),
        )
    for _ in range(int(rng.integers(1, 4))):
        before = image.copy()
        lattice = decoy(rng, image)
        if lattice is None:
            continue
        if any(_overlap(lattice, other) for other in lattices):
            image[:] = before
        else:
            lattices.append(lattice)
    return Picture(image, lattices)


def _overlap(one: Lattice, other: Lattice) -> bool:
    """Whether the two lattices touch or lie over each other."""
    far = 12 + max(one.x[1] - one.x[0], other.x[1] - other.x[0])
    across = one.x[0] - far < other.x[-1] and other.x[0] - far < one.x[-1]
    return bool(across and one.y[0] - far < other.y[-1] and other.y[0] - far < one.y[-1])


def _board(
    rng: Random, theme: Theme, labels: Labels, pitch: tuple[float, float]
) -> tuple[Bytes, Lattice]:
    """All cells of a board, and where they are in its own pixels."""
    rows, columns = labels.shape
    across = np.floor(np.arange(columns + 1) * pitch[0]).astype(int)
    down = np.floor(np.arange(rows + 1) * pitch[1]).astype(int)
    if rng.random() < 0.05:
        y, x = int(rng.integers(rows)), int(rng.integers(columns))
        if theme.is_drawn_covered(int(labels[y, x])):
            labels[y, x] = Label.OTHER
    theme.is_ended = bool(np.isin(labels, (Label.MINE, Label.EXPLODED)).any())
    hover = (int(rng.integers(rows)), int(rng.integers(columns))) if rng.random() < 0.3 else None
    board = np.empty((down[-1], across[-1], 3), np.uint8)
    for y in range(rows):
        for x in range(columns):
            wide, high = int(across[x + 1] - across[x]), int(down[y + 1] - down[y])
            tile = theme.sprite(
                int(labels[y, x]), wide, high, other=(x + y) % 2 == 1, hover=hover == (y, x)
            )
            board[down[y] : down[y + 1], across[x] : across[x + 1]] = tile
    if theme.opacity < 1:
        behind = clouds(rng, board.shape[1], board.shape[0], 45) + theme.page
        _show_through(theme, board, behind, labels, (across, down))
    if theme.border:
        _draw_border(theme, board, labels, (across, down))
    if hover is not None and rng.random() < 0.25:
        y, x = hover
        corners = (int(across[x]), int(down[y])), (int(across[x + 1]) - 1, int(down[y + 1]) - 1)
        ring = tuple(int(level) for level in random_colour(rng))
        cv2.rectangle(board, *corners, ring, int(rng.integers(1, 3)))
    first = int(across[1]), int(down[1])
    x0, y0, x1, y1 = theme.box(*first)
    x = (across[:-1] + across[1:]) / 2 + (x0 + x1 - first[0]) / 2
    y = (down[:-1] + down[1:]) / 2 + (y0 + y1 - first[1]) / 2
    return board, Lattice(x, y, labels)


def _show_through(
    theme: Theme, board: Bytes, behind: Floats, labels: Labels, ends: tuple[Ints, Ints]
) -> None:
    """Let one picture behind the board show through all opened cells."""
    across, down = ends
    for y, x in np.argwhere(labels <= Label.EIGHT).tolist():
        where = slice(down[y], down[y + 1]), slice(across[x], across[x + 1])
        mixed = board[where] * theme.opacity + behind[where] * (1 - theme.opacity)
        board[where] = np.clip(mixed, 0, 255).astype(np.uint8)


def _draw_border(theme: Theme, board: Bytes, labels: Labels, ends: tuple[Ints, Ints]) -> None:
    """Draw a line where opened cells meet covered ones."""
    across, down = ends
    is_open = labels <= Label.EIGHT
    ink, width = theme.line, max(1, theme.line_width)
    for y, x in np.argwhere(is_open[:, 1:] != is_open[:, :-1]).tolist():
        board[down[y] : down[y + 1], across[x + 1] - width : across[x + 1] + width] = ink
    for y, x in np.argwhere(is_open[1:] != is_open[:-1]).tolist():
        board[down[y + 1] - width : down[y + 1] + width, across[x] : across[x + 1]] = ink


def _framed(rng: Random, theme: Theme, board: Bytes) -> tuple[Bytes, int]:
    """The board in a frame, and how many pixels that is wide."""
    width = int(rng.integers(0, 14)) if rng.random() < 0.7 else 0
    if width == 0:
        return board, 0
    high, wide = board.shape[:2]
    framed = np.empty((high + 2 * width, wide + 2 * width, 3), np.uint8)
    framed[:] = theme.ground if rng.random() < 0.6 else theme.line
    kind = str(rng.choice(["plain", "line", "sunken", "raised"]))
    if kind in ("sunken", "raised"):
        edges = (theme.shadow, theme.light)
        first, last = edges if kind == "sunken" else edges[::-1]
        thick = int(rng.integers(1, width + 1))
        framed[:thick] = framed[:, :thick] = first
        framed[-thick:] = framed[:, -thick:] = last
    elif kind == "line":
        framed[0] = framed[-1] = framed[:, 0] = framed[:, -1] = theme.line
    framed[width:-width, width:-width] = board
    return framed, width


def _face(rng: Random, image: Bytes, middle: int, top: int) -> None:
    """A face above the board, as the button for a new game."""
    sign = emoji("🙂😀😎😵💣🚩"[rng.integers(6)])
    size = min(top - 4, 40)
    x = middle - size // 2
    part = image[2 : 2 + size, max(0, x) : x + size]
    if sign is not None and size > 6 and part.shape[:2] == (size, size):
        tile = part.astype(np.float32)
        lay_image(tile, sign, 1.0)
        part[:] = tile.astype(np.uint8)


# -- what screens, zooms and cameras do


def degraded(rng: Random, picture: Picture) -> Picture:
    """Zoom, tint, blur, compress, and lay a pointer or a message over some pictures."""
    if rng.random() < 0.06:
        _point(rng, picture)
    if rng.random() < 0.03:
        _cover(rng, picture)
    if rng.random() < 0.2:
        picture = _zoomed(rng, picture)
    image: Bytes | Floats = picture.pixels
    if rng.random() < 0.15:
        image = image.astype(np.float32) * rng.uniform(0.6, 1.2) + rng.uniform(-25, 25)
        image = np.clip(image, 0, 255).astype(np.uint8)
    if rng.random() < 0.06:
        image = cv2.GaussianBlur(image, (3, 3), rng.uniform(0.4, 0.9))
    if rng.random() < 0.12:
        quality = [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(55, 98))]
        image = cv2.imdecode(cv2.imencode(".jpg", image, quality)[1], cv2.IMREAD_COLOR)
    picture.pixels = np.asarray(image, np.uint8)
    return picture


def _zoomed(rng: Random, picture: Picture) -> Picture:
    zoom = rng.uniform(0.8, 2.0)
    pitch = 20.0
    if picture.lattices:
        pitch = float(picture.lattices[0].x[1] - picture.lattices[0].x[0])
    high, wide = picture.pixels.shape[:2]
    if not 9 <= pitch * zoom <= 130 or max(high, wide) * zoom > _ZOOMED:
        return picture
    ways = (cv2.INTER_LINEAR, cv2.INTER_CUBIC, cv2.INTER_NEAREST)
    way = cv2.INTER_AREA if zoom < 1 else ways[rng.integers(3)]
    size = round(wide * zoom), round(high * zoom)
    lattices = [
        replace(one, x=one.x * size[0] / wide, y=one.y * size[1] / high) for one in picture.lattices
    ]
    return Picture(np.asarray(cv2.resize(picture.pixels, size, interpolation=way)), lattices)


def _point(rng: Random, picture: Picture) -> None:
    """A mouse pointer somewhere on the board, too small to hide what a cell shows."""
    if not picture.lattices:
        return
    lattice = picture.lattices[0]
    x, y = rng.uniform(lattice.x[0], lattice.x[-1]), rng.uniform(lattice.y[0], lattice.y[-1])
    size = rng.uniform(8, 18)
    shape = np.array(
        [(0, 0), (0, 1), (0.25, 0.78), (0.45, 1.15), (0.6, 1.08), (0.42, 0.72), (0.7, 0.7)]
    )
    corners = (shape * size + (x, y)).astype(np.int32)
    cv2.fillPoly(picture.pixels, [corners], (255, 255, 255) if rng.random() < 0.7 else (0, 0, 0))
    cv2.polylines(picture.pixels, [corners], True, (0, 0, 0), 1, cv2.LINE_AA)


def _cover(rng: Random, picture: Picture) -> None:
    """A message over a part of the board: the cells below it are no cells any more."""
    if not picture.lattices or picture.lattices[0].labels is None:
        return
    lattice = picture.lattices[0]
    columns, rows = lattice.x.size, lattice.y.size
    pitch = lattice.x[1] - lattice.x[0], lattice.y[1] - lattice.y[0]
    wide, high = int(rng.integers(2, columns // 2 + 2)), int(rng.integers(2, rows // 2 + 2))
    left, top = int(rng.integers(0, columns - wide + 1)), int(rng.integers(0, rows - high + 1))
    x0, y0 = int(lattice.x[left] - pitch[0] / 2), int(lattice.y[top] - pitch[1] / 2)
    x1 = int(lattice.x[left + wide - 1] + pitch[0] / 2)
    y1 = int(lattice.y[top + high - 1] + pitch[1] / 2)
    colour = tuple(int(level) for level in hsv(rng, (0, 90), (30, 256)))
    x0, y0 = max(0, x0), max(0, y0)
    cv2.rectangle(picture.pixels, (x0, y0), (x1, y1), colour, -1)
    cv2.rectangle(picture.pixels, (x0, y0), (x1, y1), (60, 60, 60), 1)
    if x1 - x0 > 30 and y1 - y0 > 24:
        write(rng, picture.pixels, (x0 + 6, y0 + 4, x1 - 4, y1 - 2))
    assert lattice.labels is not None
    lattice.labels[top : top + high, left : left + wide] = Label.OTHER
