"""Prints the board in a picture: one row a line, ? hidden, 0-8, F flag, * mine,
! the mine that was hit.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from bot.board import Board, Cell
from bot.capture import Frame
from bot.cli import options
from bot.cli.console import say, write_json
from bot.errors import Contradiction, UsageError, VisionError
from bot.profile import Profile, load, names
from bot.recording import pictures
from bot.recording.overlay import overlay
from bot.solver import Solver
from bot.vision import unnamed
from bot.vision.reader import Reader
from bot.vision.status import Status
from bot.vision.tiles import TileReading
from bot.vision.total import read_total


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Add the arguments of `read`."""
    command.add_argument("picture", type=Path, help="a screenshot, PNG or the like")
    command.add_argument(
        "--overlay",
        type=Path,
        metavar="FILE",
        help="draw the grid, what was read, how sure it is, and each cell's mine risk over it",
    )
    options.add_profile(command)
    options.add_json(command)


def run(arguments: argparse.Namespace) -> int:
    """Print the board; returns 0. Raises UsageError or VisionError."""
    frame = pictures.load(arguments.picture)
    if arguments.overlay is not None:
        _draw_overlay(frame, arguments.profile, arguments.overlay)
    board, reader = unnamed.read(frame, _candidates(arguments.profile))
    if not arguments.json:
        print(board)
        return 0
    status = _status(frame, reader)
    write_json(
        {
            "width": board.width,
            "height": board.height,
            "mines": status.mines,
            "rows": str(board).splitlines(),
            "status": status.text,
            "profile": reader.profile.name,
        }
    )
    return 0


def _draw_overlay(frame: Frame, profile: str | None, path: Path) -> None:
    """Draw what is seen, also of a board of which not every tile can be read."""
    seen = unnamed.look(frame, _candidates(profile))
    if seen is None:
        return
    looks, reader = seen
    assert reader.grid is not None
    risk = _risk(frame, reader, looks)
    pictures.save(path, overlay(frame, reader.grid, looks, risk))
    say(f"{path}: what it sees")


def _risk(
    frame: Frame, reader: Reader, looks: Sequence[TileReading]
) -> Sequence[float | None] | None:
    """The mine risks, by the total that the picture shows; None where no solving is possible."""
    grid = reader.grid
    assert grid is not None
    if any(look.cell is None for look in looks):
        return None
    cells = bytes(look.cell for look in looks if look.cell is not None)
    total = _status(frame, reader).mines
    try:
        board = Board(grid.width, grid.height, total, cells)
        return Solver().solve(board, risk=True).risk
    except (Contradiction, UsageError) as error:
        say(f"note: {error}")
        return None


def _candidates(profile: str | None) -> list[Profile]:
    return [load(profile)] if profile else [load(name) for name in names()]


def _status(frame: Frame, reader: Reader) -> Status:
    assert reader.grid is not None
    try:
        flags = reader.read(frame).count(Cell.FLAG) if reader.profile.counter else 0
        return read_total(frame, reader.grid, reader.profile, flags)
    except VisionError as error:
        say(f"note: the mine total cannot be read: {error}")
        return Status()
