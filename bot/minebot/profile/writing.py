"""Writing a profile, so that a failure leaves the one before as it was."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from minebot.errors import ProfileError, UsageError, file_errors
from minebot.files import write_whole
from minebot.profile.appearance import Profile
from minebot.profile.index import LARGEST
from minebot.profile.schema import parse

_BARE = re.compile(r"[A-Za-z0-9_-]+")
"""Keys that TOML takes without quotes."""


def write(profile: Profile, path: Path) -> None:
    """Write a profile that is read at first sight to its `profile.toml`.

    The file is replaced as a whole: whatever fails, the one before is still there. One that says
    the same stays as the user wrote it. Raises UsageError, also where it is too large to be loaded,
    and ValueError for a profile with colours.
    """
    if profile.colours is not None:
        raise ValueError(f"the profile {profile.name} has colours")
    tables = msgspec.to_builtins(profile, enc_hook=lambda pattern: pattern.pattern)
    text = "\n".join([*_table(tables, ()), ""])
    if _says(path, profile):
        return
    if len(text.encode()) > LARGEST:
        raise UsageError(f"{path}: a profile has at most {LARGEST} bytes")
    with file_errors(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, text.encode())


def _says(path: Path, profile: Profile) -> bool:
    """Whether the file is this profile already."""
    try:
        return parse(tomllib.loads(path.read_text("utf-8")), "", path.parent) == profile
    except (OSError, ValueError, ProfileError):
        return False  # not there, spoilt by hand, or of an older form


def _table(table: Mapping[str, Any], name: tuple[str, ...]) -> Iterator[str]:
    """The lines of a table, and after its own values those of the tables in it."""
    inner = []
    for key, value in table.items():
        path = (*name, _key(key))
        if isinstance(value, dict):
            inner += [(f"[{'.'.join(path)}]", path, value)]
        elif isinstance(value, list | tuple) and value and isinstance(value[0], dict):
            inner += [(f"[[{'.'.join(path)}]]", path, each) for each in value]
        else:
            yield f"{_key(key)} = {_value(value)}"
    for heading, path, each in inner:
        lines = list(_table(each, path))
        if lines and not lines[0].startswith("["):
            lines = ["", heading, *lines]
        yield from lines


def _key(key: str) -> str:
    return key if _BARE.fullmatch(key) else _value(key)


def _value(value: Any) -> str:
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_value, value))}]"
    if not isinstance(value, str):
        return json.dumps(value)
    if "\\" in value and "'" not in value and value.isprintable():
        return f"'{value}'"  # a regular expression is best left as it is
    # A basic string of TOML escapes as JSON does, and one character more.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
