"""`minebot calibrate`: makes a profile for a game that it has never seen."""

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
from bot.calibrate.conclude import Check, Labelled, conclude
from bot.calibrate.counter import find_counter
from bot.calibrate.discovery import fitting
from bot.calibrate.live import Person, Wishes, calibrate_window
from bot.capture import Frame
from bot.cli.report import people
from bot.desktop.choose import native
from bot.errors import Contradiction, UsageError, VisionError
from bot.profile import Conduct, GridLook, Profile, SampleLook, StatusLook, load_file, own_folder
from bot.profile.writing import write
from bot.recording import pictures
from bot.stop import Stop, interrupts_stop
from bot.vision.locate import locate
from bot.vision.text import Tesseract

__all__ = ["run"]


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
        try:
            board = Board.parse(Path(text).read_text(encoding="utf-8"))
        except OSError as error:
            raise UsageError(f"{text}: {error.strerror}") from error
        except UnicodeDecodeError as error:
            raise UsageError(f"{text}: not a text") from error
        except UsageError as error:
            raise UsageError(f"{text}: {error}") from error
        found.append((pictures.load(Path(picture)), board))
    return found


def _from_window(arguments: argparse.Namespace, path: Path) -> None:
    if path.exists() and not arguments.force:
        raise UsageError(f"{path} is there already: take another --name, or --force")
    if arguments.new_game_key is not None:
        Key.parse(arguments.new_game_key)
    desktop = native(
        arguments.display, backend=arguments.desktop, pyautogui=arguments.mouse == "pyautogui"
    )
    window = desktop.pick(arguments.window or "", lambda _: False)
    wishes = Wishes(arguments.new_game_key, arguments.games or Wishes().games, arguments.mines)
    learnt = calibrate_window(desktop, window, wishes, Person(_say, _stop, _ask), Random())
    names = list(dict.fromkeys(window.app_ids))
    profile = _blank(arguments.name, learnt.grid, window.title, names or [arguments.name])
    status = _counter(learnt.pictures)
    profile = replace(profile, conduct=learnt.conduct, status=status)
    made, found = conclude(learnt.pictures, profile)
    _check(found)
    if status is None:
        _say("where it counts the mines was not found: say their total with --mines N to play")
    write(made, path)
    tiles = sorted({picture.grid.tile for picture in learnt.pictures})
    _say(f"seen on tiles of {', '.join(map(str, tiles))} pixels")
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
    _say("open a new board of the same size in the game, then press Enter here (Ctrl-D: no more)")
    return bool(sys.stdin.readline())


def _say(text: str) -> None:
    people().print(text, soft_wrap=True)


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
    _say("how often each was met beyond doubt:")
    _say(f"  {_counts(sure)}")
    _say(f"read again: {found.pictures} pictures, {found.right} cells right, none wrong")
    if found.refused:
        _say(f"not read again, because they look like two things: {_counts(found.refused)}")
    missing = [SYMBOLS[cell] for cell in Cell if cell not in met]
    if missing:
        _say(
            f"not met: {' '.join(missing)}. It will not read these until it has a picture of "
            "each, with its board as text:\n  minebot calibrate --from picture.png board.txt "
            f"--name {path.parent.name}"
        )
    _say(f"written: {path}")
