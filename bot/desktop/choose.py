"""Which desktop this is: the one place that knows the backends."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # the command line is parsed before anything heavy is loaded
    from bot.desktop.ports import Desktop

__all__ = ["BACKENDS", "native"]

BACKENDS = ("auto", "x11", "wayland", "portable")
"""What --desktop takes."""


def native(
    display: str | None = None, *, backend: str = "auto", pyautogui: bool = False
) -> Desktop:
    """The desktop of one of the `BACKENDS`; "auto" is this platform's own.

    `display` is the X display's name, None for DISPLAY. With `pyautogui` X11 is clicked
    through that. Raises CaptureError where "auto" finds no screen that it could read.
    """
    if backend == "wayland":
        from bot.desktop.wayland.connection import Connection  # noqa: PLC0415
        from bot.desktop.wayland.desktop import WaylandDesktop  # noqa: PLC0415
        from bot.desktop.wayland.sway import find_sway  # noqa: PLC0415

        return WaylandDesktop(Connection(), find_sway())
    # Each platform has only its own backend's packages.
    if backend == "x11" or (backend == "auto" and sys.platform == "linux"):
        from bot.desktop.x11.desktop import XDesktop  # noqa: PLC0415
        from bot.desktop.x11.wayland import refuse_blindness  # noqa: PLC0415

        if backend == "auto":
            refuse_blindness(display)
        return XDesktop(display, pyautogui=pyautogui)
    from bot.desktop.portable import PortableDesktop  # noqa: PLC0415

    return PortableDesktop()
