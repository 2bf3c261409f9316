"""Clicks for each 3BV of the efficient style, of play without flags, and ZiNi, on given boards.

    python -m benchmarks.efficiency BOARDS.tsv.gz --games 200          expert boards of the file
    python -m benchmarks.efficiency BOARDS.tsv.gz --size 9x9 --mines 10
    python -m benchmarks.efficiency BOARDS.tsv.gz --zini 1000          ZiNi against ms-toollib's

The file is one that `minebot simulate --boards` takes, of boards that need no guess. They are
played without a window, with a look after each click; without flags also with a look only when all
that was certain has been clicked, as in a game that paints slowly.
"""

from __future__ import annotations

import argparse
import random
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

from rich.console import Console
from rich.table import Table

from fixtures.game_state import GameState
from minebot.analysis.efficiency import zini
from minebot.board import Action
from minebot.cli.options import at_least, size
from minebot.layout import Layout
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


def has_toollib_zini(layout: Layout) -> bool:
    """Whether ZiNi and human ZiNi of a layout are those of ms-toollib."""
    import ms_toollib  # noqa: PLC0415  # an extra

    cells = [-1 if at in layout.mines else number for at, number in enumerate(layout.numbers)]
    rows = [cells[at : at + layout.width] for at in range(0, len(cells), layout.width)]
    theirs = ms_toollib.cal_zini(rows), ms_toollib.cal_hzini(rows)
    return theirs == (zini(layout), zini(layout, human=True))


def main() -> int:
    """Print a row for each way to play; 1 when a game was not won."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("boards", type=Path)
    parser.add_argument("--size", type=size, default=(30, 16), metavar="WxH")
    parser.add_argument("--mines", type=int, default=99, metavar="N")
    parser.add_argument("--first", type=int, default=0, metavar="N", help="boards to leave out")
    parser.add_argument("--games", type=at_least(1), default=200, metavar="N")
    parser.add_argument("--zini", type=at_least(1), metavar="N", help="boards of the whole file")
    arguments = parser.parse_args()
    if arguments.zini is not None:
        boards = [deal.layout for deal in dealt_from(arguments.boards)]
        with ProcessPoolExecutor() as pool:
            random.Random(1).shuffle(boards)
            same = sum(pool.map(has_toollib_zini, boards[: arguments.zini], chunksize=20))
        print(f"both ZiNi as ms-toollib has them: {same} of {len(boards[: arguments.zini])} boards")
        return int(same < len(boards[: arguments.zini]))
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
    for name, human in (("ZiNi", False), ("human ZiNi", True)):
        fewest = sum(zini(deal.layout, human=human) for deal in deals)
        table.add_row(name, "", str(fewest), f"{fewest / bbbv:.3f}")
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
