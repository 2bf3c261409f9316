"""Answers unknown windows in front of a game's board by keys."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from contextlib import suppress

from minebot.actuator import Key
from minebot.capture import Window
from minebot.desktop.ports import WindowSession
from minebot.errors import MinebotError, WindowCovered, WindowError, WindowGone
from minebot.stop import POLL_SECONDS
from minebot.vision.text import texts

_WAYS = (("Escape",), ("Return",), ("Tab", "space"), ("Tab", "space"))
"""What closes such a window, tried one after the other. The second button is a Tab further on."""
_WAYS_TO_PLAY = (("Return",), ("Tab", "space"), ("Escape",))
"""Keys tried on a question whether to play again: Escape would say no, and might end the game."""
_AGAIN = re.compile(r"\b(again|another|retry)\b", re.IGNORECASE)
_GONE = 2.0
"""Seconds that a window gets to close. Specified: a limit, after which other keys are tried."""


def answer(window_session: WindowSession, window: Window) -> tuple[str, ...]:
    """Close the window; all keys that were pressed for it. Raises WindowError, Stopped."""
    asks_to_play = _asks_to_play(window_session, window)
    return close_by(window_session, window, _WAYS_TO_PLAY if asks_to_play else _WAYS)


def close_by(
    window_session: WindowSession, window: Window, ways: Iterable[Sequence[str]]
) -> tuple[str, ...]:
    """Press the keys of one way after the other until the window is gone; all that were pressed.

    Raises WindowError when none of them closes it, Stopped.
    """
    pressed: list[str] = []
    for keys in ways:
        for key in keys:
            # It may be gone before the last of them.
            with suppress(WindowGone, WindowCovered):
                window_session.keyboard.press(Key.parse(key), window)
            pressed.append(key)
        if _goes(window_session, window):
            return tuple(pressed)
    raise WindowError(f"{window} does not close: close it by hand")


def _asks_to_play(window_session: WindowSession, window: Window) -> bool:
    """Whether that is written in the window.

    One that only offers a new game is closed: what it covers is the board that has ended.
    """
    said: Sequence[str] = [window.title]
    with suppress(MinebotError):
        said = [*said, *(line.text for line in texts(window_session.picture(window)))]
    return any(_AGAIN.search(text) for text in said)


def _goes(window_session: WindowSession, window: Window) -> bool:
    """Whether the window is gone before it has had its time."""
    clock = window_session.clock
    end = clock.now() + _GONE
    while any(window.id == other.id for other in window_session.dialogs()):
        if clock.now() > end:
            return False
        clock.sleep(POLL_SECONDS)
    return True
