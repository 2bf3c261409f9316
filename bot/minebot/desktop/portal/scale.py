"""Scaled screens of GNOME, on which its portal does not click where the picture shows it.

Measured on GNOME 43 at 200 %: mutter takes a place in a window's stream for one in units that
it tells nobody, and with fractional scaling one on a screen for pixels, of which the portal lets
only those through that are units too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from minebot.desktop.portal.stream import MONITOR, Stream
from minebot.errors import CaptureError

if TYPE_CHECKING:  # what it imports is an extra
    from minebot.desktop.portal.bus import Bus

_DISPLAYS = ("org.gnome.Mutter.DisplayConfig", "/org/gnome/Mutter/DisplayConfig")

_PHYSICAL = 2
"""The layout mode of DisplayConfig in which screens are laid out in pixels: without fractional
scaling."""


def refuse_misplaced_clicks(bus: Bus, stream: Stream) -> None:
    """Raise CaptureError, saying what to do, where a click would not land where it should."""
    if not bus.has(_DISPLAYS[0]):
        return
    _, _, screens, facts = bus.call(*_DISPLAYS, _DISPLAYS[0], "GetCurrentState")
    scaled = [scale for _, _, scale, *_ in screens if scale != 1]
    if not scaled:
        return
    percent = f"{100 * max(scaled):.0f} %"
    if facts.get("layout-mode", ("u", 0))[1] != _PHYSICAL:
        raise CaptureError(
            f"with fractional scaling, and a screen at {percent}, GNOME's portal clicks elsewhere "
            "than it is told: set every screen to 100 % in Settings, Displays"
        )
    if stream.kind != MONITOR:
        raise CaptureError(
            f"with a screen at {percent} GNOME's portal clicks elsewhere in a window than it is "
            "told: run minebot again, and share the whole screen"
        )
