"""A profile from its parsed TOML, every value checked."""

from __future__ import annotations

import re
from collections.abc import Mapping
from importlib.resources.abc import Traversable
from itertools import chain
from pathlib import PurePath
from typing import Any

from bot.actuator import Key
from bot.board import SYMBOLS, Cell
from bot.errors import ProfileError, UsageError
from bot.profile.behaviour import Chooser, Conduct, Dialog
from bot.profile.sprite_sheet import read_sheet
from bot.profile.values import (
    RGB,
    THUMBNAIL,
    ApartLook,
    FramedLook,
    Glyph,
    GridLook,
    InkLook,
    Profile,
    Sample,
    SampleLook,
    StatusLook,
    Thumbnail,
    TouchingLook,
)

__all__ = ["SHAPE", "parse"]

SHAPE = 12
"""Side of the square to which a sample's glyph is scaled."""

_INKS = ("1", "2", "3", "4", "5", "6", "7", "8", "flag", "flag_base", "mine", "cross")
_GLYPHS = ("1", "2", "3", "4", "5", "6", "7", "8", "flag", "mine")
_GROUNDS = ("covered", "opened", "exploded", "flash")
_SIDES = ("below", "above", "right")


def parse(data: Mapping[str, Any], path: str, folder: Traversable | None = None) -> Profile:
    """A profile from its parsed TOML; raises ProfileError naming `path` and the key at fault.

    The pictures that it names lie in the folder.
    """
    at = _At(data, path)
    grid, cells = _grid(at.table("grid")), _cells(at, folder)
    if isinstance(cells, InkLook) and not isinstance(grid, FramedLook):
        raise at.error("samples", "is missing: only raised tiles in a frame are told by inks")
    return Profile(
        name=at.text("name"),
        title=at.text("title"),
        looks=at.text("looks"),
        wm_class=tuple(at.texts("wm_class")),
        grid=grid,
        cells=cells,
        status=_status(at.table("status")) if at.has("status") else None,
        conduct=_conduct(at),
    )


def _grid(at: _At) -> GridLook:
    smallest = int(at.number("smallest_tile_pixels", 4, 64))
    kind = at.choice("kind", ("framed", "apart", "touching"))
    if kind == "touching":
        return TouchingLook(int(at.number("gap_pixels", 0, 8)), smallest)
    tolerance = int(at.number("tolerance_levels", 0, 64))
    if kind == "apart":
        least = int(at.number("least_step_pixels", 4, 64)) if at.has("least_step_pixels") else None
        return ApartLook(at.rgbs("ground_rgbs"), tolerance, smallest, least)
    return FramedLook(
        at.rgb("dark_rgb"),
        at.rgb("light_rgb"),
        tolerance,
        at.number("bevel_tiles", 0, 0.4),
        smallest,
    )


def _cells(at: _At, folder: Traversable | None) -> InkLook | SampleLook:
    if at.has("sheets"):
        sheets = [_sheet(each, folder) for each in at.tables("sheets")]
        single = [_thumbnail(each) for each in at.tables("samples")] if at.has("samples") else []
        return SampleLook((*single, *chain.from_iterable(sheets)))
    if not at.has("samples"):
        grounds, inks = at.table("backgrounds"), at.table("inks")
        return InkLook(
            {name: grounds.grounds(name) for name in _GROUNDS},
            {name: inks.rgb(name) for name in _INKS},
            _glyphs(at),
        )
    entries = at.tables("samples")
    if any(entry.has("pixels") for entry in entries):
        return SampleLook(tuple(_thumbnail(entry) for entry in entries))
    return SampleLook(tuple(_sample(entry) for entry in entries))


def _sheet(at: _At, folder: Traversable | None) -> tuple[Thumbnail, ...]:
    name = at.text("picture")
    if folder is None or PurePath(name).name != name:
        raise at.error("picture", f"is no file beside the profile: {name!r}")
    symbols = at.text("cells")
    if not symbols or set(symbols) - set(SYMBOLS):
        raise at.error("cells", f"is not one or more of {SYMBOLS}")
    behind = at.rgbs("behind_rgbs") if at.has("behind_rgbs") else ((0, 0, 0), (255, 255, 255))
    if len(behind) != 2:
        raise at.error("behind_rgbs", "is not two colours, the darkest and the lightest")
    uneven = at.has("uneven") and at.flag("uneven")
    cells = [Cell(SYMBOLS.index(symbol)) for symbol in symbols]
    try:
        return read_sheet(folder / name, cells, (behind[0], behind[1]), uneven=uneven)
    except UsageError as error:
        raise at.error("picture", f"{name} {error}") from error


