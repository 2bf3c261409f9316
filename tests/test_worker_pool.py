"""Processes that calculate: what takes too long is ended, and what dies is told."""

from __future__ import annotations

import os
import signal
import time

import pytest

from minebot.worker_pool import WorkerDied, interrupts_held, worker_pool


def _mark() -> None:
    os.environ["MINEBOT_BEGUN"] = "yes"


def test_a_task_finds_its_process_begun_and_deaf_to_ctrl_c() -> None:
    with worker_pool(1, _mark) as pool:
        assert pool.schedule(os.getenv, ["MINEBOT_BEGUN"]).result() == "yes"
        assert pool.schedule(signal.getsignal, [signal.SIGINT]).result() == signal.SIG_IGN


def test_what_takes_too_long_or_dies_is_told_and_the_next_task_is_done() -> None:
    with worker_pool(1, _mark) as pool:
        with pytest.raises(TimeoutError):
            pool.schedule(time.sleep, [60], timeout=0.1).result()
        with pytest.raises(WorkerDied):
            pool.schedule(os._exit, [3]).result()
        assert pool.schedule(max, [1, 2]).result() == 2


def test_the_end_of_the_block_ends_what_is_under_way() -> None:
    began = time.monotonic()
    with worker_pool(1, _mark) as pool:
        process = pool.schedule(os.getpid).result()
        pool.schedule(time.sleep, [60])
    assert time.monotonic() - began < 30
    with pytest.raises(ProcessLookupError):
        os.kill(process, 0)


def test_ctrl_c_is_heard_once_what_it_must_not_break_off_is_done() -> None:
    done: list[bool] = []

    def interrupted() -> None:
        with interrupts_held():
            signal.raise_signal(signal.SIGINT)
            done.append(True)

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert done
