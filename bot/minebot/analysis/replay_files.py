"""Games from the replay files of other programs (AVF, EVF, MVF and RMV), and into one (EVF)."""

from __future__ import annotations

import struct
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Annotated

import msgspec
import numpy as np

from minebot.analysis import replay_reader
from minebot.analysis.played_game import Click, PlayedGame, Seconds, Simulated, replayed
from minebot.board import Action, Board, Cell
from minebot.errors import UsageError, file_errors
from minebot.extras import require
from minebot.files import read_bytes
from minebot.layout import Layout

SUFFIXES = (".avf", ".evf", ".mvf", ".rmv")
"""Of the files that are read."""
LARGEST = 4 << 20
"""Largest file that is read. Specified: an hour of 125 events a second, 8 bytes each."""
EVENTS = 20_000
"""Events of the mouse's buttons that are read. Specified: two clicks a second for an hour."""
_NEEDED = ("replays", "reading a replay file")
_MOST_CELLS = 10_000
"""Largest board that is read, in cells. Specified: 100x100."""
_VERSION = 3
"""Version 0.3 of the format. Specified by EVF."""
_COMPLETED, _NO_FLAGS = 0x80, 0x10
"""Bits of the summary: the board was solved; no right click was made. Specified by EVF."""
_CELL = 16
"""Width and height of a cell in pixels. Specified: the size of the classic programs."""
_MOVE = 1
"""Code of the event that the pointer was moved. Specified by EVF."""
_BUTTONS = {Action.OPEN: (2, 3), Action.FLAG: (4, 5), Action.UNFLAG: (4, 5), Action.CHORD: (6, 7)}
"""Codes of a button, or both, pressed and released. Specified by EVF."""
_PLAIN = 255
"""Code that ends the events of a file without a checksum. Specified by EVF."""
_SIDE, _LATEST = 0xFF, 0xFFFFFF
"""Largest number of columns or rows, and of milliseconds. Specified by EVF."""


class _Facts(msgspec.Struct, frozen=True):
    """What the reader says."""

    mines: tuple[tuple[bool, ...], ...]
    pixels: Annotated[int, msgspec.Meta(ge=1)]
    seconds: Seconds
    events: tuple[tuple[Seconds, str, int, int], ...]


def is_replay(path: Path) -> bool:
    """Whether a file has the suffix of a replay."""
    return path.suffix.lower() in SUFFIXES


def load(path: Path) -> PlayedGame:
    """The game in a replay file; raises UsageError if it cannot be read."""
    kind = path.suffix.lower().removeprefix(".")
    with file_errors(path):
        require(*_NEEDED)
        return replace(parse(kind, read_bytes(path, LARGEST)), source=str(path))


def parse(kind: str, data: bytes) -> PlayedGame:
    """The game in the bytes of a replay of a kind such as `evf`; raises UsageError."""
    require(*_NEEDED)
    # Nothing in the folder of the reader hides a module of Python's.
    command = [sys.executable, "-P", replay_reader.__file__, kind, str(EVENTS + 1)]
    try:
        # The reader bounds its processor time; the clock is for systems where it cannot.
        run = subprocess.run(
            command, input=data, capture_output=True, timeout=2 * replay_reader.SECONDS, check=True
        )
        facts = msgspec.json.decode(run.stdout, type=_Facts)
        if len(facts.events) > EVENTS:
            raise UsageError(f"too long for a replay: more than {EVENTS // 2} clicks")
        return _game(f"a replay ({kind})", facts)
    except subprocess.TimeoutExpired as error:
        raise UsageError(f"takes more than {replay_reader.SECONDS} s to read") from error
    except (subprocess.CalledProcessError, ValueError) as error:
        raise UsageError(f"not a replay that can be read, by its name {kind}") from error


def _game(source: str, facts: _Facts) -> PlayedGame:
    """Raises ValueError for what is no game."""
    rows = facts.mines
    height, width = len(rows), len(rows[0]) if rows else 0
    if not 0 < width * height <= _MOST_CELLS or any(len(row) != width for row in rows):
        raise ValueError("no board")
    mined = frozenset(at for at, mine in enumerate(chain.from_iterable(rows)) if mine)
    layout = Layout(width, height, mined)
    shows = [Cell.MINE if at in mined else number for at, number in enumerate(layout.numbers)]
    start = Board.hidden(width, height, len(mined))
    again = Simulated(start, shows)
    game = replayed(source, _clicks(facts, again), again, 0.0)
    # Flags set before the first cell is opened take no time of the game.
    opens = (act.click.seconds for act in game.acts if act.click.action is Action.OPEN)
    return replace(game, ended=next(opens, 0.0) + facts.seconds, known=layout)


