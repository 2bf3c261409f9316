"""Scaled screens on which clicks would go astray."""

from __future__ import annotations

from typing import Any, cast

import pytest

from minebot.desktop.portal.bus import Bus
from minebot.desktop.portal.scale import refuse_misplaced_clicks
from minebot.desktop.portal.stream import MONITOR, WINDOW, Stream
from minebot.errors import CaptureError

LOGICAL, PHYSICAL = 1, 2


class FakeDisplays:
    """A bus with mutter's displays on it, or none."""

    def __init__(self, layout: int, *scales: float) -> None:
        self._state = (
            7,
            [],
            [(0, 0, scale, 0, True, [], {}) for scale in scales],
            {"layout-mode": ("u", layout)},
        )
        self._has = bool(scales)

    def has(self, name: str) -> bool:
        return self._has and name == "org.gnome.Mutter.DisplayConfig"

    def call(self, *_: str) -> tuple[Any, ...]:
        return self._state


def check(displays: FakeDisplays, kind: int) -> None:
    refuse_misplaced_clicks(cast(Bus, displays), Stream(1, kind, (100, 100)))


@pytest.mark.parametrize("kind", [MONITOR, WINDOW])
@pytest.mark.parametrize(
    "displays", [FakeDisplays(0), FakeDisplays(PHYSICAL, 1.0), FakeDisplays(LOGICAL, 1.0, 1.0)]
)
def test_elsewhere_and_unscaled_all_is_well(displays: FakeDisplays, kind: int) -> None:
    check(displays, kind)


def test_a_whole_screen_may_be_scaled_by_a_whole_number() -> None:
    check(FakeDisplays(PHYSICAL, 1.0, 2.0), MONITOR)


def test_a_window_may_not() -> None:
    with pytest.raises(CaptureError, match=r"a screen at 200 % .* share the whole screen"):
        check(FakeDisplays(PHYSICAL, 1.0, 2.0), WINDOW)


@pytest.mark.parametrize("kind", [MONITOR, WINDOW])
def test_with_fractional_scaling_neither_may(kind: int) -> None:
    with pytest.raises(CaptureError, match=r"a screen at 125 %.* set every screen to 100 %"):
        check(FakeDisplays(LOGICAL, 1.0, 1.25), kind)
