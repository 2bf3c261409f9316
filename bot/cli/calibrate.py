"""Makes a profile for a game: by playing it in its window until it knows what every look
means, or from pictures whose boards are typed as text beside them. Pictures are added
to a profile of that name, if there is one.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from bot.actuator import Key
from bot.board import Board, Cell
from bot.calibrate.grid import fitting
from bot.calibrate.marking import SAID_WAYS, said_conduct
from bot.calibrate.run import Wishes
from bot.calibrate.samples import Labelled, conclude
from bot.capture import Frame
from bot.cli import options
from bot.cli.desktops import desktop_of
from bot.cli.learn import blank, check, counts, learn, tell
from bot.errors import Contradiction, UsageError, file_errors
from bot.profile import SampleLook, load_file, own_folder
from bot.profile.writing import write
from bot.recording import pictures
from bot.vision.locate import locate

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
        help="picture.png board.txt, and more such pairs: learn from these instead of a window",
    )
    again = command.add_mutually_exclusive_group()
    again.add_argument(
        "--new-game-key",
        metavar="KEY",
        help="the game's key for a new board of the same size, such as ctrl+r; 'ask' has it ask "
        "for each new board (default: it tries the usual keys and what looks like a button)",
    )
    again.add_argument(
        "--new-game-at",
        type=options.pixel,
        metavar="X,Y",
        help="where a click brings a new board: pixels from the upper left corner of a picture of "
        "the window, as minebot takes it",
    )
    flags = command.add_mutually_exclusive_group()
    flags.add_argument(
        "--flag-by",
        choices=SAID_WAYS,
        help="how the game sets a flag: by a right click, by a left one while that key is held, or "
        "not at all (default: it tries the right click, ctrl, shift, and a button that says so)",
    )
    flags.add_argument(
        "--flag-at",
        type=options.pixel,
        metavar="X,Y",
        help="where a click has the next ones set flags instead of opening squares: pixels as "
        "of --new-game-at",
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
        "--force", action="store_true", help="begin anew, whatever is known by that name"
    )
    command.add_argument(
        "--mines",
        type=options.at_least(1),
        metavar="N",
        help="the total number of mines, where you know it",
    )
    command.add_argument("--window", metavar="NAME", help="the window of the game to play")
    options.add_mouse(command)
    options.add_desktop(command)
    options.add_stop(command)


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
    adds = path.exists() and not force
    if adds:
        profile = load_file(path)
        if not isinstance(profile.cells, SampleLook):
            raise UsageError(f"{path}: it tells cells by inks, to which no picture can be added")
    else:
        sizes = [(frame, (board.width, board.height)) for frame, board in labelled]
        profile = blank(name, fitting(sizes), name, [name])
    if flag_way is not None:
        profile = replace(profile, conduct=said_conduct(profile.conduct, flag_way))
    shown = [
        Labelled(
            lambda frame=frame: frame,  # type: ignore[misc]  # its type is not inferred
            locate(frame, profile.grid),
            [Cell(cell) for cell in board.cells],
            "lost" if board.count(Cell.MINE) or board.lost else "playing",
            number,
        )
        for number, (frame, board) in enumerate(labelled)
    ]
    for picture, (_, board) in zip(shown, labelled, strict=True):
        if (picture.grid.width, picture.grid.height) != (board.width, board.height):
            raise UsageError(f"a picture's board and its text are of other sizes than {path} reads")
    made, found = conclude(shown, profile)
    check(found)
    if found.refused:
        raise Contradiction(
            "no profile was written: read again, these cells look like two things, or like "
            f"nothing that is typed as they are: {counts(found.refused)}; is a text mistaken?"
        )
    write(made, path)
    tell(path, found, Counter(Cell(cell) for _, board in labelled for cell in board.cells))


def _labelled(names: Sequence[str]) -> list[tuple[Frame, Board]]:
    """The pictures and boards in files that are named by turns; raises UsageError."""
    if len(names) % 2:
        raise UsageError("--from takes pictures and boards by turns: picture.png board.txt ...")
    found = []
    for picture, text in zip(names[::2], names[1::2], strict=True):
        with file_errors(Path(text)):
            board = Board.parse(Path(text).read_text(encoding="utf-8"))
        found.append((pictures.load(Path(picture)), board))
    return found


def _from_window(arguments: argparse.Namespace, path: Path) -> None:
    key = arguments.new_game_key
    if key not in (None, _ASKS):
        Key.parse(key)
    desktop = desktop_of(arguments)
    window = desktop.pick(arguments.window or "", lambda _: False)
    wishes = Wishes(
        None if key == _ASKS else key,
        arguments.games or Wishes().games,
        finds=key is None,
        button=arguments.new_game_at,
        flag_way=arguments.flag_by,
        flag_button=arguments.flag_at,
    )
    learn(desktop, window, path, wishes, arguments.mines, force=arguments.force)
