"""Plays many games without a screen, with the same solver and policy as on the screen, and
reports how many are won. The same seed gives the same games with any number of workers.
Ctrl-C ends it and reports the games so far.
"""

from __future__ import annotations

import argparse
import hashlib
import os
from collections.abc import Generator, Sequence
from contextlib import ExitStack, closing
from dataclasses import asdict
from itertools import chain

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from minebot.cli import options
from minebot.cli.console import console, say, table, write_json
from minebot.errors import UsageError
from minebot.layout import First
from minebot.policy.confidence import interval
from minebot.policy.guessing.prepare import prepare
from minebot.policy.guessing.settings import SETTINGS, Strategy
from minebot.simulate.games import Record, SimulationSettings, dealt_from, stored
from minebot.simulate.summary import Summary, check, draw
from minebot.simulate.workers import Task, in_processes, on_cluster
from minebot.worker_pool import interrupts_held

EPILOG = """\
examples:
  minebot simulate --games 1000                            expert, on all cores
  minebot simulate --size 9x9 --mines 10 --first safe --games 1000
  minebot simulate --games 100000 --resume expert.jsonl    goes on where it was stopped
  minebot simulate --boards boards.tsv.gz --policy least-risk --json
  minebot simulate --games 100000 --dask tcp://host:8786   on a Dask cluster

exit status: 0 all games played, 1 a worker was lost, 2 bad arguments or files, 130 stopped
"""

_GAMES = 1000
"""Default number of games. Specified: about a minute on two cores."""

ARGUMENTS = (
    options.argument(
        "--size", "WxH", "size of the board (default: 30x16)", type=options.size, default=(30, 16)
    ),
    options.count("--mines", "mines on each board (default: 99)", least=0, default=99),
    options.choice(
        "--first",
        "guarantee for the first click: it opens an area, or it only hits no mine "
        "(default: %(default)s)",
        ("opening", "safe"),
        default="opening",
    ),
    options.count("--games", "number of games (default: 1000, or every board of the file)"),
    options.argument("--seed", "N", "seed of the random boards (default: 1)", type=int, default=1),
    options.path(
        "--boards",
        "play the boards of a tab-separated file: width, height, mines, x, y, layout_hex",
    ),
    options.choice(
        "--policy",
        "how to guess; each policy adds a step to the previous one (default: %(default)s)",
        [strategy.value for strategy in Strategy],
        default=Strategy.FULL.value,
    ),
    options.count("--workers", "processes on this machine (default: one for each core)"),
    options.argument(
        "--dask", "ADDRESS", "play on the Dask cluster with this scheduler, such as tcp://host:8786"
    ),
    options.path("--resume", "write every game to this file, and resume after the games in it"),
    options.path(
        "--out", "draw the result: win rate by stage, risks against mines hit, time per step"
    ),
    options.JSON,
)
"""Numbers are defaults and limits. Specified: the help says them."""


def run(arguments: argparse.Namespace) -> int:
    """Play, show the result; returns 0, or 130 when stopped before the end."""
    if arguments.out is not None:
        check(arguments.out)
    settings, tasks = _tasks(arguments)
    records: dict[int, Record] = {}
    wins, stopped = 0, False
    with ExitStack() as stack:
        kept: dict[int, Record] = {}
        if arguments.resume is not None:
            store = stack.enter_context(stored(arguments.resume, settings))
            kept = {n: store.records[n] for n in sorted(store.records) if n < len(tasks)}
        left = [task for number, task in enumerate(tasks) if number not in kept]
        columns = BarColumn(), MofNCompleteColumn(), TextColumn("[bold]{task.description}")
        bar = Progress(*columns, TimeRemainingColumn(), console=console(), refresh_per_second=4)
        progress = stack.enter_context(bar)
        line = progress.add_task("", total=len(tasks))
        played = stack.enter_context(closing(_play(arguments, left, settings.strategy)))
        try:
            for record in chain(kept.values(), played):
                with interrupts_held():  # A game that is counted is kept and told as well.
                    records[record.game] = record
                    wins += record.won
                    if arguments.resume is not None and record.game not in kept:
                        store.add(record)
                    if arguments.json:
                        write_json(asdict(record))
                    shown = _rate(wins, len(records))
                    progress.update(line, completed=len(records), description=shown)
        except KeyboardInterrupt:
            stopped = True
    _report(arguments, settings, records)
    if stopped:
        say(f"stopped: {len(records)} of {len(tasks)} games played")
    return 130 if stopped else 0


