"""Plays boards of the real game while something goes wrong, and prints how each game ended.

    python benchmarks/faults.py                          20 trials of every fault, on X11
    python benchmarks/faults.py --desktop sway           on sway, natively
    python benchmarks/faults.py --faults moved,resized --trials 200
    python benchmarks/faults.py --list                   which faults there are

Each trial starts Simon Tatham's Mines with a board of 60x30 cells and 350 mines that needs no
guess, then the `minebot` command as a user would, and lets the fault happen after 20 to 700
of some 1,100 clicks. Every press of a button is heard as the X server, or sway, reports it. A
trial is bad when a mine was hit that was no guess, when something was clicked later than 0.1 s
after a stop, when the program did not end by itself, or when it showed a traceback. On sway
whatever the user does with keys or the mouse is a stop.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

from rich.console import Console
from rich.table import Table

from benchmarks import faults_sway, faults_x11
from benchmarks.trials import Faults
from minebot.errors import MinebotError

BOARD = "60x30n350"
DESKTOPS = {"x11": faults_x11.FAULTS, "sway": faults_sway.FAULTS}
HEARD = 0.1
"""Seconds within which a stop is promised to be heard."""
PATIENCE = 150.0
"""Seconds after the fault within which the program has to end by itself; it gives a game that
makes up its first board 90."""
BEFORE = 60.0
"""Seconds that the game gets to make up its board and the program to begin."""


@dataclass(frozen=True)
class Ending:
    """How a trial ended."""

    how: str
    """Exit status and outcome or message, its numbers left out."""
    problems: tuple[str, ...]
    clicks_after: float | None
    """Seconds from the fault to the last press; None where none came after it."""


def main() -> int:
    """Print a row for each fault; 1 when a trial was bad."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--desktop", choices=DESKTOPS, default="x11", help="(default: %(default)s)")
    parser.add_argument("--faults", help="names, comma between (default: all)")
    parser.add_argument("--trials", type=int, default=20, help="of each (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="of the first trial")
    parser.add_argument("--list", action="store_true", help="print the faults and end")
    parser.add_argument("--board", default=BOARD, help="a preset (default: %(default)s)")
    arguments = parser.parse_args()
    desktop = DESKTOPS[arguments.desktop]
    faults = {fault.__name__.replace("_", "-"): fault for fault in desktop.every}
    if arguments.list:
        for name, fault in faults.items():
            print(f"{name:28}{fault.__doc__}")
        return 0
    names = arguments.faults.split(",") if arguments.faults else list(faults)
    unknown = sorted(set(names) - set(faults))
    if unknown:
        parser.error(f"no such fault: {', '.join(unknown)}; --list names them")
    console = Console(width=150, highlight=False)
    title = f"{arguments.board} on {arguments.desktop}, {arguments.trials} trials of each fault"
    table = Table(title=title)
    for heading in ("fault", "how it ended", "hit, no guess", "after a stop", "hung", "traceback"):
        table.add_column(heading)
    table.add_column("last click, ms after: median, most", justify="right")
    bad = 0
    for name in names:
        endings = []
        for seed in range(arguments.seed, arguments.seed + arguments.trials):
            ending = play(desktop, arguments.board, faults[name], seed)
            endings.append(ending)
            for problem in ending.problems:
                console.print(f"{name}, seed {seed}: {problem}; {ending.how}", markup=False)
        bad += sum(bool(ending.problems) for ending in endings)
        _add_row(table, name, endings)
        good = sum(not ending.problems for ending in endings)
        console.print(f"{name}: {good} of {len(endings)} as they should be", markup=False)
    console.print(table)
    return 1 if bad else 0


def play(desktop: Faults, board: str, fault: Callable[[Any], None], seed: int) -> Ending:
    """Play one board while the fault happens."""
    rng = random.Random(f"{fault.__name__} {seed}")
    after = rng.randrange(20, 700)
    with ExitStack() as ends:
        trial = desktop.begin(f"{board}#{seed}", fault, rng, ends)
        bot, presses = trial.bot, trial.presses
        _wait(lambda: len(presses.times) >= after or bot.poll() is not None, BEFORE)
        began = time.monotonic()
        fault(trial)
        hung_up = False
        try:
            out, said = bot.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            hung_up = True
            bot.kill()
            out, said = bot.communicate()
        time.sleep(0.05)  # what the server still has to report
        is_stop = fault in desktop.stops
        return _judge(
            is_stop, bot.returncode, out, said, began, presses=presses.times, hung_up=hung_up
        )


def _judge(
    is_stop: bool,
    status: int,
    out: str,
    said: str,
    began: float,
    *,
    presses: list[float],
    hung_up: bool,
) -> Ending:
    facts: dict[str, Any] = json.loads(out.splitlines()[-1]) if out.strip() else {}
    outcome = facts.get("outcome", "")
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    message = "" if outcome in ("won", "lost") else next(iter(lines), "")
    problems = []
    if outcome == "lost" and not facts["hit_a_guess"]:
        problems.append("hit a mine that was no guess")
    last = presses[-1] - began if presses and presses[-1] > began else None
    if is_stop and last is not None and last > HEARD:
        problems.append(f"clicked {1000 * last:.0f} ms after the stop")
    if hung_up:
        problems.append("did not end by itself")
    if "Traceback" in said:
        problems.append(f"traceback: {lines[-1]}")
    how = f"{status} {outcome}: {_plain(message)}" if message else f"{status} {outcome}"
    return Ending(how, tuple(problems), last)


def _plain(message: str) -> str:
    """A message without its numbers and paths, so that the same ones are counted together."""
    words = (
        "…" if any(c.isdigit() or c == "/" for c in word) else word for word in message.split()
    )
    text = " ".join(words)
    return text if len(text) <= 90 else text[:87] + "..."


def _add_row(table: Table, name: str, endings: list[Ending]) -> None:
    hows = Counter(ending.how for ending in endings)
    counts = [
        sum(any(kind in problem for problem in ending.problems) for ending in endings)
        for kind in ("no guess", "after the stop", "end by itself", "traceback")
    ]
    last = [1000 * ending.clicks_after for ending in endings if ending.clicks_after is not None]
    times = f"{statistics.median(last):.0f}, {max(last):.0f}" if last else "-"
    listed = "\n".join(f"{count}x {how}" for how, count in hows.most_common())
    table.add_row(name, listed, *map(str, counts), times)


def _wait(ready: Callable[[], bool], patience: float) -> None:
    end = time.monotonic() + patience
    while not ready() and time.monotonic() < end:
        time.sleep(0.001)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except MinebotError as error:
        sys.exit(f"faults: {error}")
