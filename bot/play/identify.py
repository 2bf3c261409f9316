"""Which game a window is: by its name, else by what fits its pixels."""

from __future__ import annotations

from pathlib import PurePath

from bot.capture import Frame, Window
from bot.desktop.windows import find
from bot.errors import VisionError, WindowError
from bot.profile import Profile, load, names
from bot.vision.pressed import settled
from bot.vision.reader import Reader

__all__ = ["choose", "fitting", "game_of"]


def game_of(window: Window) -> Profile | None:
    """The profile of the game whose window this is, told by its WM_CLASS or program."""
    for name in names():
        profile = load(name)
        # Some programs call their window as they were called themselves, path and all.
        instance = PurePath(window.instance).name
        called = {instance.casefold(), window.wm_class.casefold()} - {""}
        if called & {wm_class.casefold() for wm_class in profile.wm_class}:
            return profile
    return None


def choose(windows: list[Window], query: str | None) -> Window:
    """The window that `query` means, or with None the only window of a known game.

    Raises WindowError, saying what there is and what to type.
    """
    if query is not None:
        return find(query, windows)
    games = [window for window in windows if game_of(window)]
    if len(games) == 1:
        return games[0]
    if not games:
        known = ", ".join(load(name).title for name in names())
        listed = ", ".join(map(str, windows)) or "none"
        raise WindowError(
            f"no window of a known game ({known}) is open; windows: {listed}; "
            "--window NAME says which one to play"
        )
    listed = ", ".join(map(str, games))
    raise WindowError(
        f"several games are open: {listed}; --window {games[0].id:#x} plays the first"
    )


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
