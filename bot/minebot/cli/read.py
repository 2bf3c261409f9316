"""Prints the board in a picture of any game: one row a line, ? hidden, 0-8, F flag, * mine,
! the mine that was hit, ~ a tile in doubt.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from minebot.board import Cell
from minebot.capture import Frame
from minebot.cli import options
from minebot.cli.console import save, say, write_json
from minebot.errors import Contradiction, UnreadableTile, UsageError, VisionError
from minebot.profile import load, profiles
from minebot.recording import pictures
from minebot.recording.overlay import overlay
from minebot.solver import Solver
from minebot.vision.any_game import read_any, read_as
from minebot.vision.reading import DOUBT, Reading
from minebot.vision.status import Status, read_total

EPILOG = f"""\
A game whose colours no profile knows is read at first sight. Where tiles are in doubt, {DOUBT}
stands for them, and standard error says what each most resembles; --json lists them as "unread",
in pairs of column and row from 0, and its rows have ? there. A board that reaches the edge of
the picture may be cut off between two cells, which nothing in the picture tells: "reached" names
those edges. A grid in which nothing is opened may be another game: a note says so.

exit status: 0 read, 2 bad arguments or file, 4 there is no board, or a tile is in doubt
"""

ARGUMENTS = (
    options.path("picture", "a screenshot, such as a PNG file", "picture"),
    options.path(
        "--overlay", "draw the grid, the labels, their confidence and each cell's mine risk over it"
    ),
    options.argument(
        "--profile", "NAME", "the game (default: any known game, or any other at first sight)"
    ),
    options.JSON,
)


def run(arguments: argparse.Namespace) -> int:
    """Print the board; returns 0, or 4 where a tile is in doubt.

    Raises UsageError, VisionError, Contradiction.
    """
    with options.within(arguments.picture):
        frame = pictures.load(arguments.picture)
        name = arguments.profile
        reading = read_as(frame, load(name)) if name else read_any(frame, [*profiles().values()])
    problem = reading.problem
    is_board = reading.profile is None or reading.is_board  # but for the tiles in doubt
    is_printed = problem is None or (is_board and isinstance(problem, UnreadableTile))
    wants_total = arguments.json or arguments.overlay is not None
    status = _status(frame, reading) if is_printed and wants_total else Status()
    if arguments.overlay is not None:
        risk = _risk(reading, status.mines)
        drawn = overlay(frame, reading.grid, reading.tiles, risk)
        save(arguments.overlay, pictures.png(drawn), "what it sees")
    reading.checked(partly=is_printed)
    if reading.profile is None:
        say("note: read at first sight: no profile has these colours; --profile NAME says the game")
    if reading.warning is not None:
        say(f"note: {reading.warning}")
    if arguments.json:
        write_json(_facts(reading, status))
    else:
        print(reading)
    _tell_doubts(reading)
    return 0 if problem is None else problem.exit_status


def _facts(reading: Reading, status: Status) -> dict[str, object]:
    board = reading.board
    return {
        "width": board.width,
        "height": board.height,
        "mines": status.mines,
        "rows": str(board).splitlines(),
        "status": status.text,
        "profile": None if reading.profile is None else reading.profile.name,
        "unread": [list(board.xy(square)) for square in reading.unread],
        "reached": list(reading.reached),
    }


def _tell_doubts(reading: Reading) -> None:
    """Say in a line which tiles are in doubt between the same labels."""
    alike: dict[str, list[int]] = {}
    for square in reading.unread:
        alike.setdefault(reading.tiles[square].nearest, []).append(square)
    for near, squares in alike.items():
        say(f"in doubt at {reading.board.names_of(squares)}; nearest: {near}")


def _risk(reading: Reading, mines: int | None) -> Sequence[float | None] | None:
    """The mine risks with that mine total; None if no solving is possible."""
    if reading.unread:
        return None
    try:
        return Solver().solve(reading.board.with_mines(mines), risk=True).risk
    except (Contradiction, UsageError) as error:
        say(f"note: {error}")
        return None


def _status(frame: Frame, reading: Reading) -> Status:
    """What the picture tells of its mine total; nothing where no profile says where that is."""
    if reading.profile is None:
        return Status()
    try:
        look = reading.profile.counter or reading.profile.status
        return read_total(frame, reading.grid, look, reading.board.count(Cell.FLAG))
    except VisionError as error:
        say(f"note: the mine total cannot be read: {error}")
        return Status()
