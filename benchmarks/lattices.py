"""Finds boards of any look in pictures drawn by lot, in the games' own, and where there are none.

    python benchmarks/lattices.py --first 100000

Tells how often the board was found, each tile's middle to a pixel, how often something else was
taken for it with certainty, and how often a picture without a board was; then how long finding
takes in two sizes of picture, beside turning a picture grey in the same run.
"""

from __future__ import annotations

import argparse
import json
import re
import statistics
import sys
import time
from collections import Counter
from collections.abc import Callable
from functools import partial
from multiprocessing import Pool
from pathlib import Path

import cv2
import numpy as np
from rich.console import Console
from rich.table import Table

from bot.capture import Frame
from bot.errors import GridNotFound
from bot.recording import pictures
from bot.vision.lattice import Lattice, find
from fixtures.drawn_boards import drawn
from fixtures.drawn_pages import negative

SHOTS = Path(__file__).parents[1] / "fixtures" / "screenshots"
PLAYING = ("fresh", "early", "middle", "late", "hover", "wrong")
WITHIN = 1.01
"""Pixels by which a tile's middle may be off."""
TIMED = ((660, 442), (3840, 2160))
REPEATS = 7

Verdict = tuple[str, bool, bool, str]
"""What kind of picture, whether the board was found, whether something was taken for it, which."""


def main() -> int:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--first", type=int, default=0, help="number of the first drawn picture")
    parser.add_argument("--boards", type=int, default=2000)
    parser.add_argument("--negatives", type=int, default=500)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--failures", action="store_true", help="name what went wrong")
    options = parser.parse_args()
    found: Counter[str] = Counter()
    wrong: Counter[str] = Counter()
    total: Counter[str] = Counter()
    with Pool(options.jobs, initializer=cv2.setNumThreads, initargs=(1,)) as pool:
        last = options.first + options.boards
        for verdicts in (
            pool.imap(_drawn, range(options.first, last), 8),
            pool.imap(_real, _shots(), 8),
            pool.imap(_negative, range(options.first, options.first + options.negatives), 8),
        ):
            for kind, right, taken, name in verdicts:
                total[kind] += 1
                found[kind] += right
                wrong[kind] += taken and not right
                if options.failures and (taken or kind[0] != "n") and not right:
                    print("wrong" if taken else "refused", kind, name)
    table = Table("pictures", "number", "found", "share", "wrong with certainty")
    for kind, number in total.items():
        share = "" if kind.startswith("no board") else f"{found[kind] / number:.1%}"
        shown = "" if not share else str(found[kind])
        table.add_row(kind, str(number), shown, share, str(wrong[kind]))
    Console().print(table, _times())
    return 0


def _drawn(seed: int) -> Verdict:
    board = drawn(seed)
    lattice = _found(_frame(board.pixels))
    right = lattice is not None and _is_right(lattice, board.x, board.y)
    kind = "drawn, fresh" if board.fresh else "drawn, running"
    return kind, right, lattice is not None, f"{seed}: {board.what}"


def _negative(seed: int) -> Verdict:
    pixels, names = negative(seed)
    return "no board, drawn", False, _found(_frame(pixels)) is not None, f"{seed}: {names}"


def _shots() -> list[tuple[str, str, dict[str, object]]]:
    """The games' own pictures while they are played, and other puzzles' windows."""
    shots = []
    for folder in sorted(path.parent for path in SHOTS.glob("*/index.json")):
        for name, facts in json.loads((folder / "index.json").read_text()).items():
            other = facts.get("shows") == "another puzzle"
            if other or (facts.get("moment") in PLAYING and "grid" in facts):
                shots.append((folder.name, name, facts))
    return shots


def _real(shot: tuple[str, str, dict[str, object]]) -> Verdict:
    game, name, facts = shot
    lattice = _found(pictures.load(SHOTS / game / f"{name}.png"))
    if "grid" not in facts:
        return "no board, another puzzle", False, lattice is not None, name
    x, y = _truth(name, facts["grid"])
    right = lattice is not None and _is_right(lattice, x, y)
    return f"{game}, running or fresh", right, lattice is not None, name


def _truth(name: str, grid: object) -> tuple[np.ndarray, np.ndarray]:
    """The middles of columns and rows, as the index of the pictures has them."""
    assert isinstance(grid, dict)
    if "columns" in grid:
        wide, high = grid["tile"]
        return np.array(grid["columns"]) + wide / 2, np.array(grid["rows"]) + high / 2
    size = re.match(r"(\d+)x(\d+)", name)
    assert size is not None
    columns, rows = (np.arange(int(number)) + 0.5 for number in size.groups())
    return grid["left"] + grid["pitch"] * columns, grid["top"] + grid["pitch"] * rows


def _is_right(lattice: Lattice, x: np.ndarray, y: np.ndarray) -> bool:
    cells = lattice.cells
    if (cells.x.size, cells.y.size) != (x.size, y.size):
        return False
    return bool(max(np.abs(cells.x - x).max(), np.abs(cells.y - y).max()) <= WITHIN)


def _found(frame: Frame) -> Lattice | None:
    try:
        return find(frame)
    except GridNotFound:
        return None


def _frame(pixels: np.ndarray) -> Frame:
    return Frame(np.ascontiguousarray(cv2.cvtColor(pixels, cv2.COLOR_BGR2BGRA)))


def _times() -> Table:
    cv2.setNumThreads(1)
    table = Table("picture", "milliseconds, median", "best", "x turning it grey")
    for size in TIMED:
        frames = [_frame(drawn(seed, page=size).pixels) for seed in range(8)]
        taken = [_median(partial(_found, frame)) for frame in frames]
        grey = _median(partial(cv2.cvtColor, frames[0].pixels, cv2.COLOR_BGRA2GRAY))[0]
        middle = statistics.median(one[0] for one in taken)
        best = statistics.median(one[1] for one in taken)
        shape = f"{size[0]}x{size[1]}"
        table.add_row(shape, f"{1e3 * middle:.1f}", f"{1e3 * best:.1f}", f"{middle / grey:.0f}")
    return table


def _median(do: Callable[[], object]) -> tuple[float, float]:
    """Seconds that it takes: the median, and the least."""
    times = []
    for _ in range(REPEATS):
        begin = time.perf_counter()
        do()
        times.append(time.perf_counter() - begin)
    return statistics.median(times), min(times)


if __name__ == "__main__":
    sys.exit(main())
