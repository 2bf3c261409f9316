"""Which of the windows on the desktop the user means."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence

from minebot.capture import Window
from minebot.errors import WindowError

_LISTED = 8
"""Number of windows listed in a message. Specified: it has to fit into one readable line."""


def pick(query: str | None, windows: Sequence[Window], known: Callable[[Window], bool]) -> Window:
    """The window that `query` means, or with None the only one of a game that is `known`.

    Raises WindowError, saying what there is and what to type.
    """
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
    for matches in _ways(query):
        found = [window for window in windows if matches(window)]
        if len(found) == 1:
            return found[0]
        if found:
            raise WindowError(
                f"several windows match {query!r}: {_listed(found)}; try {_suggest(found, windows)}"
            )
    raise WindowError(f"no window matches {query!r}; {_there_are(windows)}")


def _ways(query: str) -> tuple[Callable[[Window], bool], ...]:
    folded = query.casefold()
    number = _number(query)
    return (
        lambda window: query in window.names,
        lambda window: query == window.id or (number is not None and number == _number(window.id)),
        lambda window: any(query in name for name in window.names),
        lambda window: any(folded == name.casefold() for name in window.names),
        lambda window: any(folded in name.casefold() for name in window.names),
    )


def _number(text: str) -> int | None:
    """Ids that are numbers may be written as any program writes them."""
    try:
        return int(text, 0)
    except ValueError:
        return None


def _there_are(windows: Sequence[Window]) -> str:
    if not windows:
        return "there are no windows at all: start the game first"
    return f"there are: {_listed(windows)}; try {_suggest(windows[:1], windows)}"


def _listed(windows: Sequence[Window]) -> str:
    listed = ", ".join(map(str, windows[:_LISTED]))
    more = len(windows) - _LISTED
    return f"{listed} and {more} more" if more > 0 else listed


def _suggest(found: Sequence[Window], windows: Sequence[Window]) -> str:
    """What to type for the first of `found`: a name that only it has, and its id."""
    first = found[0]
    by_id = f"--window {shlex.quote(first.id)}"
    for name in (*first.app_ids, first.title):
        if name and sum(name in window.names for window in windows) == 1:
            return f"--window {shlex.quote(name)} or {by_id}"
    return by_id
