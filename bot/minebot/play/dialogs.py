"""Closes the windows that a game puts in front of its board."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from minebot.actuator import Button, Key
from minebot.capture import Window
from minebot.desktop.ports import WindowSession
from minebot.errors import MinebotError, WindowCovered, WindowError, WindowGone
from minebot.play.identify import browses
from minebot.profile.schema import Behaviour, Dialog
from minebot.stop import POLL_SECONDS
from minebot.vision.text import texts

OWN_SECONDS = 3.0
"""Seconds after a click in which a window is the game's answer. Specified: then the user's."""
_TRIES = 3
"""How often the keys that close a window are pressed. Specified: a limit."""
_WAYS = (("Escape",), ("Return",), ("Tab", "space"), ("Tab", "space"))
"""What closes an unknown window, one after the other. The second button is a Tab further on."""
_WAYS_TO_PLAY = (("Return",), ("Tab", "space"), ("Escape",))
"""Keys tried on a question whether to play again: Escape would say no, and might end the game."""
_AGAIN = re.compile(r"\b(again|another|retry)\b", re.IGNORECASE)
_GONE = 2.0
"""Seconds that a window gets to close. Specified: a limit, after which other keys are tried."""
_FRAME = 1.0
"""Seconds for which the frame of a window that was closed may stay. Specified: a limit."""


@dataclass(slots=True)
class Dialogs:
    """Keeps one game's board in front of the game's other windows.

    It closes only windows that the game's profile names or that come in answer to a click,
    and only by keys; any other was opened by the user, who is not to be clicked over.
    """

    window_session: WindowSession
    behaviour: Behaviour = field(default_factory=Behaviour)
    """What the game's profile says of its windows and messages."""
    touch: bool = True
    """Without it, it closes nothing and leaves the keyboard where it is."""
    in_browser: bool = field(init=False)
    """Whether it is a page, where a right click that the game does not take opens a menu."""
    known: Sequence[Dialog] = field(init=False)
    """The windows of which it is known what closes them."""
    _clicked: float = -math.inf
    """When the board was clicked last, in seconds of the clock."""
    _came: dict[str, bool] = field(default_factory=dict)
    """Of each window that was seen, by its id, whether it came in answer to a click."""
    _right_clicked: bool = False
    """Whether there was a right click since a menu was looked for last."""
    _closed: float = -math.inf
    """When the last one was closed, in seconds of the clock."""

    def __post_init__(self) -> None:
        self.in_browser = browses(self.window_session.window)
        self.known = self.behaviour.dialogs
        self.shown()

    def shown(self) -> Sequence[Window]:
        """What is in front of the board now."""
        shown = self.window_session.dialogs()
        answers = self.window_session.clock.now() - self._clicked <= OWN_SECONDS
        for window in shown:
            self._came.setdefault(window.id, answers)
        return shown

    def close(self, when: str = "ended", keys: Sequence[str] = ()) -> bool:
        """Close what the game has put in front of the board; whether there is, or just was, any.

        `when` is as in `Dialog`: windows of another time are the user's, but what comes
        when a game has ended may come as late as a new one is asked for. A window that is not
        known yet is closed by the `keys`, or without them by what is found to close it. Raises
        WindowError, naming it, for a window that is not the game's doing or stays; Stopped.
        """
        shown = self.shown()
        for window in reversed(shown):
            if not self._close(window, when, keys):
                raise WindowError(f"{window} waits for an answer: give it, then start again")
        # A closed window's frame may cover the board for a moment longer.
        return bool(shown) or self.window_session.clock.now() - self._closed < _FRAME

    def refocus(self) -> None:
        """Have the board shown again, if it may be hidden for want of the keyboard's focus."""
        if not self.close() and self.touch:
            self.window_session.keyboard.focus()

    def dismiss(self) -> bool:
        """Close a message over the board if its key is known; whether one was pressed."""
        if not self.touch or self.behaviour.end_message_key is None:
            return False
        self.window_session.keyboard.press(Key.parse(self.behaviour.end_message_key))
        return True

    def note_click(self, button: Button | None = None) -> None:
        """Take down that one was sent to the board, or without a button a key to the game."""
        self._clicked = self.window_session.clock.now()
        self._right_clicked |= button is Button.RIGHT

    def close_menu(self) -> None:
        """Close the menu that a right click may have opened over the board; raises Stopped."""
        if self._right_clicked and self.touch and self.in_browser:
            self._right_clicked = False
            self.window_session.keyboard.press(Key.parse("Escape"))

    def close_finished(self) -> None:
        """Close what the game tells of the last game's end; leave all else as it is."""
        for window in reversed(self.window_session.dialogs()):
            self._close(window, "ended")

    def _close(self, window: Window, when: str, keys: Sequence[str] = ()) -> bool:
        fitting = (one for one in self.known if one.when in (when, "ended") and self.touch)
        known = next((one for one in fitting if one.title.search(window.title)), None)
        if known is not None:
            self._close_by(window, [known.keys] * _TRIES)
            return True
        if not (self.touch and self._came.get(window.id, False)):
            return False
        if keys:
            self._close_by(window, [keys] * _TRIES)
        else:
            ways = _WAYS_TO_PLAY if self._asks_to_play(window) else _WAYS
            keys = self._close_by(window, ways)
        # From now on windows of that title are closed by these keys.
        title = re.compile(f"^{re.escape(window.title)}$")
        self.known = (*self.known, Dialog(title, when, tuple(keys)))
        self._clicked = self._closed
        return True

    def _close_by(self, window: Window, ways: Iterable[Sequence[str]]) -> Sequence[str]:
        """Press the keys of one way after the other until the window is gone; all pressed.

        Raises WindowError when none of them closes it, Stopped.
        """
        pressed: list[str] = []
        for keys in ways:
            for key in keys:
                # It may be gone before the last of them.
                with suppress(WindowGone, WindowCovered):
                    self.window_session.keyboard.press(Key.parse(key), window)
                pressed.append(key)
            if self._goes(window):
                self._closed = self.window_session.clock.now()
                return pressed
        raise WindowError(f"{window} does not close: close it by hand")

    def _asks_to_play(self, window: Window) -> bool:
        """Whether that is written in the window.

        One that only offers a new game is closed: what it covers is the board that has ended.
        """
        said = [window.title]
        with suppress(MinebotError):
            said += [line.text for line in texts(self.window_session.picture(window))]
        return any(_AGAIN.search(text) for text in said)

    def _goes(self, window: Window) -> bool:
        """Whether the window is gone before it has had its time."""
        clock = self.window_session.clock
        end = clock.now() + _GONE
        while any(window.id == other.id for other in self.window_session.dialogs()):
            if clock.now() > end:
                return False
            clock.sleep(POLL_SECONDS)
        return True
