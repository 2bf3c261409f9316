"""A file that takes too much processor time is given up, and nothing is left of the limit."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from fixtures.waiting import pass_time
from minebot.cli import limits
from minebot.cli.limits import within
from minebot.errors import UsageError

FILE = Path("noise.png")


def _work() -> None:
    while True:
        pass


def _left() -> tuple[object, tuple[float, float]]:
    """Who hears the end of the time, and how much of it is left."""
    return signal.getsignal(signal.SIGPROF), signal.getitimer(signal.ITIMER_PROF)


def test_what_takes_too_long_is_given_up_and_named() -> None:
    with pytest.raises(UsageError) as caught, within(FILE, 0.05):
        _work()
    assert str(caught.value) == "noise.png: takes more than 0.05 seconds: given up"


def test_without_a_limit_the_usual_one_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "SECONDS", 0.04)
    with pytest.raises(UsageError, match=r"more than 0\.04 seconds"), within(FILE):
        _work()


def test_to_wait_takes_no_time() -> None:
    with within(FILE, 0.1):
        pass_time(0.3)


def test_nothing_is_left_of_the_limit() -> None:
    before = _left()
    with within(FILE, 60):
        assert _left() != before
    assert _left() == before
    with pytest.raises(ZeroDivisionError), within(FILE, 60):
        raise ZeroDivisionError
    assert _left() == before


def test_work_that_takes_the_end_for_another_error_is_ended_all_the_same() -> None:
    heard: list[UsageError] = []

    def work_on() -> None:
        try:
            _work()
        except UsageError as error:
            heard.append(error)
        _work()

    with pytest.raises(UsageError), within(FILE, 0.05):
        work_on()
    assert len(heard) == 1
