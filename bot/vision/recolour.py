"""Finds out the colours of a board from the picture alone, when the user has changed them.

The frame's two colours are the pair that draws a whole board; the backgrounds are those
of its tiles; a digit's ink is that of the tiles shaped like it. Every tile must be
explained, and nothing is guessed: what could be a number that cannot be seen, or a mine
that could be crossed out, is left to whoever knows the colours.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from bot.board import Board, Cell, neighbourhood
from bot.capture import Frame
from bot.errors import GridNotFound, UnreadableTile
from bot.profile.values import RGB, FramedLook, InkLook, Profile
from bot.vision.framed import mask, outline
from bot.vision.grid import Grid
from bot.vision.inks import Parts, prepared
from bot.vision.tiles import COLOUR, FLAT_LEVELS, rgb

_CANDIDATES = 10
"""So many of a picture's commonest colours may be the frame's. Guessed."""
_SAMPLED = 300_000
"""So many pixels, in evenly spaced rows, tell the commonest colours. Guessed."""

Pixels = NDArray[np.uint32]


def recoloured(frame: Frame, profile: Profile) -> Profile | None:
    """The profile with the colours that the frame shows, None where they are not certain."""
    if not isinstance(profile.grid, FramedLook) or not isinstance(profile.cells, InkLook):
        return None
    look = profile.grid
    pixels = frame.pixels.view(np.uint32)[..., 0] & COLOUR
    colours = _commonest(pixels, look.smallest_tile)
    masks = {colour: mask(frame.pixels, colour, look.tolerance) for colour in colours}
    for dark, light in permutations(colours, 2):
        try:
            found = outline(masks[dark], masks[light], look.smallest_tile)
        except GridNotFound:
            continue
        grid = FramedLook(
            dark, light, look.tolerance, look.bevel, look.smallest_tile, all_channels=True
        )
        cells = _cells(pixels, found, grid, profile.cells)
        if cells is not None:
            return replace(profile, grid=grid, cells=cells)
    return None


def check_empty(board: Board) -> None:
    """Raise UnreadableTile for an empty cell that could be a number in an unseen ink.

    A cell is empty without a doubt if all around it are open and safe.
    """
    around = neighbourhood(board.width, board.height)
    for square, cell in enumerate(board.cells):
        if cell == Cell.EMPTY and any(board.cells[other] > Cell.EIGHT for other in around[square]):
            raise UnreadableTile(board.xy(square), {"empty": 1.0, "an unknown ink": 1.0})


def _commonest(pixels: Pixels, smallest: int) -> list[RGB]:
    """The commonest colours that draw lines across as well as down."""
    rows = pixels[:: 1 + pixels.size // _SAMPLED]
    colours, counts = np.unique(rows, return_counts=True)
    found = []
    for colour in colours[np.argsort(-counts)[: 2 * _CANDIDATES]]:
        there = pixels == colour
        if min(there.sum(axis=0).max(), there.sum(axis=1).max()) >= 3 * smallest:
            found.append((int(colour) >> 16, int(colour) >> 8 & 255, int(colour) & 255))
    return found[:_CANDIDATES]


def _cells(pixels: Pixels, grid: Grid, look: FramedLook, known: InkLook) -> InkLook | None:
    """The colours of the cells, None unless every tile is explained."""
    bounds, side = grid.bounds, grid.tile
    inside = pixels[bounds.top : bounds.bottom, bounds.left : bounds.right]
    tiles = inside.reshape(grid.height, side, grid.width, side).swapaxes(1, 2)
    rows, counts = np.unique(tiles.reshape(-1, side * side), axis=0, return_counts=True)
    seen = Parts(rows.view(np.uint8).reshape(-1, side, side, 4), look)
    kinds = _kinds(seen, known)
    if kinds is None:
        return None
    tally: dict[str, Counter[RGB]] = {kind: Counter() for kind in ("hidden", "empty", *kinds)}
    for kind, ground, count in zip(kinds, seen.ground, counts.tolist(), strict=True):
        tally[kind][rgb(ground)] += count
    numbers = sorted(set(kinds) & set("12345678"))
    exploded = tally.get("mine", Counter())
    opened = {ground for kind in ("empty", *numbers) for ground in tally[kind]}
    covered, flagged = set(tally["hidden"]), set(tally.get("flag", ()))
    if len(exploded) > 1 or exploded.total() > 1 or opened & set(exploded):
        # More than the mine that was hit: the others may be crossed out, or not.
        return None
    if not (_is_plain(tally["hidden"]) and _is_plain(tally["empty"])):
        return None
    inks = {number: _strongest(seen, kinds, number) for number in numbers}
    if exploded:
        inks["mine"] = _commonest_ink(seen, kinds, "mine", slice(None), ())
    if flagged:
        foot = _commonest_ink(seen, kinds, "flag", slice(-side // 3, None), ())
        inks |= {"flag_base": foot}
        inks |= {"flag": _commonest_ink(seen, kinds, "flag", slice(None), (foot,))}
    grounds = {
        "covered": tuple(covered | flagged),
        "opened": tuple(opened),
        "exploded": tuple(exploded),
        "flash": (),
    }
    return InkLook(grounds, inks, known.glyphs, by_shape=True)


def _kinds(seen: Parts, known: InkLook) -> list[str] | None:
    """What each tile is by its edges and its shape, None if that is not certain of each."""
    if not (seen.raised | seen.level).all():
        return None
    kinds = np.where(seen.raised, "hidden", "empty").astype(object)
    kinds[seen.raised & ~seen.flat] = "flag"
    drawn = np.flatnonzero(seen.level & ~seen.flat)
    if drawn.size:
        glyphs = prepared(known.glyphs)
        amounts = seen.amounts[drawn] / seen.peak[drawn, None, None]
        kinds[drawn] = [glyphs.certain(like) for like in glyphs.likeness(amounts, seen.side)]
    found = kinds.tolist()
    return None if None in found else found


def _is_plain(grounds: Counter[RGB]) -> bool:
    """Whether flat tiles have one background, and a single one may have the cursor's."""
    return sum(grounds.values()) - max(grounds.values(), default=0) <= 1


def _strongest(seen: Parts, kinds: list[str], kind: str) -> RGB:
    """The colour that lies farthest from the background in the tiles of this kind."""
    tiles = [index for index, each in enumerate(kinds) if each == kind]
    tile = max(tiles, key=lambda index: float(seen.peak[index]))
    place = np.unravel_index(seen.amounts[tile].argmax(), seen.amounts[tile].shape)
    return rgb(seen.ground[tile] - seen.ink[tile][place])


def _commonest_ink(
    seen: Parts, kinds: list[str], kind: str, rows: slice, without: tuple[RGB, ...]
) -> RGB:
    """The commonest colour in these rows of such tiles, backgrounds and `without` apart."""
    count: Counter[RGB] = Counter()
    for index, each in enumerate(kinds):
        if each == kind:
            drawn = seen.ground[index] - seen.ink[index][rows]
            there = seen.amounts[index][rows] > FLAT_LEVELS
            count.update(map(rgb, drawn[there]))
    for colour in without:
        del count[colour]
    return count.most_common(1)[0][0] if count else (0, 0, 0)
