"""Plays each game at a hand's pace, with known mistakes, while `minebot watch` looks on.

    python -m benchmarks.watching_games                    each game, on X11
    python -m benchmarks.watching_games --desktop sway     as windows of Wayland
    python -m benchmarks.watching_games --game kmines --games 5

What was clicked is what the program worked out, and each mistake that was made on purpose is
among those that it tells of; nothing else is. The first click of an opening may be any of its
empty cells.
"""

from __future__ import annotations

import argparse
import json
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from rich.console import Console
from rich.table import Table

from benchmarks.watching import chords as ready_chords
from fixtures.desktops.any_desktop import AnyDesktop, any_desktop
from minebot.actuator import Button
from minebot.analysis.move_rating import Rating
from minebot.board import Board, Cell
from minebot.capture import Pixel
from minebot.errors import MinebotError
from minebot.play.result import PlaySettings
from minebot.play.session import Session, open_session
from minebot.policy.guessing.prepare import prepare
from minebot.policy.plan import guess
from minebot.profile import load
from minebot.solver import Solver
from minebot.stop import Stop

ROOT = Path(__file__).parents[1]
GAP = 0.3
"""Seconds between a click's answer and the next click: a hand's."""
SLIP = 0.25
"""The chance of a mistake a click, where one can be made."""
LATE = 20.0
"""Seconds that the program gets to say what it saw."""


@dataclass(frozen=True, slots=True)
class Setup:
    """How a game is started, and how many mines it has then."""

    words: str
    settings: Mapping[str, str]
    size: tuple[int, int]
    mines: int
    marks: bool = False
    """Whether a flag becomes a question mark before it is gone."""


GAMES = {
    "sgt-mines": Setup("9x9n10", {}, (9, 9), 10),
    "gnome-mines": Setup("--small", {"use-question-marks": "false"}, (8, 8), 10),
    "kmines": Setup("", {"KgDifficulty/Level": "Easy"}, (9, 9), 10, marks=True),
    "xdemineur": Setup("-geometry 16x9 -m 20", {}, (16, 9), 20, marks=True),
}


@dataclass(frozen=True, slots=True)
class Sent:
    """A click that was made, the boards around it, and what mistake it is."""

    action: str
    square: int
    mistake: Rating | None
    before: Board
    after: Board
    seconds: float
    """When the click was sent, by the monotonic clock."""


def played(
    session: Session,
    setup: Setup,
    random: Random,
    *,
    slip: float = SLIP,
    chords: bool = False,
    reach: Callable[[Pixel], None] | None = None,
) -> list[Sent]:
    """Play one game at a hand's pace; what was clicked, and what came of it.

    `slip` is the chance of a mistake a click, where one can be made. With `chords` numbers are
    clicked as well, where that opens what is safe. `reach` takes the pointer to a pixel of the
    window at a hand's pace.
    """
    solver = Solver()
    sent: list[Sent] = []
    observation = session.observer.read()
    while True:
        before = observation.board
        board = before.with_mines(setup.mines)
        if board.lost or board.covered == setup.mines:
            return sent
        action, square, mistake = _next(board, solver, random, slip, chords=chords)
        pixel = observation.grid.rect(*board.xy(square)).middle
        button = Button.RIGHT if action in ("flag", "unflag") else Button.LEFT
        for _ in range(1 + (setup.marks and action == "unflag")):
            if reach is not None:
                reach(pixel)
            seconds = time.monotonic()
            session.window_session.mouse.click(observation.frame, pixel, button)
            if reach is None:
                time.sleep(GAP)
        end = time.monotonic() + 3
        while time.monotonic() < end:
            time.sleep(0.05)
            try:
                observation = session.observer.read(before)
            except MinebotError as error:
                # A new board, or a message lies over this one.
                print(f"the hand ends: {error}", file=sys.stderr)
                sent.append(Sent(action, square, mistake, before, before, seconds))
                return sent
            if observation.board.cells != before.cells:
                break
        # Not every game has chords.
        chords &= action != "chord" or observation.board.cells != before.cells
        sent.append(Sent(action, square, mistake, before, observation.board, seconds))


def _next(  # noqa: PLR0911  # a hand has many ways to go on
    board: Board, solver: Solver, random: Random, slip: float, *, chords: bool
) -> tuple[str, int, Rating | None]:
    """What to click, and what mistake it is."""
    hidden = list(board.squares(Cell.HIDDEN))
    if not board.begun:
        return "open", random.choice(hidden), None
    verdict = solver.solve(board, risk=True)
    assert verdict.risk is not None
    risk = verdict.risk
    unsure = [at for at in hidden if 0.0 < (risk[at] or 0.0) < 1.0]
    safe = [at for at in verdict.safe if board.cells[at] == Cell.HIDDEN]
    mines = [at for at in verdict.mines if board.cells[at] == Cell.HIDDEN]
    right = [at for at in verdict.mines if board.cells[at] == Cell.FLAG]
    wrong = [at for at in board.squares(Cell.FLAG) if at not in verdict.mines]
    if random.random() < slip:
        slips = [("flag", at, Rating.DOUBTFUL) for at in unsure[:1]]
        slips += [("flag", at, Rating.WRONG) for at in safe[:1]]
        slips += [("unflag", at, Rating.UNDONE) for at in right[:1]]
        bold = min(unsure, key=lambda at: risk[at] or 0.0, default=None)
        if bold is not None and verdict.safe and random.random() < 0.2:
            slips.append(("open", bold, Rating.NEEDLESS))
        if slips:
            return random.choice(slips)
    if wrong:
        return "unflag", wrong[0], None
    ready = list(ready_chords(board, set(safe), set(right))) if chords else []
    if ready and random.random() < 0.5:
        return "chord", random.choice(ready), None
    if mines and random.random() < 0.3:
        return "flag", random.choice(mines), None
    if safe:
        return "open", random.choice(safe), None
    chosen = guess(board.unflagged(), risk, set(verdict.mines)).guess
    assert chosen is not None
    return "open", chosen.square, None


