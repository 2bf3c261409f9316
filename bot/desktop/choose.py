"""Which desktop this is: the one place that knows the backends."""

from __future__ import annotations

import sys

from bot.desktop.ports import Desktop

__all__ = ["native"]


def native(display: str | None = None, *, pyautogui: bool = False) -> Desktop:
    """This platform's desktop; `display` is the X display's name where there is one.

    With `pyautogui` it clicks through that even where there is a better way.
    """
    if sys.platform == "linux":
        from bot.desktop.x11.desktop import XDesktop  # noqa: PLC0415 - the platform's own

        return XDesktop(display, pyautogui=pyautogui)
    from bot.desktop.portable import PortableDesktop  # noqa: PLC0415 - every other platform's

    return PortableDesktop()
