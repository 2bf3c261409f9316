"""Ctrl-C is the stop; a second one is Ctrl-C."""

from __future__ import annotations

import os
import signal
import threading

import pytest

from minebot.errors import CaptureError, Stopped
from minebot.stop import Stop, SystemClock, interrupts_stop

NUMBERS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGTSTP)


@pytest.mark.parametrize(
    ("number", "says"),
    [
        (signal.SIGINT, "stopped: Ctrl-C"),
        (signal.SIGTERM, "stopped: the program was told to end"),
        (signal.SIGHUP, "stopped: the terminal was closed"),
        (signal.SIGQUIT, r"stopped: Ctrl-\\"),
        (signal.SIGTSTP, "stopped: Ctrl-Z"),
    ],
)
def test_a_signal_is_the_stop(number: signal.Signals, says: str) -> None:
    stop = Stop()
    with interrupts_stop(stop):
        os.kill(os.getpid(), number)
        with pytest.raises(Stopped, match=says):
            stop.check()


def test_what_makes_it_impossible_to_go_on_is_raised_as_such_and_the_first_one_stands() -> None:
    stop = Stop()
    stop.request("the display is gone", CaptureError)
    stop.request("Esc was pressed")
    with pytest.raises(CaptureError, match=r"^the display is gone"):
        stop.check()


def test_what_is_ignored_from_the_start_stays_so() -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    stop = Stop()
    try:
        with interrupts_stop(stop):
            os.kill(os.getpid(), signal.SIGHUP)
            stop.check()
        assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGHUP, before)


def test_a_second_ctrl_c_interrupts() -> None:
    stop = Stop()
    with interrupts_stop(stop):
        os.kill(os.getpid(), signal.SIGINT)
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)


def test_afterwards_signals_do_what_they_did_before() -> None:
    before = {number: signal.getsignal(number) for number in NUMBERS}
    stop = Stop()
    with interrupts_stop(stop):
        assert signal.getsignal(signal.SIGINT) is not before[signal.SIGINT]
    assert {number: signal.getsignal(number) for number in before} == before
    stop.check()


def test_an_earlier_reason_stands() -> None:
    stop = Stop()
    stop.request("Esc was pressed")
    with interrupts_stop(stop):
        os.kill(os.getpid(), signal.SIGINT)
    assert stop.reason == "Esc was pressed"


def test_a_sleep_ends_with_the_stop() -> None:
    stop = Stop()
    clock = SystemClock(stop)
    threading.Timer(0.05, stop.request, ("Esc was pressed",)).start()
    began = clock.now()
    with pytest.raises(Stopped, match="Esc was pressed"):
        clock.sleep(60)
    assert clock.now() - began < 50


def test_without_a_stop_a_sleep_takes_its_time() -> None:
    clock = SystemClock(Stop())
    began = clock.now()
    clock.sleep(0.02)
    assert clock.now() - began >= 0.02
