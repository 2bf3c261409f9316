"""The file of a profile: what it may hold, declared once, for reading and for writing.

The tables are the values themselves (`behaviour`, `values`); `ProfileFile` says how they
lie in the file, and that pictures of the digits' shapes may lie beside it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any, TypeVar, get_origin

import msgspec
from msgspec import Meta, field

from bot.errors import ProfileError, UsageError
from bot.profile.behaviour import Conduct, Fault, Table
from bot.profile.sheets import PictureName, Pixels, Sheet, draw, read
from bot.profile.values import (
    RGB,
    CounterLook,
    FramedLook,
    Glyph,
    GridLook,
    InkLook,
    LatticeLook,
    Profile,
    StatusLook,
)

Declared = TypeVar("Declared")

_INKS = ("1", "2", "3", "4", "5", "6", "7", "8", "flag", "flag_base", "mine", "cross")
_GLYPHS = ("1", "2", "3", "4", "5", "6", "7", "8", "flag", "mine")
_GROUNDS = ("covered", "opened", "exploded", "flash")

_OLD = "is of an older minebot: make the profile anew, by minebot calibrate"
_OLD_GRIDS = ("apart", "touching")
_OLD_SHEETS = ("artwork", "glyphs", "tiles")
"""Pictures of whole tiles, or of what is drawn on them with its colours."""

_AT = re.compile(r"(?P<reason>.*?)(?: - at (?:`key` in )?`\$\.?(?P<key>.*)`)?", re.DOTALL)
"""How msgspec says what is wrong where, as in: Expected `int` <= 255 - at `$.inks.1[0]`."""
_MISSING = re.compile(r"Object missing required field `(.*)`")
_UNKNOWN = re.compile(r"Object contains unknown field `(.*)`")


class Inks(Table, frozen=True):
    """The colours of a game whose cells are told apart by them, as `InkLook` has them."""

    grounds: Mapping[str, tuple[RGB, ...]]
    inks: Mapping[str, RGB]

    def __post_init__(self) -> None:
        _check_names("grounds", self.grounds, _GROUNDS)
        _check_names("inks", self.inks, _INKS)


class Heading(msgspec.Struct, frozen=True):
    """Which game a profile is of: all that is needed to find it."""

    name: str
    title: str
    looks: str
    app_ids: Annotated[tuple[str, ...], Meta(min_length=1)]
    page: str = ""
    """Of a game in a browser, whose windows are not all of it: a part of their titles."""


class ProfileFile(
    Heading, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True
):
    """A `profile.toml`."""

    grid: GridLook
    sheets: tuple[Sheet, ...] = ()
    """None where the grid is of the kind `lattice`, which is read at first sight."""
    colours: Inks | None = None
    status: StatusLook | None = None
    conduct: Conduct = field(default_factory=Conduct)
    counter: CounterLook | None = None
    generic: bool = False

    def __post_init__(self) -> None:
        if not self.sheets and not isinstance(self.grid, LatticeLook):
            raise Fault("sheets", "is missing: only a lattice is read at first sight")
        if self.colours is not None and not isinstance(self.grid, FramedLook):
            raise Fault("colours", "cannot be: only raised tiles in a frame are told by them")
        if self.colours is None and isinstance(self.grid, FramedLook):
            raise Fault("colours", "is missing: raised tiles in a frame are told by them")


def parse(data: Mapping[str, Any], path: str, folder: Path) -> Profile:
    """A profile from its parsed TOML, its pictures in the folder.

    Raises ProfileError naming `path` and the key at fault.
    """
    file = declared(data, ProfileFile, path)
    cells = None if file.colours is None else _inks(file.colours, file.sheets, path, folder)
    return Profile(
        file.name,
        file.title,
        file.looks,
        file.app_ids,
        file.grid,
        cells,
        file.status,
        file.conduct,
        file.counter,
        file.page,
        file.generic,
    )


def _inks(colours: Inks, sheets: Iterable[Sheet], path: str, folder: Path) -> InkLook:
    """What tells the cells apart, the sheets in the folder; raises ProfileError."""
    glyphs: list[Glyph] = []
    for number, sheet in enumerate(sheets):
        try:
            glyphs += read(sheet, folder)
        except UsageError as error:
            key = f"sheets[{number}].picture"
            raise ProfileError(path, key, f"{sheet.picture} {error}") from error
    missing = set(_GLYPHS) - {glyph.name for glyph in glyphs}
    if missing:
        raise ProfileError(path, "sheets", f"lacks {', '.join(sorted(missing))}")
    return InkLook(colours.grounds, colours.inks, tuple(glyphs))


def profile_file(profile: Profile) -> tuple[ProfileFile, list[Pixels]]:
    """The file of a profile, and the pixels of each of its sheets in turn."""
    look = profile.cells
    sheets, colours = [], None
    if look is not None:
        sheets = [draw(look.glyphs)]
        colours = Inks(look.grounds, look.inks)
    file = ProfileFile(
        name=profile.name,
        title=profile.title,
        looks=profile.looks,
        app_ids=profile.app_ids,
        page=profile.page,
        grid=profile.grid,
        sheets=tuple(sheet for sheet, _ in sheets),
        colours=colours,
        status=profile.status,
        conduct=profile.conduct,
        counter=profile.counter,
        generic=profile.is_generic,
    )
    return file, [pixels for _, pixels in sheets]


def tables(file: ProfileFile) -> dict[str, Any]:
    """The file as TOML has it: tables, lists, texts and numbers."""
    data = msgspec.to_builtins(file, enc_hook=lambda pattern: pattern.pattern)
    assert isinstance(data, dict)
    return data


def declared(data: Mapping[str, Any], kind: type[Declared], path: str) -> Declared:
    """A `ProfileFile` or its `Heading` from parsed TOML; raises ProfileError."""
    _check_age(data, path)
    if "lattice" in _kinds(data.get("grid")):
        # An older minebot wrote more of a lattice, of which nothing is used any more.
        data = {key: value for key, value in data.items() if key != "sheets"}
        data["grid"] = {key: it for key, it in data["grid"].items() if key != "inset_tiles"}
    try:
        return msgspec.convert(data, kind, dec_hook=_value)
    except msgspec.ValidationError as error:
        raise ProfileError(path, *_told(error)) from error


class _Picture(msgspec.Struct, frozen=True):
    picture: PictureName


class _Pictures(msgspec.Struct, frozen=True):
    sheets: tuple[_Picture, ...] = ()


def pictures(data: Mapping[str, Any]) -> set[str]:
    """The names of the pictures that a profile of any age names, none where it is spoilt."""
    try:
        return {sheet.picture for sheet in msgspec.convert(data, _Pictures).sheets}
    except msgspec.ValidationError:
        return set()


def _check_age(data: Mapping[str, Any], path: str) -> None:
    """Raise ProfileError for a profile of an older minebot that nobody can read any more."""
    grid, sheets = _kinds(data.get("grid")), _kinds(data.get("sheets"))
    old = {
        "wm_class": "wm_class" in data,
        "grid.kind": not grid.isdisjoint(_OLD_GRIDS),
        "sheets": "framed" in grid and not sheets.isdisjoint(_OLD_SHEETS),
    }
    for key in (key for key, is_old in old.items() if is_old):
        raise ProfileError(path, key, _OLD)


def _kinds(written: Any) -> set[str]:
    """The kinds of a table, or of the tables in a list; of a spoilt one none."""
    some = written if isinstance(written, list) else [written]
    kinds = (table.get("kind") for table in some if isinstance(table, dict))
    return {kind for kind in kinds if isinstance(kind, str)}


def _told(error: msgspec.ValidationError) -> tuple[str, str]:
    """The key at fault and the reason."""
    match = _AT.fullmatch(str(error))
    assert match is not None
    key, reason = match["key"] or "", match["reason"]
    for pattern, why in ((_MISSING, "is missing"), (_UNKNOWN, "is not known")):
        named = pattern.fullmatch(reason)
        if named is not None:
            return f"{key}.{named[1]}".lstrip("."), why
    if isinstance(error.__cause__, Fault):
        return f"{key}.{error.__cause__.key}".lstrip("."), error.__cause__.reason
    return key or "file", reason


def _value(kind: Any, written: Any) -> Any:
    """What the file's texts stand for."""
    assert get_origin(kind) is re.Pattern
    if not isinstance(written, str):
        raise ValueError(f"{written!r} is not a text")
    try:
        return re.compile(written)
    except re.error as error:
        raise ValueError(f"is no regular expression: {error}") from error


def _check_names(key: str, named: Mapping[str, Any], names: tuple[str, ...]) -> None:
    missing = [name for name in names if name not in named]
    if missing:
        raise Fault(key, f"lacks {', '.join(missing)}")
    unknown = [name for name in named if name not in names]
    if unknown:
        raise Fault(key, f"has {', '.join(unknown)}, which is none of {', '.join(names)}")
