"""What GNOME shares, but does not click where the picture shows it."""

from __future__ import annotations

from typing import Any, cast

import pytest

from minebot.desktop.portal.bus import Bus
from minebot.desktop.portal.gnome import kinds_with_an_end, refuse_misplaced_clicks
from minebot.desktop.portal.screen import MONITOR, WINDOW, Stream
from minebot.errors import CaptureError

LOGICAL, PHYSICAL = 1, 2


class FakeGnome:
    """A bus with a GNOME on it whose screens have these scales; without scales none."""

    def __init__(self, layout: int, *scales: float, version: str = "43.9") -> None:
        self._state: tuple[object, ...] = (
            7,
            [],
            [(0, 0, scale, 0, True, [], {}) for scale in scales],
            {"layout-mode": ("u", layout)},
        )
        self._names = {"org.gnome.Mutter.DisplayConfig", "org.gnome.Shell"} if scales else set()
        self._version = version

    def has(self, name: str) -> bool:
        return name in self._names

    def property(self, *_: str) -> str:
        return self._version

    def call(self, *_: str) -> tuple[Any, ...]:
        return self._state


def check(gnome: FakeGnome, kind: int) -> None:
    refuse_misplaced_clicks(cast(Bus, gnome), Stream(1, kind, (100, 100)))


@pytest.mark.parametrize("kind", [MONITOR, WINDOW])
@pytest.mark.parametrize(
    "gnome", [FakeGnome(0), FakeGnome(PHYSICAL, 1.0), FakeGnome(LOGICAL, 1.0, 1.0)]
)
def test_elsewhere_and_unscaled_all_is_well(gnome: FakeGnome, kind: int) -> None:
    check(gnome, kind)


def test_a_whole_screen_may_be_scaled_by_a_whole_number() -> None:
    check(FakeGnome(PHYSICAL, 1.0, 2.0), MONITOR)


def test_a_window_may_not() -> None:
    with pytest.raises(CaptureError, match=r"a screen at 200 % .* share the whole screen"):
        check(FakeGnome(PHYSICAL, 1.0, 2.0), WINDOW)


@pytest.mark.parametrize("kind", [MONITOR, WINDOW])
def test_with_fractional_scaling_neither_may(kind: int) -> None:
    with pytest.raises(CaptureError, match=r"a screen at 125 %.* set every screen to 100 %"):
        check(FakeGnome(LOGICAL, 1.0, 1.25), kind)


@pytest.mark.parametrize("version", ["45.0", "48.7", "50.alpha", "unheard of"])
def test_a_window_may_not_whose_end_is_not_told(version: str) -> None:
    gnome = FakeGnome(PHYSICAL, 1.0, version=version)
    assert kinds_with_an_end(cast(Bus, gnome)) == MONITOR
    check(gnome, MONITOR)
    with pytest.raises(CaptureError, match="share the whole screen"):
        check(gnome, WINDOW)


@pytest.mark.parametrize("gnome", [FakeGnome(0), FakeGnome(0, 1.0, version="44.9")])
def test_a_window_may_whose_end_is_told(gnome: FakeGnome) -> None:
    assert kinds_with_an_end(cast(Bus, gnome)) == MONITOR | WINDOW
    check(gnome, WINDOW)
