"""Plays boards of the real game on a private desktop, and prints how long that takes.

    python -m benchmarks.play                       30 expert boards in each style
    python -m benchmarks.play --presets all         20 boards of each of the other presets
    python -m benchmarks.play --busy 2              beside two busy processes
    python -m benchmarks.play --desktop sway --hertz 240
                                                    as a Wayland window on a sway of 240 Hz
    python -m benchmarks.play --desktop sway --scale 1.25 --outputs 2
                                                    and so on its second screen
    python -m benchmarks.play --desktop nested      in a rootful Xwayland's window on sway
    python -m benchmarks.play --desktop xwayland --on mutter
                                                    as an X11 window on mutter
    python -m benchmarks.play --desktop portal      on GNOME, shared through the portal

Each board is played once by minebot and, on X11, once by the floor: a script that sends
the same clicks in the same rounds, waiting for a repaint after each round, and neither
reads nor thinks. Every board has its seed, so both play the same one.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from rich.console import Console
from rich.table import Table

from benchmarks.stages import STAGES, timed_stages
from fixtures.busy import busy
from fixtures.desktops.mines_desktop import Opener, add_arguments, click, described, desktop_of
from minebot.actuator import Button
from minebot.board import Move
from minebot.errors import MinebotError
from minebot.play.result import GameResult, Outcome, PlaySettings
from minebot.play.session import Session, open_session
from minebot.policy.style import Style
from minebot.profile import load
from minebot.stop import Stop
from minebot.vision.grid import Grid

EXPERT = "30x16n99"
OTHERS = ("9x9n10", "9x9n35", "16x16n40", "16x16n99", "30x16n170")


@dataclass(frozen=True, slots=True)
class Played:
    """One board, played by the bot and by the floor."""

    game: GameResult
    stages: dict[str, float]
    """Seconds that the bot spent in each of `STAGES`."""
    floor: float
    """Seconds that the same clicks took; nan where the floor was not run."""
    outside: int
    """Clicks outside the grid."""


def main() -> int:
    """Print a table row for each preset and way of playing; 1 when a board was not won."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--games", type=int, help="boards a row (default: 30 expert, 20 others)")
    parser.add_argument("--presets", default=EXPERT, help="names, or 'all' (default: %(default)s)")
    parser.add_argument("--style", type=Style, choices=list(Style), help="default: all of them")
    parser.add_argument("--busy", type=int, default=0, help="busy processes beside it")
    parser.add_argument("--seed", type=int, default=1, help="of the first board")
    parser.add_argument("--no-floor", action="store_true", help="skip the floor (of X11 alone)")
    add_arguments(parser)
    arguments = parser.parse_args()
    floor = arguments.desktop == "x11" and not arguments.no_floor
    presets = OTHERS if arguments.presets == "all" else arguments.presets.split(",")
    styles = list(Style) if arguments.style is None else [arguments.style]
    console = Console(width=140)
    table = _table(described(arguments), arguments.busy)
    all_won = True
    with desktop_of(arguments) as opener, busy(arguments.busy):
        for preset in presets:
            for style in styles:
                count = arguments.games or (30 if preset == EXPERT else 20)
                seeds = range(arguments.seed, arguments.seed + count)
                ids = [f"{preset}#{seed}" for seed in seeds]
                played = [_play(opener, game_id, style, floor=floor) for game_id in ids]
                _add_row(table, preset, style, played)
                all_won &= all(one.game.outcome is Outcome.WON for one in played)
                for game_id, one in zip(ids, played, strict=True):
                    if one.game.outcome is not Outcome.WON:
                        console.print(f"{game_id}: {one.game.outcome} {one.game.reason}")
    console.print(table)
    return 0 if all_won else 1


def _play(opener: Opener, game_id: str, style: Style, *, floor: bool) -> Played:
    with _session(opener, game_id, style) as session:
        with timed_stages(session) as stages:
            game = session.play()
        last = session.player.last_seen
        assert last is not None
        grid = last.grid
        rounds = [entry.moves for entry in session.recorder.entries if entry.moves]
        outside = sum(not _inside(grid, move) for moves in rounds for move in moves)
    if not floor:
        return Played(game, stages, float("nan"), outside)
    with opener(game_id) as (desktop, window), desktop.open(window, Stop()) as window_session:
        began = time.perf_counter()
        for moves in rounds:
            frame = window_session.screen.grab()
            for move in moves:
                button = Button.LEFT if move.action.opens else Button.RIGHT
                click(window_session, frame, grid.centre(move.x, move.y), button)
            window_session.screen.wait(1.0)
        seconds = time.perf_counter() - began
    return Played(game, stages, seconds, outside)


@contextmanager
def _session(opener: Opener, game_id: str, style: Style) -> Iterator[Session]:
    with opener(game_id) as (desktop, window):
        settings = PlaySettings(style=style)
        with open_session(desktop, window, load("sgt-mines"), Stop(), settings) as session:
            session.recorder.entries = deque()  # each look, not the last few
            yield session


def _inside(grid: Grid, move: Move) -> bool:
    return grid.bounds.holds(grid.centre(move.x, move.y))


def _table(desktop: str, processes: int) -> Table:
    table = Table(title=f"minebot on sgt-mines, {desktop}, {processes} busy processes beside it")
    for heading in ("board", "style", "won", "outside", "min s", "median s", "max s", "clicks"):
        table.add_column(heading, justify="right")
    for stage in STAGES:
        table.add_column(f"{stage} %", justify="right")
    table.add_column("floor s", justify="right")
    table.add_column("x floor", justify="right")
    return table


def _add_row(table: Table, preset: str, style: Style, played: list[Played]) -> None:
    games = [one.game for one in played]
    seconds = [game.seconds for game in games]
    floors = [one.floor for one in played]
    # The first look comes before the first click, so the stages add up to more than the time.
    total = sum(sum(one.stages.values()) for one in played)
    shares = (100 * sum(one.stages[stage] for one in played) / total for stage in STAGES)
    table.add_row(
        preset,
        style.value,
        f"{sum(game.outcome is Outcome.WON for game in games)}/{len(games)}",
        str(sum(one.outside for one in played)),
        f"{min(seconds):.2f}",
        f"{statistics.median(seconds):.2f}",
        f"{max(seconds):.2f}",
        f"{statistics.median(game.clicks for game in games):.0f}",
        *(f"{share:.0f}" for share in shares),
        f"{statistics.median(floors):.2f}",
        f"{statistics.median(a / b for a, b in zip(seconds, floors, strict=True)):.1f}",
    )


if __name__ == "__main__":
    try:
        sys.exit(main())
    except MinebotError as error:
        sys.exit(f"play: {error}")
