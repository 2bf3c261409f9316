"""Compiles what guesses need, which the first guess after an installation does else."""

from __future__ import annotations

import argparse

from minebot.cli.console import say
from minebot.policy.guessing.prepare import prepare
from minebot.stop import Stop, SystemClock, interrupts_stop


def add_arguments(_: argparse.ArgumentParser) -> None:
    """There are none."""


def run(_: argparse.Namespace) -> int:
    """Compile what is not compiled yet; returns 0."""
    stop = Stop()
    with interrupts_stop(stop):
        prepare(say, SystemClock(stop).sleep)
    say("all that guesses need is compiled")
    return 0
