"""The interval of a share that was counted."""

from __future__ import annotations

import pytest

from minebot.policy.confidence import interval


def test_interval_is_wilsons() -> None:
    low, high = interval(5, 10)
    assert [low, high] == pytest.approx([0.2366, 0.7634], abs=1e-4)
    assert interval(0, 0) == (0.0, 1.0)
    assert interval(10, 10)[1] == pytest.approx(1.0)
    assert interval(2.5, 10)[0] < 0.25 < interval(2.5, 10)[1]


def test_no_win_leaves_room_for_nothing_below_zero() -> None:
    assert {interval(0, games)[0] for games in range(1, 1000)} == {0.0}
