"""Makes a profile for a game: by playing it in its window until it knows what every look
means, or from pictures whose boards are typed as text beside them. Pictures are added
to a profile of that name, if there is one.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from random import Random

from bot.actuator import Key
from bot.board import SYMBOLS, Board, Cell
from bot.calibrate.grid import fitting
from bot.calibrate.run import User, Wishes, calibrate_window
from bot.calibrate.samples import Check, Labelled, conclude
from bot.calibrate.status import find_counter
from bot.capture import Frame
from bot.cli import options
from bot.cli.console import say
from bot.cli.desktops import desktop_of
from bot.errors import Contradiction, UsageError, VisionError, file_errors
from bot.profile import Conduct, GridLook, Profile, SampleLook, StatusLook, load_file, own_folder
from bot.profile.writing import write
from bot.recording import pictures
from bot.stop import Stop, interrupts_stop
from bot.vision.locate import locate
from bot.vision.text import Tesseract


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
    command.add_argument(
        "--new-game-key",
        metavar="KEY",
        help="the game's key for a new board of the same size, such as ctrl+r "
        "(default: it asks for each new board)",
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
    command.add_argument("--force", action="store_true", help="overwrite a profile of that name")
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
        names = [name for group in arguments.pictures for name in group]
        _from_pictures(_labelled(names), arguments.name, path, force=arguments.force)
    else:
        _from_window(arguments, path)
    return 0


def _from_pictures(
    labelled: Sequence[tuple[Frame, Board]], name: str, path: Path, *, force: bool
) -> None:
    adds = path.exists() and not force
    if adds:
        profile = load_file(path)
        if not isinstance(profile.cells, SampleLook):
            raise UsageError(f"{path}: it tells cells by inks, to which no picture can be added")
    else:
        sizes = [(frame, (board.width, board.height)) for frame, board in labelled]
        profile = _blank(name, fitting(sizes), name, [name])
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
    _check(found)
    if found.refused:
        raise Contradiction(
            "no profile was written: read again, these cells look like two things, or like "
            f"nothing that is typed as they are: {_counts(found.refused)}; is a text mistaken?"
        )
    write(made, path)
    _tell(path, found, Counter(Cell(cell) for _, board in labelled for cell in board.cells))


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
    if path.exists() and not arguments.force:
        raise UsageError(f"{path} is there already: take another --name, or --force")
    if arguments.new_game_key is not None:
        Key.parse(arguments.new_game_key)
    desktop = desktop_of(arguments)
    window = desktop.pick(arguments.window or "", lambda _: False)
    wishes = Wishes(arguments.new_game_key, arguments.games or Wishes().games, arguments.mines)
    learnt = calibrate_window(desktop, window, wishes, User(say, _stop, _ask), Random())
    names = list(dict.fromkeys(window.app_ids))
    profile = _blank(arguments.name, learnt.grid, window.title, names or [arguments.name])
    status = _counter(learnt.pictures)
    profile = replace(profile, conduct=learnt.conduct, status=status)
    made, found = conclude(learnt.pictures, profile)
    _check(found)
    if status is None:
        say("where it counts the mines was not found: say their total with --mines N to play")
    write(made, path)
    tiles = sorted({picture.grid.tile for picture in learnt.pictures})
    say(f"seen on tiles of {', '.join(map(str, tiles))} pixels")
    _tell(path, found, learnt.sure)


def _counter(shown: Sequence[Labelled]) -> StatusLook | None:
    """Where the game counts its mines, None if that is not found or no text can be read."""
    try:
        return find_counter(shown, Tesseract())
    except VisionError:
        return None


@contextmanager
def _stop() -> Iterator[Stop]:
    stop = Stop()
    with interrupts_stop(stop):
        yield stop


def _ask() -> bool:
    say("open a new board of the same size in the game, then press Enter here (Ctrl-D: no more)")
    return bool(sys.stdin.readline())


def _blank(name: str, grid: GridLook, title: str, app_ids: Sequence[str]) -> Profile:
    """A profile that knows no cell yet."""
    looks = "as minebot calibrate saw it"
    cells = SampleLook(())
    return Profile(name, title, looks, tuple(app_ids), grid, cells, None, Conduct())


def _check(found: Check) -> None:
    """Raise Contradiction unless all that was learnt is read again as it was."""
    if found.wrong:
        raise Contradiction(
            f"no profile was written: of {found.pictures} pictures read again, "
            f"{len(found.wrong)} cells come out wrong; the first: {found.wrong[0]}"
        )


def _counts(cells: Mapping[Cell, int]) -> str:
    return "  ".join(f"{SYMBOLS[cell]} {cells[cell]}" for cell in Cell if cells.get(cell))


def _tell(path: Path, found: Check, sure: Mapping[Cell, int]) -> None:
    met = [cell for cell in Cell if sure.get(cell)]
    say("how often each was met beyond doubt:")
    say(f"  {_counts(sure)}")
    say(f"read again: {found.pictures} pictures, {found.right} cells right, none wrong")
    if found.refused:
        say(f"not read again, because they look like two things: {_counts(found.refused)}")
    missing = [SYMBOLS[cell] for cell in Cell if cell not in met]
    if missing:
        say(
            f"not met: {' '.join(missing)}. It will not read these until it has a picture of "
            "each, with its board as text:\n  minebot calibrate --from picture.png board.txt "
            f"--name {path.parent.name}"
        )
    say(f"written: {path}")