def _tasks(arguments: argparse.Namespace) -> tuple[SimulationSettings, Sequence[Task]]:
    width, height = arguments.size
    first, strategy = First(arguments.first), Strategy(arguments.policy)
    if arguments.boards is None:
        settings = SimulationSettings(
            width, height, arguments.mines, first, arguments.seed, strategy
        )
        room = width * height - (min(9, width * height) if first is First.OPENING else 1)
        if settings.mines > room:
            raise UsageError(
                f"{settings.mines} mines do not fit a {width}x{height} board with a first click "
                f"that is promised: {first.value}; {max(0, room)} do"
            )
        return settings, [(settings, number) for number in range(arguments.games or _GAMES)]
    deals = dealt_from(arguments.boards)
    digest = hashlib.sha256(arguments.boards.read_bytes()).hexdigest()[:16]
    settings = SimulationSettings(0, 0, 0, first, 0, strategy, digest)
    return settings, deals[: arguments.games]


def _play(
    arguments: argparse.Namespace, tasks: Sequence[Task], strategy: Strategy
) -> Generator[Record, None, None]:
    if arguments.dask is not None:
        return on_cluster(tasks, strategy, arguments.dask)
    if strategy in SETTINGS:
        prepare()
    return in_processes(tasks, strategy, arguments.workers or _cores())


def _cores() -> int:
    """How many processor cores this process may use, as far as the system tells."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _rate(wins: int, games: int) -> str:
    if not games:
        return "no game"
    low, high = interval(wins, games)
    return f"{100 * wins / games:.2f} % won ({100 * low:.2f} to {100 * high:.2f})"


def _report(
    arguments: argparse.Namespace, settings: SimulationSettings, records: dict[int, Record]
) -> None:
    summary = Summary.of(records.values())
    if arguments.json:
        write_json(summary.facts())
    console().print(_overview(settings, summary), _stages(summary), _risks(summary))
    if arguments.out is not None:
        times = [time for record in records.values() for time in record.milliseconds]
        title = f"{_kind(settings)}: {_rate(summary.wins, summary.games)}"
        draw(summary, times, title, arguments.out)
        say(f"picture: {arguments.out}")


def _kind(settings: SimulationSettings) -> str:
    size = f"{settings.width}x{settings.height}, {settings.mines} mines, {settings.first.value}"
    return f"{'given boards' if settings.boards else size}, {settings.strategy.value}"


def _overview(settings: SimulationSettings, summary: Summary) -> Table:
    low, high = interval(summary.wins, summary.games)
    games = max(1, summary.games)
    median, mean, p99, slowest = summary.milliseconds
    rows = (
        ("games", f"{summary.games}"),
        ("won", f"{100 * summary.wins / games:.2f} % (95 %: {100 * low:.2f} to {100 * high:.2f})"),
        ("guesses a game", f"{summary.guesses / games:.2f}"),
        ("games without a guess", f"{100 * summary.unguessed / games:.1f} %"),
        ("a step, ms", f"median {median:.2f}, mean {mean:.2f}, 99 of 100 in {p99:.2f}"),
        ("slowest step, ms", f"{slowest:.2f}"),
    )
    return table(("", ""), rows, words=2, title=_kind(settings))


def _stages(summary: Summary) -> Table:
    rows = []
    for stage in summary.stages:
        if stage.count:
            won = f"{100 * stage.hits / stage.count:.1f} %"
            rows.append((f"{100 * stage.low:.0f} % or more", str(stage.count), won))
    return table(("safe cells open", "games", "of these won"), rows, words=0, title="by stage")


def _risks(summary: Summary) -> Table:
    rows = []
    for risks in summary.risks:
        if risks.count:
            span = f"{100 * risks.low:.0f} to {100 * risks.high:.0f} %"
            expected = f"{risks.mean * risks.count:.1f}"
            rows.append((span, str(risks.count), expected, str(risks.hits)))
    headings = ("risk", "guesses", "expected", "hit")
    return table(headings, rows, words=0, title="risks taken, mines hit")
