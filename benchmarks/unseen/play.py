"""Plays games by others at first sight, as a user would, and asks them how it ended.

    python -m benchmarks.unseen.play --games FOLDER --split dev
    python -m benchmarks.unseen.play --games FOLDER --boards 1 --keep FOLDER NAME ...

FOLDER holds the games' files (see fixtures/others/README.md), which are not ours to give away. What
counts is that each board is played to its end: won, or lost on a cell that was reported as a guess;
that the game itself says the same; and the time from the command to the first click.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table
from Xlib import X
from Xlib.display import Display
from Xlib.ext import record
from Xlib.protocol import rq

from benchmarks.unseen.recipes import GAMES
from benchmarks.unseen.sessions import SCREEN, Session, pictured, session
from benchmarks.unseen.truth import Truth
from minebot.board import Board, Cell
from minebot.capture import State
from minebot.desktop.choose import native
from minebot.errors import Contradiction
from minebot.sandbox.private_display import PrivateDisplay
from minebot.solver import solve

_LIMIT_SECONDS = 300.0
"""A board that takes longer is given up."""
_MINES = (Cell.MINE, Cell.EXPLODED)
_SHOWN_SECONDS = 1.0
"""What a game shows at its end comes within this time."""


@dataclass(frozen=True, slots=True)
class Press:
    """A button that was pressed on the display."""

    at: float
    """Seconds of the wall clock."""
    x: int
    y: int
    button: int


@dataclass(frozen=True, slots=True)
class Played:
    """One board."""

    reported: str
    """won, lost, stuck or refused."""
    reason: str
    true: str
    """won, lost or open, as the game's own state has it."""
    on_guess: bool
    """Whether a loss was reported as one on a guess."""
    first: float | None
    """Seconds from the command to the first click."""
    clicks: int
    seconds: float
    """From the command to its end."""

    @property
    def is_fine(self) -> bool:
        """Whether it was played to its end, and the end reported as it was."""
        if self.reported != self.true:
            return False
        return self.true == "won" or (self.true == "lost" and self.on_guess)

    def __str__(self) -> str:
        told = self.reported + (" on a guess" if self.on_guess else "")
        true = "" if self.reported == self.true else f", in truth {self.true}"
        first = "no click" if self.first is None else f"first click after {self.first:.2f} s"
        why = f": {self.reason}" if self.reason else ""
        return f"{told}{true}, {first}, {self.clicks} clicks, {self.seconds:.1f} s{why}"


