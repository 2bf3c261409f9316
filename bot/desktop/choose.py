"""Which desktop this is: the one place that knows the backends."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from bot.errors import CaptureError

if TYPE_CHECKING:  # the command line is parsed before anything heavy is loaded
    from bot.desktop.ports import Desktop

BACKENDS = ("auto", "wayland", "x11", "portable")
"""What --desktop takes."""


@dataclass(frozen=True, slots=True)
class Way:
    """A way to see windows and to click in them, and whether it works here."""

    name: str
    """One of the `BACKENDS`."""
    finding: str
    """What was found, or what is missing: a clause fit for a list."""
    open: Callable[[], Desktop] | None
    """None where it does not work."""
    is_restricted: bool = False
    """Whether the desktop keeps some windows from it, or has the user asked first."""


def native(
    display: str | None = None, *, backend: str = "auto", pyautogui: bool = False
) -> Desktop:
    """The desktop of one of the `BACKENDS`; "auto" takes the first that works here.

    `display` is the X display's name, None for DISPLAY. With `pyautogui` X11 is clicked
    through that. Raises CaptureError where there is no screen that could be read.
    """
    found = ways(display, pyautogui=pyautogui, only=None if backend == "auto" else backend)
    for way in found:
        if way.open is not None:
            return way.open()
    raise CaptureError("; ".join(way.finding for way in found))


def ways(
    display: str | None = None, *, pyautogui: bool = False, only: str | None = None
) -> list[Way]:
    """The ways that this platform has, the best first; `only` the one of that name.

    A display that is named is an X display. Nothing is taken here that would have to be
    given back, but for a connection to a Wayland compositor, which the process keeps.
    """
    if only is not None:
        return [_ways_of(only, display, pyautogui=pyautogui)]
    if sys.platform != "linux":
        return [_portable()]
    names = ["x11"]
    if display is None and not pyautogui and os.environ.get("WAYLAND_DISPLAY"):
        names.insert(0, "wayland")
    return [_ways_of(name, display, pyautogui=pyautogui) for name in names]


def _ways_of(name: str, display: str | None, *, pyautogui: bool) -> Way:
    # Each platform has only its own backends' packages.
    if name == "wayland":
        return _wayland()
    if name == "x11":
        return _x11(display, pyautogui=pyautogui)
    return _portable()


def _wayland() -> Way:
    try:
        from bot.desktop.wayland.connection import Connection  # noqa: PLC0415
        from bot.desktop.wayland.desktop import WaylandDesktop, lacking  # noqa: PLC0415
        from bot.desktop.wayland.sway import find_sway  # noqa: PLC0415
    except ImportError:
        return Way("wayland", "Wayland needs the package pywayland, which is not installed", None)
    try:
        connection = Connection()
    except CaptureError as error:
        return Way("wayland", str(error), None)
    missing = lacking(connection)
    if missing:
        connection.close()
        finding = f"this Wayland compositor lets no program {missing}"
        return Way("wayland", finding, None, is_restricted=True)
    sway = find_sway()
    what = "sway, which tells where windows are" if sway else "a compositor like wlroots' ones"
    return Way("wayland", what, partial(WaylandDesktop, connection, sway))


def _x11(display: str | None, *, pyautogui: bool) -> Way:
    from bot.desktop.x11.desktop import XDesktop  # noqa: PLC0415
    from bot.desktop.x11.xwayland import is_rootless  # noqa: PLC0415

    try:
        rootless = is_rootless(display)
    except CaptureError as error:
        return Way("x11", str(error), None)
    what = "XWayland: programs for X11 on a Wayland desktop" if rootless else "an X display"
    desktop = partial(XDesktop, display, pyautogui=pyautogui, rootless=rootless)
    return Way("x11", what, desktop, is_restricted=rootless)


def _portable() -> Way:
    from bot.desktop.portable import PortableDesktop  # noqa: PLC0415

    return Way("portable", "pywinctl and pyautogui", PortableDesktop)
