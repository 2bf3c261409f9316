"""The X11 desktop: windows, bringing them forward, and playing in one.

XWayland on a Wayland desktop may have no screen of its own. Such an X server keeps no picture of
the whole screen: that cannot be read, or reads black whatever is on it. Each window keeps its own
pixels. An XWayland that shows a screen of its own in one Wayland window is like any other.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import KW_ONLY, dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray
from xcffib import xproto

from minebot.actuator import Mouse
from minebot.capture import Frame, Rect, Screen, Window
from minebot.desktop.listener import OwnKeys, PointerGuard
from minebot.desktop.portable_io import PyAutoGuiMouse, WindowScreen
from minebot.desktop.ports import Desktop, StopWay, WindowSession
from minebot.desktop.x11.activate import XControl, focus
from minebot.desktop.x11.display import Display, errors_mapped
from minebot.desktop.x11.server_grab import ServerGrab
from minebot.desktop.x11.tracked_window import TrackedWindow
from minebot.desktop.x11.watcher import InputWatcher
from minebot.desktop.x11.window_tree import dialogs_of, list_windows, number, root_rect
from minebot.desktop.x11.xtest_input import XKeyboard, XMouse, wait_until_through
from minebot.errors import CaptureError
from minebot.stop import Clock, Stop, SystemClock

NO_EFFECT = (
    "Wayland desktops may keep clicks from the windows of X11 programs: allow remote "
    "interaction where the desktop asks, or have the game in a window of its own: minebot start"
)
"""Why clicks may change nothing here, and what to do."""
_XWAYLAND = b"XWAYLAND"
"""The extension by which XWayland from 23.1 on says what it is. Before that the names of its
monitors begin so; later they are the compositor's."""
_ALL_PLANES = 0xFFFFFFFF
"""Every bit of a pixel, in a request for an image. Specified by X11: AllPlanes."""
_HEADER = 32
"""Bytes of a reply before the pixels of an image. Specified by X11."""
_EVERY = 16
"""Distance between the rows that are searched. Specified: no window of a game is lower."""


@dataclass(frozen=True)
class XDesktop(Desktop):
    """One X display; see `minebot.desktop.ports.Desktop`."""

    display: str | None = None
    """The name, as in ":0"; None takes DISPLAY when it is needed."""
    _: KW_ONLY
    pyautogui: bool = False
    """Whether it clicks through that, and not by XTEST itself."""
    rootless: bool = False
    """Whether it is the X server of a Wayland desktop."""

    def windows(self) -> list[Window]:
        """The programs' windows. Raises CaptureError."""
        with Display(self.display) as display:
            return list_windows(display)

    @contextmanager
    def open(self, window: Window, stop: Stop) -> Iterator[WindowSession]:
        """Play in the window for a `with` block. Raises WindowGone or CaptureError."""
        with ExitStack() as ends:
            display = ends.enter_context(Display(self.display))
            guard, own, clock = PointerGuard(), OwnKeys(), SystemClock(stop)
            tracked = TrackedWindow(display, window)
            older = frozenset(each.id for each in list_windows(display))
            mouse: Mouse
            if self.pyautogui:
                through = partial(wait_until_through, display, stop)
                mouse = PyAutoGuiMouse(stop, guard, tracked, display.name, through)
            else:
                grab = ends.enter_context(closing(ServerGrab(display, stop)))
                mouse = XMouse(tracked, stop, guard, grab)
            screen = self._screen(tracked, clock, ends)
            watching = ends.enter_context(Display(display.name))
            watcher = ends.enter_context(InputWatcher(watching, stop, guard, own, tracked.doubt))
            ends.enter_context(stop.asking(watcher.hear_keys))
            yield WindowSession(
                window=window,
                screen=screen,
                mouse=mouse,
                keyboard=XKeyboard(display, stop, own, lambda one: focus(display, one or window)),
                control=XControl(tracked),
                dialogs=partial(dialogs_of, display, number(window), older),
                picture=partial(self._picture, clock=clock),
                # On a Wayland desktop it hears what is done over the game, and nothing else.
                stops=frozenset(
                    {StopWay.ESC_IN_GAME}
                    if is_xwayland(display)
                    else {StopWay.ESC, StopWay.POINTER}
                ),
                clock=clock,
                no_effect=NO_EFFECT if self.rootless else "",
            )

    def _screen(self, tracked: TrackedWindow, clock: Clock, ends: ExitStack) -> Screen:
        if self.rootless:
            return OwnPixels(tracked, clock)
        return ends.enter_context(closing(WindowScreen(tracked, clock, tracked.display.name)))

    def _picture(self, window: Window, clock: Clock) -> Frame:
        with Display(self.display) as display, ExitStack() as ends:
            return self._screen(TrackedWindow(display, window), clock, ends).grab()


@errors_mapped()
def is_rootless(name: str | None) -> bool:
    """Whether a display, None for DISPLAY, has no screen of its own. Raises CaptureError."""
    with Display(name) as display:
        if not is_xwayland(display):
            return False
        screen = root_rect(display)
        rows = (Rect(0, y, screen.width, 1) for y in range(0, screen.height, _EVERY))
        try:
            return not any(_bytes(display, display.root, row).any() for row in rows)
        except xproto.MatchError:
            return True


def is_xwayland(display: Display) -> bool:
    """Whether a Wayland desktop shows it, so that it hears only its windows."""
    if display.core.QueryExtension(len(_XWAYLAND), _XWAYLAND).reply().present:
        return True
    if (randr := display.randr) is None:
        return False
    outputs = randr.GetScreenResourcesCurrent(display.root).reply().outputs
    infos = [randr.GetOutputInfo(output, 0) for output in outputs]
    return any(bytes(info.reply().name.raw).startswith(_XWAYLAND) for info in infos)


class OwnPixels:
    """The pixels that a window keeps itself. See `minebot.capture.Screen`."""

    def __init__(self, tracked: TrackedWindow, clock: Clock) -> None:
        self._tracked = tracked
        self._clock = clock

    @errors_mapped()
    def grab(self) -> Frame:
        """The window as it is now; see `Screen`."""
        taken = self._clock.now()
        spot = self._tracked.look()
        width, height = spot.rect[2:]
        pixels = _bytes(self._tracked.display, self._tracked.id, Rect(0, 0, width, height))
        if pixels.size != 4 * width * height:
            raise CaptureError(f"{self._tracked.window} does not have 32 bits a pixel")
        return Frame(pixels.reshape(height, width, 4), taken, spot)

    def wait(self, seconds: float) -> bool:
        """Sleep until the window repaints; see `Screen`."""
        return self._tracked.wait(seconds)


def _bytes(display: Display, window: int, rect: Rect) -> NDArray[np.uint8]:
    """The pixels of a part of a window, row by row; shape (bytes,)."""
    asked = display.core.GetImage(xproto.ImageFormat.ZPixmap, window, *rect, _ALL_PLANES)
    # Its own `reply` makes a list of all numbers first, 0.1 s for a window of 800x600.
    reply = display.connection.wait_for_reply(asked.sequence)
    return np.frombuffer(bytes(reply.buf), np.uint8)[_HEADER:]
