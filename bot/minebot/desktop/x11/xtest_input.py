"""Clicks and keys on X11: XTEST, in the game's window and no other.

A click is one step with the check of what it will meet.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import numpy as np
import xcffib
from xcffib import xproto

from minebot.actuator import MODIFIERS, Button, Key
from minebot.capture import Frame, Pixel, Rect, Window
from minebot.desktop.listener import OwnKeys, PointerGuard
from minebot.desktop.placement import Point, WindowPlacement, aside, locate
from minebot.desktop.x11.display import MANAGER_SECONDS, Display, errors_mapped
from minebot.desktop.x11.server_grab import ServerGrab
from minebot.desktop.x11.tracked_window import TrackedWindow
from minebot.errors import CaptureError, UsageError, WindowError
from minebot.stop import Stop

NUMBERS = {Button.LEFT: 1, Button.RIGHT: 3}
"""What the protocol calls the buttons."""
_BUTTONS = 0x1F00
"""Bits of buttons 1 to 5 in a pointer's state. Specified by X11."""
_MARK = xproto.ModMask._3
"""A modifier that no usual keyboard has a key for, and that no program asks for."""
_HELD = {"shift": xproto.ModMask.Shift, "ctrl": xproto.ModMask.Control, "alt": xproto.ModMask._1}
"""The modifiers that a click may carry because the game asks for them. No key is pressed."""
_CORE_KEYBOARD = 0x100
"""Number of the keyboard whose modifiers clicks carry. Specified by XKB."""
_SPIN = 0.003
"""Seconds of polling without a pause, before others get the core. Specified: mostly enough."""
_SHIFT, _LOCK = xproto.ModMask.Shift, xproto.ModMask.Lock
_COMMANDS = xproto.ModMask.Control | xproto.ModMask._1 | xproto.ModMask._4
"""Control, Alt and the Windows key: with them a key is a command, and a click means something else,
as it does with Shift."""