def watched(place: AnyDesktop, name: str, random: Random) -> Counter[str]:
    """One game, looked on by the command; how much of it was worked out."""
    setup = GAMES[name]
    command = [name, *setup.words.split()]
    with place.start(command, setup.settings) as (desktop, window):
        settings = PlaySettings(mines=setup.mines)
        with open_session(
            desktop, window, load(name), Stop(), settings, size=setup.size
        ) as session:
            words = ["watch", "--window", window.id, "--json"]
            program = subprocess.Popen(
                [sys.executable, "-m", "minebot", *words],
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                cwd=ROOT,
                env=place.environ,
            )
            assert program.stderr is not None
            said = program.stderr.readline()
            if "watching" not in said:
                raise RuntimeError(said + program.stderr.read())
            time.sleep(1)
            sent = played(session, setup, random)
            try:
                out, said = program.communicate(timeout=LATE)
                by_itself = True
            except subprocess.TimeoutExpired:
                program.send_signal(signal.SIGINT)
                out, said = program.communicate(timeout=LATE)
                by_itself = False
    facts = json.loads(out) if out.strip() else {"moves": []}
    counts = compared(sent, facts)
    counts["ends told"] = int(by_itself)
    ended = sent[-1].after
    counts["outcomes right"] = int(facts.get("outcome") == ("lost" if ended.lost else "won"))
    if counts["clicks"] != counts["found"] or not by_itself:
        print(f"{name}: {said.strip()}", file=sys.stderr)
        for one in sent:
            print(
                f"  sent  {one.action} {one.before.xy(one.square)} {one.mistake}", file=sys.stderr
            )
        for move in facts["moves"]:
            told = f"{move['action']} {move['x'], move['y']} {move['mark']} {move['seconds']}"
            print(f"  found {told}", file=sys.stderr)
    return counts


def compared(sent: list[Sent], facts: Mapping[str, Any]) -> Counter[str]:
    """How many clicks and mistakes were found, each in its turn, and what else was."""
    counts = Counter(games=1, clicks=len(sent), mistakes=sum(bool(one.mistake) for one in sent))
    waiting = list(sent)
    for move in facts["moves"]:
        at = next((at for at, one in enumerate(waiting) if _same(one, move)), None)
        if at is None:
            counts["invented"] += 1
            counts["mistakes invented"] += bool(move["mistake"])
            continue
        one = waiting[at]
        del waiting[: at + 1]
        counts["found"] += 1
        if one.mistake is not None and move["mark"] == one.mistake.value:
            counts["mistakes found"] += 1
        elif move["mistake"]:
            counts["mistakes invented"] += 1
    return counts


def _same(sent: Sent, move: Mapping[str, Any]) -> bool:
    if sent.action != move["action"]:
        return False
    at = sent.before.square(move["x"], move["y"])
    began = (Cell.HIDDEN, Cell.EMPTY)
    return at == sent.square or (
        sent.action == "open"
        and (sent.before.cells[at], sent.after.cells[at]) == began
        and sent.after.cells[sent.square] == Cell.EMPTY
    )


def main() -> int:
    """Print a row for each game; 1 when anything was missed or invented."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--game", choices=tuple(GAMES), help="(default: each)")
    parser.add_argument("--games", type=int, default=1, help="of each (default: %(default)s)")
    parser.add_argument("--desktop", choices=("x11", "sway"), default="x11")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    prepare()
    random = Random(arguments.seed)
    names = ("games", "ends told", "outcomes right", "clicks", "found", "invented", "mistakes",
             "mistakes found", "mistakes invented")  # fmt: skip
    table = Table("game", *names, title=arguments.desktop)
    good = True
    with any_desktop(arguments.desktop) as place:
        for name in (arguments.game,) if arguments.game else GAMES:
            if arguments.desktop == "sway" and name == "xdemineur":
                continue  # has no Wayland of its own
            counts: Counter[str] = Counter()
            for _ in range(arguments.games):
                counts += watched(place, name, random)
            table.add_row(name, *(str(counts[one]) for one in names))
            good &= counts["found"] == counts["clicks"] and not counts["invented"]
            good &= counts["mistakes found"] == counts["mistakes"]
            good &= not counts["mistakes invented"]
    Console(width=140).print(table)
    return int(not good)


if __name__ == "__main__":
    sys.exit(main())
