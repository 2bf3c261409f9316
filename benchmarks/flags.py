"""Counts the clicks on the real game that get lost or land elsewhere, by the flags they set.

    python -m benchmarks.flags --desktop sway                   10,000 clicks, natively on sway
    python -m benchmarks.flags --desktop sway --scale 1.25 --clicks 3000
    python -m benchmarks.flags --desktop portal --clicks 3000   through GNOME's portal
    python -m benchmarks.flags --busy 2                         on X11, beside two busy processes

Each round clicks up to 300 different cells of a fresh expert board with the right button,
without a look in between, and reads the board once nothing changes any more. A cell without
its flag is a lost click, a flag elsewhere a misplaced one; clicking a cell twice is both.
"""

from __future__ import annotations

import argparse
import random
import sys
import time

from rich.console import Console
from rich.table import Table

from fixtures.busy import busy
from fixtures.desktops.mines_desktop import Opener, add_arguments, click, described, desktop_of
from minebot.actuator import Button
from minebot.board import Cell
from minebot.errors import MinebotError
from minebot.play.observer import Observation
from minebot.play.result import PlaySettings
from minebot.play.session import Session, open_session
from minebot.profile import load
from minebot.stop import Stop

EXPERT = "30x16n99"
ROUND = 300
"""Clicks on one board."""
QUIET = 0.5
"""Seconds without a change after which none is expected; guessed: some 0.05 are usual."""


def main() -> int:
    """Print the counts; 1 when a click was lost or misplaced."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--clicks", type=int, default=10_000, help="(default: %(default)s)")
    parser.add_argument("--busy", type=int, default=0, help="busy processes beside it")
    parser.add_argument("--seed", type=int, default=1, help="of the first round")
    add_arguments(parser)
    arguments = parser.parse_args()
    console = Console(width=140, highlight=False)
    lost = misplaced = sent = 0
    seconds = 0.0
    with desktop_of(arguments) as opener, busy(arguments.busy):
        seed = arguments.seed
        while sent < arguments.clicks:
            count = min(ROUND, arguments.clicks - sent)
            wanted, flagged, took = play_round(opener, seed, count)
            if wanted != flagged:
                without, elsewhere = len(wanted - flagged), len(flagged - wanted)
                console.print(f"round {seed}: {without} lost, {elsewhere} misplaced")
                lost, misplaced = lost + without, misplaced + elsewhere
            sent, seconds, seed = sent + count, seconds + took, seed + 1
    console.print(f"{described(arguments)}, {arguments.busy} busy processes beside it")
    table = Table()
    for heading in ("clicks", "lost", "misplaced", "ms a click"):
        table.add_column(heading, justify="right")
    table.add_row(str(sent), str(lost), str(misplaced), f"{1000 * seconds / sent:.2f}")
    console.print(table)
    return 1 if lost or misplaced else 0


def play_round(opener: Opener, seed: int, count: int) -> tuple[set[int], set[int], float]:
    """The squares that were clicked, those with flags then, and the seconds of the clicking."""
    with opener(f"{EXPERT}#{seed}") as (desktop, window):
        profile = load("sgt-mines")
        with open_session(desktop, window, profile, Stop(), PlaySettings()) as session:
            observation = _at_rest(session)
            board, grid = observation.board, observation.grid
            squares = random.Random(seed).sample(range(len(board.cells)), count)
            frame = session.window_session.screen.grab()
            began = time.perf_counter()
            for square in squares:
                click(session.window_session, frame, grid.centre(*board.xy(square)), Button.RIGHT)
            seconds = time.perf_counter() - began
            return set(squares), set(_at_rest(session).board.squares(Cell.FLAG)), seconds


def _at_rest(session: Session) -> Observation:
    """The board once it has not changed for a while."""
    observation, since = session.observer.read(), time.monotonic()
    while time.monotonic() < since + QUIET:
        session.window_session.screen.wait(0.05)
        now = session.observer.read()
        if now.board != observation.board:
            since = time.monotonic()
        observation = now
    return observation


if __name__ == "__main__":
    try:
        sys.exit(main())
    except MinebotError as error:
        sys.exit(f"flags: {error}")
