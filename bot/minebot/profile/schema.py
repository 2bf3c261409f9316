"""What a `profile.toml` may hold, as values: how a game behaves, and what it looks like.

Colours are red, green, blue from 0 to 255.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Any, Self

from msgspec import Meta, Struct, field, structs

from minebot.actuator import Key
from minebot.capture import Pixel, Rect
from minebot.errors import UsageError

Keys = Annotated[tuple[str, ...], Meta(min_length=1)]
"""Keys to press one after the other, each as `Key` reads it."""
BoardName = Annotated[str, Meta(pattern=r"^[1-9]\d*x[1-9]\d*$")]
"""A board's columns and rows, such as `30x16`."""
Tiles = Annotated[float, Meta(ge=-1000, le=1000)]
"""A distance: no board has more tiles."""
Milliseconds = Annotated[int, Meta(ge=0, le=60_000)]

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


class Fault(ValueError):
    """What is wrong with one field of a table: its key and the reason."""


class Table(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A table of a `profile.toml`; its fields and their constraints are declared once, here."""

    def changed(self, **fields: Any) -> Self:
        """Return the table with other values in these fields."""
        return structs.replace(self, **fields)


class Dialog(Table, frozen=True):
    """A window that the game itself puts in front of its board."""

    title: re.Pattern[str]
    when: Annotated[str, Meta(pattern=r"^(ended|new_game)$")]
    """`ended`: at the end of a game; `new_game`: only after the key for a new game was pressed,
    with no window before the board until then."""
    keys: Keys
    """What to press, one after the other, so that it goes away and playing goes on."""

    def __post_init__(self) -> None:
        _check_keys("keys", *self.keys)


class Chooser(Table, frozen=True):
    """What a game shows in the place of a board, for the user to pick one."""

    entry: re.Pattern[str]
    """What a line of text on it reads that picks a board; has the groups `width`, `height`."""
    key: str | None = None
    """The key that comes back to it, None if there is none."""

    def __post_init__(self) -> None:
        _check_groups("entry", self.entry, "width", "height")
        _check_keys("key", self.key)


class RelativePosition(Table, frozen=True):
    """A place beside the board, told by tiles: it moves with the board and grows with it."""

    side: Annotated[str, Meta(pattern=r"^(above|below|left|right)$")]
    """Of the board."""
    from_: Annotated[str, Meta(pattern=r"^(start|middle|end)$")] = field(name="from")
    """What of that side it keeps its distance from: its left or upper end, or another."""
    along: Tiles = field(name="along_tiles")
    """From there to the right or downwards, in tiles."""
    away: Tiles = field(name="away_tiles")
    """From that side, in tiles."""

    @classmethod
    def of(cls, at: Pixel, board: Rect, tile: int) -> Self:
        """The spot of a pixel that lies beside the board; `tile` is the pixels of one."""
        ways = {
            "above": board.top - at.y,
            "below": at.y - board.bottom,
            "left": board.left - at.x,
            "right": at.x - board.right,
        }
        side = max(ways, key=lambda each: ways[each])
        place = at.x if side in ("above", "below") else at.y
        ends = _ends(side, board)
        nearest = min(ends, key=lambda each: abs(place - ends[each]))
        along = (place - ends[nearest]) / tile
        return cls(side, nearest, round(along, 2), round(ways[side] / tile, 2))

    def pixel(self, board: Rect, tile: int) -> Pixel:
        """Return its pixel beside a `board` whose tiles are `tile` pixels wide."""
        along = _ends(self.side, board)[self.from_] + self.along * tile
        away = self.away * tile
        places = {
            "above": (along, board.top - away),
            "below": (along, board.bottom + away),
            "left": (board.left - away, along),
            "right": (board.right + away, along),
        }
        x, y = places[self.side]
        return Pixel(round(x), round(y))


def _ends(side: str, board: Rect) -> dict[str, float]:
    """Where a side of the board begins and ends, and its middle, in pixels."""
    if side in ("above", "below"):
        first, last = board.left, board.right
    else:
        first, last = board.top, board.bottom
    return {"start": first, "middle": (first + last) / 2, "end": last}


class FlagButton(Table, frozen=True):
    """A button by which left clicks flag squares instead of opening them, and how it shows that."""

    at: RelativePosition
    """What is clicked to flag."""
    shown_at: RelativePosition
    """The middle of what shows which of the two a click does."""
    width: Annotated[float, Meta(gt=0, le=1000)] = field(name="shown_wide_tiles")
    height: Annotated[float, Meta(gt=0, le=1000)] = field(name="shown_high_tiles")
    opening: bytes
    """Its picture while a click opens, for `minebot.vision.flag_mode`; Base64 in the file."""
    flagging: bytes
    """Its picture while a click flags."""
    back: RelativePosition | None = None
    """What is clicked to open again; None if that is the same button."""


class Behaviour(Table, frozen=True):
    """How a game is to be dealt with."""

    new_game_key: str | None = None
    """For a new board of the same size; None if there is no such key."""
    new_game_button: RelativePosition | None = None
    """What is clicked for one where there is no key: a face, or a button in a page."""
    auto_restart: bool = False
    """Whether a new board comes by itself once a game has ended."""
    flags: bool = True
    """Whether a click flags a square; without flags it plays as well."""
    flag_modifier: Annotated[str, Meta(pattern=r"^(ctrl|shift|alt)$")] | None = None
    """What is held while a left click flags a square; None if a right click does."""
    flag_button: FlagButton | None = None
    """What is clicked before a left click flags a square, and after; None if nothing is."""
    four_neighbour_flood: bool = False
    """Whether an empty square opens those at its four sides alone, or some of its neighbours."""
    wait_for_each_click: bool = False
    """Whether a click has to show before the next is sent: the game takes each to be where the
    pointer is when it comes to look at it."""
    press_milliseconds: Milliseconds = 0
    """Time for which a click holds the button: some games only poll it now and then."""
    park_after_click: bool = False
    """Whether the pointer must leave the board before a frame is read: it changes tiles below."""
    first_click_may_lose: bool = False
    """Whether there may be a mine where a fresh board is opened."""
    answer_milliseconds: Milliseconds = 400
    """Time after which a click that has not shown is lost."""
    end_message_milliseconds: Milliseconds = 0
    """Time for which a message lies over the board when a game has ended."""
    end_message_key: str | None = None
    """What closes a message over the whole window at the end, such as a browser shows."""
    end_overlay: bool = False
    """Whether the game shows something over its own board when it has ended: words, say."""
    end_buttons: tuple[RelativePosition, ...] = ()
    """What is clicked on a message that the game shows over its own board at the end: it closes the
    message, or brings a new board. Told from the board below it, `away` may be less than 0."""
    other_board: str = "start the game with it"
    """What a user does to have a board of a size that neither keys nor chooser pick."""
    flags_to_win: bool = False
    """Whether a game is won only when every mine is flagged."""
    chooser: Chooser | None = None
    boards: Mapping[BoardName, Keys] = field(default_factory=dict)
    """The keys that pick a board in the game's menus."""
    dialogs: tuple[Dialog, ...] = ()

    def __post_init__(self) -> None:
        _check_keys("new_game_key", self.new_game_key)
        _check_keys("end_message_key", self.end_message_key)
        for name, keys in self.boards.items():
            _check_keys(f"boards.{name}", *keys)


def _check_groups(key: str, pattern: re.Pattern[str], *groups: str) -> None:
    """Raise Fault for a pattern without one of the groups."""
    missing = [group for group in groups if group not in pattern.groupindex]
    if missing:
        raise Fault(key, f"lacks the group {', '.join(map(repr, missing))}")


def _check_keys(key: str, *texts: str | None) -> None:
    try:
        for text in texts:
            if text is not None:
                Key.parse(text)
    except UsageError as error:
        raise Fault(key, str(error)) from error


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
        _check_groups("total", self.total, "marked", "mines")


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
