"""What is known of a game's looks, as values. Colours are red, green, blue from 0 to 255."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from msgspec import Meta, field

from bot.board import Cell
from bot.profile.behaviour import Conduct, Spot, Table, check_groups

Level = Annotated[int, Meta(ge=0, le=255)]
RGB = tuple[Level, Level, Level]

THUMBNAIL = 12
"""Side of a thumbnail, in pixels."""
SHAPE = 12
"""Side of the square to which a drawing is scaled, in pixels."""

Tolerance = Annotated[int, Meta(ge=0, le=64)]
TilePixels = Annotated[int, Meta(ge=4, le=64)]
Inset = Annotated[float, Meta(ge=0, le=0.3)]


class FramedLook(Table, frozen=True, tag_field="kind", tag="framed"):
    """A grid of raised tiles that touch, in a sunken frame."""

    dark: RGB = field(name="dark_rgb")
    """Left and top of the frame; right and bottom of a covered tile; lines of opened ones."""
    light: RGB = field(name="light_rgb")
    """Right and bottom of the frame; left and top of a covered tile."""
    tolerance: Tolerance = field(name="tolerance_levels")
    """How far a channel may lie from these colours, in levels of 255."""
    bevel: Annotated[float, Meta(ge=0, le=0.4)] = field(name="bevel_tiles")
    """Width of a covered tile's bevel, in tiles."""
    smallest_tile: TilePixels = field(name="smallest_tile_pixels")
    """In pixels; what would be smaller is no tile."""
    all_channels: bool = False
    """Whether the two colours are told by all their channels; green alone is faster."""
    inset: Inset = field(name="inset_tiles", default=0.0)
    """See `LatticeLook`."""


class ApartLook(Table, frozen=True, tag_field="kind", tag="apart"):
    """A grid of flat tiles that stand apart on a plain ground."""

    grounds: Annotated[tuple[RGB, ...], Meta(min_length=1)] = field(name="ground_rgbs")
    """What may show between the tiles."""
    tolerance: Tolerance = field(name="tolerance_levels")
    """How far a channel may lie from these colours, in levels of 255."""
    smallest_tile: TilePixels = field(name="smallest_tile_pixels")
    """In pixels; what would be smaller is no tile."""
    least_step: TilePixels | None = field(name="least_step_pixels", default=None)
    """In pixels from tile to tile: rather than draw them closer the game cuts the board off."""
    stays: bool = False
    """Whether it is where it was, in a window of the same size, when it is not found again: opened
    tiles may have the ground's colour."""
    inset: Inset = field(name="inset_tiles", default=0.0)
    """See `LatticeLook`."""


class TouchingLook(Table, frozen=True, tag_field="kind", tag="touching"):
    """A grid of tiles that touch, in a frame of any colours that is alike on all sides."""

    gap: Annotated[int, Meta(ge=0, le=8)] = field(name="gap_pixels")
    """Width of the line between two tiles that belongs to neither, in pixels."""
    smallest_tile: TilePixels = field(name="smallest_tile_pixels")
    """In pixels; what would be smaller is no tile."""
    stays: bool = False
    """Whether it is where it was, in a window of the same size, when it is not found again."""
    inset: Inset = field(name="inset_tiles", default=0.0)
    """See `LatticeLook`."""


class LatticeLook(Table, frozen=True, tag_field="kind", tag="lattice"):
    """A grid of tiles drawn in any way, which is read at first sight."""

    inset: Inset = field(name="inset_tiles", default=0.0)
    """Fraction of a tile that is left out at each of its edges, where lines along open cells are
    drawn. At first sight nothing is left out: an older minebot wrote it."""
    least_step: TilePixels | None = field(name="least_step_pixels", default=None)
    """In pixels from tile to tile: rather than draw them closer the game cuts the board off."""

    @property
    def stays(self) -> bool:
        """Always."""
        return True


GridLook = FramedLook | ApartLook | TouchingLook | LatticeLook
"""How a game draws its grid."""


@dataclass(frozen=True, slots=True)
class Glyph:
    """The shape of one drawing, whatever its colours."""

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
    greys: bool = False
    """Whether the game also comes without colours; shapes alone tell the cells apart then."""

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


class StatusLook(Table, frozen=True):
    """How the status line reads; None for what the game does not say in words."""

    side: Annotated[str, Meta(pattern=r"^(below|above|right)$")]
    """Where it lies, seen from the grid: `below`, `above` or `right`."""
    total: re.Pattern[str]
    """Has the groups `marked` (flags set) and `mines` (total)."""
    won: re.Pattern[str] | None = None
    lost: re.Pattern[str] | None = None
    solved: re.Pattern[str] | None = None

    def __post_init__(self) -> None:
        check_groups("total", self.total, "marked", "mines")


class CounterLook(Table, frozen=True):
    """What shows the mines less the flags beside the board."""

    at: Spot
    """Its middle."""
    kind: Annotated[str, Meta(pattern=r"^(segments|text)$")] = "segments"
    """Digits of seven segments each, or a number in a line of text."""
    mines: Annotated[int, Meta(ge=0)] = 0
    """The total that a text told when it was learnt: another one has to be read twice, with flags
    and without."""


@dataclass(frozen=True, slots=True)
class Profile:
    """All that is known of one game's looks, windows and conduct."""

    name: str
    title: str
    looks: str
    """What the game looks like, in words."""
    app_ids: tuple[str, ...]
    """What the desktop calls its windows: either part of WM_CLASS, or the program."""
    grid: GridLook
    cells: InkLook | SampleLook
    status: StatusLook | None
    """None where no line of text tells both flags and mines."""
    conduct: Conduct
    counter: CounterLook | None = None
    """None where the game has no such counter."""
    page: str = ""
    """Of a game in a browser: a part of the titles of its windows."""
    is_generic: bool = False
    """Whether it is of a look that many games have: one of their own fits them better."""