def _clicks(facts: _Facts, game: Simulated) -> Iterator[Click]:
    """What the buttons do, each click once the one before has been done in `game`."""
    down: dict[str, Action | None] = {}
    for seconds, what, x, y in facts.events:
        column, row = x // facts.pixels, y // facts.pixels
        inside = 0 <= column < game.board.width and 0 <= row < game.board.height
        square = game.board.square(column, row)
        action = _action(down, what, game.board.cells[square] if inside else None)
        if action is not None and inside:
            yield Click(seconds, action, square)


def _action(down: dict[str, Action | None], what: str, cell: int | None) -> Action | None:
    """What follows from an event of the mouse on that cell, None being outside the board.

    `down` are the buttons that are down, each with what it does when it goes up.
    """
    flag = Action.UNFLAG if cell == Cell.FLAG else Action.FLAG
    if what == "pf":
        return flag
    if what in ("mc", "cc") or (what in ("lc", "rc") and down.keys() - {what[0]}):
        down.update(l=Action.CHORD, r=Action.CHORD)
    elif what == "lc":
        down.setdefault("l", Action.OPEN)
    elif what == "rc":
        is_covered = cell in (Cell.HIDDEN, Cell.FLAG)
        # On an open cell it may be the beginning of a chord.
        down["r"] = None if is_covered else Action.FLAG
        return flag if is_covered else None
    elif what in ("lr", "rr", "mr"):
        action = down.pop("l" if what == "mr" else what[0], None)
        if what == "mr":
            down.clear()
        elif action is Action.CHORD:  # What is still down does nothing when it goes up.
            down.update(dict.fromkeys(down))
        return action
    return None


def evf(game: PlayedGame) -> bytes:
    """The EVF replay of a game whose end tells its mines; raises UsageError without room.

    The format is open: version 0.3 of the white paper in eee555/ms_toollib. Numbers are big-endian.
    Clicks are at the centre of cells of 16 pixels, their times in milliseconds since the first one.
    """
    layout = game.layout
    if layout is None or not game.acts:
        problem = "the end does not tell where all mines were, which a replay needs"
        raise UsageError(f"{game.source}: {problem}")
    width, height, lasted = layout.width, layout.height, round(1000 * game.seconds)
    if max(width, height) > _SIDE:
        raise UsageError(f"{game.source}: a replay has no room for more than {_SIDE} columns")
    if lasted > _LATEST:
        raise UsageError(f"{game.source}: a replay has no room for more than {_LATEST / 1000} s")
    right = any(act.click.action in (Action.FLAG, Action.UNFLAG) for act in game.acts)
    summary = (_COMPLETED if game.won else 0) | (0 if right else _NO_FLAGS)
    facts = (_VERSION, summary, 0, height, width, len(layout.mines), _CELL, 0, layout.bbbv)
    header = struct.pack(">BBBBBHBHH", *facts) + lasted.to_bytes(3)
    # Software; then player, contest, unique name, start, end, country and device: not known.
    header += b"minebot\0" + bytes(7)
    mines = np.packbits([at in layout.mines for at in range(width * height)]).tobytes()
    return header + mines + b"".join(_events(game, lasted)) + bytes([_PLAIN])


def _events(game: PlayedGame, lasted: int) -> Iterator[bytes]:
    """The pointer goes to each cell and clicks there."""
    now = 0
    for act in game.acts:
        if act.late:
            return
        now = min(lasted, max(now, round(1000 * (act.click.seconds - game.acts[0].click.seconds))))
        place = (_CELL * at + _CELL // 2 for at in game.final.xy(act.click.square))
        x_y = struct.pack(">HH", *place)
        for code in (_MOVE, *_BUTTONS[act.click.action]):
            yield bytes([code]) + now.to_bytes(3) + x_y