class XMouse:
    """Clicks in one window, about a fifth of a millisecond each.

    The server is held from the check to the press: nothing can be moved, resized, covered
    or closed between them. That alone would not do. A click-to-focus window manager freezes
    each press until it has handled what it was asked before, such as a move, and only then
    lets the press through to whatever is there by then. It asks for presses without
    modifiers; so the bot's carry one that means nothing, and go straight to the game.
    """

    hold_seconds = 1.0
    """Time for which the user may hold up a click with a button or a key held down. Specified: a
    limit; people hold a key for 0.06 to 0.12."""
    hover_seconds = 0.1
    """Time for which the pointer lies still before the first click, or before each long one."""
    through_seconds = MANAGER_SECONDS
    """Time for which a window manager may hold it up."""

    @errors_mapped()
    def __init__(
        self, tracked: TrackedWindow, stop: Stop, guard: PointerGuard, grab: ServerGrab
    ) -> None:
        self._tracked = tracked
        self._grab = grab
        self._stop = stop
        self._guard = guard
        self._display = tracked.display
        # Which physical button does what: a left-handed user may have swapped them.
        does = list(self._display.core.GetPointerMapping().reply().map)
        self._physical = {button: does.index(n) + 1 for button, n in NUMBERS.items() if n in does}
        compositor = self._display.atom("_NET_WM_CM_S0")
        owner = self._display.core.GetSelectionOwner(compositor).reply().owner
        self._is_composited = owner != xcffib.XCB_NONE
        self._parked = 0
        self.press_seconds = 0.0

    @errors_mapped()
    def click(self, frame: Frame, at: Pixel, button: Button, held: str | None = None) -> None:
        """Press and release; see `minebot.actuator.Mouse`."""
        spot, point = locate(frame, at)
        physical = self._physical.get(button)
        if physical is None:
            raise CaptureError(f"no mouse button is set to be the {button.value} one")
        if held and self._display.keyboard is None:
            raise CaptureError(
                f"the X display {self._display.name!r} lets nobody click with {held}"
            )
        with self._guard.lock:
            self._stop.check()
            self._tracked.keep_up()
            if self.press_seconds or (self._guard.placed is None and self._is_composited):
                self._hover(spot, point)
            try:
                with self._aimed(spot, point) as modifiers:
                    extra = _MARK | (_HELD[held] if held else 0)
                    self._tap(point, physical, extra & ~modifiers)
                if self.press_seconds:
                    # The server is held no more, so that the game can see the button down.
                    time.sleep(self.press_seconds)
            finally:
                if self.press_seconds:
                    self._display.fake(xproto.ButtonReleaseEvent, physical)
                    self._display.flush()
            self._tracked.ping()
            self._guard.placed = point
            pointer = wait_until_through(
                self._display, self._stop, point, button, self.through_seconds
            )
            self._guard.check(pointer, self._stop)

    @errors_mapped()
    def park(self, frame: Frame, board: Rect | None = None) -> None:
        """Move to the window's edge; see `minebot.actuator.Mouse`."""
        with self._guard.lock:
            self._stop.check()
            if self._guard.placed is None:
                return
            pointer, held = self._display.pointer()
            self._guard.check(pointer, self._stop)
            if not held & _BUTTONS:
                self._parked += 1
                point = aside(frame, self._parked, board)
                self._display.fake(xproto.MotionNotifyEvent, 0, *point)
                self._guard.placed = point
                self._display.pointer()  # the server has moved it by then

    def _hover(self, spot: WindowPlacement, point: Point) -> None:
        """Let the pointer lie at `point` for a moment.

        Under mutter a game built with GTK may fail to paint the answer to a click that
        comes with the pointer's first move into its window. A game that asks once for each of
        its pictures where the pointer is takes a click without it to be where that was before.
        """
        with self._aimed(spot, point):
            self._display.fake(xproto.MotionNotifyEvent, 0, *point)
        self._guard.placed = point
        self._display.pointer()  # the server has moved it by then
        time.sleep(self.hover_seconds)

    @contextmanager
    def _aimed(self, spot: WindowPlacement, point: Point) -> Iterator[int]:
        """A block in which a click at `point` reaches what was at `spot`, whatever others do.

        The server is held meanwhile: keep it short. It yields the pointer's modifiers.
        """
        end = time.monotonic() + self.hold_seconds
        while True:
            with self._grab:
                pointer, state = self._display.pointer()
                self._guard.check(pointer, self._stop)
                held = state & (_BUTTONS | _SHIFT | _COMMANDS)
                if not held:
                    self._tracked.check(spot, point)
                    yield state
                    return
            if time.monotonic() > end:
                key = "Shift, Control, Alt or the Windows key"
                what = "a mouse button" if held & _BUTTONS else key
                self._stop.request(f"{what} is held down")
            self._stop.check()
            time.sleep(0.002)

    def _tap(self, point: Point, physical: int, extra: int) -> None:
        """Click, or press to hold, with the modifiers `extra` on top of those that are set."""
        keyboard = self._display.keyboard if extra else None
        if keyboard is not None:
            keyboard.LatchLockState(_CORE_KEYBOARD, extra, extra, 0, 0, 0, 0, 0)
        self._display.fake(xproto.MotionNotifyEvent, 0, *point)
        self._display.fake(xproto.ButtonPressEvent, physical)
        if not self.press_seconds:
            self._display.fake(xproto.ButtonReleaseEvent, physical)
        if keyboard is not None:
            keyboard.LatchLockState(_CORE_KEYBOARD, extra, 0, 0, 0, 0, 0, 0)


@errors_mapped()
def free_buttons(display: Display) -> None:
    """Release what a program that was killed in the middle of a click has left pressed.

    Raises WindowError when the user goes on holding a button: the game would show a pressed cell.
    """

    def free() -> bool:
        return not display.pointer()[1] & _BUTTONS

    if not free():
        for button in NUMBERS.values():  # the user's own mouse is another device: it stays as it is
            display.fake(xproto.ButtonReleaseEvent, button)
        if not display.until(free, XMouse.hold_seconds):
            raise WindowError("a mouse button is held down: let it go, then start again")


