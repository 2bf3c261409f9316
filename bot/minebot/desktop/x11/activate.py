"""Bringing a window to where it can be seen and typed into, and making it larger."""

from __future__ import annotations

import time
from contextlib import suppress

import xcffib
from xcffib import xproto

from minebot.capture import Rect, State, Window
from minebot.desktop.ports import WindowControl
from minebot.desktop.x11.display import MANAGER_SECONDS, Display, errors_mapped
from minebot.desktop.x11.tracked_window import TrackedWindow
from minebot.desktop.x11.window_tree import (
    covering,
    dialogs_of,
    is_same_program,
    managed,
    number,
    place,
    root_rect,
    state,
    top_level,
)
from minebot.desktop.x11.xtest_input import free_buttons
from minebot.errors import WindowCovered, WindowError

_SOON = 1.0
"""Seconds after which something else is tried, or the request is given up. Specified."""
_RESIZED = 2.0
"""Seconds that a window manager and the game get for another size. Specified: a limit."""
_STILL = 0.08
"""Seconds without a repaint after which a window is painted. Specified: five frames at 60 Hz."""
_PAGER = 2
"""Source indication of a user's request, which must not be refused. Specified by EWMH."""


class XControl(WindowControl):
    """The game's window, to be shown and enlarged."""

    def __init__(self, tracked: TrackedWindow) -> None:
        self._tracked = tracked

    @errors_mapped()
    def show(self) -> None:
        """Claim the window, and have it shown wholly, above all others, and focused.

        Returns once it has been repainted. Raises WindowError, saying what is in the way.
        """
        display, window, wid = self._tracked.display, self._tracked.window, self._tracked.id
        _claim(display, window)
        free_buttons(display)
        if _in_front(display, wid):
            return
        if managed(display):
            if state(display, wid) is State.ELSEWHERE:
                wanted = display.numbers(display.ask(wid, "_NET_WM_DESKTOP"))
                tell_manager(display, display.root, "_NET_CURRENT_DESKTOP", [wanted[0]])
                display.until(lambda: state(display, wid) is not State.ELSEWHERE, MANAGER_SECONDS)
            _activate(display, wid)
        else:
            display.core.MapWindow(wid)
            _raise(display, wid)
        if not display.until(lambda: state(display, wid) is State.SHOWN, MANAGER_SECONDS):
            raise WindowError(f"{window} stays {state(display, wid).value}")
        focus(display, window)
        _move_onto_screen(display, window)
        _raise_above(display, window)
        end = time.monotonic() + _SOON  # some games never stop repainting
        while self._tracked.wait(_STILL) and time.monotonic() < end:
            # What covers it now is a notice of the window manager, which says that it has switched
            # desktops; the player waits for it to go.
            with suppress(WindowCovered):
                self._tracked.look()

    @errors_mapped()
    def enlarge(self) -> bool:
        """Give the window a third more room each way; see `WindowControl`."""
        display, wid = self._tracked.display, self._tracked.id
        here, screen = place(display, wid), root_rect(display)
        area = display.numbers(display.ask(display.root, "_NET_WORKAREA"))[:4]
        if len(area) == 4 and area[2] and area[3]:
            screen = Rect(*area)  # what panels leave of it
        left, right, top, bottom = _frame_extents(display, wid)
        width = max(here.width, min(here.width * 4 // 3, screen.width - left - right))
        height = max(here.height, min(here.height * 4 // 3, screen.height - top - bottom))
        if (width, height) == here[2:]:
            return False
        _put_inside(display, wid, Rect(*here[:2], width, height), screen)

        def is_larger() -> bool:
            now = place(display, wid)
            return now.width > here.width or now.height > here.height

        return display.until(is_larger, _RESIZED)


def _in_front(display: Display, window: int) -> bool:
    return (
        state(display, window) is State.SHOWN
        and place(display, window).within(root_rect(display))
        and not _above(display, window)
        and _focused(display, window)
    )


def _above(display: Display, window: int) -> list[str]:
    return covering(display, top_level(display, window), place(display, window))


def _raise_above(display: Display, window: Window) -> None:
    for _ in range(2):
        if display.until(lambda: not _above(display, number(window)), _SOON):
            return
        # Activated, and yet below: not every window manager raises what it activates.
        _raise(display, number(window))
    above = ", ".join(_above(display, number(window)))
    raise WindowError(f"{window} is covered by {above}: move that away")


def _raise(display: Display, window: int) -> None:
    if managed(display):
        wish = [_PAGER, xcffib.XCB_NONE, xproto.StackMode.Above]
        tell_manager(display, window, "_NET_RESTACK_WINDOW", wish)
    else:
        top, mask = top_level(display, window), xproto.ConfigWindow.StackMode
        display.core.ConfigureWindow(top, mask, [xproto.StackMode.Above])


def focus(display: Display, window: Window) -> None:
    """Have what is typed go to the window. Raises WindowError when it stays elsewhere."""
    wid = number(window)
    attributes = display.core.GetWindowAttributes(wid).reply()  # an error once it is closed
    if _focused(display, wid):
        return
    if managed(display) and not attributes.override_redirect:
        _activate(display, wid)
    else:
        display.core.SetInputFocus(xproto.InputFocus.PointerRoot, wid, xproto.Time.CurrentTime)
    if display.until(lambda: _focused(display, wid), _SOON):
        return
    for dialog in dialogs_of(display, wid):
        raise WindowError(f"{dialog} waits for an answer: give it, then start again")
    if not display.until(lambda: _focused(display, wid), MANAGER_SECONDS):
        raise WindowError(f"{window} does not take the keyboard focus")


def _focused(display: Display, window: int) -> bool:
    """Whether the window, or a part of it, has the keyboard."""
    at = display.core.GetInputFocus().reply().focus
    with suppress(xproto.WindowError):
        while at not in (display.root, xcffib.XCB_NONE, xproto.InputFocus.PointerRoot):
            if at == window:
                return True
            at = display.core.QueryTree(at).reply().parent
    return False


def _activate(display: Display, window: int) -> None:
    tell_manager(display, window, "_NET_ACTIVE_WINDOW", [_PAGER, _server_time(display)])


def _move_onto_screen(display: Display, window: Window) -> None:
    screen = root_rect(display)
    here = place(display, number(window))
    if here.within(screen):
        return
    too_wide, too_high = here.width - screen.width, here.height - screen.height
    if too_wide > 0 or too_high > 0:
        by = f"{max(0, too_wide)} x {max(0, too_high)}"
        raise WindowError(f"{window} is too large for the screen by {by} pixels: make it smaller")
    _put_inside(display, number(window), here, screen)
    if not display.until(lambda: place(display, number(window)).within(screen), MANAGER_SECONDS):
        raise WindowError(f"{window} is not wholly on the screen and cannot be moved there")


def _put_inside(display: Display, window: int, wanted: Rect, screen: Rect) -> None:
    """Ask for the window to be at `wanted` or near: on the `screen`, with its frame if it fits."""
    left, right, top, bottom = _frame_extents(display, window)
    if wanted.width + left + right > screen.width:
        left = right = 0
    if wanted.height + top + bottom > screen.height:
        top = bottom = 0
    rect = wanted._replace(
        left=min(max(wanted.left, screen.left + left), screen.right - right - wanted.width),
        top=min(max(wanted.top, screen.top + top), screen.bottom - bottom - wanted.height),
    )
    if managed(display):
        gravity, all_four = xproto.Gravity.Static, 0b1111 << 8
        wish = [gravity | all_four | _PAGER << 12, *rect]
        tell_manager(display, window, "_NET_MOVERESIZE_WINDOW", wish)
    else:
        which = xproto.ConfigWindow
        mask = which.X | which.Y | which.Width | which.Height
        display.core.ConfigureWindow(window, mask, list(rect))


def _frame_extents(display: Display, window: int) -> tuple[int, int, int, int]:
    """How wide the frame around the window is: left, right, top, bottom."""
    extents = display.numbers(display.ask(window, "_NET_FRAME_EXTENTS"))
    return extents if len(extents) == 4 else (0, 0, 0, 0)


def tell_manager(display: Display, window: int, wish: str, data: list[int]) -> None:
    """Send the window manager a wish with up to five numbers, as EWMH has it."""
    mask = xproto.EventMask.SubstructureRedirect | xproto.EventMask.SubstructureNotify
    display.send(display.root, mask, window, wish, data)


def _claim(display: Display, window: Window) -> None:
    """Claim the window for this connection; raises WindowError if another minebot has it."""
    name, mine = display.atom(f"_MINEBOT_{window.id}"), display.setup.resource_id_base

    def is_free() -> bool:
        owner = display.core.GetSelectionOwner(name).reply().owner
        return owner == xcffib.XCB_NONE or is_same_program(display, owner, mine)

    if not display.until(is_free, _SOON):  # a connection that was closed may end a little later
        raise WindowError(f"another minebot plays in {window}: stop that one first")
    display.core.SetSelectionOwner(own_window(display), name, xproto.Time.CurrentTime)


def own_window(display: Display) -> int:
    """An invisible window of our own, which reports changes of its properties."""
    own = display.new_id()
    display.core.CreateWindow(
        0, own, display.root, 0, 0, 1, 1, 0, xproto.WindowClass.InputOnly, 0,
        xproto.CW.EventMask, [xproto.EventMask.PropertyChange],
    )  # fmt: skip
    return own


def _server_time(display: Display) -> int:
    """The X server's clock, from the one event that carries it.

    It comes on a connection of its own: `display` may be the one that a window is tracked on, whose
    events must not get lost.
    """
    with Display(display.name) as own:
        name, kind = own.atom("_MINEBOT_TIME"), xproto.Atom.STRING
        own.core.ChangeProperty(xproto.PropMode.Append, own_window(own), name, kind, 8, 0, b"")

        def told() -> int:
            notices = (one for one in own.pending() if isinstance(one, xproto.PropertyNotifyEvent))
            return next((one.time for one in notices), xproto.Time.CurrentTime)

        # A server that is late must not hold up whoever stops.
        return own.until(told, MANAGER_SECONDS)
