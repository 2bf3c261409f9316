"""How long the player waits for what, and waits for a window to rest or to change."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import Self

import numpy as np

from minebot.capture import Frame
from minebot.desktop.ports import WindowSession
from minebot.errors import WindowCovered, WindowHidden
from minebot.profile import Behaviour


@dataclass(frozen=True, slots=True, kw_only=True)
class Timing:
    """How long is waited for what, in seconds.

    "Measured" are times seen in real games, "specified" those that were promised, and limits that
    only have to be of the right size: a game that is slower than that is not waited for.
    """

    wait_seconds: float = 0.05
    """Longest single wait for a repaint. Specified: a stop is heard within 0.1 s."""

    answer_seconds: float = 0.4
    """A click that has not shown after so long is lost. Measured, for each game's profile."""
    first_answer_seconds: float = 3.0
    """Time after which an unanswered first click is lost. Specified: the game lays its mines."""
    first_board_seconds: float = 90.0
    """The first cell may look pressed for so long. Specified: a limit; Simon Tatham's Mines makes
    up boards until one can be solved, which takes long on large ones."""
    busy_seconds: float = 2.0
    """A click that was sent again is waited for at most so long, each time twice as long as before.
    Specified: a limit; a page that draws all its squares anew took over 2 s for one on a machine
    with nine programs to a core, for which five tries of 0.4 s were too few."""
    stuck_seconds: float = 6.0
    """With no click under way and none to make, a board that has not changed for so long is
    stuck. Specified: a limit for the user's patience."""
    unread_seconds: float = 30.0
    """Time after the last click for which play goes on around tiles that cannot be read. Specified:
    a limit for the user's patience, where other tiles are in doubt each time."""
    stale_seconds: float = 0.1
    """A plan that took longer to make is checked against a fresh frame before it is clicked.
    Specified: a hundred times as long as most plans take, and too short for a hand."""

    held_seconds: float = 3.0
    """Time after which a cell drawn as pressed counts as open, if it can be. Specified: a limit; a
    button is held down for milliseconds, but the machine may be busy."""
    aside_seconds: float = 0.5
    """What hides the board for longer may do so for want of the focus, or because of where the
    pointer lies. Specified: a limit; tooltips come and go within it."""
    message_seconds: float = 0.0
    """Time for which a message covers the board at the end. Measured, for each game's profile."""

    total_seconds: float = 2.0
    """A guess waits so long for the mine total. Specified: a limit; Tesseract has to be loaded."""

    fresh_seconds: float = 2.0
    """A new board may take so long to show before its key is pressed again. Specified: a limit."""
    falling_seconds: float = 10.0
    """What moves over a new board is waited for so long. Specified: confetti falls for 8."""
    faded_seconds: float = 0.15
    """What fades is gone when nothing has changed so long. Specified: nine pictures at 60 Hz."""

    setup_seconds: float = 4.0
    """A game gets so long for what it was asked for, a board or its chooser. Specified: a limit."""
    still_seconds: float = 0.25
    """A window that rests for so long has settled. Specified: a quarter of its clock's second."""
    menu_seconds: float = 0.2
    """A menu gets so long to open or close. Specified: a limit; nothing tells while it is open."""

    close_seconds: float = 2.0
    """A window that was taken down may stay away for so long. Specified: a limit."""

    @classmethod
    def of(cls, behaviour: Behaviour) -> Self:
        """The times for a game that behaves so."""
        return cls(
            answer_seconds=behaviour.answer_milliseconds / 1000,
            message_seconds=behaviour.end_message_milliseconds / 1000,
        )

    @property
    def read_again_seconds(self) -> float:
        """For so long a board is read again that cannot be read, or contradicts itself.

        Longer than a message stays, and than a cell is taken for a pressed one.
        """
        return self.message_seconds + self.held_seconds + 1

    def lost_seconds(self, *, begun: bool, toggles: bool) -> float:
        """A click that has not shown after so long is sent again.

        One that `toggles` would undo itself if it was only late, so it has to be certain.
        """
        answer = self.answer_seconds if begun else self.first_answer_seconds
        return 4 * answer if toggles else answer


def await_rest(window_session: WindowSession, timing: Timing, limit_seconds: float) -> None:
    """Wait until what the window shows has stayed the same for `still_seconds`; raises Stopped.

    A window that is covered or taken down does not rest.
    """
    before: Frame | None = None
    now = since = window_session.clock.now()
    end = now + limit_seconds
    while now < end and now - since < timing.still_seconds:
        window_session.screen.wait(timing.wait_seconds)
        window_session.clock.sleep(0)  # raises Stopped
        now, shown = window_session.clock.now(), None
        with suppress(WindowCovered, WindowHidden):
            shown = window_session.screen.grab()
        if shown is None or before is None or not np.array_equal(shown.pixels, before.pixels):
            since = now
        before = shown


def await_repaint(window_session: WindowSession, timing: Timing, end: float) -> None:
    """Wait for another picture, until the clock says `end`; raises Stopped."""
    while not window_session.screen.wait(timing.wait_seconds) and window_session.clock.now() <= end:
        window_session.clock.sleep(0)  # raises Stopped
