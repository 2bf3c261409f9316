"""How a game behaves, as values: its keys, its other windows, how fast it answers."""

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
        check_groups("entry", self.entry, "width", "height")
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


def check_groups(key: str, pattern: re.Pattern[str], *groups: str) -> None:
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