@errors_mapped()
def wait_until_through(
    display: Display, stop: Stop, point: Point, button: Button, seconds: float = MANAGER_SECONDS
) -> Point:
    """Wait until a window manager that asked for the click at `point` has let it through.

    The pointer is frozen until then, and a motion sent meanwhile would drag the click along. The
    button's bit clears only when the release has been handed on, after that. Returns where the
    pointer is then. Raises WindowError when the click does not get through, and as `stop` does.
    """
    bit = 0x80 << NUMBERS[button]
    sent = time.monotonic()
    while True:
        pointer, held = display.pointer()
        if not held & bit:
            return pointer
        held_up = time.monotonic() - sent
        if held_up > seconds:
            raise WindowError(
                f"the click at {point} is stuck: a mouse button is held "
                "down, or the window manager does not answer"
            )
        if held_up > _SPIN:
            stop.check()
            time.sleep(0.001)


class XKeyboard:
    """Presses keys in one window."""

    hold_seconds = 1.0
    """Time for which the user may hold down a key that makes a command of another."""

    @errors_mapped()
    def __init__(
        self, display: Display, stop: Stop, own: OwnKeys, focus: Callable[[Window | None], None]
    ) -> None:
        """`focus` gives a window the keyboard, or with None the game's. Raises CaptureError."""
        _ = display.xtest
        self._display = display
        self._stop = stop
        self._own = own
        self._focus = focus

    @errors_mapped()
    def press(self, key: Key, window: Window | None = None) -> None:
        """Press and release; see `Keyboard`. Raises UsageError when no key writes it."""
        if not self._display.until(self._is_free_of_commands, self.hold_seconds):
            raise WindowError("cannot type: Control, Alt or the Windows key is held down")
        _, state = self._display.pointer()
        group = state >> 13 & 3
        code, shifted = self._key(key.name, key.keysym, (2 * group, 2 * group + 1))
        if key.name.isalpha() and len(key.name) == 1 and state & _LOCK:
            shifted = not shifted
        self._focus(window)
        self._stop.check()
        held = [modifier for modifier in key.modifiers if modifier != "shift"]
        if (shifted or "shift" in key.modifiers) and not state & _SHIFT:
            held.append("shift")
        self._tap(code, held)

    @errors_mapped()
    def focus(self) -> None:
        """Give the game's window the keyboard; see `minebot.actuator.Keyboard`."""
        self._focus(None)

    def _is_free_of_commands(self) -> bool:
        """Whether the user holds no modifier that makes a key a command; raises as the stop."""
        self._stop.check()
        return not self._display.pointer()[1] & _COMMANDS

    def _key(self, name: str, keysym: int, columns: Sequence[int]) -> tuple[int, bool]:
        """The key code that writes `keysym` in the layout in use, and whether with Shift."""
        for column in columns:
            if codes := keycodes(self._display, keysym, column):
                return codes[0], bool(column & 1)
        raise UsageError(f"no key writes {name!r} in the keyboard layout in use")

    def _tap(self, code: int, modifiers: Sequence[str]) -> None:
        keys = [*(self._key(each, MODIFIERS[each], [0])[0] for each in modifiers), code]
        # The user's stop is a key too, and heard in every window.
        self._own.announce(code)
        for down in keys:
            self._display.fake(xproto.KeyPressEvent, down)
        for up in reversed(keys):
            self._display.fake(xproto.KeyReleaseEvent, up)
        if not self._display.until(lambda: not self._is_down(code), MANAGER_SECONDS):
            raise WindowError("the key is stuck: the window manager does not answer")

    def _is_down(self, code: int) -> bool:
        keys = self._display.core.QueryKeymap().reply().keys
        return bool(keys[code >> 3] >> (code & 7) & 1)


def keycodes(display: Display, keysym: int, column: int | None = None) -> list[int]:
    """The keys that write `keysym`: in one column of the keyboard's table, or in any."""
    first, last = display.setup.min_keycode, display.setup.max_keycode
    reply = display.core.GetKeyboardMapping(first, last - first + 1).reply()
    table = np.reshape(reply.keysyms, (-1, reply.keysyms_per_keycode))
    if column is not None:
        table = table[:, column : column + 1]
    return [first + int(row) for row in np.flatnonzero((table == keysym).any(axis=1))]