def main() -> int:
    """Print a row for each game; 1 where a board was not played to its end."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="(default: all of the split)")
    parser.add_argument("--games", type=Path, required=True, help="folder with the games' files")
    parser.add_argument("--python", default=sys.executable, help="runs the games that are programs")
    parser.add_argument("--split", choices=("dev", "held", "more"), default="dev")
    parser.add_argument("--boards", type=int, default=3, help="of each game (default: 3)")
    parser.add_argument("--keep", type=Path, help="keep each board's recording and last picture")
    arguments = parser.parse_args()
    console = Console(width=160)
    rows: dict[str, list[Played]] = {}
    with PrivateDisplay(SCREEN) as display:
        for game in GAMES:
            if game.split != arguments.split or game.name not in (arguments.names or [game.name]):
                continue
            rows[game.name] = []
            with session(game, arguments.games, arguments.python, display, seen=True) as shown:
                for number in range(arguments.boards):
                    kept = arguments.keep and arguments.keep / f"{game.name}-{number + 1}"
                    shown.start()
                    one = _play(shown, display, kept)
                    rows[game.name].append(one)
                    console.print(f"{game.name}: {one}", soft_wrap=True, highlight=False)
    console.print(_table(rows))
    console.print(_summary(rows))
    return 0 if all(one.is_fine for played in rows.values() for one in played) else 1


def _play(shown: Session, display: PrivateDisplay, kept: Path | None) -> Played:
    """Run minebot on the game that was started."""
    window = next(
        one
        for one in native(display.name).windows()
        if one.state is State.SHOWN and shown.title() in one.title
    )
    command = [str(Path(sys.executable).with_name("minebot")), "--display", display.name]
    command += ["--window", window.id, "--profile", "first-sight", "--yes", "--json"]
    if kept is not None:
        command += ["--record", str(kept)]
    with _presses(display.name) as presses:
        began = time.time()
        with subprocess.Popen(
            command,
            env=display.environ(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        ) as process:
            while process.poll() is None and time.time() - began < _LIMIT_SECONDS:
                shown.watch(0.05)
            seconds = time.time() - began
            process.kill()
            out, err = process.communicate()
    shown.watch(_SHOWN_SECONDS)
    if kept is not None:
        pictured(display, (0, 0, *SCREEN)).save(kept.with_suffix(".png"))
        kept.with_suffix(".txt").write_text(err + "\n".join(shown.messages) + "\n")
    shown.close_message()
    origin = shown.origin()
    lines = out.split("\n")
    facts: dict[str, Any] = json.loads(lines[0]) if lines[0] else {}
    reported = facts.get("outcome", "refused")
    true = _ended(shown.history, presses, origin)
    if true == "open" and shown.has_ended():
        true = "lost"
    told = err.strip().split("\n")
    return Played(
        reported=reported,
        reason=told[-1] if reported in ("refused", "stuck") else "; ".join(told[:-1]),
        true=true,
        on_guess=bool(facts.get("hit_a_guess")),
        first=presses[0].at - began if presses else None,
        clicks=len(presses),
        seconds=seconds,
    )


def _ended(history: Sequence[Truth], presses: Sequence[Press], origin: tuple[float, float]) -> str:
    """How a game has ended, by the boards that it went through and the cells that were clicked.

    It is lost where one that was opened is a mine, by the right button too where that opens cells,
    and won once what is covered can be nothing else.
    """
    last: Board | None = None
    for truth in history:
        board = truth.board
        if last is not None and _opened(board) < _opened(last):
            break  # another game
        last = board
        for press in presses:
            square = truth.square_at(press.x - origin[0], press.y - origin[1])
            hits = _MINES if press.button == 1 else (Cell.EXPLODED,)
            if square is not None and board.cells[square] in hits:
                return "lost"
    if last is None or not last.begun:
        return "open"
    covered = {*last.squares(Cell.HIDDEN, Cell.FLAG, *_MINES)}
    cells = bytes(Cell.HIDDEN if cell in _MINES else cell for cell in last.cells)
    try:
        mines = solve(Board(last.width, last.height, None, cells), risk=False, every=True).mines
    except Contradiction:
        return "open"
    return "won" if covered == {*mines} else "open"


def _opened(board: Board) -> int:
    return sum(cell <= Cell.EIGHT for cell in board.cells)


@contextmanager
def _presses(name: str) -> Iterator[list[Press]]:
    """What is pressed on the display meanwhile."""
    found: list[Press] = []
    os.environ["XAUTHORITY"] = os.devnull  # a private display wants none, Xlib a file
    told, heard = Display(name), Display(name)
    nothing = (0, 0)
    asked = {
        "core_requests": nothing,
        "core_replies": nothing,
        "ext_requests": (0, 0, 0, 0),
        "ext_replies": (0, 0, 0, 0),
        "delivered_events": nothing,
        "device_events": (X.ButtonPress, X.ButtonPress),
        "errors": nothing,
        "client_started": False,
        "client_died": False,
    }
    context = heard.record_create_context(0, [record.AllClients], [asked])

    def hear(reply: Any) -> None:
        data = reply.data if reply.category == record.FromServer else b""
        while data:
            event, data = rq.EventField(None).parse_binary_value(data, heard.display, None, None)
            found.append(Press(time.time(), event.root_x, event.root_y, event.detail))

    thread = threading.Thread(target=heard.record_enable_context, args=(context, hear))
    thread.start()
    try:
        yield found
    finally:
        told.record_disable_context(context)
        told.sync()
        thread.join()
        heard.record_free_context(context)
        heard.close()
        told.close()


def _table(rows: dict[str, list[Played]]) -> Table:
    table = Table()
    for name in ("game", "playable", "boards", "first click", "clicks", "seconds"):
        table.add_column(name)
    for name, played in rows.items():
        firsts = [one.first for one in played if one.first is not None]
        table.add_row(
            name,
            "yes" if all(one.is_fine for one in played) else "no",
            ", ".join(one.reported + ("" if one.is_fine else "!") for one in played),
            f"{max(firsts):.2f}" if firsts else "-",
            "/".join(str(one.clicks) for one in played),
            "/".join(f"{one.seconds:.0f}" for one in played),
        )
    return table


def _summary(rows: dict[str, list[Played]]) -> str:
    every = [one for played in rows.values() for one in played]
    playable = sum(all(one.is_fine for one in played) for played in rows.values())
    counts = Counter(one.reported for one in every)
    firsts = sorted(one.first for one in every if one.first is not None)
    false = sum(one.reported == "won" != one.true for one in every)
    certain = sum(one.reported == "lost" and not one.on_guess for one in every)
    return (
        f"{playable} of {len(rows)} games playable; "
        + ", ".join(f"{number} {how}" for how, number in counts.items())
        + f"; {false} false wins, {certain} losses on no guess; first click after "
        + (f"{firsts[len(firsts) // 2]:.2f} s, at most {firsts[-1]:.2f} s" if firsts else "-")
    )


if __name__ == "__main__":
    raise SystemExit(main())
