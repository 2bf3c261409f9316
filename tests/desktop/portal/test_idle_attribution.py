"""Telling the user's activity from the program's own."""

from __future__ import annotations

import pytest

from minebot.desktop.portal import idle_attribution
from minebot.desktop.portal.idle_attribution import IdleAttribution

QUICK, SLOW = 0.001, 0.05
"""Seconds that a desktop at rest, and a busy one, take to answer."""


class Clock:
    """What `own_activity` takes for the time."""

    def __init__(self) -> None:
        self.now = 100.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(idle_attribution, "time", clock)
    return clock


def act(own: IdleAttribution) -> None:
    with own.under_way():
        pass


def another(own: IdleAttribution, clock: Clock, ago: float, took: float = QUICK) -> bool:
    """What is made of an answer that somebody was active so long ago."""
    return own.was_another(clock.now, (clock.now - ago - 0.001, clock.now - ago), [took])


def test_before_its_first_event_all_activity_is_the_users_affair(clock: Clock) -> None:
    own = IdleAttribution()
    assert not another(own, clock, 0)
    assert not own.has_to_rest()


@pytest.mark.parametrize(("late", "users"), [(-5.0, False), (0.008, False), (0.06, True)])
def test_what_comes_too_long_after_its_last_is_the_users(
    clock: Clock, late: float, users: bool
) -> None:
    own = IdleAttribution()
    act(own)
    clock.now += 1
    assert another(own, clock, 1 - late) == users


@pytest.mark.parametrize("comes_again", [False, True])
def test_what_a_desktop_at_rest_may_have_noted_late_has_to_come_again(
    clock: Clock, comes_again: bool
) -> None:
    own = IdleAttribution()
    act(own)
    clock.now += 0.03
    assert not another(own, clock, 0)
    assert own.has_to_rest()
    clock.now += 0.2
    assert another(own, clock, 0 if comes_again else 0.2) == comes_again
    if not comes_again:
        assert not own.has_to_rest()


def test_while_an_event_is_under_way_nothing_is_told_apart(clock: Clock) -> None:
    own = IdleAttribution()
    act(own)
    clock.now += 1
    with own.under_way():
        assert not another(own, clock, 0)


class TestOnABusyDesktop:
    def test_what_is_noted_late_is_its_own(self, clock: Clock) -> None:
        own = IdleAttribution()
        act(own)
        clock.now += 0.1
        assert not another(own, clock, 0, SLOW)
        assert not own.has_to_rest()

    def test_what_comes_later_still_has_to_come_twice(self, clock: Clock) -> None:
        own = IdleAttribution()
        act(own)
        clock.now += 0.3
        assert not another(own, clock, 0, SLOW)
        assert own.has_to_rest(), "so that what comes next is not its own"
        clock.now += 0.05
        assert not another(own, clock, 0.05, SLOW), "the same once more"
        assert another(own, clock, 0, SLOW)

    def test_several_events_noted_late_are_its_own_too(self, clock: Clock) -> None:
        own = IdleAttribution()
        act(own)
        for _ in range(2):
            clock.now += 0.06
            assert not another(own, clock, 0, 0.02)
        assert own.has_to_rest()
        clock.now += 0.06
        assert another(own, clock, 0, 0.02)

    def test_what_does_not_was_its_own(self, clock: Clock) -> None:
        own = IdleAttribution()
        another(own, clock, 5, SLOW)
        act(own)
        clock.now += 0.3
        assert not another(own, clock, 0, SLOW)
        clock.now += 0.4
        assert not another(own, clock, 0.4, SLOW)
        assert not another(own, clock, 0.4, SLOW)
        assert not own.has_to_rest()


def test_it_rests_when_the_user_has_gone_unheard(clock: Clock) -> None:
    own = IdleAttribution()
    assert not another(own, clock, 5)
    for _ in range(20):
        act(own)
        clock.now += 0.01
        assert not another(own, clock, 0.01)
    assert own.has_to_rest()
    clock.now += 0.02
    assert not another(own, clock, 0.03)
    assert not own.has_to_rest()


def test_where_nobody_listens_it_never_rests(clock: Clock) -> None:
    own = IdleAttribution()
    act(own)
    clock.now += 10
    assert not own.has_to_rest()
