"""Giving a window another size: larger for a board that is cut off, or any."""

from __future__ import annotations

from minebot.capture import Rect, Window
from minebot.desktop.x11.activate import frame_extents, inside, put
from minebot.desktop.x11.display import Display, errors_mapped
from minebot.desktop.x11.window_tree import number, place, root_rect

_PATIENCE = 2.0
"""Seconds that a window manager and the game get for it. Specified: a limit."""


@errors_mapped
def enlarge(display: Display, window: Window) -> bool:
    """Give the window a third more room each way; see `WindowControl`."""
    wid = number(window)
    here, screen = place(display, wid), _room(display)
    left, right, top, bottom = frame_extents(display, wid)
    width = max(here.width, min(here.width * 4 // 3, screen.width - left - right))
    height = max(here.height, min(here.height * 4 // 3, screen.height - top - bottom))
    if (width, height) == (here.width, here.height):
        return False
    wanted = Rect(here.left, here.top, width, height)
    corner = inside(display, wid, wanted, screen)
    put(display, wid, Rect(*corner, width, height))

    def larger() -> bool:
        now = place(display, wid)
        return now.width > here.width or now.height > here.height

    return display.until(larger, _PATIENCE)


@errors_mapped
def resize(display: Display, window: Window, width: int, height: int) -> bool:
    """Give the window that size as far as the screen has it; see `WindowControl`."""
    wid = number(window)
    here, screen = place(display, wid), _room(display)
    left, right, top, bottom = frame_extents(display, wid)
    width = min(width, screen.width - left - right)
    height = min(height, screen.height - top - bottom)
    if (width, height) == (here.width, here.height):
        return False
    corner = inside(display, wid, Rect(here.left, here.top, width, height), screen)
    put(display, wid, Rect(*corner, width, height))

    def changed() -> bool:
        now = place(display, wid)
        return (now.width, now.height) != (here.width, here.height)

    return display.until(changed, _PATIENCE)


def _room(display: Display) -> Rect:
    """What panels leave of the screen, as far as a window manager tells."""
    area = display.numbers(display.ask(display.root, "_NET_WORKAREA"))[:4]
    return Rect(*area) if len(area) == 4 and area[2] and area[3] else root_rect(display)
