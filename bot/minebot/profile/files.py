"""The files of profiles: finds, reads and writes those that are shipped and the user's own.

A file's tables are the values of `schema`, which declares what it may hold.
"""

from __future__ import annotations

import logging
import re
import tomllib
import warnings
from collections.abc import Mapping
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any, get_origin

import msgspec
from platformdirs import user_config_path

from minebot.errors import ProfileError, UsageError, did_you_mean, file_errors
from minebot.files import read_text, write_whole
from minebot.profile.schema import Fault, LatticeStyle, Profile

_PACKAGE = Path(__file__).parents[1]
_SHIPPED = next(
    folder
    for folder in (_PACKAGE / "calibration", _PACKAGE.parents[1] / "calibration")
    if folder.is_dir()
)
"""Where the profiles lie that come with the program: in the installed package, or in a checkout."""
_KEPT = 256
"""Number of files that are kept parsed. Specified: more than there are profiles."""
_NAME = re.compile(r"[A-Za-z0-9][\w.-]{0,59}")
"""Names of profiles. Specified: a folder's name, of 255 bytes at most in any script."""
_LARGEST = 1 << 16
"""Bytes of a profile. Specified: those shipped have up to 4,420."""

_OLD = "is of an older minebot: make the profile anew, by minebot calibrate --force"

_AT = re.compile(r"(?P<reason>.*?)(?: - at (?:`key` in )?`\$\.?(?P<key>.*)`)?", re.DOTALL)
"""How msgspec says what is wrong where, as in: Expected `int` <= 255 - at `$.inks.1[0]`."""
_FIELD = re.compile(r"Object (?P<what>missing required|contains unknown) field `(?P<key>.*)`")


def profiles() -> dict[str, Profile]:
    """All profiles by their names in alphabetical order; see `located`."""
    return {name: profile for name, (_, profile) in located().items()}


def located() -> dict[str, tuple[Path, Profile]]:
    """All profiles by their names, each with its file; a user's own before the shipped one.

    A broken one of the user's is left out, with a line in the log, and the shipped one taken.
    Raises ProfileError for a shipped one.
    """
    found: dict[str, tuple[Path, Profile]] = {}
    for name, file in _files(own_folder()).items():
        try:
            found[name] = file, load_file(file)
        except ProfileError as error:
            _note(f"skipped a broken profile: {error}")
    for name, file in _files(_SHIPPED).items():
        if name not in found:
            found[name] = file, load_file(file)
    return dict(sorted(found.items()))


@lru_cache(_KEPT)
def _note(line: str) -> None:
    """Log a line, once."""
    logging.getLogger(__name__).warning("%s", line)


def load(name: str) -> Profile:
    """The profile of a game, the user's own before the shipped one; raises ProfileError."""
    files = _files(_SHIPPED) | _files(own_folder())
    if name not in files:
        listed = ", ".join(sorted(files))
        problem = f"there is none; there are: {listed}{did_you_mean(name, files)}"
        raise ProfileError(name, "profile", problem)
    return load_file(files[name])


def load_file(file: Path) -> Profile:
    """The profile in a file, parsed once while the file stays as it is; raises ProfileError."""
    try:
        stat = file.stat()
    except OSError as error:
        raise ProfileError(str(file), "file", error.strerror or "cannot be read") from error
    return _profile(file, (stat.st_mtime_ns, stat.st_size, stat.st_ino))


def own_folder() -> Path:
    """Where the user's own profiles lie: a folder with a `profile.toml` for each game."""
    return user_config_path("minebot") / "profiles"


def file_of(name: str, root: Path | None = None) -> Path:
    """The file of a profile in a folder, the user's own by default; raises UsageError."""
    if not _NAME.fullmatch(name):
        raise UsageError(f"{name!r} cannot be a profile's name: at most 60 letters, digits, -_.")
    return (root or own_folder()) / name / "profile.toml"


def _files(root: Path) -> dict[str, Path]:
    return {file.parent.name: file for file in root.glob("*/profile.toml") if file.is_file()}


@lru_cache(_KEPT)
def _profile(file: Path, _stamp: tuple[int, ...]) -> Profile:
    try:
        data = tomllib.loads(read_text(file, _LARGEST))
    except RecursionError as error:
        raise ProfileError(str(file), "file", "is nested too deeply") from error
    except (ValueError, UsageError) as error:  # not TOML, or no text
        raise ProfileError(str(file), "file", str(error).removeprefix(f"{file}: ")) from error
    return parse(data, str(file))


def parse(data: Mapping[str, Any], path: str) -> Profile:
    """A profile from its TOML; raises ProfileError, naming `path`."""
    # An older minebot wrote more of a game's looks, of which nothing is used any more.
    grid, colours = data.get("grid"), data.get("colours")
    if isinstance(grid, dict) and grid.get("kind") == "lattice":
        data = {key: it for key, it in data.items() if key != "sheets"}
        data["grid"] = {key: it for key, it in grid.items() if key != "inset_tiles"}
    elif isinstance(grid, dict) and isinstance(colours, dict):
        data = {key: it for key, it in data.items() if key not in ("colours", "shapes")}
        inks = colours.get("inks", {})
        if isinstance(inks, dict):
            told = {key: [it] for key, it in inks.items()}
            told["flag"] = [*told.get("flag", ()), *told.pop("flag_base", ())]
            inks = {key: it for key, it in told.items() if key != "cross"}
        data["grid"] = {**grid, "grounds": colours.get("grounds"), "inks": inks}
    for key in ("wm_class", "sheets"):
        if key in data:
            raise ProfileError(path, key, _OLD)
    try:
        return msgspec.convert(data, Profile, dec_hook=_read_value)
    except msgspec.ValidationError as error:
        raise ProfileError(path, *_told(error)) from error


def _told(error: msgspec.ValidationError) -> tuple[str, str]:
    """The key at fault and the reason."""
    match = _AT.fullmatch(str(error))
    assert match is not None
    key, reason, fault = match["key"] or "", match["reason"], error.__cause__
    if named := _FIELD.fullmatch(reason):
        key = f"{key}.{named['key']}"
        reason = "is missing" if named["what"] == "missing required" else "is not known"
    elif isinstance(fault, Fault):
        key, reason = f"{key}.{fault.args[0]}", fault.args[1]
    return key.lstrip(".") or "file", reason


def _read_value(kind: Any, written: Any) -> Any:
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


def write(profile: Profile, path: Path) -> None:
    """Write a profile that is read at first sight to its `profile.toml`.

    The file is replaced as a whole: whatever fails, the one before is still there. One that says
    the same stays as the user wrote it. Raises UsageError, also where it is too large to be loaded,
    and ValueError for a grid of raised tiles.
    """
    if not isinstance(profile.grid, LatticeStyle):
        raise ValueError(f"the profile {profile.name} is not read at first sight")
    with suppress(ProfileError):  # not there, spoilt by hand, or of an older form
        if load_file(path) == profile:
            return
    data = msgspec.toml.encode(profile, enc_hook=lambda pattern: pattern.pattern)
    if len(data) > _LARGEST:
        raise UsageError(f"{path}: a profile has at most {_LARGEST} bytes")
    with file_errors(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, data)
