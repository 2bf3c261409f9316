"""Which game a window is: by its name, else by what fits its pixels."""

from __future__ import annotations

from pathlib import PurePath

from bot.capture import Frame, Window
from bot.profile import Profile, headings, load, names
from bot.vision import any_game

_BROWSERS = ("chrom", "firefox", "edge", "brave", "opera", "vivaldi", "epiphany", "safari")
"""What is in the names of browsers' windows."""


def game_of(window: Window) -> str | None:
    """The name of the profile whose game's window this is, told by what its program is called."""
    # Some programs call their window as they were called themselves, path and all.
    called = {PurePath(app_id).name.casefold() for app_id in window.app_ids} - {""}
    for name, heading in headings().items():
        its = called & {app_id.casefold() for app_id in heading.app_ids}
        if its and heading.page in window.title:
            return name
    return None


def browses(window: Window) -> bool:
    """Whether it is a browser's, which shows a game in a page as well as anything else."""
    called = " ".join(window.app_ids).casefold()
    return any(name in called for name in _BROWSERS)


def fitting(frame: Frame) -> list[Profile]:
    """The profiles of the games whose board the frame may show.

    One of a look that many games have only where no other fits: fresh boards look alike.
    """
    found = any_game.fitting(frame, [load(name) for name in names()])
    return [profile for profile in found if not profile.is_generic] or found
