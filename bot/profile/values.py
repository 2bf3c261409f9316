"""What is known of a game's looks, as values. Colours are red, green, blue from 0 to 255."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from bot.board import Cell
from bot.profile.behaviour import Conduct

__all__ = [
    "RGB",
    "THUMBNAIL",
    "ApartLook",
    "FramedLook",
    "Glyph",
    "GridLook",
    "InkLook",
    "Profile",
    "Sample",
    "SampleLook",
    "StatusLook",
    "Thumbnail",
    "TouchingLook",
]

RGB = tuple[int, int, int]

THUMBNAIL = 12
"""Side of a thumbnail, in pixels."""


@dataclass(frozen=True, slots=True)
class FramedLook:
    """A grid of raised tiles that touch, in a sunken frame."""

    dark: RGB
    """Left and top of the frame; right and bottom of a covered tile; lines of opened ones."""
    light: RGB
    """Right and bottom of the frame; left and top of a covered tile."""
    tolerance: int
    """How far a channel may lie from these colours, in levels of 255."""
    bevel: float
    """Width of a covered tile's bevel, in tiles."""
    smallest_tile: int
    """In pixels; what would be smaller is no tile."""
    all_channels: bool = False
    """Whether the two colours are told by all their channels; green alone is faster."""


@dataclass(frozen=True, slots=True)
class ApartLook:
    """A grid of flat tiles that stand apart on a plain ground."""

    grounds: tuple[RGB, ...]
    """What may show between the tiles."""
    tolerance: int
    """How far a channel may lie from these colours, in levels of 255."""
    smallest_tile: int
    """In pixels; what would be smaller is no tile."""
    least_step: int | None = None
    """In pixels from tile to tile: rather than draw them closer the game cuts the board off."""


@dataclass(frozen=True, slots=True)
class TouchingLook:
    """A grid of tiles that touch, in a frame of any colours that is alike on all sides."""

    gap: int
    """Width of the line between two tiles that belongs to neither, in pixels."""
    smallest_tile: int
    """In pixels; what would be smaller is no tile."""


GridLook = FramedLook | ApartLook | TouchingLook
"""How a game draws its grid."""


@dataclass(frozen=True, slots=True, eq=False)
class Glyph:
    """The shape of one drawing, whatever its colours. Each is equal to itself alone."""

    name: str
    """A digit, `flag`, or `mine`, crossed out or not."""
    aspect: float
    """Width by height."""
    height: float
    """Height in tiles."""
    shape: bytes
    """Scaled to `SHAPE` x `SHAPE`, row-major: how much ink, from 0 to 15."""


@dataclass(frozen=True, slots=True)
class InkLook:
    """Cells told apart by the colours of their backgrounds and of the ink on them."""

    grounds: Mapping[str, tuple[RGB, ...]]
    """The colours behind the ink for each of covered, opened, exploded, flash."""
    inks: Mapping[str, RGB]
    """The colour of each digit and of the parts of a flag and a mine."""
    glyphs: tuple[Glyph, ...]
    """The shapes, several of each drawing: they differ with the size of the tiles."""
    by_shape: bool = False
    """Whether a digit is known by its shape, not by its ink: the ink was learned from it."""

    @property
    def digits(self) -> dict[Cell, RGB]:
        """The ink of each number, of those whose ink is known."""
        inks = self.inks
        return {Cell(n): inks[str(n)] for n in range(1, 9) if str(n) in inks}


@dataclass(frozen=True, slots=True)
class Sample:
    """One look of a cell: what a tile's background, ink and glyph are like."""

    cell: Cell
    grounds: tuple[RGB, ...]
    """The backgrounds on which it was met."""
    phase: str = ""
    """When the game draws it so, such as `playing` or `lost`."""
    ink: RGB | None = None
    """The glyph's strongest colour, None for a tile without a glyph."""
    aspect: float = 1.0
    """Width of the glyph by its height."""
    height: float = 0.0
    """Height of the glyph, in tiles."""
    shape: tuple[int, ...] = ()
    """The glyph scaled to `SHAPE` x `SHAPE`, row-major: how much ink, from 0 to 15."""


@dataclass(frozen=True, slots=True)
class Thumbnail:
    """One look of a cell: a small picture of it."""

    cell: Cell
    pixels: bytes
    """`THUMBNAIL` x `THUMBNAIL` pixels, row-major, each red, green, blue."""
    shade: float = 0.0
    """How much lighter or darker as a whole the same look was met, in levels of 255."""
    phase: str = ""
    """When the game draws it so, such as `playing` or `lost`."""
    opacity: bytes = b""
    """How opaque each pixel is, 255 being all; empty where nothing shows through.

    Where something does, the pixels are as they would be before black.
    """
    behind: tuple[RGB, RGB] = ((0, 0, 0), (255, 255, 255))
    """The darkest and the lightest colour that may show through."""
    uneven: bool = False
    """Whether any pixel may show any colour between the two, as before a picture."""


@dataclass(frozen=True, slots=True)
class SampleLook:
    """Cells told apart by likeness to samples, all of one kind."""

    samples: tuple[Sample, ...] | tuple[Thumbnail, ...]


@dataclass(frozen=True, slots=True)
class StatusLook:
    """How the status line reads."""

    side: str
    """Where it lies, seen from the grid: `below`, `above` or `right`."""
    total: re.Pattern[str]
    """Has the groups `marked` (flags set) and `mines` (total)."""
    won: re.Pattern[str]
    lost: re.Pattern[str]
    solved: re.Pattern[str]


@dataclass(frozen=True, slots=True)
class Profile:
    """All that is known of one game's looks, windows and conduct."""

    name: str
    title: str
    looks: str
    """What the game looks like, in words."""
    wm_class: tuple[str, ...]
    grid: GridLook
    cells: InkLook | SampleLook
    status: StatusLook | None
    """None where nothing tells how the game counts its mines."""
    conduct: Conduct
