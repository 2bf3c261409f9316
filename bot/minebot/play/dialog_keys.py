"""Answers unknown windows in front of a game's board by keys."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress

from minebot.actuator import Key
from minebot.capture import Window
from minebot.desktop.ports import WindowSession
from minebot.errors import MinebotError, WindowCovered, WindowError, WindowGone
from minebot.vision.text import texts

_WAYS = (("Escape",), ("Return",), ("Tab", "space"), ("Tab", "space"))
"""What closes such a window, tried one after the other. The second button is a Tab further on."""
_WAYS_TO_PLAY = (("Return",), ("Tab", "space"), ("Escape",))
"""Keys tried on a question whether to play again: Escape would say no, and might end the game."""
_AGAIN = re.compile(r"\b(again|another|retry)\b", re.IGNORECASE)
_GONE = 2.0
"""Seconds that a window gets to close. Specified: a limit, after which other keys are tried."""
_SLICE = 0.05
"""Seconds between two checks whether it has closed. Specified: a stop is heard within 0.1."""


def answer(window_session: WindowSession, window: Window) -> tuple[str, ...]:
    """Close the window, and return all keys that were pressed for it.

    Raises WindowError when none of them closes it, Stopped.
    """
    pressed: list[str] = []
    for keys in _WAYS_TO_PLAY if _asks_to_play(window_session, window) else _WAYS:
        for key in keys:
            # It may be gone before the last of them.
            with suppress(WindowGone, WindowCovered):
                window_session.keyboard.press(Key.parse(key), window)
            pressed.append(key)
        if goes(window_session, window):
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


def goes(window_session: WindowSession, window: Window) -> bool:
    """Whether the window is gone before it has had its time."""
    clock = window_session.clock
    end = clock.now() + _GONE
    while any(window.id == other.id for other in window_session.dialogs()):
        if clock.now() > end:
            return False
        clock.sleep(_SLICE)
    return True
