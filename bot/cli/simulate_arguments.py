"""What can be typed after `minebot simulate`."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable
from pathlib import Path

__all__ = ["DESCRIPTION", "EPILOG", "add_arguments"]

DESCRIPTION = """\
Plays many games without a screen, through the solver and the policy that play on the
screen, and says how many are won. The same seed gives the same games, whatever the
number of workers. Ctrl-C ends it with what it has.
"""

EPILOG = """\
examples:
  minebot simulate --games 1000                            expert, on all cores
  minebot simulate --size 9x9 --mines 10 --first safe --games 1000
  minebot simulate --games 100000 --resume expert.jsonl    goes on where it was stopped
  minebot simulate --boards boards.tsv.gz --policy least-risk --json
  minebot simulate --games 100000 --dask tcp://host:8786   on a Dask cluster

exit status: 0 all games played, 1 a worker was lost, 2 bad arguments or files, 130 stopped
"""


def add_arguments(
    command: argparse.ArgumentParser, at_least: Callable[[int], Callable[[str], int]]
) -> None:
    """Add the arguments of `simulate`, except --json; `at_least(n)` reads numbers from n on."""
    command.add_argument(
        "--size", type=_size, default=(30, 16), metavar="WxH", help="of the board (default: 30x16)"
    )
    command.add_argument(
        "--mines", metavar="N", type=at_least(0), default=99, help="on each board (default: 99)"
    )
    command.add_argument(
        "--first",
        choices=("opening", "safe"),
        default="opening",
        help="what the first click is promised: no mine around it, or none under it only "
        "(default: %(default)s)",
    )
    command.add_argument(
        "--games",
        metavar="N",
        type=at_least(1),
        default=None,
        help="how many to play (default: 1000, or every board of the file)",
    )
    command.add_argument(
        "--seed", metavar="N", type=int, default=1, help="another seed, other games (default: 1)"
    )
    command.add_argument(
        "--boards",
        type=Path,
        default=None,
        metavar="FILE",
        help="play the boards of a tab-separated file: width, height, mines, x, y, layout_hex",
    )
    command.add_argument(
        "--policy",
        choices=("least-risk", "progress", "lookahead", "endgame", "full"),
        default="full",
        help="how to guess, each with one step more than the one before (default: %(default)s)",
    )
    command.add_argument(
        "--workers",
        metavar="N",
        type=at_least(1),
        default=None,
        help="processes on this machine (default: one a core)",
    )
    command.add_argument(
        "--dask",
        default=None,
        metavar="ADDRESS",
        help="play on the Dask cluster with this scheduler, such as tcp://host:8786",
    )
    command.add_argument(
        "--resume",
        type=Path,
        default=None,
        metavar="FILE",
        help="write every game to this file, and go on with what it holds already",
    )
    command.add_argument(
        "--out",
        type=Path,
        default=None,
        metavar="FILE",
        help="draw the result: win rate by stage, risks against mines hit, time per step",
    )


def _size(text: str) -> tuple[int, int]:
    match = re.fullmatch(r"([1-9]\d{0,3})x([1-9]\d{0,3})", text)
    if match is None:
        raise argparse.ArgumentTypeError(f"{text!r} is no size such as 30x16")
    return int(match[1]), int(match[2])
