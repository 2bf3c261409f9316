"""The file of a profile: what it may hold, declared once, for reading and for writing.

The tables are the values themselves (`behaviour`, `values`); `ProfileFile` says how they
lie in the file.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, get_origin

import msgspec
from msgspec import Meta, field

from minebot.errors import ProfileError, UsageError
from minebot.profile.appearance import (
    RGB,
    CounterStyle,
    DigitColourStyle,
    FramedStyle,
    GridLook,
    Profile,
    StatusStyle,
)
from minebot.profile.behaviour import Behaviour, Fault, Table
from minebot.profile.shapes import PICTURE, SHAPED, Sizes, read

_INKS = ("1", "2", "3", "4", "5", "6", "7", "8", "flag", "flag_base", "mine", "cross")
_GROUNDS = ("covered", "opened", "exploded", "flash")

_OLD = "is of an older minebot: make the profile anew, by minebot calibrate --force"

_AT = re.compile(r"(?P<reason>.*?)(?: - at (?:`key` in )?`\$\.?(?P<key>.*)`)?", re.DOTALL)
"""How msgspec says what is wrong where, as in: Expected `int` <= 255 - at `$.inks.1[0]`."""
_MISSING = re.compile(r"Object missing required field `(.*)`")
_UNKNOWN = re.compile(r"Object contains unknown field `(.*)`")


class DigitColourTable(Table, frozen=True):
    """The colours by which the cells of a game are recognised; becomes a `DigitColourStyle`."""

    grounds: Mapping[str, tuple[RGB, ...]]
    inks: Mapping[str, RGB]

    def __post_init__(self) -> None:
        _check_names("grounds", self.grounds, _GROUNDS)
        _check_names("inks", self.inks, _INKS)


class ProfileFile(Table, frozen=True):
    """A `profile.toml`."""

    name: str
    title: str
    looks: str
    app_ids: Annotated[tuple[str, ...], Meta(min_length=1)]
    grid: GridLook
    page: str = ""
    """Of a game in a browser, whose windows are not all of it: a part of their titles."""
    colours: DigitColourTable | None = None
    shapes: Mapping[str, Sizes] | None = None
    """The sizes of the shapes in the picture beside the profile."""
    status: StatusStyle | None = None
    behaviour: Behaviour = field(default_factory=Behaviour)
    counter: CounterStyle | None = None
    generic: bool = False

    def __post_init__(self) -> None:
        is_framed = isinstance(self.grid, FramedStyle)
        for key, given in (("colours", self.colours), ("shapes", self.shapes)):
            if is_framed and given is None:
                raise Fault(key, "is missing: raised tiles in a frame are told by them")
            if not is_framed and given is not None:
                raise Fault(key, "cannot be: only raised tiles in a frame are told by them")
        if self.shapes is not None:
            _check_names("shapes", self.shapes, SHAPED)


def parse(data: Mapping[str, Any], path: str, folder: Path) -> Profile:
    """A profile from its parsed TOML, the picture of its shapes in the folder.

    Raises ProfileError naming `path` and the key at fault.
    """
    file = _declared(data, path)
    cells = None
    if file.colours is not None and file.shapes is not None:
        try:
            glyphs = read(file.shapes, folder / PICTURE)
        except UsageError as error:
            why = str(error).removeprefix(f"{folder / PICTURE}: ")
            raise ProfileError(path, "shapes", f"{PICTURE} {why}") from error
        colours = file.colours
        cells = DigitColourStyle(colours.grounds, colours.inks, glyphs)
    return Profile(
        file.name,
        file.title,
        file.looks,
        file.app_ids,
        file.grid,
        cells,
        file.status,
        file.behaviour,
        file.counter,
        file.page,
        file.generic,
    )


def tables(profile: Profile) -> dict[str, Any]:
    """A profile as TOML has it: tables, lists, texts and numbers.

    Raises ValueError for one with colours, whose shapes lie in a picture.
    """
    if profile.cells is not None:
        raise ValueError(f"the profile {profile.name} has colours")
    file = ProfileFile(
        name=profile.name,
        title=profile.title,
        looks=profile.looks,
        app_ids=profile.app_ids,
        page=profile.page,
        grid=profile.grid,
        status=profile.status,
        behaviour=profile.behaviour,
        counter=profile.counter,
        generic=profile.is_generic,
    )
    data: dict[str, Any] = msgspec.to_builtins(file, enc_hook=lambda pattern: pattern.pattern)
    return data


def _declared(data: Mapping[str, Any], path: str) -> ProfileFile:
    """A `ProfileFile` from parsed TOML; raises ProfileError."""
    grid = data.get("grid")
    if isinstance(grid, dict) and grid.get("kind") == "lattice":
        # An older minebot wrote more of a lattice, of which nothing is used any more.
        data = {key: it for key, it in data.items() if key != "sheets"}
        data["grid"] = {key: it for key, it in grid.items() if key != "inset_tiles"}
    for key in ("wm_class", "sheets"):
        if key in data:
            raise ProfileError(path, key, _OLD)
    try:
        return msgspec.convert(data, ProfileFile, dec_hook=_value)
    except msgspec.ValidationError as error:
        raise ProfileError(path, *_told(error)) from error


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
        with warnings.catch_warnings():  # of what a later Python may read otherwise
            warnings.simplefilter("ignore")
            return re.compile(written)
    except (re.error, OverflowError, RecursionError) as error:
        raise ValueError(f"is no regular expression: {error}") from error


def _check_names(key: str, named: Mapping[str, Any], names: tuple[str, ...]) -> None:
    missing = [name for name in names if name not in named]
    if missing:
        raise Fault(key, f"lacks {', '.join(missing)}")
    unknown = [name for name in named if name not in names]
    if unknown:
        raise Fault(key, f"has {', '.join(unknown)}, which is none of {', '.join(names)}")
