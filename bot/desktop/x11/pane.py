"""One window while it is being played: where it is, and when it repaints."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import NamedTuple

import xcffib.damage
from xcffib import xproto

from bot.capture import Point, Rect, State, Window
from bot.desktop.x11.display import Display, errors_mapped
from bot.desktop.x11.tree import covering, describe, place, placing, state, top_level
from bot.errors import WindowCovered, WindowError, WindowMoved

__all__ = ["Pane"]

_HIDDEN = "minimised or on another desktop"


class Aim(NamedTuple):
    """What a click at a point would meet, as the server says just before it."""

    point: Point
    top: int
    """The top-level window there."""
    here: Rect
    """The game's place."""
    shown: bool
    """Whether the game's window is mapped; its frame stays behind for a moment when not."""


class Pane:
    """The window that is being played; its connection is for nothing else."""

    @errors_mapped
    def __init__(self, display: Display, window: Window) -> None:
        """Raises WindowError when the window is gone."""
        self.display = display
        self.id = window.id
        self.name = str(window)
        self.frame = top_level(display, window.id)
        self.rect: Rect = place(display, window.id)
        """Where the last `look` found it, in screen points."""
        self._changed = False
        self._restacked = True
        self._listen()

    def _listen(self) -> None:
        display = self.display
        self._damage = display.new_id()
        display.damage.Create(self._damage, self.id, xcffib.damage.ReportLevel.NonEmpty)
        for window, mask in (
            (self.id, xproto.EventMask.StructureNotify),
            (display.root, xproto.EventMask.SubstructureNotify),
        ):
            display.core.ChangeWindowAttributes(window, xproto.CW.EventMask, [mask])
        display.flush()

    @errors_mapped
    def look(self) -> Rect:
        """Where the window is now; from here on `wait` tells of new repaints only.

        Raises WindowError when the window is closed, hidden, covered or not wholly
        on the screen.
        """
        self._take_events()
        self._changed = False
        core, root = self.display.core, self.display.root
        self.display.damage.Subtract(self._damage, xproto.Atom._None, xproto.Atom._None)
        corner = core.TranslateCoordinates(self.id, root, 0, 0)
        size = core.GetGeometry(self.id)
        attributes = core.GetWindowAttributes(self.id)
        screen = core.GetGeometry(root)
        corner, size = corner.reply(), size.reply()
        attributes, screen = attributes.reply(), screen.reply()
        # A repaint or a change of order that came in between counts for the next look.
        self._take_events()
        rect = Rect(corner.dst_x, corner.dst_y, size.width, size.height)
        if attributes.map_state != xproto.MapState.Viewable:
            raise WindowError(f"{self.name} is {_HIDDEN}")
        whole = Rect(0, 0, screen.width, screen.height)
        if not rect.within(whole):
            raise WindowError(f"{self.name} is not wholly on the screen")
        if self._restacked or rect != self.rect:
            self._check_order(rect)
        self.rect = rect
        return rect

    @errors_mapped
    def wait(self, timeout: float) -> bool:
        """Sleep until the window repaints, at most `timeout` seconds; whether it has.

        True at once for a repaint since the last `look`. A window that is moved,
        hidden or closed counts as repainted, so that the next look can say so.
        """
        end = time.monotonic() + timeout
        self._take_events()
        while not self._changed:
            left = end - time.monotonic()
            if left <= 0:
                return False
            self.display.sleep(left)
            self._take_events()
        return True

    @errors_mapped
    def guard(self, point: Point) -> None:
        """Check that a click at `point` would reach the window; raises as `check`."""
        self.check(self.ask(point)())

    def ask(self, point: Point) -> Callable[[], Aim]:
        """Ask what a click at `point` would meet; calling the result waits for the answer.

        So that a caller's own questions share the round trip.
        """
        core, root = self.display.core, self.display.root
        top = core.TranslateCoordinates(root, root, point.x, point.y)
        attributes = core.GetWindowAttributes(self.id)
        here = placing(self.display, self.id)

        def answer() -> Aim:
            shown = attributes.reply().map_state == xproto.MapState.Viewable
            return Aim(point, top.reply().child, here(), shown)

        return answer

    def check(self, aim: Aim) -> None:
        """Check that the click would reach the window.

        Raises WindowError, or WindowMoved when only the place differs from that of the
        last `look`.
        """
        point, top, here, shown = aim
        if not shown:
            raise WindowError(f"{self.name} is {_HIDDEN}")
        if here != self.rect:
            raise WindowMoved(f"{self.name} has moved since it was last looked at")
        if not here.holds(point):
            raise WindowError(f"({point.x}, {point.y}) lies outside {self.name}")
        if top == self.frame:
            return
        # A window manager that was started or ended gives the window another frame.
        self.frame = top_level(self.display, self.id)
        if top == self.frame:
            return
        if state(self.display, self.id) is not State.SHOWN:
            raise WindowError(f"{self.name} is {_HIDDEN}")
        above = describe(self.display, top) if top else "nothing that can be seen"
        raise WindowCovered(f"{self.name} is covered at ({point.x}, {point.y}) by {above}")

    def _check_order(self, rect: Rect) -> None:
        self.frame = top_level(self.display, self.id)
        above = covering(self.display, self.frame, rect)
        if above:
            raise WindowCovered(f"{self.name} is covered by {above[0]}")
        self._restacked = False

    def _take_events(self) -> None:
        for event in self.display.pending():
            if isinstance(event, xcffib.damage.NotifyEvent):
                self._changed = True
            else:
                # Some window came, went, moved or was raised.
                self._restacked = True
                self._changed |= getattr(event, "window", None) in (self.id, self.frame)
