"""Which profiles there are, and loading them: the shipped ones and the person's own."""

from __future__ import annotations

import tomllib
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path

from platformdirs import user_config_path

from bot.errors import ProfileError
from bot.profile.toml import parse
from bot.profile.values import Profile

__all__ = ["load", "load_file", "names", "own_folder"]


def names() -> list[str]:
    """The games that have a profile, the person's own included, in alphabetical order."""
    return sorted(_files())


def load(name: str) -> Profile:
    """The profile of a game, the person's own before the shipped one; raises ProfileError."""
    files = _files()
    if name not in files:
        raise ProfileError(name, "profile", f"there is none; there are: {', '.join(sorted(files))}")
    return load_file(*files[name])


def own_folder() -> Path:
    """Where the person's own profiles lie: a folder with a `profile.toml` for each game."""
    return user_config_path("minebot") / "profiles"


def _files() -> dict[str, tuple[Traversable, Traversable]]:
    """Each game's profile and its folder; a person's own wins over the shipped one's."""
    files: dict[str, tuple[Traversable, Traversable]] = {}
    for root in (resources.files("calibration"), own_folder()):
        for folder in root.iterdir() if root.is_dir() else ():
            file = folder / "profile.toml"
            if file.is_file():
                files[folder.name] = (file, folder)
    return files


def load_file(file: Traversable, folder: Traversable) -> Profile:
    """The profile in a file, its pictures in the folder; raises ProfileError."""
    try:
        data = tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise ProfileError(str(file), "file", error.strerror or "cannot be read") from error
    except ValueError as error:  # not TOML, or not UTF-8
        raise ProfileError(str(file), "file", str(error)) from error
    return parse(data, str(file), folder)
