"""One window while it is being played: where it is, and when it repaints."""

from __future__ import annotations

import time
from typing import Any

import xcffib.damage
from xcffib import xproto

from minebot.capture import Rect, State, Window
from minebot.desktop.placement import Point, WindowPlacement
from minebot.desktop.x11.display import Display, errors_mapped
from minebot.desktop.x11.window_tree import (
    covering,
    describe,
    is_same_program,
    number,
    place,
    state,
    top_level,
)
from minebot.errors import WindowBusy, WindowCovered, WindowGone, WindowHidden, WindowMoved

_HIDDEN = "minimised or on another desktop"
_SETTLE = 0.15
"""Seconds without a repaint after which a window that was moved, resized or shown counts as
painted; the games need 0.02 to 0.05 for one (measured), more on a busy machine."""
_RESTLESS = 2.0
"""Seconds after which it does whatever it paints. Specified: a limit, for some games never rest."""
_ANSWER = 0.05
"""Longest wait for an answer, and for the repaint after it. Specified: a stop is heard in 0.1 s."""
_UNANSWERED = 1
"""Clicks that the game may still have to take when the next one is sent. Measured on two busy cores
by `benchmarks/play.py`, and by new games begun on boards of 60x30 in play: with 0 none of 7 was
lost, but large boards took 1.5 times as long; with 1, 1 of 22, and expert boards took no longer
than with no limit, by which 8 of 14 were lost."""
_PROMPT = 0.005
"""Seconds within which an answer is never late. Measured: Simon Tatham's Mines gives half of its
answers within 0.002, even on two busy cores, and takes 0.05 to some seconds for a large board."""
_QUESTIONS_AFTER_KEY = 3
"""Answers that the game gives after a key before it is clicked, `_SETTLE` between them. Measured by
`tests/chaos/test_real_game.py`, boards of 60x30: GTK answers before it paints, and with 1 beside
four busy processes on two cores 1 of 50 new games was clicked before it was painted."""
_SENT = 0x80
"""Bit of an event that another program sent, and not the server. Specified by X11."""


