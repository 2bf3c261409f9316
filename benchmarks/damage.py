"""Reads damaged pictures: how many are read right, refused, and read wrong.

    python -m benchmarks.damage --pictures 10000 --seed 1

Takes the pictures of `fixtures/screenshots` with their boards, damages each in the ways of
`fixtures.damage` with strengths drawn from the seed, and reads it as `minebot read` does; where a
tile is in doubt it counts as refused. A cut board that was read with a word that it may be cut off
counts as warned. Nothing may be read wrong and nothing may crash; each that is, is listed with the
number that makes it again (`--only NUMBER --save FILE.png`). The outcomes depend on the seed alone;
with `--log FILE` each is kept as it comes, and a run that was stopped goes on from there.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from random import Random

import numpy as np
from rich.console import Console
from rich.progress import track
from rich.table import Table

from fixtures.damage import KINDS, Damaged, Subject
from minebot.capture import Frame
from minebot.errors import Contradiction, MinebotError, VisionError
from minebot.profile import Profile, load, profiles
from minebot.recording import pictures, replay
from minebot.vision.any_game import read_any

ROOT = Path(__file__).parents[1]

SHOTS = ROOT / "fixtures" / "screenshots"


@dataclass(frozen=True, slots=True)
class Outcome:
    """How reading one damaged picture went."""

    number: int
    game: str
    kind: str
    picture: str
    verdict: str
    """`right`, `refused`, `wrong` or `crashed`."""
    detail: str = ""
    seconds: float = 0.0
    """Processor time of making and reading it."""


Task = tuple[int, int, str | None]
"""A picture's number, the seed, and the only game to take pictures of."""


def main() -> int:
    """Print the table, and what was read wrong; returns 1 if anything was."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--pictures", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="the number of the first picture")
    parser.add_argument("--game", help="pictures of this game only")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--log", type=Path, help="keep each outcome here; go on from what is there")
    parser.add_argument("--only", type=int, help="make and read this one again")
    parser.add_argument("--save", type=Path, help="with --only: where to put the picture")
    asked = parser.parse_args()
    if asked.only is not None:
        _, _, damaged = _damaged((asked.only, asked.seed, asked.game))
        if asked.save is not None:
            asked.save.write_bytes(pictures.png(_frame(damaged.pixels)))
        print(trial((asked.only, asked.seed, asked.game)))
        return 0
    numbers = range(asked.first, asked.first + asked.pictures)
    started = time.monotonic()
    outcomes = _run([(each, asked.seed, asked.game) for each in numbers], asked.workers, asked.log)
    console = Console()
    console.print(_table("game", Counter((one.game, one.verdict) for one in outcomes)))
    console.print(_table("damage", Counter((one.kind, one.verdict) for one in outcomes)))
    spent = sum(one.seconds for one in outcomes)
    console.print(f"{time.monotonic() - started:.0f} s; {spent:.0f} s of processor time")
    bad = [one for one in outcomes if one.verdict in ("wrong", "crashed")]
    for one in bad:
        console.print(
            f"{one.number}: {one.kind}, {one.game}/{one.picture}: {one.verdict}, {one.detail}"
        )
    return min(1, len(bad))


def _run(tasks: Sequence[Task], workers: int, log: Path | None) -> list[Outcome]:
    """The outcomes in the tasks' order, those that the log has taken from there."""
    kept: dict[Task, Outcome] = {}
    if log is not None and log.exists():
        for line in log.read_text().splitlines():
            seed, only, facts = json.loads(line)
            kept[facts["number"], seed, only] = Outcome(**facts)
    left = [task for task in tasks if task not in kept]
    with ExitStack() as stack:
        pool = stack.enter_context(ProcessPoolExecutor(workers))
        file = stack.enter_context(log.open("a")) if log is not None else None
        results = pool.map(trial, left, chunksize=4)
        console = Console(stderr=True)
        for task, outcome in zip(
            left, track(results, "damaged pictures", total=len(left), console=console), strict=True
        ):
            kept[task] = outcome
            if file is not None:
                print(json.dumps((*task[1:], asdict(outcome))), file=file, flush=True)
    return [kept[task] for task in tasks]


