"""Which game a window is: by its name, else by what fits its pixels."""

from __future__ import annotations

from collections.abc import Iterable, Set
from pathlib import PurePath

from minebot.capture import Frame, Window
from minebot.profile import Profile, profiles
from minebot.vision import any_game

_BROWSERS = ("chrom", "firefox", "edge", "brave", "opera", "vivaldi", "epiphany", "safari")
"""What is in the names of browsers' windows."""


def game_of(window: Window) -> str | None:
    """The name of the profile whose game's window this is, told by what its program is called."""
    called = _called(window)
    names = (name for name, profile in profiles().items() if _is_of(profile, window, called))
    return next(names, None)


def _is_of(profile: Profile, window: Window, called: Set[str]) -> bool:
    """Whether a window whose program is `called` so is one of the profile's game."""
    return bool(called & _folded(profile.app_ids)) and profile.page in window.title


def _called(window: Window) -> set[str]:
    """What the window's program is called, empty if nothing says."""
    # Some programs call their window as they were called themselves, path and all.
    return {PurePath(app_id).name.casefold() for app_id in window.app_ids} - {""}


def _folded(app_ids: Iterable[str]) -> set[str]:
    return {app_id.casefold() for app_id in app_ids}


def browses(window: Window) -> bool:
    """Whether it is a browser's, which shows a game in a page as well as anything else."""
    called = " ".join(window.app_ids).casefold()
    return any(name in called for name in _BROWSERS)


def fitting(frame: Frame, window: Window) -> list[Profile]:
    """The profiles of the games whose board the frame of that window may show.

    A window that names its program shows no board of another program, nor of a page or window with
    another title. A generic profile is returned
    only if no other fits, since fresh boards resemble each other.
    """
    called = _called(window)
    known = list(profiles().values())
    if called:
        known = [one for one in known if one.generic or _is_of(one, window, called)]
    found = any_game.fitting(frame, known)
    return [profile for profile in found if not profile.generic] or found
