"""Times the solver and checks what it says, beside a compiled library where that is installed.

    python -m benchmarks.solver                     the tests' positions and boards
    python -m benchmarks.solver --positions FILE --guaranteed FILE
    pip install ms_toollib                          for the rows to compare with

The files, which may be gzipped, have the form of those in `tests/solver/data/`.

Each position is judged from nothing, by a new solver, and its time is the best of
`--repeats`. Games are played with one solver a game, each step timed once; on boards
that need no guess, a step without a safe square or a click on a mine is a failure.
"""

from __future__ import annotations

import argparse
import gc
import gzip
import importlib
import json
import statistics
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from rich.console import Console
from rich.table import Table

from fixtures import tatham
from minebot.board import Board, Cell
from minebot.layout import Layout
from minebot.solver import Solver, Verdict, solve

DATA = Path(__file__).parents[1] / "tests" / "solver" / "data"
PRESETS = ("9x9n10", "9x9n35", "16x16n40", "16x16n99", "30x16n99", "30x16n170")
LARGE = (100, 100, 2000)
CLOSE = 1e-9
"""Probabilities that differ by less are the same."""


@dataclass(frozen=True, slots=True)
class Position:
    """A board and what is known of it: the mine probability of each covered square."""

    board: Board
    risk: tuple[float | None, ...]
    layouts: int

    @property
    def safe(self) -> tuple[int, ...]:
        """The squares that are certainly safe."""
        return tuple(square for square, risk in enumerate(self.risk) if risk == 0)

    @property
    def mines(self) -> tuple[int, ...]:
        """The squares that are certainly mines."""
        return tuple(square for square, risk in enumerate(self.risk) if risk == 1)


