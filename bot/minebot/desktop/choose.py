"""Chooses the backend for this desktop, or combines several; the only module that knows them."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from minebot.errors import CaptureError, Unlisted, UsageError, WindowError
from minebot.extras import require

if TYPE_CHECKING:  # the command line is parsed before anything heavy is loaded
    from contextlib import AbstractContextManager

    from minebot.capture import Window
    from minebot.desktop.ports import Desktop, WindowSession
    from minebot.stop import Stop

BACKENDS = ("auto", "wayland", "portal", "x11", "portable")
"""The values of --desktop."""


@dataclass(frozen=True, slots=True)
class Way:
    """A way to capture windows and click in them, and whether it works here."""

    name: str
    """One of the `BACKENDS`."""
    finding: str
    """What was found, or what is missing: a clause fit for a list."""
    open: Callable[[], Desktop] | None
    """None if it does not work."""
    is_restricted: bool = False
    """Whether the desktop hides some windows from it, or asks the user first."""


def native(
    display: str | None = None,
    *,
    backend: str = "auto",
    pyautogui: bool = False,
    say: Callable[[str], object] = lambda _: None,
) -> Desktop:
    """Open the desktop with one of the `BACKENDS`; "auto" takes the first that works here.

    If several backends each reach some of the windows, "auto" combines them. `display` is the X
    display's name, None for DISPLAY. `pyautogui` selects that for clicks on X11. `say` is called
    with what the user has to do in a dialog of the desktop. Raises CaptureError without a screen.
    """
    found = ways(display, backend=backend, pyautogui=pyautogui, say=say)
    desktops = [way.open() for way in taken(found) if way.open is not None]
    if not desktops:
        raise CaptureError("; ".join(way.finding for way in found))
    return desktops[0] if len(desktops) == 1 else CompositeDesktop(desktops)


def taken(found: Sequence[Way]) -> list[Way]:
    """The ways that "auto" uses, in the order in which they are asked for a window."""
    usable = [way for way in found if way.open is not None]
    whole = [way for way in usable if not way.is_restricted]
    # What the user is asked for comes last: a window that is listed needs no dialog.
    return whole[:1] or sorted(usable, key=lambda way: way.name == "portal")


def ways(
    display: str | None,
    *,
    backend: str = "auto",
    pyautogui: bool = False,
    say: Callable[[str], object] = lambda _: None,
) -> list[Way]:
    """The ways that this platform has, the best first; only the `backend` where it is not "auto".

    A named display is an X display. No resource is taken that would have to be returned, except a
    connection to a Wayland compositor, which the process keeps.
    """
    # Each platform has only its own backends' packages.
    named: dict[str, Callable[[], Way]] = {
        "wayland": _wayland,
        "portal": partial(_portal, say),
        "x11": partial(_x11, display, pyautogui=pyautogui),
        "portable": _portable,
    }

    def tried(name: str) -> Way:
        try:
            return named[name]()
        except (CaptureError, UsageError) as error:
            return Way(name, str(error), None)

    if backend != "auto":
        return [tried(backend)]
    if sys.platform != "linux":
        return [tried("portable")]
    if display is None and not pyautogui and os.environ.get("WAYLAND_DISPLAY"):
        wayland = tried("wayland")
        asked = [tried("portal")] if wayland.open is None and wayland.is_restricted else []
        return [wayland, *asked, tried("x11")]
    return [tried("x11")]


def _wayland() -> Way:
    try:
        from minebot.desktop.wayland.connection import Connection  # noqa: PLC0415
        from minebot.desktop.wayland.desktop import WaylandDesktop, lacking  # noqa: PLC0415
        from minebot.desktop.wayland.sway import find_sway  # noqa: PLC0415
    except ImportError:
        finding = "Wayland needs the package pywayland, which is not installed"
        return Way("wayland", finding, None, is_restricted=True)
    connection = Connection()
    sway = find_sway()
    missing = lacking(connection, sway)
    if missing:
        connection.close()
        finding = f"this Wayland compositor lets no program {missing}"
        return Way("wayland", finding, None, is_restricted=True)
    what = "sway, which tells where windows are" if sway else "a compositor like wlroots' ones"
    return Way("wayland", what, partial(WaylandDesktop, connection, sway))


def _portal(say: Callable[[str], object]) -> Way:
    require("portal", "the desktop's portal")
    from minebot.desktop.portal.desktop import PortalDesktop  # noqa: PLC0415

    desktop = PortalDesktop(say)
    desktop.check()
    what = "the desktop's portal, which asks what to share"
    return Way("portal", what, lambda: desktop, is_restricted=True)


def _x11(display: str | None, *, pyautogui: bool) -> Way:
    from minebot.desktop.x11.desktop import XDesktop, is_rootless  # noqa: PLC0415

    rootless = is_rootless(display)
    what = "XWayland: programs for X11 on a Wayland desktop" if rootless else "an X display"
    desktop = partial(XDesktop, display, pyautogui=pyautogui, rootless=rootless)
    return Way("x11", what, desktop, is_restricted=rootless)


def _portable() -> Way:
    from minebot.desktop.pyautogui_desktop import PyAutoGuiDesktop  # noqa: PLC0415

    return Way("portable", "pywinctl and pyautogui", PyAutoGuiDesktop)


class CompositeDesktop:
    """Takes the first desktop that has the window. See `minebot.desktop.ports.Desktop`."""

    def __init__(self, desktops: Sequence[Desktop]) -> None:
        """The last one is asked for what none of the others has."""
        self._desktops = desktops
        self._owner: dict[str, Desktop] = {}

    def windows(self) -> Sequence[Window]:
        """The windows of all that list them. Raises Unlisted if none does, CaptureError."""
        listed: list[Window] = []
        for desktop in self._desktops:
            with suppress(Unlisted):
                windows = desktop.windows()
                self._owner.update((window.id, desktop) for window in windows)
                listed.extend(windows)
        return listed or self._desktops[-1].windows()

    def pick(self, query: str | None, known: Callable[[Window], bool]) -> Window:
        """The window that is meant, of the first desktop that has it."""
        *others, last = self._desktops
        for desktop in others:
            with suppress(WindowError):
                window = desktop.pick(query, known)
                self._owner[window.id] = desktop
                return window
        return last.pick(query, known)

    def open(self, window: Window, stop: Stop) -> AbstractContextManager[WindowSession]:
        """Play in the window, on the desktop that it came from."""
        return self._owner.get(window.id, self._desktops[-1]).open(window, stop)
