"""What can be typed after `minebot solve`."""

from __future__ import annotations

import argparse
from pathlib import Path

__all__ = ["DESCRIPTION", "EPILOG", "add_arguments"]

DESCRIPTION = """\
Solves a board typed as text, in one of two forms:

  a board          ? hidden, 0-8 opened, F flag, * mine: names the cells that are
                   certainly safe and certainly mines, and advises a move
  a paper puzzle   . unknown, 0-8 clues, no mine under a clue; the first line may be
                   #iMine NAME: prints the answer, whether it is the only one, the
                   cells that differ where it is not, and a check of every clue

Lines that begin with # are comments. Which form it saw goes to standard error.
In text, rows and columns count from 1; in JSON, [x, y] count from 0.
"""

EPILOG = """\
examples:
  minebot solve board.txt                           what is certain
  minebot solve board.txt --mines 10 --risk         every cell's mine probability
  minebot solve puzzle.txt --html answer.html       a paper puzzle and its picture
  minebot solve --interactive board.txt --mines 10  it names cells, you type numbers
  printf '?1?\\n111\\n' | minebot solve --json        from standard input

exit status: 0 solved, 1 the dialogue ended on a mine, 2 bad arguments or a text that is
no board, 4 no layout fits (the clues that clash are named), 130 stopped
"""


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Add the arguments of `solve`, except --json, which every command has."""
    command.add_argument(
        "file",
        type=Path,
        nargs="?",
        default=Path("-"),
        metavar="FILE",
        help="the board, as text (default: standard input)",
    )
    command.add_argument(
        "--mines", type=_total, metavar="N", help="the total number of mines, if it is known"
    )
    command.add_argument(
        "--interactive",
        action="store_true",
        default=False,
        help="name a safe cell, ask for its number, and so on to the end",
    )
    command.add_argument(
        "--risk",
        action="store_true",
        default=False,
        help="print every covered cell's mine probability, in per cent",
    )
    for option, what in (
        ("--image", "draw the mine probabilities there, as PNG"),
        ("--html", "write the answer there as a page: mines red, empty cells green"),
        ("--dimacs", "write the board there as DIMACS CNF, for SAT solvers"),
        ("--smt2", "write the board there as SMT-LIB 2, for SMT solvers"),
    ):
        command.add_argument(option, type=Path, default=None, metavar="FILE", help=what)


def _total(text: str) -> int:
    value = int(text)
    if value < 0:
        raise argparse.ArgumentTypeError(f"{value} is less than 0")
    return value


_total.__name__ = "whole number"  # argparse's complaint calls the type by this
