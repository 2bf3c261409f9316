"""Clicks on X11: XTEST, with the wait on the pointer's own state."""

from __future__ import annotations

import time

import xcffib
from xcffib import xproto

from bot.actuator import Button
from bot.capture import Point
from bot.desktop.pointer_guard import Leash
from bot.desktop.x11.display import errors_mapped
from bot.desktop.x11.pane import Pane
from bot.errors import CaptureError, WindowError
from bot.stop import Stop

__all__ = ["XMouse"]

_BUTTONS = 0x1F00
"""The bits of buttons 1 to 5 in a pointer's state."""

_MODIFIERS = xproto.ModMask.Shift | xproto.ModMask.Control | xproto.ModMask._1 | xproto.ModMask._4
"""Shift, Control, Alt and the Windows key: with one of them a click means something else."""

_PATIENCE = 1.0
"""Seconds that the person may hold up a click with a button or a key held down."""

_LET_THROUGH = 5.0
"""Seconds that a window manager may hold it up: a very busy machine has needed 0.8."""

_HOVER = 0.1
"""Seconds, a few of a compositor's frames, that the pointer lies still before the first click."""

_SPIN = 0.003
"""Seconds of asking again at once, for it mostly takes one; then the others get the core."""


class XMouse:
    """Clicks in one window, about half a millisecond each."""

    @errors_mapped
    def __init__(self, pane: Pane, stop: Stop, leash: Leash) -> None:
        """Raises CaptureError when the display lacks XTEST."""
        self._pane = pane
        self._stop = stop
        self._leash = leash
        self._display = pane.display
        self._xtest = pane.display.xtest
        self._physical = self._mapping()
        self._is_composited = self._has_compositor()

    @errors_mapped
    def click(self, point: Point, button: Button) -> None:
        """Press and release; see `bot.actuator.Mouse`.

        Raises WindowMoved, a WindowError, when the window has moved since the last
        frame of it.
        """
        with self._leash.held():
            self._stop.check()
            self._check(point)
            if self._leash.is_free and self._is_composited:
                self._hover(point)
            self._tap(point, button)

    @errors_mapped
    def rest(self, point: Point) -> None:
        """Move there; see `bot.actuator.Mouse`."""
        with self._leash.held():
            self._stop.check()
            if self._leash.is_free:
                return
            pointer = self._display.core.QueryPointer(self._display.root).reply()
            self._leash.check(Point(pointer.root_x, pointer.root_y), self._stop)
            if not pointer.mask & _BUTTONS:
                self._move(point)
                self._leash.leave(point)
                self._display.core.QueryPointer(self._display.root).reply()

    def _hover(self, point: Point) -> None:
        """Let the pointer lie at `point` for a moment.

        Under mutter a game built with GTK may fail to paint the answer to a click that
        comes with the pointer's first move into its window.
        """
        self._move(point)
        self._leash.leave(point)
        self._display.core.QueryPointer(self._display.root).reply()
        time.sleep(_HOVER)
        self._check(point)

    def _has_compositor(self) -> bool:
        atom = self._display.atom("_NET_WM_CM_S0")
        owner = self._display.core.GetSelectionOwner(atom).reply().owner
        return bool(owner != xcffib.XCB_NONE)

    def _move(self, point: Point) -> None:
        root, motion = self._display.root, xproto.MotionNotifyEvent.event_number
        self._xtest.FakeInput(motion, 0, 0, root, point.x, point.y, 0)

    def _mapping(self) -> dict[Button, int]:
        """Which physical button does what: a left-handed person may have swapped them."""
        does = list(self._display.core.GetPointerMapping().reply().map)
        return {button: does.index(button.value) + 1 for button in Button if button.value in does}

    def _check(self, point: Point) -> None:
        """Raise unless a click at `point` reaches the game and the person keeps still."""
        end = time.monotonic() + _PATIENCE
        while True:
            asked = self._display.core.QueryPointer(self._display.root)
            aim, pointer = self._pane.ask(point)(), asked.reply()
            self._leash.check(Point(pointer.root_x, pointer.root_y), self._stop)
            if not pointer.mask & (_BUTTONS | _MODIFIERS):
                break
            if time.monotonic() > end:
                button = pointer.mask & _BUTTONS
                held = "a mouse button" if button else "Shift, Control, Alt or the Windows key"
                self._stop.request(f"{held} is held down")
            self._stop.check()
            time.sleep(0.002)
        self._pane.check(aim)

    def _tap(self, point: Point, button: Button) -> None:
        physical = self._physical.get(button)
        if physical is None:
            raise CaptureError(f"no mouse button is set to be the {button.name.lower()} one")
        root = self._display.root
        fake = self._xtest.FakeInput
        self._move(point)
        fake(xproto.ButtonPressEvent.event_number, physical, 0, root, 0, 0, 0)
        fake(xproto.ButtonReleaseEvent.event_number, physical, 0, root, 0, 0, 0)
        self._leash.leave(point)
        # A click-to-focus window manager freezes the pointer at the press until it has
        # let it through; a motion sent meanwhile would drag this click along. The
        # button's bit clears only when the release has been handed on, after that.
        bit = 0x80 << button.value
        sent = time.monotonic()
        while True:
            pointer = self._display.core.QueryPointer(root).reply()
            if not pointer.mask & bit:
                break
            held_up = time.monotonic() - sent
            if held_up > _LET_THROUGH:
                raise WindowError(
                    f"the click at ({point.x}, {point.y}) is stuck: a mouse button is held "
                    "down, or the window manager does not answer"
                )
            if held_up > _SPIN:
                self._stop.check()
                time.sleep(0.001)
        self._leash.check(Point(pointer.root_x, pointer.root_y), self._stop)
