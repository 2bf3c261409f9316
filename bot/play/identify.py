"""Which game a window is: by its name, else by what fits its pixels."""

from __future__ import annotations

from pathlib import PurePath

from bot.capture import Frame, Window
from bot.errors import VisionError
from bot.profile import Profile, load, names
from bot.vision.pressed import settled
from bot.vision.reader import Reader

__all__ = ["fitting", "game_of"]


def game_of(window: Window) -> Profile | None:
    """The profile of the game whose window this is, told by what its program is called."""
    # Some programs call their window as they were called themselves, path and all.
    called = {PurePath(name).name.casefold() for name in window.app_ids} - {""}
    for name in names():
        profile = load(name)
        if called & {wm_class.casefold() for wm_class in profile.wm_class}:
            return profile
    return None


def fitting(frame: Frame) -> list[Profile]:
    """The profiles of the games whose board the frame may show."""
    found = []
    for profile in map(load, names()):
        try:
            settled(Reader(profile).read(frame))
        except VisionError:
            continue
        found.append(profile)
    return found
