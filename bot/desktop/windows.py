"""Which of the windows on the desktop a person means."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from bot.capture import Window
from bot.errors import WindowError

__all__ = ["find"]

_LISTED = 8
"""So many windows are listed in a message; it has to stay one readable line."""


def find(query: str, windows: Sequence[Window]) -> Window:
    """The one window that `query` means.

    A query is a window's number (such as 0x60003), or its title or either part of
    its WM_CLASS: written exactly, else a part of one of these, else either of the
    two without regard to case. Raises WindowError, saying what there is and what
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
    try:
        number = int(query, 0)
    except ValueError:
        number = -1
    return (
        lambda window: query in window.names,
        lambda window: window.id == number,
        lambda window: any(query in name for name in window.names),
        lambda window: any(folded == name.casefold() for name in window.names),
        lambda window: any(folded in name.casefold() for name in window.names),
    )


def _there_are(windows: Sequence[Window]) -> str:
    if not windows:
        return "there are no windows at all: start the game first"
    return f"there are: {_listed(windows)}; try {_suggest(windows[:1], windows)}"


def _listed(windows: Sequence[Window]) -> str:
    listed = ", ".join(map(str, windows[:_LISTED]))
    more = len(windows) - _LISTED
    return f"{listed} and {more} more" if more > 0 else listed


def _suggest(found: Sequence[Window], windows: Sequence[Window]) -> str:
    """What to type for the first of `found`: a name that only it has, and its number."""
    first = found[0]
    number = f"--window {first.id:#x}"
    for name in (first.instance, first.wm_class, first.title):
        if name and sum(name in window.names for window in windows) == 1:
            return f"--window {_quoted(name)} or {number}"
    return number


def _quoted(name: str) -> str:
    return name if name.replace("-", "").replace("_", "").isalnum() else repr(name)