def trial(task: Task) -> Outcome:
    """Damage the picture and read it."""
    started = time.process_time()
    case, kind, damaged = _damaged(task)
    verdict, detail = _verdict(damaged)
    spent = time.process_time() - started
    return Outcome(task[0], case.game, kind, case.path.stem, verdict, detail, round(spent, 3))


def _verdict(damaged: Damaged) -> tuple[str, str]:
    try:
        reading = read_any(_frame(damaged.pixels), _profiles())
    except (VisionError, Contradiction):
        return "refused", ""
    except Exception as error:  # noqa: BLE001  # any other error is what is looked for
        return "crashed", repr(error)
    if reading.problem is not None:
        return "refused", ""
    if not damaged.truths and reading.reached:
        return "warned", ""
    if not damaged.allows(reading.board):
        by = "first sight" if reading.profile is None else reading.profile.name
        return "wrong", f"by {by}: {_first(reading.board, damaged)}"
    return "right", ""


def _first(board: object, damaged: Damaged) -> str:
    """Where the reading first differs."""
    if not damaged.truths:
        return "there is no whole board"
    truth = damaged.truths[0]
    read, rows = str(board).split("\n"), str(truth).split("\n")
    if len(read) != len(rows) or len(read[0]) != len(rows[0]):
        return f"{len(read[0])}x{len(read)} cells for {len(rows[0])}x{len(rows)}"
    for y, (one, other) in enumerate(zip(read, rows, strict=True)):
        for x, (a, b) in enumerate(zip(one, other, strict=True)):
            if a != b:
                return f"{a} for {b} at ({x}, {y})"
    return "nothing"


def _damaged(task: Task) -> tuple[replay.Case, str, Damaged]:
    number, seed, only = task
    random = Random(f"{seed} {number}")
    kind = list(KINDS)[number % len(KINDS)]
    cases = _cases()
    game = only or random.choice(sorted(cases))
    case = random.choice(cases[game])
    other = random.choice(cases[random.choice(sorted(cases))])
    if kind == "half drawn":
        # Only pictures of the same window can be two halves of one frame.
        alike = [each for each in cases[game] if _subject(each).tiles == _subject(case).tiles]
        other = random.choice(alike)
    return case, kind, KINDS[kind](_subject(case), _subject(other), random)


@cache
def _cases() -> dict[str, list[replay.Case]]:
    cases: dict[str, list[replay.Case]] = {}
    for case in replay.cases(SHOTS):
        if case.truth is not None:
            cases.setdefault(case.game, []).append(case)
    return cases


@cache
def _subject(case: replay.Case) -> Subject:
    frame = pictures.load(case.path)
    assert case.truth is not None
    grid = read_any(frame, _profiles()).grid
    return Subject(np.ascontiguousarray(frame.pixels[:, :, :3]), case.truth, grid.frame)


def _frame(pixels: np.ndarray) -> Frame:
    frame = np.full((*pixels.shape[:2], 4), 255, np.uint8)
    frame[:, :, :3] = pixels
    return Frame(frame)


@cache
def _profiles() -> list[Profile]:
    return [load(name) for name in profiles()]


def _table(heading: str, counts: Counter[tuple[str, str]]) -> Table:
    table = Table(title=f"damaged pictures, by {heading}")
    verdicts = ("right", "refused", "warned", "wrong", "crashed")
    for name in (heading, "pictures", *verdicts):
        table.add_column(name, justify="left" if name == heading else "right")
    for row in _rows(counts):
        each = [counts[row, verdict] for verdict in verdicts]
        table.add_row(row, str(sum(each)), *map(str, each))
    totals = [sum(counts[row, verdict] for row in _rows(counts)) for verdict in verdicts]
    table.add_section()
    table.add_row("all", str(sum(totals)), *map(str, totals))
    return table


def _rows(counts: Iterable[tuple[str, str]]) -> list[str]:
    return list(dict.fromkeys(row for row, _ in counts))


if __name__ == "__main__":
    try:
        sys.exit(main())
    except MinebotError as error:
        sys.exit(f"damage: {error}")
