"""Sheets of thumbnails: one picture file that shows how each cell is drawn at each size."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources.abc import Traversable

import numpy as np
from PIL import Image, UnidentifiedImageError

from bot.board import Cell
from bot.errors import UsageError
from bot.profile.values import RGB, THUMBNAIL, Thumbnail

__all__ = ["read_sheet"]


def read_sheet(
    file: Traversable, cells: Sequence[Cell], behind: tuple[RGB, RGB], *, uneven: bool
) -> tuple[Thumbnail, ...]:
    """The thumbnails of a sheet: a column for each of the cells, without gaps.

    What is not opaque in the picture lets something between the colours `behind` show
    through, `uneven` or not. A place where nothing is drawn holds no thumbnail.

    Raises UsageError where the file cannot be read or is no such sheet.
    """
    try:
        with file.open("rb") as data, Image.open(data) as image:
            pixels = np.asarray(image.convert("RGBA"))
    except UnidentifiedImageError as error:
        raise UsageError("is not a picture") from error
    except (SyntaxError, ValueError, Image.DecompressionBombError) as error:
        raise UsageError(f"is a damaged picture: {error}") from error
    except OSError as error:
        raise UsageError(error.strerror or f"is a damaged picture: {error}") from error
    rows, over = divmod(pixels.shape[0], THUMBNAIL)
    if over or not rows or pixels.shape[1] != THUMBNAIL * len(cells):
        raise UsageError(
            f"has {pixels.shape[1]}x{pixels.shape[0]} pixels, which is not {len(cells)} "
            f"thumbnails of {THUMBNAIL}x{THUMBNAIL} in each row"
        )
    places = pixels.reshape(rows, THUMBNAIL, len(cells), THUMBNAIL, 4).swapaxes(1, 2)
    found = []
    for row in places:
        for cell, place in zip(cells, row, strict=True):
            opacity = place[..., 3]
            if opacity.any():
                drawn = np.rint(place[..., :3] * (opacity[..., None] / 255)).astype(np.uint8)
                found.append(
                    Thumbnail(
                        cell,
                        drawn.tobytes(),
                        opacity=opacity.tobytes(),
                        behind=behind,
                        uneven=uneven,
                    )
                )
    return tuple(found)
