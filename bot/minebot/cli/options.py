"""Options that several commands have, and what becomes of their values."""

from __future__ import annotations

import argparse
import re
import signal
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn

from minebot.board import Board, cell_name
from minebot.capture import Pixel, Window
from minebot.cli.console import say
from minebot.desktop.choose import BACKENDS, CompositeDesktop, native
from minebot.desktop.ports import Desktop, WindowSession
from minebot.errors import UsageError
from minebot.policy.style import Style
from minebot.stop import Stop

STATUSES = """\
exit status: 0 success, 1 not every game won or not every picture right, 2 bad arguments, file or
profile, 3 no such window or it cannot be captured, 4 the board cannot be read, 130 stopped
"""
SECONDS = 10.0
"""For one picture, of processor time; on the study page of the clock. Measured: one of 7680x4320
noisy pixels takes 3 to 6."""

_SHARED: Mapping[str, Mapping[str, Any]] = {
    "--window": {
        "metavar": "NAME",
        "help": "the window's title or program (WM_CLASS), or a part of one, or its id "
        "(default: the only window of a known game)",
    },
    "--profile": {"metavar": "NAME", "help": "the game (default: recognised by its window)"},
    "--display": {"metavar": "NAME", "help": "the X11 display, such as :1 (default: $DISPLAY)"},
    "--no-stop-key": {
        "action": "store_true",
        "help": "play even if only Ctrl-C can stop the game on this desktop",
    },
    "--drill": {"action": "store_true", "help": "keep each mistake as a drill: see minebot drill"},
    "--json": {"action": "store_true", "help": "one JSON object a line on standard output"},
}
"""Options that mean the same wherever they are."""


def add(command: argparse._ActionsContainer, *names: str) -> None:
    """Add options that several commands share."""
    for name in names:
        command.add_argument(name, **_SHARED[name])


def add_switch(command: argparse._ActionsContainer, name: str, text: str) -> None:
    """Add an option without a value; `text` is its help."""
    command.add_argument(name, action="store_true", help=text)


def add_count(
    command: argparse._ActionsContainer, name: str, text: str, least: int = 1, **more: Any
) -> None:
    """Add an option for a whole number from `least` on; `more` goes to argparse."""
    command.add_argument(name, type=at_least(least), metavar="N", help=text, **more)


def add_path(
    command: argparse._ActionsContainer, name: str, text: str, metavar: str = "FILE", **more: Any
) -> None:
    """Add an option for a file or folder; `more` goes to argparse."""
    command.add_argument(name, type=Path, metavar=metavar, help=text, **more)


def add_window(parser: argparse.ArgumentParser) -> None:
    """Add the options for the window to play in."""
    command = parser.add_argument_group("the game")
    add(command, "--window")
    command.add_argument(
        "--board",
        type=size,
        metavar="WxH",
        help="choose a board of this many columns and rows, such as 30x16, if the game offers it",
    )
    add_switch(command, "--learn", "first play an unknown game to learn how it behaves")
    add_switch(
        command,
        "--yes",
        "play an unknown game without asking whether the board was recognised correctly",
    )
    add(command, "--profile")
    add_switch(command, "--dry-run", "print the next clicks without making them")
    add_desktop(parser, clicks=True)


def add_play(parser: argparse.ArgumentParser) -> None:
    """Add the options for how many games to play, how, and what to record."""
    command = parser.add_argument_group("how to play")
    add_count(command, "--games", "play N games, pressing the game's new-game key between them")
    add_count(command, "--mines", "the total number of mines (default: read from the status line)")
    command.add_argument(
        "--style",
        choices=[style.value for style in Style],
        default=Style.FAST.value,
        help="fast: all certain moves at once, flags after cells; efficient: as few clicks as "
        "possible, with chords; no-flags: open cells only (default: fast)",
    )
    add_switch(command, "--no-guess", "stop instead of guessing when nothing is certain")
    add_path(
        command,
        "--record",
        "record every frame, board and move in this new or empty folder, for minebot review",
        metavar="DIR",
    )


