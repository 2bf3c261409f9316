"""The X11 desktop: windows, bringing them forward, and playing in one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from functools import partial

from minebot.actuator import Mouse
from minebot.capture import Frame, Window
from minebot.desktop.listener import OwnKeys, PointerGuard
from minebot.desktop.mss_screen import WindowScreen
from minebot.desktop.ports import Desktop, StopWay, WindowSession
from minebot.desktop.pyautogui_input import PyAutoGuiMouse
from minebot.desktop.x11.activate import bring_forward, claim, enlarge
from minebot.desktop.x11.display import Display
from minebot.desktop.x11.keyboard import XKeyboard
from minebot.desktop.x11.mouse import XMouse, free_buttons, wait_until_through
from minebot.desktop.x11.server_grab import ServerGrab
from minebot.desktop.x11.tracked_window import TrackedWindow
from minebot.desktop.x11.watcher import InputWatcher
from minebot.desktop.x11.window_tree import dialogs_of, list_windows, number
from minebot.desktop.x11.xwayland import NO_EFFECT, OwnPixels, is_xwayland
from minebot.stop import Clock, Stop, SystemClock


class XDesktop(Desktop):
    """One X display; see `minebot.desktop.ports.Desktop`."""

    def __init__(
        self, display: str | None = None, *, pyautogui: bool = False, rootless: bool = False
    ) -> None:
        """`display` is such as ":0"; None takes DISPLAY when it is needed.

        With `pyautogui` it clicks through that, and not by XTEST itself. `rootless` is the X
        server of a Wayland desktop.
        """
        self._display = display
        self._pyautogui = pyautogui
        self._rootless = rootless

    def windows(self) -> list[Window]:
        """The programs' windows. Raises CaptureError."""
        with Display(self._display) as display:
            return list_windows(display)

    @contextmanager
    def open(self, window: Window, stop: Stop) -> Iterator[WindowSession]:
        """Play in the window for a `with` block. Raises WindowGone or CaptureError."""
        with ExitStack() as ends:
            display = ends.enter_context(Display(self._display))
            guard, own, clock = PointerGuard(), OwnKeys(), SystemClock(stop)
            tracked = TrackedWindow(display, window)
            older = frozenset(each.id for each in list_windows(display))
            mouse: Mouse
            if self._pyautogui:
                through = partial(wait_until_through, display, stop)
                mouse = PyAutoGuiMouse(stop, guard, tracked, display.name, through)
            else:
                grab = ends.enter_context(closing(ServerGrab(display, stop)))
                mouse = XMouse(tracked, stop, guard, grab)
            screen = ends.enter_context(closing(self._screen(display, tracked, clock)))
            watching = ends.enter_context(Display(display.name))
            watcher = ends.enter_context(InputWatcher(watching, stop, guard, own, tracked.doubt))
            ends.enter_context(stop.asking(watcher.hear_keys))
            yield WindowSession(
                window=window,
                screen=screen,
                mouse=mouse,
                keyboard=XKeyboard(tracked, stop, own),
                control=_XControl(display, window),
                dialogs=partial(dialogs_of, display, number(window), older),
                picture=partial(self._picture, clock=clock),
                # On a Wayland desktop it hears what is done over the game, and nothing else.
                stops=frozenset(
                    {StopWay.ESC_IN_GAME}
                    if is_xwayland(display)
                    else {StopWay.ESC, StopWay.POINTER}
                ),
                clock=clock,
                no_effect=NO_EFFECT if self._rootless else "",
            )

    def _screen(
        self, display: Display, tracked: TrackedWindow, clock: Clock
    ) -> OwnPixels | WindowScreen:
        if self._rootless:
            return OwnPixels(tracked, clock)
        return WindowScreen(tracked, clock, display.name)

    def _picture(self, window: Window, clock: Clock) -> Frame:
        with Display(self._display) as display:
            tracked = TrackedWindow(display, window)
            with closing(self._screen(display, tracked, clock)) as screen:
                return screen.grab()


class _XControl:
    """What may be done to one window; see `minebot.desktop.ports.WindowControl`.

    Each wish has a connection of its own, whose events nobody else waits for.
    """

    def __init__(self, window_session: Display, window: Window) -> None:
        """`window_session` is the connection that lasts for as long as the window is played in."""
        self._window_session = window_session
        self._window = window

    def show(self) -> None:
        claim(self._window_session, self._window)
        with Display(self._window_session.name) as display:
            free_buttons(display)
            bring_forward(display, self._window)

    def enlarge(self) -> bool:
        with Display(self._window_session.name) as display:
            return enlarge(display, self._window)
