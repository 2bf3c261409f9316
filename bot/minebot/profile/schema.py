"""What the file of a profile may hold: its tables are the values themselves."""

from __future__ import annotations

import re
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Any, get_origin

import msgspec

from minebot.errors import ProfileError, UsageError
from minebot.profile.appearance import Profile
from minebot.profile.behaviour import Fault
from minebot.profile.shapes import PICTURE, read

_OLD = "is of an older minebot: make the profile anew, by minebot calibrate --force"

_AT = re.compile(r"(?P<reason>.*?)(?: - at (?:`key` in )?`\$\.?(?P<key>.*)`)?", re.DOTALL)
"""How msgspec says what is wrong where, as in: Expected `int` <= 255 - at `$.inks.1[0]`."""
_MISSING = re.compile(r"Object missing required field `(.*)`")
_UNKNOWN = re.compile(r"Object contains unknown field `(.*)`")


def parse(data: Mapping[str, Any], path: str, folder: Path) -> Profile:
    """A profile from its TOML, its shapes in the folder; raises ProfileError, naming `path`."""
    profile = _declared(data, path)
    if profile.colours is None or profile.shapes is None:
        return profile
    try:
        glyphs = read(profile.shapes, folder / PICTURE)
    except UsageError as error:
        why = str(error).removeprefix(f"{folder / PICTURE}: ")
        raise ProfileError(path, "shapes", f"{PICTURE} {why}") from error
    return profile.changed(colours=profile.colours.changed(glyphs=glyphs))


def _declared(data: Mapping[str, Any], path: str) -> Profile:
    """The values in parsed TOML; raises ProfileError."""
    grid = data.get("grid")
    if isinstance(grid, dict) and grid.get("kind") == "lattice":
        # An older minebot wrote more of a lattice, of which nothing is used any more.
        data = {key: it for key, it in data.items() if key != "sheets"}
        data["grid"] = {key: it for key, it in grid.items() if key != "inset_tiles"}
    for key in ("wm_class", "sheets"):
        if key in data:
            raise ProfileError(path, key, _OLD)
    try:
        return msgspec.convert(data, Profile, dec_hook=_value)
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
