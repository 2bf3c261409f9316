"""Games from the replay files of other programs: AVF, EVF, MVF and RMV."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from dataclasses import replace
from importlib.util import find_spec
from itertools import chain
from pathlib import Path
from typing import Any

from bot.board import Board, Cell
from bot.errors import UsageError, file_errors
from bot.layout import Layout
from bot.study import replay_reader
from bot.study.game import Click, Deed, Game, Simulated, replayed

SUFFIXES = (".avf", ".evf", ".mvf", ".rmv")
"""Of the files that are read."""
LARGEST = 10_000_000
"""Bytes of a file that is read; a game of an hour takes some 1,000,000."""
_PATIENCE = 20.0
"""Seconds that reading a file may take. Guessed."""
_COVERED = (Cell.HIDDEN, Cell.FLAG)
_MOST_CELLS = 10_000
"""Cells of a board that is read."""


def is_replay(path: Path) -> bool:
    """Whether a file has the suffix of a replay."""
    return path.suffix.lower() in SUFFIXES


def load(path: Path) -> Game:
    """The game in a replay file; raises UsageError where it cannot be read."""
    with file_errors(path):
        check()
        if path.stat().st_size > LARGEST:
            raise UsageError("too large for a replay")
        path.open("rb").close()
    try:
        facts = json.loads(_read(path))
        return _game(str(path), facts)
    except (ValueError, KeyError, TypeError, IndexError, UsageError) as error:
        raise UsageError(f"{path}: not a replay that can be read") from error


def check() -> None:
    """Raise UsageError where replay files cannot be read for want of the extra."""
    if find_spec("ms_toollib") is None:
        raise UsageError("to read replay files, pip install 'minebot[replays]'")


def _read(path: Path) -> str:
    """What the reader says, in a process of its own, and in a folder of its own.

    Over a file that it cannot read the library ends the process, and leaves a log where it is.
    """
    command = [sys.executable, "-P", replay_reader.__file__, str(path.resolve())]
    with tempfile.TemporaryDirectory(prefix="minebot-") as folder:
        try:
            run = subprocess.run(
                command, capture_output=True, text=True, timeout=_PATIENCE, check=True, cwd=folder
            )
        except subprocess.SubprocessError as error:
            raise UsageError("the reader came to nothing") from error
    return run.stdout


def _game(source: str, facts: dict[str, Any]) -> Game:
    """Raises ValueError, TypeError, KeyError, IndexError, UsageError for what is no game."""
    rows = facts["mines"]
    height, width, pixels = len(rows), len(rows[0]), int(facts["pixels"])
    if pixels < 1 or width * height > _MOST_CELLS or any(len(row) != width for row in rows):
        raise ValueError("no board")
    mined = frozenset(at for at, mine in enumerate(chain.from_iterable(rows)) if mine)
    layout = Layout(width, height, mined)
    shows = [Cell.MINE if at in mined else number for at, number in enumerate(layout.numbers)]
    start = Board.hidden(width, height, len(mined))
    mouse = _Mouse(Simulated(start, shows), pixels)
    clicks = []
    for seconds, what, x, y in facts["events"]:
        click = mouse.event(float(seconds), str(what), int(x), int(y))
        if click is not None:
            clicks.append(click)
    # Flags set before the first cell is opened take no time of the game.
    began = next((one.seconds for one in clicks if one.deed is Deed.OPEN), 0.0)
    ended = began + float(facts["seconds"])
    return replace(replayed(source, clicks, start, shows, ended), known=layout)


class _Mouse:
    """From buttons that go down and up to what they do."""

    def __init__(self, game: Simulated, pixels: int) -> None:
        """Cells are so many `pixels` wide and high."""
        self._game = game
        self._pixels = pixels
        self._down: set[str] = set()
        self._both = False
        """Both buttons are down, and the first to go up chords."""
        self._spent = False
        """A chord is done: what is still down does nothing when it goes up."""
        self._idle = False
        """The right button went down on an open cell, where nothing comes of it alone."""

    def event(self, seconds: float, what: str, x: int, y: int) -> Click | None:
        """What follows from an event at a place, in pixels of the board."""
        column, row = x // self._pixels, y // self._pixels
        board = self._game.board
        inside = 0 <= column < board.width and 0 <= row < board.height
        deed = self._deed(what, board.cells[board.square(column, row)] if inside else None)
        if deed is None or not inside:
            return None
        click = Click(seconds, deed, board.square(column, row))
        if not board.lost:
            self._game.click(deed, click.square)
        return click

    def _deed(self, what: str, cell: int | None) -> Deed | None:
        flag = Deed.UNFLAG if cell == Cell.FLAG else Deed.FLAG
        if what == "pf":
            return flag
        if what in ("mc", "cc"):
            self._down = {"l", "r"}
            self._both = True
            return None
        if what == "mr":
            deed = self._up("l")
            self._up("r")
            return deed
        if what in ("lc", "rc"):
            self._down.add(what[0])
            self._both = len(self._down) == 2
            # On an open cell it may be the beginning of a chord.
            self._idle = what == "rc" and not self._both and cell not in _COVERED
            return None if what == "lc" or self._both or self._idle else flag
        return self._up(what[0]) if what in ("lr", "rr") else None

    def _up(self, button: str) -> Deed | None:
        if button not in self._down:
            return None
        self._down.remove(button)
        deed = None
        if self._both:
            deed, self._both, self._spent = Deed.CHORD, False, True
        elif button == "l" and not self._spent:
            deed = Deed.OPEN
        elif button == "r" and self._idle:
            deed = Deed.FLAG
        self._spent = self._spent and bool(self._down)
        return deed
