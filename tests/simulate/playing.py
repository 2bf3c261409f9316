"""Simulated games, and the command that plays them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from fixtures.waiting import within
from minebot.layout import First
from minebot.policy.guessing.settings import Strategy
from minebot.simulate.games import SimulationSettings

SMALL = ["--size", "9x9", "--mines", "10"]


SETTINGS = SimulationSettings(9, 9, 10, First.OPENING, 1, Strategy.FULL)


def games(text: str) -> list[tuple[int, bool, tuple[float, ...]]]:
    """Number, outcome and risks of every game in lines of JSON, in the order of numbers."""
    lines = [json.loads(line) for line in text.splitlines()]
    return sorted(
        (line["game"], line["won"], tuple(line["risks"])) for line in lines if "game" in line
    )


def started(*arguments: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "minebot", "simulate", *arguments]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True)


def lines_in(path: Path) -> int:
    return path.read_bytes().count(b"\n") if path.exists() else 0


def wait_for_lines(path: Path, count: int, process: subprocess.Popen[str]) -> None:
    def written() -> bool:
        assert process.poll() is None, process.communicate()
        return lines_in(path) >= count

    if not within(written, 300):
        process.kill()
        raise AssertionError(f"{lines_in(path)} lines of {count} in {path}")
