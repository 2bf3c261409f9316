"""Tables of what may be typed, options that several commands have, and what becomes of them."""

from __future__ import annotations

import argparse
import re
import signal
from collections.abc import Callable, Iterable, Iterator, Mapping
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

Argument = tuple[str, Mapping[str, Any]]
"""The name of an argument, and what argparse has to know of it."""


class Group:
    """Options under a title of --help; of those without a title one at most may be typed."""

    def __init__(self, title: str, *arguments: Argument) -> None:
        self.title, self.arguments = title, arguments


def add(command: argparse._ActionsContainer, arguments: Iterable[Argument | Group]) -> None:
    """Have a parser take these arguments."""
    for one in arguments:
        if isinstance(one, Group):
            titled = command.add_argument_group(one.title) if one.title else None
            add(titled or command.add_mutually_exclusive_group(), one.arguments)
        else:
            command.add_argument(one[0], **one[1])


def argument(name: str, metavar: str | None, text: str, **more: Any) -> Argument:
    """An argument as --help shows it; `more`, here and below, is handed on to argparse."""
    return name, {"metavar": metavar, "help": text, **more}


def switch(name: str, text: str) -> Argument:
    """An option without a value."""
    return name, {"help": text, "action": "store_true"}


def choice(name: str, text: str, choices: Iterable[str], **more: Any) -> Argument:
    """An option for one of these words."""
    return name, {"help": text, "choices": choices, **more}


def count(name: str, text: str, least: int = 1, **more: Any) -> Argument:
    """An option for a whole number from `least` on."""
    return argument(name, "N", text, type=at_least(least), **more)


def path(name: str, text: str, metavar: str = "FILE", **more: Any) -> Argument:
    """An argument for a file or folder."""
    return argument(name, metavar, text, type=Path, **more)


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


WINDOW = argument(
    "--window",
    "NAME",
    "the window's title or program (WM_CLASS), or a part of one, or its id "
    "(default: the only window of a known game)",
)
PROFILE = argument("--profile", "NAME", "the game (default: recognised by its window)")
DISPLAY = argument("--display", "NAME", "the X11 display, such as :1 (default: $DISPLAY)")
NO_STOP_KEY = switch("--no-stop-key", "play even if only Ctrl-C can stop the game on this desktop")
DRILL = switch("--drill", "keep each mistake as a drill: see minebot drill")
JSON = switch("--json", "one JSON object a line on standard output")

DESKTOP = Group(
    "the desktop",
    choice(
        "--desktop",
        "how to capture windows and click in them (default: auto, by the platform)",
        BACKENDS,
        default="auto",
    ),
    DISPLAY,
)
"""For commands that only look."""
CLICKED_DESKTOP = Group(
    DESKTOP.title,
    *DESKTOP.arguments,
    choice(
        "--mouse",
        "how to click: by the window system's own means, or with pyautogui",
        ("auto", "pyautogui"),
        default="auto",
    ),
    NO_STOP_KEY,
)
"""For commands that click."""
GAME = Group(
    "the game",
    WINDOW,
    argument(
        "--board",
        "WxH",
        "choose a board of this many columns and rows, such as 30x16, if the game offers it",
        type=size,
    ),
    switch("--learn", "first play an unknown game to learn how it behaves"),
    switch(
        "--yes", "play an unknown game without asking whether the board was recognised correctly"
    ),
    PROFILE,
    switch("--dry-run", "print the next clicks without making them"),
)
"""The window to play in."""
PLAY = Group(
    "how to play",
    count("--games", "play N games, pressing the game's new-game key between them", default=1),
    count("--mines", "the total number of mines (default: read from the status line)"),
    choice(
        "--style",
        "fast: all certain moves at once, flags after cells; efficient: as few clicks as "
        "possible, with chords; no-flags: open cells only (default: fast)",
        [style.value for style in Style],
        default=Style.FAST.value,
    ),
    switch("--no-guess", "stop instead of guessing when nothing is certain"),
    path(
        "--record",
        "record every frame, board and move in this new or empty folder, for minebot review",
        metavar="DIR",
    ),
)
"""How many games to play, how, and what to record."""
ALONE = (GAME, CLICKED_DESKTOP, PLAY, JSON)
"""What may be typed before a command, or without one."""


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