class TrackedWindow:
    """The window that is being played; its connection is for nothing else."""

    @errors_mapped()
    def __init__(self, display: Display, window: Window) -> None:
        """Raises WindowGone."""
        self.display = display
        self.window = window
        self.id = number(window)
        self.frame = top_level(display, self.id)
        self._uncovered: Rect | None = None
        """Where nothing was above it; None once the order of windows may have changed."""
        self._changed = False
        self._turn = 0
        self._settled_at = self._restless_until = 0.0
        """When the window will count as painted, and when at the latest; monotonic clock."""
        self._asked = self._answered = 0
        """Ordinals of the last question whether the game keeps up, and of the last answer."""
        self._slowest = _PROMPT
        """Longest wait for an answer so far, in seconds, or what is prompt in any case."""
        self._is_overdue = False
        """Whether the last answer is waited for longer than `_ANSWER`."""
        self._is_doubted = False
        """Whether a key was pressed since the game was asked for an answer; set by any thread."""
        self._due = 0
        """Ordinal of the question that the game has to answer before the next click; 0 for none."""
        self._questions = 0
        """How many answers it still has to give, that one among them."""
        self._damage = display.new_id()
        display.damage.Create(self._damage, self.id, xcffib.damage.ReportLevel.NonEmpty)
        hear, mask = display.core.ChangeWindowAttributes, xproto.EventMask
        hear(self.id, xproto.CW.EventMask, [mask.StructureNotify])
        hear(display.root, xproto.CW.EventMask, [mask.SubstructureNotify])
        self._boxes = {
            each: _box(display.core.GetGeometry(each).reply()) for each in {self.id, self.frame}
        }
        """Where the window and its frame are in their parents, and how large."""

    @errors_mapped()
    def look(self) -> WindowPlacement:
        """Where the window is now; `wait` tells of later repaints. Raises as `Screen.grab`."""
        self._take_events()
        self._changed = False
        self.display.damage.Subtract(self._damage, xproto.Atom._None, xproto.Atom._None)
        rect = self._mapped_place()
        # A repaint or a change of order that came in between counts for the next look.
        self._take_events()
        if rect != self._uncovered:
            self._check_order(rect)
        return WindowPlacement(rect, self._turn, time.monotonic() >= self._settled_at)

    @errors_mapped()
    def wait(self, seconds: float) -> bool:
        """Sleep until the window repaints, at most so long; whether it has.

        True at once for a repaint since the last `look`. A window that is moved,
        hidden or closed counts as repainted, so that the next look can say so.
        """
        return self.display.until(self._take_events, seconds)

    @errors_mapped()
    def guard(self, spot: WindowPlacement, point: Point) -> None:
        """Check that a click reaches what was at `spot`; raises as `keep_up` and `check`."""
        self.keep_up()
        self.check(spot, point)

    def ping(self) -> None:
        """Ask the game by EWMH's _NET_WM_PING to answer once it has handled all clicks so far."""
        self._asked += 1
        ping = [self.display.atom("_NET_WM_PING"), self._asked, self.id, self._damage]
        self.display.send(self.id, xproto.EventMask.NoEvent, self.id, "WM_PROTOCOLS", ping)

    def doubt(self) -> None:
        """Have the next click wait for the game, and for a new look: the user has pressed a key.

        It may begin another board, which no click of this one must reach. For any thread.
        """
        self._is_doubted = True

    @errors_mapped()
    def keep_up(self) -> None:
        """Wait until `_UNANSWERED` pings at most are unanswered, if the game ever answered one.

        After `doubt` all have to be answered, again and again. Raises WindowBusy when that takes
        longer than it ever did: the game may be making up another board, which it paints after the
        answer. Raises as `look`, too.
        """
        if self._is_doubted:
            self._is_doubted = False
            if self._has_keyboard():
                self._questions, self._due = _QUESTIONS_AFTER_KEY, 0
        if self._questions and not self._due and time.monotonic() >= self._settled_at:
            self.ping()
            self._due = self._asked
        self._take_events()
        began = time.monotonic()
        while 0 < self._answered < max(self._due, self._asked - _UNANSWERED):
            left = began + _ANSWER - time.monotonic()
            if left <= 0:
                self._is_overdue = True
                raise WindowBusy(f"{self.window} has not taken the last clicks yet")
            self.display.sleep(left)
            self._take_events()
        waited = time.monotonic() - began
        if self._is_overdue or waited > self._slowest:
            self._slowest = max(waited, self._slowest)
            self._is_overdue = False
            self.look()
            self.wait(_ANSWER)
            raise WindowBusy(f"{self.window} was late to take the last click")
        if self._due:
            # It has taken the key, and paints what that did: `check` refuses what was seen before.
            self._due = 0
            self._questions -= 1
            self._turn += 1
            self._disturb()

    def check(self, spot: WindowPlacement, point: Point) -> None:
        """Check that the click would reach what was at `spot`, as `Mouse.click` promises.

        WindowMoved too while the game may still be painting what it showed there anew.
        """
        root = self.display.root
        asked = self.display.core.TranslateCoordinates(root, root, point.x, point.y)
        here, top = self._mapped_place(), asked.reply().child
        # What happened before the answer has been told of before it.
        self._take_events()
        if self._is_doubted or self._questions:
            raise WindowMoved(f"a key was pressed that {self.window} may have taken")
        spot.check(self.window, here, self._turn)
        if top != self.frame:
            # A window manager that was started or ended gives the window another frame.
            self.frame = top_level(self.display, self.id)
        if top == self.frame:
            return
        if state(self.display, self.id) is not State.SHOWN:
            raise WindowHidden(f"{self.window} is {_HIDDEN}")
        above = describe(self.display, top) if top else "nothing that can be seen"
        raise WindowCovered(f"{self.window} is covered at {point} by {above}")

    def _mapped_place(self) -> Rect:
        """Where the window is. Raises WindowHidden if it is not mapped, though its frame may be."""
        attributes = self.display.core.GetWindowAttributes(self.id)
        rect = place(self.display, self.id)
        if attributes.reply().map_state != xproto.MapState.Viewable:
            raise WindowHidden(f"{self.window} is {_HIDDEN}")
        return rect

    def _has_keyboard(self) -> bool:
        """Whether keys may go to the game: no other program's window has the focus."""
        focus = self.display.core.GetInputFocus().reply().focus
        nowhere = (xproto.InputFocus._None, xproto.InputFocus.PointerRoot)
        return focus in nowhere or is_same_program(self.display, focus, self.id)

    def _check_order(self, rect: Rect) -> None:
        self.frame = top_level(self.display, self.id)
        try:
            above = covering(self.display, self.frame, rect)
        except WindowGone:
            if top_level(self.display, self.id) == self.frame:
                raise
            raise WindowHidden(f"{self.window} is given another frame") from None
        if above:
            self._disturb()
            raise WindowCovered(f"{self.window} is covered by {above[0]}")
        self._uncovered = rect

    def _take_events(self) -> bool:
        """Take note of what has happened; whether the window has repainted since the last look."""
        for event in self.display.pending():
            if isinstance(event, xproto.ClientMessageEvent):
                _, number, _, asker, _ = event.data.data32
                if asker == self._damage:
                    self._answered = number
            elif isinstance(event, xcffib.damage.NotifyEvent):
                self._changed = True
                now = time.monotonic()
                if now < self._settled_at:
                    self._settled_at = min(now + _SETTLE, self._restless_until)
            else:  # some window came, went, moved or was raised
                self._uncovered = None
                if getattr(event, "window", None) in (self.id, self.frame):
                    self._changed = True
                    self._note(event)
        return self._changed

    def _note(self, event: Any) -> None:
        """Count what happened to the window or its frame, unless it was only raised."""
        if isinstance(event, xproto.ConfigureNotifyEvent):
            if event.response_type & _SENT:
                return  # the manager repeats what the server has told of
            box = _box(event)
            if box == self._boxes.get(event.window):
                return
            self._boxes[event.window] = box
        self._turn += 1
        self._disturb()

    def _disturb(self) -> None:
        """From now on the game may have to paint itself anew."""
        now = time.monotonic()
        self._settled_at, self._restless_until = now + _SETTLE, now + _RESTLESS


def _box(told: Any) -> tuple[int, ...]:
    return told.x, told.y, told.width, told.height
