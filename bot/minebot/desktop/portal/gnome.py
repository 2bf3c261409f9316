"""What GNOME shares but does not click where the picture shows it.

Scaled screens, measured on GNOME 43 at 200 %: mutter interprets a place in a window's stream in
units that it reports nowhere. With fractional scaling it interprets one on a screen as pixels, and
the portal rejects those beyond the screen's size in units. GNOME 48 does the same on a screen.

Closed windows, measured on GNOME 48: the session continues without a message, and a click hits
whatever is where the pointer was last.
"""

from __future__ import annotations

from minebot.desktop.portal.bus import Bus
from minebot.desktop.portal.screen import MONITOR, WINDOW, Stream
from minebot.errors import CaptureError

_DISPLAYS = ("org.gnome.Mutter.DisplayConfig", "/org/gnome/Mutter/DisplayConfig")

_PHYSICAL = 2
"""Layout mode of screens in pixels, unscaled. Specified by org.gnome.Mutter.DisplayConfig."""

_SHELL = ("org.gnome.Shell", "/org/gnome/Shell", "org.gnome.Shell")

_SILENT_VERSION = 45
"""The first GNOME that does not tell when a shared window is closed. Specified: mutter's commit
712c9a17, "Do not stop remote desktop session when a stream closes"."""


def kinds_with_an_end(bus: Bus) -> int:
    """The source types of ScreenCast of which the desktop tells when there is nothing left to see.

    On a screen that is shared one sees what has come in a closed window's place.
    """
    if not bus.has(_SHELL[0]):
        return MONITOR | WINDOW
    version = str(bus.property(*_SHELL, "ShellVersion")).partition(".")[0]
    tells = version.isdecimal() and int(version) < _SILENT_VERSION
    return MONITOR | WINDOW if tells else MONITOR


def refuse_misplaced_clicks(bus: Bus, stream: Stream) -> None:
    """Raise CaptureError, saying what to do, where a click would not land where it should."""
    if stream.kind & ~kinds_with_an_end(bus):  # what was shared is remembered from another version
        raise CaptureError(
            "this GNOME does not tell when a shared window is closed, and clicks would go to "
            "another: run minebot again, and share the whole screen"
        )
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
