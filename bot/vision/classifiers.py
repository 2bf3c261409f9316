"""Which way of telling cells apart a profile asks for."""

from __future__ import annotations

from bot.profile.values import FramedLook, InkLook, Profile, Thumbnail
from bot.vision.greys import GreyLook, Greys
from bot.vision.inks import Inks
from bot.vision.samples import Samples
from bot.vision.thumbnails import Thumbnails
from bot.vision.tiles import Classifier


def classifier(profile: Profile) -> Classifier:
    """What tells the cells of a game apart."""
    cells, grid = profile.cells, profile.grid
    if isinstance(cells, InkLook):
        assert isinstance(grid, FramedLook), "inks go with raised tiles; the profile checks it"
        return Greys(grid, cells) if isinstance(cells, GreyLook) else Inks(grid, cells)
    thumbnails = [sample for sample in cells.samples if isinstance(sample, Thumbnail)]
    if thumbnails:
        return Thumbnails(thumbnails)
    return Samples(cells)
