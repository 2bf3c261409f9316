"""Checks every "why" of many positions, and times it.

    python -m benchmarks.why --positions 1000

Positions are moments of games on the usual boards, played to their end by a player that
guesses like the program; of each, so many certain cells are asked about at random. Each
proof is checked by a SAT solver of its own with another encoding: the clues named prove the
cell, and none of them can be left out. Where a proof is said to be the smallest, up to
`--tries` sets of one clue fewer, all where there are no more, are tried as well.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import combinations, islice
from math import comb
from random import Random

from pysat.card import CardEnc, EncType
from pysat.solvers import Cadical153
from rich.console import Console
from rich.table import Table

from minebot.analysis.explanation import Why, why_certain
from minebot.board import Board, Cell
from minebot.layout import Layout
from minebot.policy.guessing.prepare import prepare
from minebot.policy.plan import guess
from minebot.solver import Solver

SIZES = ((9, 9, 10), (9, 9, 35), (16, 16, 40), (16, 16, 99), (30, 16, 99), (30, 16, 170))


def main() -> int:
    """Print the tables; 1 when a proof was wrong."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--positions", type=int, default=1000)
    parser.add_argument("--cells", type=int, default=5, help="certain cells asked about in each")
    parser.add_argument("--tries", type=int, default=300, help="smaller sets tried for each proof")
    parser.add_argument("--seed", type=int, default=20261122)
    arguments = parser.parse_args()
    prepare()
    random = Random(arguments.seed)
    times: dict[bool, list[float]] = {False: [], True: []}
    sizes: Counter[int] = Counter()
    names: Counter[str] = Counter()
    wrong = not_smallest = exhausted = 0
    for board, square, mine in islice(
        _questions(random, arguments.cells), arguments.positions * arguments.cells
    ):
        began = time.process_time()
        found = why_certain(board, square, mine=mine)
        times[found.proof.total].append(time.process_time() - began)
        sizes[len(found.proof.clues)] += 1
        names[found.pattern.partition(", in")[0].partition(" of ")[0]] += 1
        not_smallest += not found.proof.smallest
        problem = _problem(found, random, arguments.tries)
        exhausted += _number_smaller(found) <= arguments.tries
        if problem:
            wrong += 1
            print(f"{problem}: {found.text}\n{board}\nmines in all: {board.mines}")
    console = Console(width=100)
    console.print(_table(times))
    asked = sum(sizes.values())
    console.print(f"{asked} proofs, {wrong} wrong; {not_smallest} not known to be the smallest;")
    console.print(f"of {exhausted} every set of one clue fewer was tried and proves nothing")
    console.print(
        "clues: " + ", ".join(f"{size}: {count}" for size, count in sorted(sizes.items()))
    )
    console.print("called: " + ", ".join(f"{name}: {count}" for name, count in names.most_common()))
    return int(bool(wrong))


def _questions(random: Random, cells: int) -> Iterator[tuple[Board, int, bool]]:
    """Certain cells of one moment of each game, many games of each size."""
    number = 0
    while True:
        width, height, mines = SIZES[number % len(SIZES)]
        number += 1
        clear = {0, 1, width, width + 1} if mines < width * height / 3 else {0}
        moments = list(_moments(Layout.scattered(width, height, mines, random, clear=clear)))
        moments = [one for one in moments if one[1] or one[2]]
        if not moments:
            continue
        board, safe, mined = random.choice(moments)
        known = [(at, False) for at in safe] + [(at, True) for at in mined]
        # As many as are asked for of each, twice if need be, so that every position counts alike.
        for square, mine in (random.sample(known, cells) if len(known) >= cells
                             else random.choices(known, k=cells)):  # fmt: skip
            yield board, square, mine


def _moments(layout: Layout) -> Iterator[tuple[Board, tuple[int, ...], tuple[int, ...]]]:
    """Each board of a game with its certain cells, down to the last."""
    solver = Solver()
    opened = set(layout.opened_by(0))
    while len(opened) < layout.width * layout.height - len(layout.mines):
        board = layout.seen(opened)
        verdict = solver.solve(board, risk=True)
        yield board, verdict.safe, verdict.mines
        if verdict.safe:
            opened |= layout.opened_by(verdict.safe[0])
            continue
        chosen = guess(board, verdict.risk or (), set(verdict.mines)).guess
        if chosen is None or chosen.square in layout.mines:
            return
        opened |= layout.opened_by(chosen.square)


