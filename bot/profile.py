"""Game profiles: what a game looks like, loaded from `calibration/` and checked."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from platformdirs import user_config_path

from bot.board import Cell
from bot.errors import ProfileError

__all__ = ["GridLook", "Profile", "StatusLook", "load", "names", "own_folder", "parse"]

RGB = tuple[int, int, int]
_INKS = ("1", "2", "3", "4", "5", "6", "7", "8", "flag", "flag_base", "mine")
_GROUNDS = ("covered", "opened", "exploded", "flash")


@dataclass(frozen=True, slots=True)
class GridLook:
    """How the grid is drawn. Colours are red, green, blue from 0 to 255."""

    dark: RGB
    """Left and top of the frame; right and bottom of a covered tile; lines of opened ones."""
    light: RGB
    """Right and bottom of the frame; left and top of a covered tile."""
    tolerance: int
    """How far a channel may lie from these colours, in levels of 255."""
    bevel: float
    """Width of a covered tile's bevel, in tiles."""
    smallest_tile: int
    """In pixels; what would be smaller is no tile."""


@dataclass(frozen=True, slots=True)
class StatusLook:
    """How the status line reads."""

    side: str
    """Where it lies, seen from the grid: `below` or `above`."""
    total: re.Pattern[str]
    """Has the groups `marked` (flags set) and `mines` (total)."""
    won: re.Pattern[str]
    lost: re.Pattern[str]
    solved: re.Pattern[str]


@dataclass(frozen=True, slots=True)
class Profile:
    """All that is known of one game's looks, keys and windows."""

    name: str
    title: str
    looks: str
    """What the game looks like, in words."""
    wm_class: tuple[str, ...]
    grid: GridLook
    grounds: Mapping[str, tuple[RGB, ...]]
    """The colours behind the ink for each of covered, opened, exploded, flash."""
    inks: Mapping[str, RGB]
    """The colour of each digit and of the parts of a flag and a mine."""
    status: StatusLook
    new_game_key: str

    @property
    def digits(self) -> dict[Cell, RGB]:
        """The ink of each number."""
        return {Cell(number): self.inks[str(number)] for number in range(1, 9)}


def names() -> list[str]:
    """The games that have a profile, the person's own included, in alphabetical order."""
    return sorted(_files())


def load(name: str) -> Profile:
    """The profile of a game, the person's own before the shipped one; raises ProfileError."""
    files = _files()
    if name not in files:
        raise ProfileError(name, "profile", f"there is none; there are: {', '.join(sorted(files))}")
    return _load(files[name])


def own_folder() -> Path:
    """Where the person's own profiles lie: a folder with a `profile.toml` for each game."""
    return user_config_path("minebot") / "profiles"


def _files() -> dict[str, Traversable]:
    """Each game's profile; a person's own wins over the shipped one of that name."""
    files: dict[str, Traversable] = {}
    for root in (resources.files("calibration"), own_folder()):
        for folder in root.iterdir() if root.is_dir() else ():
            file = folder / "profile.toml"
            if file.is_file():
                files[folder.name] = file
    return files


def _load(file: Traversable) -> Profile:
    try:
        data = tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise ProfileError(str(file), "file", error.strerror or "cannot be read") from error
    except ValueError as error:  # not TOML, or not UTF-8
        raise ProfileError(str(file), "file", str(error)) from error
    return parse(data, str(file))


def parse(data: Mapping[str, Any], path: str) -> Profile:
    """A profile from its parsed TOML; raises ProfileError naming `path` and the key at fault."""
    at = _At(data, path)
    grid, status = at.table("grid"), at.table("status")
    side = status.text("side")
    if side not in ("below", "above"):
        raise ProfileError(path, "status.side", f"{side!r} is neither 'below' nor 'above'")
    total = status.pattern("total")
    if not {"marked", "mines"} <= set(total.groupindex):
        raise ProfileError(path, "status.total", "lacks the group 'marked' or 'mines'")
    return Profile(
        name=at.text("name"),
        title=at.text("title"),
        looks=at.text("looks"),
        wm_class=tuple(at.texts("wm_class")),
        grid=GridLook(
            dark=grid.rgb("dark_rgb"),
            light=grid.rgb("light_rgb"),
            tolerance=int(grid.number("tolerance_levels", 0, 64)),
            bevel=grid.number("bevel_tiles", 0, 0.4),
            smallest_tile=int(grid.number("smallest_tile_pixels", 4, 64)),
        ),
        grounds={name: at.table("backgrounds").grounds(name) for name in _GROUNDS},
        inks={name: at.table("inks").rgb(name) for name in _INKS},
        status=StatusLook(
            side, total, status.pattern("won"), status.pattern("lost"), status.pattern("solved")
        ),
        new_game_key=at.table("keys").text("new_game"),
    )


class _At:
    """One table of a profile, which knows how to say what is wrong and where."""

    def __init__(self, data: Mapping[str, Any], path: str, prefix: str = "") -> None:
        self._data, self._path, self._prefix = data, path, prefix

    def _get(self, key: str, kind: type, what: str) -> Any:
        if key not in self._data:
            raise self._error(key, "is missing")
        value = self._data[key]
        if not isinstance(value, kind) or isinstance(value, bool):
            raise self._error(key, f"{value!r} is not {what}")
        return value

    def _error(self, key: str, reason: str) -> ProfileError:
        return ProfileError(self._path, self._prefix + key, reason)

    def table(self, key: str) -> _At:
        return _At(self._get(key, dict, "a table"), self._path, f"{self._prefix}{key}.")

    def text(self, key: str) -> str:
        return str(self._get(key, str, "a text"))

    def texts(self, key: str) -> list[str]:
        values = self._get(key, list, "a list of texts")
        if not values or not all(isinstance(value, str) for value in values):
            raise self._error(key, f"{values!r} is not a list of texts")
        return list(values)

    def number(self, key: str, least: float, most: float) -> float:
        value = float(self._get(key, (int, float), "a number"))  # type: ignore[arg-type]  # isinstance takes tuples
        if not least <= value <= most:
            raise self._error(key, f"{value:g} is not between {least:g} and {most:g}")
        return value

    def pattern(self, key: str) -> re.Pattern[str]:
        try:
            return re.compile(self.text(key))
        except re.error as error:
            raise self._error(key, f"no regular expression: {error}") from error

    def rgb(self, key: str) -> RGB:
        return self._rgb(key, self._get(key, list, "a colour"))

    def grounds(self, key: str) -> tuple[RGB, ...]:
        entries = self._get(key, list, "a list of colours")
        if not entries:
            raise self._error(key, "names no colour")
        found = []
        for index, entry in enumerate(entries):
            if not isinstance(entry, dict):
                raise self._error(key, f"{entry!r} is not a table with a key 'rgb'")
            found.append(self._rgb(f"{key}[{index}].rgb", entry.get("rgb")))
        return tuple(found)

    def _rgb(self, key: str, value: Any) -> RGB:
        if (
            not isinstance(value, list)
            or len(value) != 3
            or not all(type(level) is int and 0 <= level <= 255 for level in value)
        ):
            raise self._error(key, f"{value!r} is not three levels from 0 to 255")
        return value[0], value[1], value[2]
