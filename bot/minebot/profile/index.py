"""Which profiles there are, and loading them: the shipped ones and the user's own."""

from __future__ import annotations

import logging
import re
import tomllib
from functools import lru_cache
from pathlib import Path

from platformdirs import user_config_path

from minebot.errors import ProfileError, UsageError, did_you_mean
from minebot.files import read_text
from minebot.profile.appearance import Profile
from minebot.profile.schema import parse

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
LARGEST = 1 << 16
"""Bytes of a profile. Specified: those shipped have up to 4,420."""


def names() -> list[str]:
    """The games that have a profile, the user's own included, in alphabetical order."""
    return sorted(_files(own_folder()) | _files(_SHIPPED))


def profiles() -> dict[str, Profile]:
    """All profiles by their names, a user's own before the shipped one; see `located`."""
    return {name: profile for name, (_, profile) in located().items()}


def located() -> dict[str, tuple[Path, Profile]]:
    """All profiles by their names, each with its file; a user's own before the shipped one.

    A broken one of the user's is left out, with a line in the log, and the shipped one taken. No
    file is parsed twice while it stays as it is. Raises ProfileError for a shipped one.
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
    """The profile in a file, the picture of its shapes beside it; raises ProfileError."""
    return _profile(file, _stamp(file))


def own_folder() -> Path:
    """Where the user's own profiles lie: a folder with a `profile.toml` for each game."""
    return user_config_path("minebot") / "profiles"


def file_of(name: str, root: Path | None = None) -> Path:
    """The file of a profile in a folder, the user's own by default; raises UsageError."""
    if not _NAME.fullmatch(name):
        raise UsageError(f"{name!r} cannot be a profile's name: at most 60 letters, digits, -_.")
    return (root or own_folder()) / name / "profile.toml"


def _files(root: Path) -> dict[str, Path]:
    """Each game's profile in a folder."""
    folders = root.iterdir() if root.is_dir() else ()
    files = {folder.name: folder / "profile.toml" for folder in folders}
    return {name: file for name, file in files.items() if file.is_file()}


def _stamp(file: Path) -> tuple[int, ...]:
    """Another one when the file is another; raises ProfileError."""
    try:
        stat = file.stat()
    except OSError as error:
        raise ProfileError(str(file), "file", error.strerror or "cannot be read") from error
    return stat.st_mtime_ns, stat.st_size, stat.st_ino


@lru_cache(_KEPT)
def _profile(file: Path, _stamp: tuple[int, ...]) -> Profile:
    try:
        data = tomllib.loads(read_text(file, LARGEST))
    except RecursionError as error:
        raise ProfileError(str(file), "file", "is nested too deeply") from error
    except (ValueError, UsageError) as error:  # not TOML, or no text
        raise ProfileError(str(file), "file", str(error).removeprefix(f"{file}: ")) from error
    return parse(data, str(file), file.parent)
