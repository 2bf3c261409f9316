"""Makes a profile for a game: by finding out in its window how it behaves.

Pictures whose boards are typed as text are checked to be read as they are typed.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from pathlib import Path

from minebot.actuator import Key
from minebot.board import SYMBOLS, Board
from minebot.capture import Frame, Window
from minebot.cli import options
from minebot.cli.console import say
from minebot.cli.desktops import desktop_of
from minebot.cli.learn import learn, load_to_extend
from minebot.errors import Contradiction, UnreadableTile, UsageError, file_errors
from minebot.files import read_text
from minebot.learn.findings import FLAG_WAYS, flagging_behaviour
from minebot.learn.run import LearnOptions
from minebot.play.unknown_game import profile_at_first_sight
from minebot.profile import own_folder
from minebot.profile.writing import write
from minebot.recording import pictures
from minebot.vision.any_game import read_at_first_sight

_SAID_WAYS = (*(way for way in FLAG_WAYS if way != "button"), "none")
"""How the user may say that flags are set; where a button is, --flag-at says."""
_ASKS = "ask"
"""In the place of a key: the user opens each new board."""


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Add the arguments of `calibrate`."""
    command.add_argument("--name", required=True, help="what to call the profile")
    command.add_argument(
        "--from",
        dest="pictures",
        nargs="+",
        action="append",
        default=[],
        metavar="FILE",
        help="pairs of picture.png and board.txt: check that they are read, without a window",
    )
    again = command.add_mutually_exclusive_group()
    again.add_argument(
        "--new-game-key",
        metavar="KEY",
        help="the game's key for a new board of the same size, such as ctrl+r, or 'ask' to be "
        "asked each time (default: try the usual keys, then whatever resembles a button)",
    )
    again.add_argument(
        "--new-game-at",
        type=options.pixel,
        metavar="X,Y",
        help="the place of a button for a new board, in pixels from the upper left corner of the "
        "window without its title bar",
    )
    flags = command.add_mutually_exclusive_group()
    flags.add_argument(
        "--flag-by",
        choices=_SAID_WAYS,
        help="how the game sets a flag: by a right click, by a left click with that key held, or "
        "not at all (default: try a right click, ctrl, shift, alt, and a button with such a label)",
    )
    flags.add_argument(
        "--flag-at",
        type=options.pixel,
        metavar="X,Y",
        help="the place of a button that makes later clicks set flags, in pixels as for "
        "--new-game-at",
    )
    command.add_argument(
        "--games", type=options.at_least(1), metavar="N", help="play at most N games (default: 12)"
    )
    command.add_argument(
        "--out",
        type=Path,
        metavar="DIR",
        help="the folder of profiles to write to (default: your own)",
    )
    command.add_argument(
        "--force", action="store_true", help="start over if a profile of that name exists"
    )
    command.add_argument(
        "--mines",
        type=options.at_least(1),
        metavar="N",
        help="the total number of mines, if you know it",
    )
    command.add_argument("--window", metavar="NAME", help="the window of the game to play")
    options.add_desktop(command, clicks=True)


def run(arguments: argparse.Namespace) -> int:
    """Make the profile and say what it knows; returns 0.

    Raises UsageError, GridNotFound, Contradiction and, at a window, what playing raises.
    """
    if not re.fullmatch(r"[A-Za-z0-9][\w.-]*", arguments.name):
        raise UsageError(
            f"{arguments.name!r} cannot be a profile's name: take letters, digits, '-', '_', '.'"
        )
    root: Path = arguments.out or own_folder()
    path = root / arguments.name / "profile.toml"
    if arguments.pictures:
        if arguments.flag_at is not None:
            raise UsageError("--flag-at needs a window: pictures do not show what a button does")
        names = [name for group in arguments.pictures for name in group]
        _from_pictures(
            _labelled(names), arguments.name, path, arguments.flag_by, force=arguments.force
        )
    else:
        _from_window(arguments, path)
    return 0


def _from_pictures(
    labelled: Sequence[tuple[Frame, Board]],
    name: str,
    path: Path,
    flag_way: str | None,
    *,
    force: bool,
) -> None:
    """Check that the pictures are read as they are typed, and write a profile."""
    for number, (frame, board) in enumerate(labelled, 1):
        _check_read(number, frame, board)
    if path.exists() and not force:
        profile = load_to_extend(path)
    else:
        window = Window("", name, (name,))
        profile = profile_at_first_sight(window).changed(name=name)
    if flag_way is not None:
        profile = profile.changed(behaviour=flagging_behaviour(profile.behaviour, flag_way))
    write(profile, path)
    say(f"read as they are typed: {len(labelled)} pictures")
    say(f"written: {path}")


def _check_read(number: int, frame: Frame, board: Board) -> None:
    """Raise GridNotFound, UnreadableTile or Contradiction unless the picture is read as typed."""
    reading = read_at_first_sight(frame)
    seen, grid = reading.board, reading.grid
    if (grid.width, grid.height) != (board.width, board.height):
        raise Contradiction(
            f"picture {number} shows a board of {grid.width}x{grid.height}, its text one of "
            f"{board.width}x{board.height}"
        )
    for square, (one, other) in enumerate(zip(seen.cells, board.cells, strict=True)):
        if square not in reading.unread and one != other:
            raise Contradiction(
                f"picture {number}: the cell at {board.name_of(square)} is read as "
                f"{SYMBOLS[one]}, and typed as {SYMBOLS[other]}"
            )
    if isinstance(reading.problem, UnreadableTile):
        raise reading.problem


def _labelled(names: Sequence[str]) -> list[tuple[Frame, Board]]:
    """The pictures and boards in files that are named by turns; raises UsageError."""
    if len(names) % 2:
        raise UsageError("--from takes pictures and boards by turns: picture.png board.txt ...")
    found = []
    for picture, text in zip(names[::2], names[1::2], strict=True):
        with file_errors(Path(text)):
            board = Board.parse(read_text(Path(text)))
        found.append((pictures.load(Path(picture)), board))
    return found


def _from_window(arguments: argparse.Namespace, path: Path) -> None:
    key = arguments.new_game_key
    if key not in (None, _ASKS):
        Key.parse(key)
    desktop = desktop_of(arguments)
    window = desktop.pick(arguments.window or "", lambda _: False)
    wishes = LearnOptions(
        None if key == _ASKS else key,
        arguments.games or LearnOptions().games,
        finds=key is None,
        button=arguments.new_game_at,
        flag_way=arguments.flag_by,
        flag_button=arguments.flag_at,
    )
    learn(desktop, window, path, wishes, arguments.mines, force=arguments.force)
