"""Keeps what the user said that the tiles of a picture show, in a profile of the user's own."""

from __future__ import annotations

import msgspec

from minebot.capture import Window
from minebot.errors import UsageError
from minebot.play.identify import profile_at_first_sight
from minebot.profile import LatticeStyle, file_of, load_file, located
from minebot.profile.appearance import NO_WINDOW, KeptTiles
from minebot.profile.writing import write
from minebot.study.messages import parsed


class _Kept(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: str
    tiles: KeptTiles
    add: bool = False
    """Whether they may be added to a profile that exists."""


def keep(body: bytes) -> dict[str, object]:
    """Write tiles to the profile that the page names; raises UsageError, ProfileError.

    Returns what to tell the user. Unless it was `kept`, it asks whether to add them to the profile.
    """
    asked = parsed(body, _Kept, "tiles to keep")
    name, path = asked.name, file_of(asked.name)
    profile = profile_at_first_sight(Window("", name, NO_WINDOW)).changed(
        name=name, looks="read at first sight, with tiles that you named", grid=LatticeStyle()
    )
    if path.exists():
        profile = load_file(path)
    grid = profile.grid
    if located().get(name, (path,))[0] != path or not isinstance(grid, LatticeStyle):
        raise UsageError(f"{name} is the profile of a known game: take another name")
    if path.exists() and not asked.add:
        return {"said": f"You have a profile {name}. Add these tiles to it?", "kept": False}
    tiles = grid.tiles if asked.tiles in grid.tiles else (*grid.tiles, asked.tiles)
    write(profile.changed(grid=grid.changed(tiles=tiles)), path)
    return {"said": f"Kept: {path}", "kept": True}
