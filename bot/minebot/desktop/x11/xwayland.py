"""X11 programs on a Wayland desktop: XWayland without a screen of its own.

Such an X server keeps no picture of the whole screen: that cannot be read, or reads
black whatever is on it. Each window keeps its own pixels. An XWayland that shows a
screen of its own in one Wayland window is an X display like any other.
"""

from __future__ import annotations

import numpy as np
from xcffib import xproto

from minebot.capture import Frame
from minebot.desktop.x11.display import Display, errors_mapped
from minebot.desktop.x11.tracked_window import TrackedWindow
from minebot.desktop.x11.window_tree import root_rect
from minebot.errors import CaptureError
from minebot.stop import Clock

NO_EFFECT = (
    "Wayland desktops may keep clicks from the windows of X11 programs: allow remote "
    "interaction where the desktop asks, or have the game in a window of its own: minebot start"
)
"""Why clicks may change nothing here, and what to do."""

_EXTENSION = b"XWAYLAND"
"""The extension by which XWayland from 23.1 on says what it is."""

_OUTPUT = b"XWAYLAND"
"""How the names of XWayland's monitors begin before 23.1; later they are the compositor's."""

_ALL_PLANES = 0xFFFFFFFF
"""Every bit of a pixel, in a request for an image. Specified by X11: AllPlanes."""

_EVERY = 16
"""Distance between the rows that are searched. Specified: no window of a game is lower."""

_PIXEL_BITS = 32
"""Bits of a pixel. Specified: a frame has 32, and so has XWayland."""


@errors_mapped()
def is_rootless(name: str | None) -> bool:
    """Whether a display, None for DISPLAY, has no screen of its own. Raises CaptureError."""
    with Display(name) as display:
        return is_xwayland(display) and _is_black(display)


def is_xwayland(display: Display) -> bool:
    """Whether a Wayland desktop shows it, so that it hears only its windows."""
    if display.core.QueryExtension(len(_EXTENSION), _EXTENSION).reply().present:
        return True
    randr = display.randr
    if randr is None:
        return False
    outputs = randr.GetScreenResourcesCurrent(display.root).reply().outputs
    infos = [randr.GetOutputInfo(output, 0) for output in outputs]
    return any(bytes(info.reply().name.raw).startswith(_OUTPUT) for info in infos)


class OwnPixels:
    """The pixels that a window keeps itself. See `minebot.capture.Screen`."""

    def __init__(self, tracked: TrackedWindow, clock: Clock) -> None:
        self._tracked = tracked
        self._clock = clock

    @errors_mapped()
    def grab(self) -> Frame:
        """The window as it is now; see `Screen`."""
        taken = self._clock.now()
        spot = self._tracked.look()
        width, height = spot.rect[2:]
        image = self._tracked.display.core.GetImage(
            xproto.ImageFormat.ZPixmap, self._tracked.id, 0, 0, width, height, _ALL_PLANES
        )
        raw = image.reply().data.raw
        if len(raw) * 8 != width * height * _PIXEL_BITS:
            raise CaptureError(f"{self._tracked.name} does not have {_PIXEL_BITS} bits a pixel")
        return Frame(np.frombuffer(raw, np.uint8).reshape(height, width, 4), taken, spot)

    def wait(self, seconds: float) -> bool:
        """Sleep until the window repaints; see `Screen`."""
        return self._tracked.wait(seconds)

    def close(self) -> None:
        """Nothing is kept."""


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
