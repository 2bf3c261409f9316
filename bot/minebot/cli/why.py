"""What `minebot solve --why` tells: why a cell is certain, or what speaks for and against it."""

from __future__ import annotations

import argparse
import re

from minebot.analysis.explanation import Why
from minebot.analysis.recommendation import Recommendation
from minebot.board import Board, cell_name
from minebot.errors import UsageError


def place(text: str) -> tuple[int, int]:
    """Row and column, from 1, of a text such as `3,4`, `3 4` or `row 3, column 4`."""
    text = text.strip()
    match = re.fullmatch(r"(?:row )?([1-9]\d{0,3})(?:,\s*|\s+)(?:column )?([1-9]\d{0,3})", text)
    if match is None:
        raise argparse.ArgumentTypeError(
            f"{text!r} is no cell: 3,4 is row 3, column 4, both counted from 1"
        )
    return int(match[1]), int(match[2])


def square_of(board: Board, row: int, column: int) -> int:
    """The square of a cell that a person names, counted from 1; raises UsageError."""
    if not (1 <= row <= board.height and 1 <= column <= board.width):
        raise UsageError(f"the board has no {cell_name(column - 1, row - 1)}")
    return board.square(column - 1, row - 1)


def tell(reason: Why | Recommendation) -> None:
    """An answer as text: a sentence, then the steps where there are several."""
    print(reason.text)
    if isinstance(reason, Why):
        for step in reason.steps:
            print(f"  {'  ' * step.depth}{step.text}")