def _thumbnail(at: _At) -> Thumbnail:
    return Thumbnail(
        _cell(at),
        at.pixels("pixels"),
        at.number("shade_levels", 0, 255) if at.has("shade_levels") else 0.0,
        at.text("phase") if at.has("phase") else "",
    )


def _cell(at: _At) -> Cell:
    return Cell(SYMBOLS.index(at.choice("cell", tuple(SYMBOLS))))


def _glyphs(at: _At) -> tuple[Glyph, ...]:
    glyphs = tuple(
        Glyph(
            each.choice("name", _GLYPHS),
            each.number("aspect", 0.01, 100),
            each.number("height_tiles", 0.01, 1),
            bytes(each.shape("shape")),
        )
        for each in at.tables("glyphs")
    )
    missing = set(_GLYPHS) - {glyph.name for glyph in glyphs}
    if missing:
        raise at.error("glyphs", f"lacks {', '.join(sorted(missing))}")
    return glyphs


def _sample(at: _At) -> Sample:
    cell = _cell(at)
    grounds = at.rgbs("ground_rgbs")
    phase = at.text("phase") if at.has("phase") else ""
    if not at.has("shape"):
        return Sample(cell, grounds, phase)
    return Sample(
        cell,
        grounds,
        phase,
        at.rgb("ink_rgb"),
        at.number("aspect", 0.01, 100),
        at.number("height_tiles", 0.01, 1),
        at.shape("shape"),
    )


def _status(at: _At) -> StatusLook:
    total = at.pattern("total")
    if not {"marked", "mines"} <= set(total.groupindex):
        raise at.error("total", "lacks the group 'marked' or 'mines'")
    return StatusLook(
        at.choice("side", _SIDES),
        total,
        at.pattern("won"),
        at.pattern("lost"),
        at.pattern("solved"),
    )


def _conduct(at: _At) -> Conduct:
    usual = Conduct()
    keys, timing = at.table("keys", {}), at.table("timing", {})
    boards = at.table("boards", {})
    return Conduct(
        new_game_key=keys.key("new_game") if keys.has("new_game") else None,
        answer=timing.seconds("answer_milliseconds", usual.answer),
        message=timing.seconds("end_message_milliseconds", usual.message),
        dialogs=tuple(map(_dialog, at.tables("dialogs"))) if at.has("dialogs") else (),
        chooser=_chooser(at.table("chooser")) if at.has("chooser") else None,
        boards=boards.board_keys("keys") if boards.has("keys") else {},
        other_board=boards.text("other") if boards.has("other") else usual.other_board,
        flags_to_win=boards.flag("flags_to_win") if boards.has("flags_to_win") else False,
    )


def _dialog(at: _At) -> Dialog:
    when = at.choice("when", ("ended", "new_game"))
    return Dialog(at.pattern("title"), when, at.keys("keys"))


def _chooser(at: _At) -> Chooser:
    entry = at.pattern("entry")
    if not {"width", "height"} <= set(entry.groupindex):
        raise at.error("entry", "lacks the group 'width' or 'height'")
    return Chooser(entry, at.key("key") if at.has("key") else None)


