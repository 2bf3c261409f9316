"""What is known of a game's looks, as values. Colours are red, green, blue from 0 to 255."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated

from msgspec import Meta, field

from minebot.profile.behaviour import Behaviour, RelativePosition, Table, check_groups

Level = Annotated[int, Meta(ge=0, le=255)]
RGB = tuple[Level, Level, Level]

_Inked = Annotated[str, Meta(pattern=r"^([1-8]|flag|mine)\Z")]
_Colours = Annotated[tuple[RGB, ...], Meta(min_length=1)]

TILE_BYTES = 6 * 6 * 3
"""Bytes of a kept tile: 6 by 6 pixels, blue-green-red. Specified: so first sight compares tiles."""
_Tile = Annotated[bytes, Meta(min_length=TILE_BYTES, max_length=TILE_BYTES)]
_Sign = Annotated[str, Meta(pattern=r"^[0-8?F*!]\Z")]
_Tiles = Annotated[tuple[_Tile, ...], Meta(min_length=1)]
KeptTiles = Annotated[Mapping[_Sign, _Tiles], Meta(min_length=1)]
"""The tiles of one picture by what they show, in the signs of a board's text form."""

NO_WINDOW = ("any window",)
"""The `app_ids` of a game that is known from pictures alone: no program has this name."""


class Grounds(Table, frozen=True):
    """The colours behind what is drawn on tiles."""

    covered: _Colours
    opened: _Colours
    exploded: _Colours
    """Behind the mine that was hit."""
    flash: _Colours
    """Of any tile while the board flashes, as some games do at the end."""


class FramedStyle(Table, frozen=True, tag_field="kind", tag="framed"):
    """A grid of raised tiles that touch, in a sunken frame."""

    dark: RGB = field(name="dark_rgb")
    """Left and top of the frame; right and bottom of a covered tile; lines of opened ones."""
    light: RGB = field(name="light_rgb")
    """Right and bottom of the frame; left and top of a covered tile."""
    tolerance: Annotated[int, Meta(ge=0, le=64)] = field(name="tolerance_levels")
    """How far a channel may lie from these colours, in levels of 255."""
    bevel: Annotated[float, Meta(ge=0, le=0.4)] = field(name="bevel_tiles")
    """Width of a covered tile's bevel, in tiles."""
    smallest_tile: Annotated[int, Meta(ge=4, le=64)] = field(name="smallest_tile_pixels")
    """In pixels; what would be smaller is no tile."""
    grounds: Grounds
    inks: Mapping[_Inked, _Colours] = {}
    """The colours that a number, a flag and a mine always show, as far as they are known."""


class LatticeStyle(Table, frozen=True, tag_field="kind", tag="lattice"):
    """A grid of tiles drawn in any way, which is read at first sight."""

    least_step: Annotated[int, Meta(ge=4, le=64)] | None = field(
        name="least_step_pixels", default=None
    )
    """In pixels from tile to tile: rather than draw them closer the game cuts the board off."""
    tiles: tuple[KeptTiles, ...] = ()
    """What the user said that tiles show, picture by picture."""


class StatusStyle(Table, frozen=True):
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


class CounterStyle(Table, frozen=True):
    """What shows the mines less the flags beside the board."""

    at: RelativePosition
    """Its middle."""
    kind: Annotated[str, Meta(pattern=r"^(segments|text)$")] = "segments"
    """Digits of seven segments each, or a number in a line of text."""
    mines: Annotated[int, Meta(ge=0, le=1_000_000)] = 0
    """The total at calibration; another one must be read twice, with flags and without."""


class Profile(Table, frozen=True):
    """All that is known of one game's looks, windows and behaviour; a `profile.toml`."""

    name: str
    title: str
    """The game's name for users, whatever its windows are called."""
    looks: str
    """What the game looks like, in words."""
    app_ids: Annotated[tuple[str, ...], Meta(min_length=1)]
    """What the desktop calls its windows: either part of WM_CLASS, or the program."""
    grid: FramedStyle | LatticeStyle
    page: str = ""
    """A part of its windows' titles, where others have the same `app_ids`, as in a browser."""
    status: StatusStyle | None = None
    """None if no line of text tells both flags and mines."""
    behaviour: Behaviour = field(default_factory=Behaviour)
    counter: CounterStyle | None = None
    """None if the game has no such counter."""
    generic: bool = False
    """Whether many games look like this; a profile made for one of them fits it better."""

    @property
    def kept(self) -> tuple[KeptTiles, ...]:
        """The tiles that the user named."""
        return self.grid.tiles if isinstance(self.grid, LatticeStyle) else ()
