"""Plays boards of the real game through the portal of a headless GNOME, and counts its clicks.

    python -m benchmarks.portal                     20 expert boards, and 3,000 clicks
    python -m benchmarks.portal --share window      of the window, not of the screen

Each board has its seed. The clicks are right ones, each on another cell of a fresh board; the
flags are counted in a picture of it.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from rich.console import Console
from rich.table import Table

from bot.actuator import Button
from bot.board import Cell
from bot.desktop.portal.desktop import PortalDesktop
from bot.desktop.ports import Seat
from bot.errors import MinebotError
from bot.play.result import GameResult, Outcome, Settings
from bot.play.session import open_session
from bot.profile import load
from bot.stop import Stop
from bot.vision.reader import Reader
from fixtures.desktops.gnome import HeadlessGnome
from fixtures.desktops.portal_dialog import answering, share_screen, share_window

EXPERT = "30x16n99"
WIDTH, HEIGHT = 30, 16
"""Columns and rows of an expert board."""
A_BOARD = 300
"""Clicks to a board; guessed: most of its 480 cells, and not all."""
STAGES = ("grab", "read", "solve", "click", "wait")


class Shared:
    """A headless GNOME whose user shares its screen, or each window, when asked."""

    def __init__(self, gnome: HeadlessGnome, token: Path, *, window: bool) -> None:
        self.gnome = gnome
        self._window = window
        self._desktop: PortalDesktop | None = None
        self._token = token

    @contextmanager
    def game(self, seed: int) -> Iterator[PortalDesktop]:
        """A game, and the desktop on which it is shared already."""
        with self.gnome.game(f"sgt-mines {EXPERT}#{seed}"):
            if self._desktop is None:
                self._desktop = PortalDesktop(lambda _: None, bus=self.gnome.bus, token=self._token)
                stop, window = Stop(), self._desktop.pick(None, lambda _: False)
                share = share_window if self._window else share_screen
                with answering(self.gnome.user, share, stop), self._desktop.open(window, stop):
                    pass
                # To look at it as well would take the shell's time.
                self.gnome.user.close_eyes()
            yield self._desktop
        if self._window:
            self.close()

    def close(self) -> None:
        """End the sharing."""
        if self._desktop is not None:
            self._desktop.close()
            self._desktop = None


def main() -> int:
    """Print a table for the games and a line for the clicks; 1 when any was lost."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--games", type=int, default=20, help="boards (default: %(default)s)")
    parser.add_argument("--clicks", type=int, default=3000, help="(default: %(default)s)")
    parser.add_argument("--share", choices=("screen", "window"), default="screen")
    parser.add_argument("--seed", type=int, default=1, help="of the first board")
    arguments = parser.parse_args()
    console = Console(width=120)
    with HeadlessGnome() as gnome, tempfile.TemporaryDirectory() as folder:
        shared = Shared(gnome, Path(folder, "token"), window=arguments.share == "window")
        seeds = range(arguments.seed, arguments.seed + arguments.games)
        games = [play(shared, seed) for seed in seeds]
        lost, spent = clicks_lost(shared, arguments.clicks)
        shared.close()
    if games:
        console.print(_table(games, arguments.share))
    console.print(
        f"{arguments.clicks} clicks: {lost} lost or misplaced, "
        f"{1000 * spent / max(1, arguments.clicks):.1f} ms each"
    )
    won = all(game.outcome is Outcome.WON for game in games)
    return 0 if won and not lost else 1


def play(shared: Shared, seed: int) -> GameResult:
    """Play the board of that seed."""
    with (
        shared.game(seed) as desktop,
        open_session(
            desktop,
            desktop.pick(None, lambda _: False),
            load("sgt-mines"),
            Stop(),
            Settings(),
        ) as session,
    ):
        return session.play()


def clicks_lost(shared: Shared, count: int) -> tuple[int, float]:
    """How many of so many right clicks set no flag where they should, and the seconds they took."""
    lost, spent, rng = 0, 0.0, random.Random(1)
    for number, done in enumerate(range(0, count, A_BOARD), 1):
        cells = rng.sample(range(WIDTH * HEIGHT), min(A_BOARD, count - done))
        with (
            shared.game(number) as desktop,
            desktop.open(desktop.pick(None, lambda _: False), Stop()) as seat,
        ):
            seat.control.show()
            flagged, seconds = _flag(seat, cells)
        lost += len(set(cells) ^ flagged)
        spent += seconds
    return lost, spent


def _flag(seat: Seat, cells: list[int]) -> tuple[set[int], float]:
    """Click with the right button on each of the cells; those flagged then, and the seconds."""
    reader = Reader(load("sgt-mines"))
    frame = seat.screen.grab()
    reader.read(frame)
    grid = reader.grid
    assert grid is not None
    began = time.perf_counter()
    for cell in cells:
        seat.mouse.click(frame, grid.centre(cell % WIDTH, cell // WIDTH), Button.RIGHT)
    seconds = time.perf_counter() - began
    while seat.screen.wait(1.0):
        seat.screen.grab()
    board = reader.read(seat.screen.grab())
    return {square for square, cell in enumerate(board.cells) if cell == Cell.FLAG}, seconds


def _table(games: list[GameResult], share: str) -> Table:
    table = Table(title=f"minebot on sgt-mines {EXPERT}, headless GNOME, a {share} by the portal")
    for heading in ("won", "min s", "median s", "max s", "clicks", "rounds"):
        table.add_column(heading, justify="right")
    for stage in STAGES:
        table.add_column(f"{stage} s", justify="right")
    seconds = [game.seconds for game in games]
    table.add_row(
        f"{sum(game.outcome is Outcome.WON for game in games)}/{len(games)}",
        f"{min(seconds):.2f}",
        f"{statistics.median(seconds):.2f}",
        f"{max(seconds):.2f}",
        f"{statistics.median(game.clicks for game in games):.0f}",
        f"{statistics.median(game.rounds for game in games):.0f}",
        *(f"{statistics.median(game.stages[stage] for game in games):.2f}" for stage in STAGES),
    )
    return table


if __name__ == "__main__":
    try:
        sys.exit(main())
    except MinebotError as error:
        sys.exit(f"portal: {error}")