class _At:
    """One table of a profile, which knows how to say what is wrong and where."""

    def __init__(self, data: Mapping[str, Any], path: str, prefix: str = "") -> None:
        self._data, self._path, self._prefix = data, path, prefix

    def _get(self, key: str, kind: type, what: str) -> Any:
        if key not in self._data:
            raise self.error(key, "is missing")
        value = self._data[key]
        if not isinstance(value, kind) or isinstance(value, bool):
            raise self.error(key, f"{value!r} is not {what}")
        return value

    def error(self, key: str, reason: str) -> ProfileError:
        return ProfileError(self._path, self._prefix + key, reason)

    def table(self, key: str, default: Mapping[str, Any] | None = None) -> _At:
        missing = default is not None and key not in self._data
        table = default if missing else self._get(key, dict, "a table")
        return _At(table or {}, self._path, f"{self._prefix}{key}.")

    def has(self, key: str) -> bool:
        return key in self._data

    def tables(self, key: str) -> list[_At]:
        entries = self._get(key, list, "a list of tables")
        if not entries or not all(isinstance(entry, dict) for entry in entries):
            raise self.error(key, "is not a list of tables")
        return [
            _At(entry, self._path, f"{self._prefix}{key}[{index}].")
            for index, entry in enumerate(entries)
        ]

    def choice(self, key: str, choices: tuple[str, ...]) -> str:
        value = self.text(key)
        if value not in choices:
            raise self.error(key, f"{value!r} is none of {', '.join(choices)}")
        return value

    def text(self, key: str) -> str:
        return str(self._get(key, str, "a text"))

    def texts(self, key: str) -> list[str]:
        values = self._get(key, list, "a list of texts")
        if not values or not all(isinstance(value, str) for value in values):
            raise self.error(key, f"{values!r} is not a list of texts")
        return list(values)

    def number(self, key: str, least: float, most: float) -> float:
        value = float(self._get(key, (int, float), "a number"))  # type: ignore[arg-type]  # isinstance takes tuples
        if not least <= value <= most:
            raise self.error(key, f"{value:g} is not between {least:g} and {most:g}")
        return value

    def seconds(self, key: str, default: float) -> float:
        """What is written in milliseconds."""
        return self.number(key, 0, 60_000) / 1000 if self.has(key) else default

    def flag(self, key: str) -> bool:
        value = self._data[key]
        if not isinstance(value, bool):
            raise self.error(key, f"{value!r} is neither true nor false")
        return value

    def key(self, key: str) -> str:
        return self._key(key, self.text(key))

    def keys(self, key: str) -> tuple[str, ...]:
        return tuple(self._key(f"{key}[{i}]", text) for i, text in enumerate(self.texts(key)))

    def board_keys(self, key: str) -> dict[tuple[int, int], tuple[str, ...]]:
        table, found = self.table(key), {}
        for name in table._data:
            size = re.fullmatch(r"([1-9]\d*)x([1-9]\d*)", name)
            if size is None:
                raise table.error(name, "is no board's columns and rows, as 30x16")
            found[int(size[1]), int(size[2])] = table.keys(name)
        return found

    def _key(self, key: str, text: str) -> str:
        try:
            return str(Key.parse(text))
        except UsageError as error:
            raise self.error(key, str(error)) from error

    def pattern(self, key: str) -> re.Pattern[str]:
        try:
            return re.compile(self.text(key))
        except re.error as error:
            raise self.error(key, f"no regular expression: {error}") from error

    def rgb(self, key: str) -> RGB:
        return self._rgb(key, self._get(key, list, "a colour"))

    def rgbs(self, key: str) -> tuple[RGB, ...]:
        entries = self._get(key, list, "a list of colours")
        if not entries:
            raise self.error(key, "names no colour")
        return tuple(self._rgb(f"{key}[{index}]", entry) for index, entry in enumerate(entries))

    def pixels(self, key: str) -> bytes:
        rows = self.texts(key)
        digits = 6 * THUMBNAIL
        if len(rows) != THUMBNAIL or not all(
            re.fullmatch(rf"[0-9a-f]{{{digits}}}", row) for row in rows
        ):
            raise self.error(key, f"is not {THUMBNAIL} rows of {THUMBNAIL} colours as rrggbb")
        return bytes.fromhex("".join(rows))

    def shape(self, key: str) -> tuple[int, ...]:
        rows = self.text(key).split()
        if len(rows) != SHAPE or not all(
            re.fullmatch(rf"[0-9a-f]{{{SHAPE}}}", row) for row in rows
        ):
            raise self.error(key, f"is not {SHAPE} rows of {SHAPE} digits from 0 to f")
        return tuple(int(digit, 16) for row in rows for digit in row)

    def grounds(self, key: str) -> tuple[RGB, ...]:
        entries = self._get(key, list, "a list of colours")
        if not entries:
            raise self.error(key, "names no colour")
        found = []
        for index, entry in enumerate(entries):
            if not isinstance(entry, dict):
                raise self.error(key, f"{entry!r} is not a table with a key 'rgb'")
            found.append(self._rgb(f"{key}[{index}].rgb", entry.get("rgb")))
        return tuple(found)

    def _rgb(self, key: str, value: Any) -> RGB:
        if (
            not isinstance(value, list)
            or len(value) != 3
            or not all(type(level) is int and 0 <= level <= 255 for level in value)
        ):
            raise self.error(key, f"{value!r} is not three levels from 0 to 255")
        return value[0], value[1], value[2]
