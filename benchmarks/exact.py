"""Every layout of small boards: what a policy wins of what can be won, with no chance in it.

    python -m benchmarks.exact full
    python -m benchmarks.exact full full,small=1000 --boards 4x4n4 5x5n3

The optimum is that of a search over all strategies (docs/strength.md): the most layouts that
can be won from the best first cell, which is where the policy begins here too. A board is
given by columns, rows and mines; first clicks are (column, row).
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from itertools import combinations

from rich.console import Console
from rich.table import Table

from benchmarks.duel import named
from minebot.layout import First, Layout
from minebot.policy.guessing.engine import CompiledGame
from minebot.policy.guessing.prepare import load, prepare
from minebot.policy.guessing.settings import GuessingSettings
from minebot.simulate.games import Deal

SAFE, OPENING = First.SAFE, First.OPENING
OPTIMA: dict[str, dict[First, tuple[int, tuple[int, int]]]] = {
    "3x3n2": {SAFE: (24, (1, 0)), OPENING: (3, (1, 0))},
    "3x3n3": {SAFE: (33, (0, 0)), OPENING: (1, (1, 0))},
    "3x3n4": {SAFE: (27, (1, 0)), OPENING: (3, (0, 0))},
    "4x3n3": {SAFE: (124, (0, 0)), OPENING: (1, (1, 1))},
    "4x3n4": {SAFE: (173, (1, 0)), OPENING: (13, (1, 0))},
    "6x3n3": {SAFE: (607, (0, 0)), OPENING: (213, (2, 0))},
    "6x3n4": {SAFE: (1750, (0, 0)), OPENING: (112, (2, 1))},
    "4x4n2": {SAFE: (102, (0, 0)), OPENING: (66, (0, 0))},
    "4x4n3": {SAFE: (400, (0, 0)), OPENING: (35, (1, 1))},
    "4x4n4": {SAFE: (961, (1, 0)), OPENING: (34, (1, 1))},
    "4x4n5": {SAFE: (1461, (1, 0)), OPENING: (20, (1, 1))},
    "4x4n6": {SAFE: (1584, (1, 0)), OPENING: (7, (1, 1))},
    "4x4n7": {SAFE: (1317, (1, 0)), OPENING: (1, (1, 1))},
    "4x4n8": {SAFE: (859, (1, 1)), OPENING: (23, (1, 0))},
    "5x4n2": {SAFE: (166, (0, 0)), OPENING: (90, (0, 1))},
    "5x4n3": {SAFE: (864, (0, 0)), OPENING: (158, (2, 1))},
    "5x4n4": {SAFE: (2950, (0, 0)), OPENING: (309, (2, 1))},
    "5x4n5": {SAFE: (6998, (0, 1)), OPENING: (425, (2, 1))},
    "5x5n2": {SAFE: (266, (0, 0)), OPENING: (204, (0, 0))},
    "5x5n3": {SAFE: (1798, (0, 0)), OPENING: (512, (2, 2))},
    "5x5n4": {SAFE: (8236, (0, 0)), OPENING: (1557, (2, 2))},
}
"""The layouts that the best strategy wins, and its first cell. Computed by a full search over
sets of layouts that also gives the published values of 4x4 with 4 mines and of 5x4 with 5
(codegolf.stackexchange.com/q/34276)."""


def main() -> None:
    """Play all layouts, print one row a board and promise."""
    parser = argparse.ArgumentParser(description="Every layout of small boards.")
    parser.add_argument("policies", nargs="+", metavar="POLICY", help="as in duel.py")
    parser.add_argument("--boards", nargs="+", default=list(OPTIMA), choices=list(OPTIMA))
    arguments = parser.parse_args()
    prepare()
    load()
    table = Table(title="layouts won")
    for heading in ("board", "first", "cell", "layouts", "optimum", *arguments.policies):
        table.add_column(heading, justify="right")
    sums = [0] * (1 + len(arguments.policies))
    for board in arguments.boards:
        for first, (optimum, cell) in OPTIMA[board].items():
            dealt = list(deals(board, first, cell))
            wins = [won_of(dealt, named(name)) for name in arguments.policies]
            row = [f"{won}" if won == optimum else f"{won} ({won - optimum})" for won in wins]
            table.add_row(board, first.value, f"{cell}", f"{len(dealt)}", f"{optimum}", *row)
            sums = [total + more for total, more in zip(sums, (optimum, *wins), strict=True)]
    best = sums[0]
    shares = [f"{won} ({100 * (won - best) / best:+.3f} %)" for won in sums[1:]]
    table.add_row("sum", "", "", "", f"{best}", *shares)
    Console(width=110).print(table)


def deals(board: str, first: First, cell: tuple[int, int]) -> Iterator[Deal]:
    """Every layout of a board in which the first cell is as promised."""
    match = re.fullmatch(r"(\d+)x(\d+)n(\d+)", board)
    assert match is not None
    width, height, mines = map(int, match.groups())
    square = cell[1] * width + cell[0]
    clear = first.clear(width, height, square)
    free = [other for other in range(width * height) if other not in clear]
    for number, laid in enumerate(combinations(free, mines)):
        yield Deal(number, Layout(width, height, frozenset(laid)), square)


def won_of(dealt: list[Deal], settings: GuessingSettings) -> int:
    """How many of them are won; what is guessed on a board seen before is the same again."""
    guesses: dict[bytes, int] = {}
    won = 0
    for one in dealt:
        game = CompiledGame(one.layout)
        game.open(one.first)
        while not game.over:
            known = game.known
            if known not in guesses:
                guesses[known], _ = game.guess(settings)
            game.open(guesses[known])
        size = one.layout.width * one.layout.height
        won += len(game.opened) == size - len(one.layout.mines)
    return won


if __name__ == "__main__":
    main()
