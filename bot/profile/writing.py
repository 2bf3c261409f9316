"""Writing a profile, so that a failure leaves the one before as it was."""

from __future__ import annotations

import json
import os
import re
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from bot.errors import ProfileError, UsageError
from bot.profile.schema import ProfileFile, declared, pictures, profile_file, tables
from bot.profile.sheets import as_png
from bot.profile.values import Profile

_BARE = re.compile(r"[A-Za-z0-9_-]+")
"""Keys that TOML takes without quotes."""
_SHEETS = "[[sheets]]"


def write(profile: Profile, path: Path) -> None:
    """Write a profile to its `profile.toml`, and its sheets beside that.

    The file is replaced as a whole, after its sheets have been written under names that
    the one before does not use: whatever fails, one or the other is there and whole.
    What a user wrote into it above the sheets stays if it says the same. Raises
    UsageError.
    """
    file, drawn = profile_file(profile)
    made: list[Path] = []
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        before = path.read_text("utf-8", errors="replace") if path.exists() else ""
        sheets = []
        for sheet, pixels in zip(file.sheets, drawn, strict=True):
            data = as_png(pixels)
            name = _free(path.parent / sheet.picture, data)
            if not name.exists():
                made.append(name)
                put(name, data)
            sheets.append(replace(sheet, picture=name.name))
        file = replace(file, sheets=tuple(sheets))
        put(path, _text(file, before).encode())
    except OSError as error:
        for each in made:
            with suppress(OSError):
                each.unlink()
        raise UsageError(f"{path}: {error.strerror}") from error
    for picture in _pictures(before) - {sheet.picture for sheet in file.sheets}:
        with suppress(OSError):
            (path.parent / picture).unlink()


def _text(file: ProfileFile, before: str) -> str:
    """The file as TOML, with what a user wrote above the sheets if that says the same."""
    data = tables(file)
    drawn = data.pop("sheets", ())
    sheets = [line for sheet in drawn for line in (_SHEETS, *_table(sheet, ()), "")]
    head, found, _ = before.partition(f"\n{_SHEETS}")
    kept = "\n".join([head, *sheets]) if sheets else f"{head.rstrip()}\n"
    try:
        if (found or not sheets) and declared(tomllib.loads(kept), ProfileFile, "") == file:
            return kept
    except (ProfileError, tomllib.TOMLDecodeError):
        pass  # of an older form, or spoilt by hand
    return "\n".join([*_table(data, ()), "", *sheets])


def _pictures(text: str) -> set[str]:
    """The sheets of the profile with that text, none where it is none."""
    try:
        return pictures(tomllib.loads(text))
    except tomllib.TOMLDecodeError:
        return set()


def _free(path: Path, data: bytes) -> Path:
    """That file's name, or one like it, under which there is nothing but the same data."""
    number, name = 1, path
    while name.exists() and name.read_bytes() != data:
        number += 1
        name = path.with_stem(f"{path.stem}-{number}")
    return name


def put(path: Path, data: bytes) -> None:
    """Put a whole file in the place of another, or leave that; raises OSError."""
    new = path.with_name(f".{path.name}.new")
    try:
        with new.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        new.replace(path)
    finally:
        new.unlink(missing_ok=True)


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
