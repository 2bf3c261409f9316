"""Closes the windows that a game puts in front of its board."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from minebot.actuator import Button, Key
from minebot.capture import Window
from minebot.desktop.ports import WindowSession
from minebot.errors import WindowError
from minebot.play.dialog_keys import answer, close_by
from minebot.play.timing import Timing
from minebot.profile.behaviour import Dialog

_OWN = 3.0
"""Seconds after a click in which a window is the game's answer. Specified: then the user's."""
_TRIES = 3
"""How often the keys that close a window are pressed. Specified: a limit."""


@dataclass(slots=True)
class Dialogs:
    """Keeps one game's board in front of the game's other windows.

    It closes only windows that the game's profile names or that come in answer to a click,
    and only by keys; any other was opened by the user, who is not to be clicked over.
    """

    window_session: WindowSession
    known: Sequence[Dialog]
    timing: Timing
    touch: bool = True
    """Without it, it closes nothing and leaves the keyboard where it is."""
    message_key: str | None = None
    """What closes a message in the game's own window, as `Behaviour.end_message_key`."""
    in_browser: bool = False
    """Whether it is a page, where a right click that the game does not take opens a menu."""
    _clicked: float = -math.inf
    """When the board was clicked last, in seconds of the clock."""
    _came: dict[str, bool] = field(default_factory=dict)
    """Of each window that was seen, by its id, whether it came in answer to a click."""
    _right_clicked: bool = False
    """Whether there was a right click since a menu was looked for last."""
    _closed: float = -math.inf
    """When the last one was closed, in seconds of the clock."""

    def __post_init__(self) -> None:
        self.shown()

    def shown(self) -> Sequence[Window]:
        """What is in front of the board now."""
        shown = self.window_session.dialogs()
        answers = self.window_session.clock.now() - self._clicked <= _OWN
        for window in shown:
            self._came.setdefault(window.id, answers)
        return shown

    def close(self, when: str = "ended") -> bool:
        """Close what the game has put in front of the board; whether there is, or just was, any.

        `when` is as in `Dialog`: windows of another time are the user's, but what comes
        when a game has ended may come as late as a new one is asked for. Raises
        WindowError, naming it, for a window that is not the game's doing or stays; Stopped.
        """
        shown = self.shown()
        for window in reversed(shown):
            if not self._close(window, when):
                raise WindowError(f"{window} waits for an answer: give it, then start again")
        # A closed window's frame may cover the board for a moment longer.
        return (
            bool(shown)
            or self.window_session.clock.now() - self._closed < self.timing.frame_seconds
        )

    def refocus(self) -> None:
        """Have the board shown again, if it may be hidden for want of the keyboard's focus."""
        if not self.close() and self.touch:
            self.window_session.keyboard.focus()

    def dismiss(self) -> bool:
        """Close a message over the board if its key is known; whether one was pressed."""
        if not self.touch or self.message_key is None:
            return False
        self.window_session.keyboard.press(Key.parse(self.message_key))
        return True

    def note_click(self, button: Button | None = None) -> None:
        """Take down that one was sent to the board, or without a button a key to the game."""
        self._clicked = self.window_session.clock.now()
        self._right_clicked |= button is Button.RIGHT

    def is_answer(self, window: Window) -> bool:
        """Whether a window that was shown came in answer to a click or a key."""
        return self._came.get(window.id, False)

    def learn(self, window: Window, when: str, keys: Sequence[str]) -> None:
        """Close windows of that title by these keys from now on; `when` is as in `Dialog`."""
        title = re.compile(f"^{re.escape(window.title)}$")
        self.known = (*self.known, Dialog(title, when, tuple(keys)))

    def close_menu(self) -> None:
        """Close the menu that a right click may have opened over the board; raises Stopped."""
        if self._right_clicked and self.touch and self.in_browser:
            self._right_clicked = False
            self.window_session.keyboard.press(Key.parse("Escape"))

    def close_finished(self) -> None:
        """Close what the game tells of the last game's end; leave all else as it is."""
        for window in reversed(self.window_session.dialogs()):
            self._close(window, "ended")

    def _close(self, window: Window, when: str) -> bool:
        fitting = (one for one in self.known if one.when in (when, "ended") and self.touch)
        known = next((one for one in fitting if one.title.search(window.title)), None)
        if known is None:
            return self._answer(window, when)
        close_by(self.window_session, window, [known.keys] * _TRIES)
        self._closed = self.window_session.clock.now()
        return True

    def _answer(self, window: Window, when: str) -> bool:
        """Close an unknown window if a click opened it; whether it closed."""
        if not (self.touch and self.is_answer(window)):
            return False
        self.learn(window, when, answer(self.window_session, window))
        self._clicked = self._closed = self.window_session.clock.now()
        return True
