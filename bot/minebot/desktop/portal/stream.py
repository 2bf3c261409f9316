"""The portal's description of the shared picture."""

from __future__ import annotations

from dataclasses import dataclass

MONITOR, WINDOW = 1, 2
"""Source types. Specified by the ScreenCast portal."""


@dataclass(frozen=True, slots=True)
class Stream:
    """What the user shares."""

    node: int
    """Its number in PipeWire."""
    kind: int
    """`MONITOR`, `WINDOW`, or 0 if the portal does not say."""
    size: tuple[int, int] | None
    """Its width and height in the units in which it is pointed at, where the portal tells."""
