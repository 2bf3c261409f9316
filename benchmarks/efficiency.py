"""Clicks for each 3BV of the efficient style, of play without flags, and ZiNi, on given boards.

    python benchmarks/efficiency.py BOARDS.tsv.gz --games 200          expert boards of the file
    python benchmarks/efficiency.py BOARDS.tsv.gz --size 9x9 --mines 10

The file is one that `minebot simulate --boards` takes, of boards that need no guess. They are
played without a window, with a look after each click; without flags also with a look only when all
that was certain has been clicked, as in a game that paints slowly.
"""

from __future__ import annotations

import argparse
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

from rich.console import Console
from rich.table import Table

from fixtures.game_state import GameState
from minebot.board import Action
from minebot.cli.options import at_least, size
from minebot.policy.plan import certain_moves
from minebot.simulate.games import Deal, dealt_from
from minebot.solver import Solver

WAYS = {"efficient": (True, True), "no flags": (False, True), "no flags, few looks": (False, False)}
"""Name of each way to play: whether it chords, and whether it looks after each click."""


def play(deal: Deal, *, chords: bool, looks: bool) -> int | None:
    """The clicks of a game; None if it is lost or nothing is certain any more."""
    game, solver, clicks = GameState(deal.layout), Solver(), 1
    game.click(deal.first)
    while not game.won:
        board = game.board()
        verdict = solver.solve(board, risk=False, every=True)
        mines = set(verdict.mines)
        moves = certain_moves(board, verdict.safe, mines, flags=False, chords=chords)
        for move in moves[:1] if looks else moves:
            square = board.square(move.x, move.y)
            (game.flag if move.action is Action.FLAG else game.click)(square)
            clicks += 1
        if game.lost or not moves:
            return None
    return clicks


def main() -> int:
    """Print a row for each way to play; 1 when a game was not won."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("boards", type=Path)
    parser.add_argument("--size", type=size, default=(30, 16), metavar="WxH")
    parser.add_argument("--mines", type=int, default=99, metavar="N")
    parser.add_argument("--first", type=int, default=0, metavar="N", help="boards to leave out")
    parser.add_argument("--games", type=at_least(1), default=200, metavar="N")
    arguments = parser.parse_args()
    wanted = (*arguments.size, arguments.mines)
    deals = [
        deal
        for deal in dealt_from(arguments.boards)
        if (deal.layout.width, deal.layout.height, len(deal.layout.mines)) == wanted
    ][arguments.first :][: arguments.games]
    bbbv = sum(deal.layout.bbbv for deal in deals)
    width, height, mines = wanted
    table = Table(title=f"{len(deals)} boards of {width}x{height} with {mines} mines, {bbbv} 3BV")
    for column in ("way", "won", "clicks", "a 3BV"):
        table.add_column(column, justify="left" if column == "way" else "right")
    lost = 0
    with ProcessPoolExecutor() as pool:
        for name, (chords, looks) in WAYS.items():
            counts = list(pool.map(partial(play, chords=chords, looks=looks), deals, chunksize=5))
            clicks = [count for count in counts if count is not None]
            lost += len(counts) - len(clicks)
            table.add_row(name, str(len(clicks)), str(sum(clicks)), f"{sum(clicks) / bbbv:.3f}")
    Console().print(table)
    return min(lost, 1)


if __name__ == "__main__":
    raise SystemExit(main())
