"""The window in which a game goes on that has closed the one that it was played in."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from contextlib import suppress

from minebot.capture import State, Window
from minebot.desktop.ports import Desktop
from minebot.errors import Unlisted
from minebot.stop import Clock

_COMES = 5.0
"""Seconds in which a replacement window comes. Specified: a limit; some games start anew."""
_POLL = 0.25
"""Seconds between two searches for it. Specified: a user barely notices a quarter of a second."""


def others(desktop: Desktop, window: Window) -> frozenset[str] | None:
    """The ids of all other windows than this one; None if nobody tells.

    Its own may be that of its heir: systems give ids again.
    """
    with suppress(Unlisted):
        return frozenset(each.id for each in desktop.windows()) - {window.id}
    return None


def heir(gone: Window, older: Collection[str], windows: Sequence[Window]) -> Window | None:
    """The only new window called like the one that is gone.

    `older` are the ids of those that were there before.
    """
    found = [
        window
        for window in windows
        if window.id not in older
        and window.state is State.SHOWN
        and not window.parent
        and window.app_ids
        and (window.app_ids, window.title) == (gone.app_ids, gone.title)
    ]
    return found[0] if len(found) == 1 else None


def await_heir(
    desktop: Desktop, gone: Window, older: Collection[str] | None, clock: Clock
) -> Window | None:
    """That window once it has come; None if it does not. Raises Stopped, CaptureError."""
    end = clock.now() + _COMES
    while older is not None and clock.now() < end:
        # It is not where it will be at once.
        clock.sleep(_POLL)
        with suppress(Unlisted):
            found = heir(gone, older, desktop.windows())
            if found is not None:
                return found
    return None
