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

NEARLY = 0.125
"""Steps by which a tile's middle may be off where the board is found, but not to the pixel."""

Verdict = tuple[str, bool, bool, bool, str]
"""What kind of picture, whether the board was found, whether it was but for some pixels, whether
something else was taken for it, which picture."""


def main() -> int:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--first", type=int, default=0, help="number of the first drawn picture")
    parser.add_argument("--boards", type=int, default=2000)
    parser.add_argument(
        "--in-turns", type=int, default=400, help="as many whose tiles have two shades by turns"
    )
    parser.add_argument("--negatives", type=int, default=500)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--failures", action="store_true", help="name what went wrong")
    options = parser.parse_args()
    found: Counter[str] = Counter()
    nearly: Counter[str] = Counter()
    wrong: Counter[str] = Counter()
    total: Counter[str] = Counter()
    with Pool(options.jobs, initializer=cv2.setNumThreads, initargs=(1,)) as pool:
        last = options.first + options.boards
        for verdicts in (
            pool.imap(_drawn, range(options.first, last), 8),
            pool.imap(_in_turns, range(options.first, options.first + options.in_turns), 8),
            pool.imap(_real, _shots(), 8),
            pool.imap(_negative, range(options.first, options.first + options.negatives), 8),
        ):
            for kind, right, off, taken, name in verdicts:
                total[kind] += 1
                found[kind] += right
                nearly[kind] += off
                wrong[kind] += taken
                if options.failures and (taken or kind[0] != "n") and not right:
                    print("off" if off else "wrong" if taken else "refused", kind, name)
    table = Table("pictures", "number", "found", "share", "but for pixels", "wrong with certainty")
    for kind, number in total.items():
        share = "" if kind.startswith("no board") else f"{found[kind] / number:.1%}"
        shown = "" if not share else str(found[kind])
        table.add_row(kind, str(number), shown, share, str(nearly[kind]), str(wrong[kind]))
    Console().print(table, _times())
    return 0


def _in_turns(seed: int) -> Verdict:
    return _drawn(seed, in_turns=True)


def _drawn(seed: int, in_turns: bool = False) -> Verdict:
    board = drawn(seed, in_turns=in_turns)
    lattice = _found(_frame(board.pixels))
    kind = "chequered" if in_turns else "drawn"
    kind += ", fresh" if board.fresh else ", running"
    return kind, *_told(lattice, board.x, board.y), f"{seed}: {board.what}"


def _negative(seed: int) -> Verdict:
    pixels, names = negative(seed)
    return "no board, drawn", False, False, _found(_frame(pixels)) is not None, f"{seed}: {names}"


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
        return "no board, another puzzle", False, False, lattice is not None, name
    return f"{game}, running or fresh", *_told(lattice, *_truth(name, facts["grid"])), name


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


def _told(lattice: Lattice | None, x: np.ndarray, y: np.ndarray) -> tuple[bool, bool, bool]:
    """Whether this is the board, whether it is but for some pixels, whether it is another one."""
    if lattice is None:
        return False, False, False
    cells = lattice.cells
    if (cells.x.size, cells.y.size) != (x.size, y.size):
        return False, False, True
    off = max(np.abs(cells.x - x).max(), np.abs(cells.y - y).max())
    right, nearly = bool(off <= WITHIN), bool(off <= NEARLY * min(cells.step))
    return right, nearly and not right, not (right or nearly)


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
