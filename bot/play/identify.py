"""Which game a window is: by its name, else by what fits its pixels."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePath

from bot.capture import Frame, Window
from bot.desktop.windows import find
from bot.errors import VisionError, WindowError
from bot.profile import Heading, Profile, headings, load, names
from bot.vision.reader import Reader

__all__ = ["choose", "fitting", "game_of"]


def game_of(window: Window) -> str | None:
    """The name of the profile whose game's window this is, told by its WM_CLASS or program."""
    return _game_of(window, headings())


def _game_of(window: Window, known: Mapping[str, Heading]) -> str | None:
    # Some programs call their window as they were called themselves, path and all.
    called = {PurePath(app_id).name.casefold() for app_id in (window.instance, window.wm_class)}
    for name, heading in known.items():
        if called & {app_id.casefold() for app_id in heading.app_ids}:
            return name
    return None


def choose(windows: list[Window], query: str | None) -> Window:
    """The window that `query` means, or with None the only window of a known game.

    Raises WindowError, saying what there is and what to type.
    """
    if query is not None:
        return find(query, windows)
    known = headings()
    games = [window for window in windows if _game_of(window, known)]
    if len(games) == 1:
        return games[0]
    if not games:
        titles = ", ".join(heading.title for heading in known.values())
        listed = ", ".join(map(str, windows)) or "none"
        raise WindowError(
            f"no window of a known game ({titles}) is open; windows: {listed}; "
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
            Reader(profile).read(frame)
        except VisionError:
            continue
        found.append(profile)
    return found