def _problem(found: Why, random: Random, tries: int) -> str:
    """What is wrong with a proof, empty if nothing is."""
    board, clues = found.board, found.proof.clues
    with Checker(board, found.proof.total) as checker:
        proves = partial(checker.proves, square=found.square, mine=found.mine)
        if not proves(clues):
            return "does not prove it"
        if any(proves([one for one in clues if one != left]) for left in clues):
            return "more clues than it needs"
        if not found.proof.smallest or len(clues) < 2:
            return ""
        near = _reach(board, found)
        smaller: Iterable[tuple[int, ...]] = combinations(near, len(clues) - 1)
        if _number_smaller(found) > tries:
            smaller = (tuple(random.sample(near, len(clues) - 1)) for _ in range(tries))
        if any(proves(some) for some in smaller):
            return "fewer clues do"
    if found.steps[-1].mine is not found.mine or found.square not in found.steps[-1].cells:
        return "the steps do not lead there"
    return ""


def _number_smaller(found: Why) -> int:
    """How many sets of one clue fewer there are."""
    return comb(len(_reach(found.board, found)), max(0, len(found.proof.clues) - 1))


def _reach(board: Board, found: Why) -> list[int]:
    """The clues that a smaller proof could be made of: all, with the total, else those nearby."""
    covered = {at for at, cell in enumerate(board.cells) if cell in (Cell.HIDDEN, Cell.FLAG)}
    useful = [
        at
        for at, cell in enumerate(board.cells)
        if cell <= Cell.EIGHT and covered.intersection(board.neighbours(at))
    ]
    if found.proof.total:
        return useful
    x, y = board.xy(found.square)
    # Each clue of a chain is at most two rows or columns from the next.
    far = 2 * (len(found.proof.clues) - 1)
    return [at for at in useful if max(abs(board.xy(at)[0] - x), abs(board.xy(at)[1] - y)) <= far]


class Checker:
    """Whether clues prove a cell, by clauses and totalizers: nothing of the solver's own."""

    def __init__(self, board: Board, total: bool) -> None:
        self._solver = Cadical153()
        covered = [at for at, cell in enumerate(board.cells) if cell in (Cell.HIDDEN, Cell.FLAG)]
        self._cells = cells = {at: number for number, at in enumerate(covered, 1)}
        self._switch: dict[int, int] = {}
        top = len(cells)
        for clue, cell in enumerate(board.cells):
            around = [cells[at] for at in board.neighbours(clue) if at in cells]
            if cell > Cell.EIGHT or not around:
                continue
            shown = sum(board.cells[at] in (Cell.MINE, Cell.EXPLODED)
                        for at in board.neighbours(clue))  # fmt: skip
            top += 1
            self._switch[clue] = top
            top = self._exactly(around, cell - shown, top, -top)
        if total:
            assert board.mines is not None
            shown = board.count(Cell.MINE) + board.count(Cell.EXPLODED)
            self._exactly(list(cells.values()), board.mines - shown, top)

    def _exactly(self, literals: Sequence[int], count: int, top: int, *unless: int) -> int:
        made = CardEnc.equals(literals, count, top_id=top, encoding=EncType.totalizer)
        for clause in made.clauses:
            self._solver.add_clause([*clause, *unless])
        return max(top, made.nv)

    def __enter__(self) -> Checker:
        return self

    def __exit__(self, *_: object) -> None:
        self._solver.delete()

    def proves(self, clues: Iterable[int], square: int, *, mine: bool) -> bool:
        """Whether with these clues the cell cannot be the opposite."""
        opposite = -self._cells[square] if mine else self._cells[square]
        assumed = [opposite, *(self._switch[clue] for clue in clues)]
        return not self._solver.solve(assumptions=assumed)

    def mines(self) -> set[int]:
        """The mines of the layout by which the last proof failed."""
        model = set(self._solver.get_model())
        return {at for at, number in self._cells.items() if number in model}


def _table(times: dict[bool, list[float]]) -> Table:
    table = Table(title="milliseconds of processor time a why")
    for name in ("proofs", "", "median", "95 %", "99 %", "slowest"):
        table.add_column(name, justify="right")
    for total, name in ((False, "by clues"), (True, "with the mine total")):
        found = sorted(1000 * seconds for seconds in times[total])
        if found:
            at = [found[min(len(found) - 1, int(len(found) * part))] for part in (0.95, 0.99)]
            shown = (statistics.median(found), *at, found[-1])
            table.add_row(name, str(len(found)), *(f"{value:.2f}" for value in shown))
    return table


if __name__ == "__main__":
    sys.exit(main())
