"""The `Desktop` port: the windows on the screen, which of them is meant, and a session in one."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Collection, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass
from enum import Enum
from typing import Protocol

from minebot.actuator import Keyboard, Mouse
from minebot.capture import Frame, Screen, State, Window
from minebot.errors import CaptureError, Unlisted, WindowError
from minebot.stop import Clock, Stop

_LISTED = 8
"""Number of windows listed in a message. Specified: it has to fit into one readable line."""
_COMES = 5.0
"""Seconds in which a replacement window comes. Specified: a limit; some games start anew."""
_POLL = 0.25
"""Seconds between two searches for it. Specified: a user barely notices a quarter of a second."""


class StopWay(Enum):
    """A way to stop besides Ctrl-C, as in "Esc stops"; the status line names the first heard."""

    KEY = "any key"
    ESC = "Esc"
    ESC_IN_GAME = "Esc in the game's window"
    POINTER = "moving the mouse"
    SESSION = "ending the session that the desktop shows"


class WindowControl(Protocol):
    """What may be done to the game's window."""

    def show(self) -> None:
        """Show the whole window, uncovered; raises WindowError, saying what is in the way."""

    def enlarge(self) -> bool:
        """Make the window a third wider and higher, as far as the screen allows.

        Returns whether it has become larger, never where only its user can resize it; raises
        WindowGone.
        """
        return False


def unseen(window: Window) -> Frame:
    """The `WindowSession.picture` of desktops that show no window but the game's."""
    raise CaptureError(f"{window} cannot be seen on this desktop")


@dataclass(frozen=True, slots=True)
class WindowSession:
    """What playing in one window needs."""

    window: Window
    screen: Screen
    mouse: Mouse
    keyboard: Keyboard
    control: WindowControl
    dialogs: Callable[[], Sequence[Window]]
    """What the game has put in front of its window, latest last; none where nobody can know."""
    picture: Callable[[Window], Frame]
    """What one of those windows shows; raises WindowError, CaptureError if none can be seen."""
    stops: frozenset[StopWay]
    """Ways to stop that surely work here; no other is promised. Messages name the first."""
    clock: Clock
    no_effect: str = ""
    """Why clicks may change nothing on this desktop, and what to do then; empty for no reason."""


class Desktop(Protocol):
    """A window system."""

    def windows(self) -> Sequence[Window]:
        """The programs' windows, hidden ones too.

        Raises Unlisted if the system does not list them, CaptureError without a screen.
        """

    def pick(self, query: str | None, known: Callable[[Window], bool]) -> Window:
        """The window that `query` means; with None the only one of a game that is `known`.

        A desktop that lists no windows has its user point at one. Raises WindowError,
        saying what there is and what to type.
        """
        return pick(query, self.windows(), known)

    def open(self, window: Window, stop: Stop) -> AbstractContextManager[WindowSession]:
        """Open a window session for a `with` block, once for each window.

        During the block each way in `WindowSession.stops` requests `stop`; so does a listener that
        fails. Raises WindowGone, CaptureError if the desktop lacks something that is needed.
        """


def pick(query: str | None, windows: Sequence[Window], known: Callable[[Window], bool]) -> Window:
    """Pick one of these windows; see `Desktop.pick`."""
    if query is not None:
        return find(query, windows)
    games = [window for window in windows if known(window)]
    if len(games) == 1:
        return games[0]
    if games:
        raise WindowError(
            f"several games are open: {_listed(games)}; --window {games[0].id} plays the first"
        )
    raise WindowError(
        "no window of a known game (minebot profiles lists them) is open; "
        f"windows: {_listed(windows) or 'none'}; --window NAME says which one to play"
    )


def find(query: str, windows: Sequence[Window]) -> Window:
    """The one window that `query` means.

    A query is a window's id (such as 0x60003), or its title or what its program is
    called: written exactly, else a part of one of these, else either of the two
    without regard to case. Raises WindowError, saying what there is and what
    to type, unless exactly one window matches.
    """
    if not query:
        raise WindowError(f"no window was named; {_there_are(windows)}")
    folded, ids = query.casefold(), {query}
    with suppress(ValueError):  # ids that are numbers may be written as any program writes them
        ids |= {f"{int(query, 0)}", f"{int(query, 0):#x}"}
    ways: tuple[Callable[[Window], bool], ...] = (
        lambda window: query in window.names,
        lambda window: window.id in ids,
        lambda window: any(query in name for name in window.names),
        lambda window: any(folded == name.casefold() for name in window.names),
        lambda window: any(folded in name.casefold() for name in window.names),
    )
    for matches in ways:
        found = [window for window in windows if matches(window)]
        if len(found) == 1:
            return found[0]
        if found:
            one = _suggest(found[0], windows)
            raise WindowError(f"several windows match {query!r}: {_listed(found)}; try {one}")
    raise WindowError(f"no window matches {query!r}; {_there_are(windows)}")


def _there_are(windows: Sequence[Window]) -> str:
    if not windows:
        return "there are no windows at all: start the game first"
    return f"there are: {_listed(windows)}; try {_suggest(windows[0], windows)}"


def _listed(windows: Sequence[Window]) -> str:
    listed = ", ".join(map(str, windows[:_LISTED]))
    more = len(windows) - _LISTED
    return f"{listed} and {more} more" if more > 0 else listed


def _suggest(one: Window, windows: Sequence[Window]) -> str:
    """What to type for one of the windows: a name that only it has, and its id."""
    by_id = f"--window {shlex.quote(one.id)}"
    for name in (*one.app_ids, one.title):
        if name and sum(name in window.names for window in windows) == 1:
            return f"--window {shlex.quote(name)} or {by_id}"
    return by_id


def others(desktop: Desktop, window: Window) -> frozenset[str] | None:
    """The ids of all windows but this one, whose id its heir may get; None if nobody tells."""
    with suppress(Unlisted):
        return frozenset(each.id for each in desktop.windows()) - {window.id}
    return None


def heir(gone: Window, older: Collection[str], windows: Sequence[Window]) -> Window | None:
    """The only new window called like the one that is gone; those with `older` ids are not new."""
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
