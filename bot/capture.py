"""The `Screen` port: where frames come from."""

from __future__ import annotations

from typing import Protocol

from bot.frame import Frame

__all__ = ["Screen"]


class Screen(Protocol):
    """One window's picture, again and again."""

    def grab(self) -> Frame:
        """The window as it is now.

        Raises WindowError when the window is gone or no longer wholly on the
        screen, CaptureError when the capture library fails.
        """
        ...

    def wait(self, timeout: float) -> bool:
        """Sleep until the window may have repainted since the last grab.

        Returns whether it has; False after `timeout` seconds without a repaint.
        A screen that cannot tell sleeps a few milliseconds and returns True.
        """
        ...