def add_desktop(parser: argparse.ArgumentParser, *, clicks: bool = False) -> None:
    """Add the options for the desktop and, with `clicks`, for the mouse."""
    command = parser.add_argument_group("the desktop")
    command.add_argument(
        "--desktop",
        choices=BACKENDS,
        default="auto",
        help="how to capture windows and click in them (default: auto, by the platform)",
    )
    add(command, "--display")
    if clicks:
        command.add_argument(
            "--mouse",
            choices=("auto", "pyautogui"),
            default="auto",
            help="how to click: by the window system's own means, or with pyautogui",
        )
        add(command, "--no-stop-key")


def _numbers(pattern: str, text: str, complaint: str) -> tuple[int, int]:
    """The two numbers of a text; the `complaint` follows one that does not match."""
    match = re.fullmatch(pattern, text)
    if match is None:
        raise argparse.ArgumentTypeError(f"{text!r} is {complaint}")
    return int(match[1]), int(match[2])


def size(text: str) -> tuple[int, int]:
    """Columns and rows, from a text such as 30x16."""
    return _numbers(r"([1-9]\d{0,3})x([1-9]\d{0,3})", text, "not columns x rows, as 30x16")


def pixel(text: str) -> Pixel:
    """A place in a picture, from a text such as 120,34."""
    complaint = "not a column and a row of pixels, as 120,34"
    return Pixel(*_numbers(r"(\d{1,5}),(\d{1,5})", text, complaint))


def seconds(text: str) -> float:
    """A positive number of seconds, such as 0.5."""
    value = float(text)
    if not 0 < value < 1e6:
        raise argparse.ArgumentTypeError(f"{text} is not a positive number of seconds")
    return value


def at_least(least: int) -> Callable[[str], int]:
    """Return a parser for whole numbers from `least` on."""

    def number(text: str) -> int:
        value = int(text)
        if value < least:
            raise argparse.ArgumentTypeError(f"{value} is less than {least}")
        return value

    number.__name__ = "whole number"  # argparse's complaint calls the type by this
    return number


def place(text: str) -> tuple[int, int]:
    """Row and column, from 1, of a text such as `3,4`, `3 4` or `row 3, column 4`."""
    pattern = r"(?:row )?([1-9]\d{0,3})(?:,\s*|\s+)(?:column )?([1-9]\d{0,3})"
    complaint = "no cell: 3,4 is row 3, column 4, both counted from 1"
    return _numbers(pattern, text.strip(), complaint)


def square_of(board: Board, row: int, column: int) -> int:
    """The square of a cell that a person names, counted from 1; raises UsageError."""
    if not (1 <= row <= board.height and 1 <= column <= board.width):
        raise UsageError(f"the board has no {cell_name(column - 1, row - 1)}")
    return board.square(column - 1, row - 1)


def desktop_of(arguments: argparse.Namespace) -> Desktop:
    """The desktop to play on. Raises CaptureError if there is none."""
    pyautogui = arguments.mouse == "pyautogui"
    desktop = native(arguments.display, backend=arguments.desktop, pyautogui=pyautogui, say=say)
    return desktop if arguments.no_stop_key else Stoppable([desktop])


class Stoppable(CompositeDesktop):
    """A desktop on which nobody plays whom the user could stop by Ctrl-C alone."""

    @contextmanager
    def open(self, window: Window, stop: Stop) -> Iterator[WindowSession]:
        """Play in the window; see `minebot.desktop.ports.Desktop`. Raises UsageError too."""
        with super().open(window, stop) as window_session:
            if not window_session.stops:
                raise UsageError(
                    "this desktop tells no program of the user's keys and mouse, so that only "
                    "Ctrl-C in this terminal would stop the game: --no-stop-key plays all the same"
                )
            yield window_session


@contextmanager
def within(path: Path, seconds: float | None = None) -> Iterator[None]:
    """End a `with` block after `seconds`, or `SECONDS`, with a UsageError that names the file.

    Processor time counts, so that a busy machine refuses no file that another one reads. A system
    without such a clock, which is Windows, works on it as long as it takes.
    """
    if not hasattr(signal, "setitimer"):
        yield
        return
    limit = SECONDS if seconds is None else seconds

    def end(*_: object) -> NoReturn:
        raise UsageError(f"{path}: takes more than {limit:g} seconds: given up")

    handler = signal.signal(signal.SIGPROF, end)
    # Again each second, should what is being done take the error for another one.
    before = signal.setitimer(signal.ITIMER_PROF, limit, 1.0)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, *before)
        signal.signal(signal.SIGPROF, handler)