def main() -> int:
    """Print the tables; 1 when an answer was wrong."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--positions", type=Path, default=DATA / "positions.jsonl", metavar="FILE")
    parser.add_argument("--guaranteed", type=Path, default=DATA / "guaranteed.tsv", metavar="FILE")
    parser.add_argument("--repeats", type=int, default=5, help="times a position is judged")
    parser.add_argument("--boards", type=int, help="boards a preset (default: all)")
    parser.add_argument("--large", type=int, default=5, help="games on a large board")
    arguments = parser.parse_args()
    console = Console(width=110)
    try:
        positions = list(_positions(arguments.positions))
        boards = _lines(arguments.guaranteed)
    except OSError as error:
        print(f"{error.filename}: {error.strerror}", file=sys.stderr)
        return 2
    wrong = _judge(console, positions, arguments.repeats)
    wrong += _play_presets(console, boards, arguments.boards)
    wrong += _play_large(console, arguments.large)
    _count_long(console, arguments.repeats)
    return 1 if wrong else 0


def _lines(path: Path) -> list[str]:
    text = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    return text.decode().splitlines()


def _positions(path: Path) -> Iterator[Position]:
    for line in _lines(path):
        read = json.loads(line)
        board = Board.parse("\n".join(read["rows"]), read["mines"])
        risk = tuple(risk for row in read["risk"] for risk in row)
        yield Position(board, risk, int(read["layouts"]))


# -- positions


def _judge(console: Console, positions: Sequence[Position], repeats: int) -> int:
    """Judge all positions in each way; returns how many answers were wrong."""
    ways: dict[str, tuple[Callable[[Board], Any], Callable[[Position, Any], bool]]] = {
        "a safe square, if there is one": (lambda board: solve(board, risk=False), _some),
        "every certain square": (lambda board: solve(board, risk=False, every=True), _every),
        "all probabilities": (lambda board: solve(board, risk=True), _risks),
    }
    try:
        toollib = importlib.import_module("ms_toollib")
    except ImportError:
        pass
    else:
        ways["all probabilities, ms_toollib"] = (
            lambda board: toollib.cal_probability_onboard(_rows(board), board.mines)[0],
            lambda position, rows: _close(position, [risk for row in rows for risk in row]),
        )
    table = _table(f"{len(positions)} expert positions, from nothing", "wrong")
    wrong = 0
    for name, (judge, agrees) in ways.items():
        times, failed = [], 0
        for position in positions:
            best, answer = _best(lambda: judge(position.board), repeats)  # noqa: B023
            times.append(best)
            failed += not agrees(position, answer)
        wrong += failed
        table.add_row(name, *_spread(times), str(failed))
    console.print(table)
    return wrong


def _some(position: Position, verdict: Verdict) -> bool:
    return (
        bool(verdict.safe) is bool(position.safe)
        and set(verdict.safe) <= set(position.safe)
        and set(verdict.mines) <= set(position.mines)
    )


def _every(position: Position, verdict: Verdict) -> bool:
    return (verdict.safe, verdict.mines) == (position.safe, position.mines)


def _risks(position: Position, verdict: Verdict) -> bool:
    return (
        _every(position, verdict)
        and verdict.layouts == position.layouts
        and _close(position, verdict.risk or ())
    )


def _close(position: Position, risks: Sequence[float | None]) -> bool:
    return all(
        expected is None or (risk is not None and abs(risk - expected) < CLOSE)
        for risk, expected in zip(risks, position.risk, strict=True)
    )


def _rows(board: Board) -> list[list[int]]:
    """The board as ms_toollib takes it: 10 is hidden."""
    cells = [10 if cell >= Cell.HIDDEN else cell for cell in board.cells]
    return [cells[start : start + board.width] for start in range(0, len(cells), board.width)]


# -- games


def _play_presets(console: Console, given: Sequence[str], boards: int | None) -> int:
    """Play the boards that need no guess; returns how many were not won without one."""
    lines = [line.split("\t") for line in given if not line.startswith("#")]
    table = _table(
        "boards that need no guess, a step", "boards", "guesses", "mines hit", "ms a board"
    )
    failed = 0
    for preset in PRESETS:
        times, totals, guesses, hits = [], [], 0, 0
        for _, width, height, mines, x, y, bitmap in [line for line in lines if line[0] == preset][
            :boards
        ]:
            layout, _ = tatham.decode(f"{width}x{height}n{mines}:u{bitmap}")
            steps = list(_play(layout, layout.square(int(x), int(y))))
            times += [step.seconds for step in steps]
            totals.append(sum(step.seconds for step in steps))
            guesses += sum(not step.verdict.safe for step in steps)
            hits += sum(step.hit for step in steps)
        failed += guesses + hits
        table.add_row(
            preset,
            *_spread(times),
            str(len(totals)),
            str(guesses),
            str(hits),
            f"{1000 * statistics.mean(totals):.1f}",
        )
    console.print(table)
    return failed


def _play_large(console: Console, games: int) -> int:
    """Play large boards, guessing where one must; returns how often a mine was called safe."""
    width, height, mines = LARGE
    middle = (height // 2) * width + width // 2
    clear = [middle + down * width + right for down in (-1, 0, 1) for right in (-1, 0, 1)]
    hits = 0
    certain: list[float] = []
    guessed: list[float] = []
    afresh: list[float] = []
    for seed in range(games):
        layout = Layout.scattered(width, height, mines, Random(seed), clear)
        for number, step in enumerate(_play(layout, middle)):
            (certain if step.verdict.safe else guessed).append(step.seconds)
            hits += step.hit
            if number % 20 == 0:
                afresh.append(_best(lambda: solve(step.board, risk=True), 1)[0])  # noqa: B023
    table = _table(f"{width}x{height} with {mines} mines, {games} games, a step", "steps")
    table.add_row("a safe square found", *_spread(certain), str(len(certain)))
    table.add_row("none: all probabilities", *_spread(guessed), str(len(guessed)))
    table.add_row("all probabilities, from nothing", *_spread(afresh), str(len(afresh)))
    console.print(table)
    return hits


@dataclass(frozen=True, slots=True)
class Step:
    """One verdict of a game."""

    board: Board
    verdict: Verdict
    seconds: float
    hit: int
    """Mines among the squares that were called safe."""


def _play(layout: Layout, first: int) -> Iterator[Step]:
    """Open what is safe; where nothing is, the least risky square that holds no mine."""
    solver = Solver()
    opened = layout.opened_by(first)
    goal = layout.width * layout.height - len(layout.mines)
    while len(opened) < goal:
        board = layout.seen(opened)
        start = time.perf_counter()
        verdict = solver.solve(board)
        seconds = time.perf_counter() - start
        hit = len(layout.mines.intersection(verdict.safe))
        yield Step(board, verdict, seconds, hit)
        moves: Iterable[int] = set(verdict.safe) - layout.mines
        if not moves:
            risks = enumerate(verdict.risk or ())
            moves = [
                min(
                    (risk, at) for at, risk in risks if risk is not None and at not in layout.mines
                )[1]
            ]
        for square in moves:
            if square not in opened:
                opened |= layout.opened_by(square)


# -- long fronts


def _count_long(console: Console, repeats: int) -> None:
    """Alternating rows of twos: nothing is certain, and one front fills the board."""
    table = Table(title="alternating rows, milliseconds", title_justify="left")
    for heading in ("board", "all probabilities", "layouts"):
        table.add_column(heading, justify="right")
    for width, height in ((30, 3), (81, 3), (100, 3), (30, 5), (81, 5), (81, 7)):
        cells = bytearray([Cell.HIDDEN]) * (width * height)
        for row in range(1, height, 2):
            cells[row * width + 2 : row * width + width - 2] = bytes([Cell.TWO]) * (width - 4)
        mines = round(width * (height + 1) / 6)
        board = Board(width, height, mines, bytes(cells))
        best, verdict = _best(lambda: solve(board, risk=True), min(repeats, 3))  # noqa: B023
        table.add_row(f"{width}x{height}", f"{1000 * best:.1f}", f"{verdict.layouts:.2e}")
    console.print(table)


# -- times


def _best(work: Callable[[], Any], repeats: int) -> tuple[float, Any]:
    """The shortest of some runs in seconds, and what the work gave."""
    best = float("inf")
    gc.disable()
    try:
        for _ in range(repeats):
            start = time.perf_counter()
            result = work()
            best = min(best, time.perf_counter() - start)
    finally:
        gc.enable()
    return best, result


def _table(title: str, *more: str) -> Table:
    table = Table(title=f"{title}, milliseconds", title_justify="left")
    table.add_column("")
    for heading in ("median", "p99", "max", *more):
        table.add_column(heading, justify="right")
    return table


def _spread(seconds: Sequence[float]) -> tuple[str, str, str]:
    """Median, 99th percentile and maximum in milliseconds."""
    if not seconds:
        return ("", "", "")
    ranked = sorted(seconds)
    chosen = (statistics.median(ranked), ranked[(99 * len(ranked) - 1) // 100], ranked[-1])
    return tuple(f"{1000 * one:.2f}" for one in chosen)  # type: ignore[return-value]  # three of them


if __name__ == "__main__":
    sys.exit(main())
