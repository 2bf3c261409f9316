"""`minebot prepare`: has compiled what guesses need, before the first one waits for it."""

from __future__ import annotations

import argparse

from bot.cli.report import people
from bot.policy.guessing.prepare import prepare

__all__ = ["run"]


def run(_: argparse.Namespace) -> int:
    """Compile what is not compiled yet; returns 0."""
    prepare(people().print)
    people().print("all that guesses need is compiled")
    return 0
