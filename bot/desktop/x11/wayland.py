"""Telling an X server that has no pixels to show: XWayland, as Wayland sessions run it."""

from __future__ import annotations

from xcffib import xproto

from bot.desktop.x11.display import Display, errors_mapped
from bot.desktop.x11.tree import root_rect
from bot.errors import CaptureError

__all__ = ["refuse_blindness"]

_OUTPUT = b"XWAYLAND"
"""How the names of XWayland's monitors begin."""

_ALL_PLANES = 0xFFFFFFFF
"""Every bit of a pixel, in a request for an image; the X protocol's AllPlanes."""

_EVERY = 16
"""Rows from one that is looked at to the next; no window worth a game falls between."""


@errors_mapped
def refuse_blindness(name: str | None = None) -> None:
    """Look at the display of that name, None for DISPLAY.

    Raise CaptureError where windows can be listed, but neither be seen nor clicked.

    There the screen as a whole is not kept by the X server: it cannot be read, or
    reads black whatever is on it. An XWayland that shows a screen of its own in one
    Wayland window is another matter: it can be played on.
    """
    with Display(name) as display:
        if _is_xwayland(display) and _is_black(display):
            raise CaptureError(
                "this is a Wayland session, in which windows can be neither read nor clicked; "
                "log in to an X11 session, or `minebot demo` starts a private display"
            )


def _is_xwayland(display: Display) -> bool:
    randr = display.randr
    if randr is None:
        return False
    outputs = randr.GetScreenResourcesCurrent(display.root).reply().outputs
    infos = [randr.GetOutputInfo(output, 0) for output in outputs]
    return any(bytes(info.reply().name.raw).startswith(_OUTPUT) for info in infos)


def _is_black(display: Display) -> bool:
    pixmap, screen = xproto.ImageFormat.ZPixmap, root_rect(display)
    rows = [
        display.core.GetImage(pixmap, display.root, 0, y, screen.width, 1, _ALL_PLANES)
        for y in range(0, screen.height, _EVERY)
    ]
    try:
        return not any(any(row.reply().data.raw) for row in rows)
    except xproto.MatchError:
        return True
