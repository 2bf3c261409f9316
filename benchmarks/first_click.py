"""Where the first click should go: win rates by its place, for each kind of game.

    python -m benchmarks.first_click --games 2000
    python -m benchmarks.first_click --games 500 --kinds 30x16n99 --first safe

Places are given from the nearest corner, counting from 0; the boards of the places of
one kind are different ones, so the intervals are those of single win rates.
"""

from __future__ import annotations

import argparse
import re
from random import Random

from rich.console import Console
from rich.table import Table

from minebot.board import Board
from minebot.layout import First, Layout
from minebot.policy.confidence import interval
from minebot.policy.guessing.prepare import prepare
from minebot.policy.guessing.settings import Strategy
from minebot.simulate.games import Deal, play

PLACES = ((0, 0), (1, 1), (2, 2), (3, 3), (4, 4), (3, 0), (0, 3), (7, 7))


def main() -> None:
    """Play and print one row a place."""
    parser = argparse.ArgumentParser(description="Where the first click should go.")
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--kinds", nargs="+", default=["9x9n10", "16x16n40", "30x16n99"])
    parser.add_argument("--first", type=First, nargs="+", default=list(First))
    parser.add_argument("--policy", type=Strategy, default=Strategy.LOOKAHEAD)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    prepare()
    table = Table(title=f"{arguments.games} games a place, {arguments.policy.value}")
    for heading in ("kind", "first click", "place", "won %", "95 %"):
        table.add_column(heading)
    for kind in arguments.kinds:
        match = re.fullmatch(r"(\d+)x(\d+)n(\d+)", kind)
        if match is None:
            parser.error(f"{kind!r} is no kind such as 30x16n99")
        board = Board.hidden(*map(int, match.groups()))
        for first in arguments.first:
            for place in PLACES:
                if place[0] > board.width // 2 or place[1] > board.height // 2:
                    continue
                wins = _wins(board, first, place, arguments)
                low, high = interval(wins, arguments.games)
                table.add_row(
                    kind,
                    first.value,
                    str(place),
                    f"{100 * wins / arguments.games:.2f}",
                    f"{100 * low:.2f} to {100 * high:.2f}",
                )
    Console().print(table)


def _wins(board: Board, first: First, place: tuple[int, int], arguments: argparse.Namespace) -> int:
    square = board.square(*place)
    clear = {square, *(board.neighbours(square) if first is First.OPENING else ())}
    random = Random(f"{arguments.seed} {first.value} {place}")
    wins = 0
    for number in range(arguments.games):
        layout = Layout.scattered(board.width, board.height, board.mines or 0, random, clear)
        wins += play(Deal(number, layout, square), arguments.policy).won
    return wins


if __name__ == "__main__":
    main()
