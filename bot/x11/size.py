"""Making a window larger, for a board that is cut off in it."""

from __future__ import annotations

from bot.frame import Rect
from bot.windows import Window
from bot.x11.display import Display, errors_mapped
from bot.x11.front import frame_extents, inside, put
from bot.x11.tree import place, root_rect

__all__ = ["enlarge"]

_PATIENCE = 2.0
"""Seconds that a window manager, and the game, get for it."""


@errors_mapped
def enlarge(display: Display, window: Window) -> bool:
    """Give the window a third more room each way; see `bot.desktop.Desktop`."""
    here, screen = place(display, window.id), _room(display)
    left, right, top, bottom = frame_extents(display, window.id)
    width = max(here.width, min(here.width * 4 // 3, screen.width - left - right))
    height = max(here.height, min(here.height * 4 // 3, screen.height - top - bottom))
    if (width, height) == (here.width, here.height):
        return False
    wanted = Rect(here.left, here.top, width, height)
    corner = inside(display, window.id, wanted, screen)
    put(display, window.id, Rect(*corner, width, height))

    def larger() -> bool:
        now = place(display, window.id)
        return now.width > here.width or now.height > here.height

    return display.until(larger, _PATIENCE)


def _room(display: Display) -> Rect:
    """What panels leave of the screen, as far as a window manager tells."""
    area = display.numbers(display.ask(display.root, "_NET_WORKAREA"))[:4]
    return Rect(*area) if len(area) == 4 and area[2] and area[3] else root_rect(display)
