"""Which profiles there are, and loading them: the shipped ones and the user's own."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from platformdirs import user_config_path

from bot.errors import ProfileError
from bot.profile.schema import Heading, declared, parse
from bot.profile.values import Profile

_SHIPPED = Path(__file__).parents[2] / "calibration"
"""Where the profiles lie that come with the program."""
_KEPT = 256
"""Files that are kept parsed: more than there are profiles."""


def names() -> list[str]:
    """The games that have a profile, the user's own included, in alphabetical order."""
    return sorted(_files())


def headings() -> dict[str, Heading]:
    """Which game each profile is of, by its name; raises ProfileError for a broken one.

    No picture is opened, and no file parsed twice while it stays as it is.
    """
    files = _files()
    return {
        name: declared(_data(files[name], _stamp(files[name])), Heading, str(files[name]))
        for name in sorted(files)
    }


def load(name: str) -> Profile:
    """The profile of a game, the user's own before the shipped one; raises ProfileError."""
    files = _files()
    if name not in files:
        raise ProfileError(name, "profile", f"there is none; there are: {', '.join(sorted(files))}")
    return load_file(files[name])


def load_file(file: Path) -> Profile:
    """The profile in a file, the picture of its shapes beside it; raises ProfileError."""
    return _profile(file, _stamp(file))


def own_folder() -> Path:
    """Where the user's own profiles lie: a folder with a `profile.toml` for each game."""
    return user_config_path("minebot") / "profiles"


def _files() -> dict[str, Path]:
    """Each game's profile; a user's own wins over the shipped one."""
    files: dict[str, Path] = {}
    for root in (_SHIPPED, own_folder()):
        for folder in root.iterdir() if root.is_dir() else ():
            file = folder / "profile.toml"
            if file.is_file():
                files[folder.name] = file
    return files


def _stamp(file: Path) -> tuple[int, ...]:
    """Another one when the file is another; raises ProfileError."""
    try:
        stat = file.stat()
    except OSError as error:
        raise ProfileError(str(file), "file", error.strerror or "cannot be read") from error
    return stat.st_mtime_ns, stat.st_size, stat.st_ino


@lru_cache(_KEPT)
def _profile(file: Path, stamp: tuple[int, ...]) -> Profile:
    return parse(_data(file, stamp), str(file), file.parent)


@lru_cache(_KEPT)
def _data(file: Path, _stamp: tuple[int, ...]) -> Mapping[str, Any]:
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise ProfileError(str(file), "file", error.strerror or "cannot be read") from error
    except ValueError as error:  # not TOML, or not UTF-8
        raise ProfileError(str(file), "file", str(error)) from error
