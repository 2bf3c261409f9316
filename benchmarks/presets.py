"""Plays each preset of the GNOME Mines and the KMines installed here, in the window it opens with.

    python -m benchmarks.presets                        both games and all presets, 3 boards each
    python -m benchmarks.presets --boards 10 kmines
    python -m benchmarks.presets --at-first-sight gnome-mines

Each board has to be won, or lost on a cell that was reported as a guess. Seconds are from the first
click to the end. Debian 13 has other versions of the games than Debian 12: `tools/bare-debian` runs
this on either.
"""

from __future__ import annotations

import argparse
import statistics
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from rich.console import Console
from rich.table import Table

from fixtures.any_game import any_game
from minebot.desktop.choose import native
from minebot.errors import MinebotError
from minebot.play.identify import profile_at_first_sight
from minebot.play.result import Outcome, PlaySettings
from minebot.play.session import open_session
from minebot.policy.guessing.prepare import prepare
from minebot.profile import load
from minebot.sandbox.private_display import PrivateDisplay
from minebot.stop import Stop

SCREEN = (1700, 1100)
_GNOME = {"8x8": "--small", "16x16": "--medium", "30x16": "--big"}
_KMINES = ("Easy", "Medium", "Hard")


@dataclass(slots=True)
class Row:
    """One preset's boards."""

    ended: Counter[str] = field(default_factory=Counter)
    seconds: list[float] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)


def main() -> int:
    """Print a row for each preset; 1 when a board ended otherwise than it should."""
    parser = argparse.ArgumentParser(description=__doc__.split("\\n")[0])
    parser.add_argument("games", nargs="*", help="some of them (default: all)")
    parser.add_argument("--boards", type=int, default=3, help="of each (default: %(default)s)")
    parser.add_argument(
        "--at-first-sight", action="store_true", help="without what the profiles know"
    )
    arguments = parser.parse_args()
    prepare()
    console = Console(width=140)
    table = Table("game", "preset", "won", "lost on a guess", "otherwise", "median s", "problems")
    good = True
    for preset in _presets():
        if arguments.games and preset.program not in arguments.games:
            continue
        row = _played(preset, arguments.boards, at_first_sight=arguments.at_first_sight)
        good &= not row.ended["otherwise"]
        median = f"{statistics.median(row.seconds):.2f}" if row.seconds else ""
        ended = [str(row.ended[name]) for name in ("won", "lost", "otherwise")]
        problems = "; ".join(dict.fromkeys(row.problems))
        table.add_row(preset.program, preset.name, *ended, median, problems)
        console.print(preset.program, preset.name, dict(row.ended), median, problems)
    console.print(table)
    return 0 if good else 1


@dataclass(frozen=True, slots=True)
class Preset:
    """One preset of a game, and how it is started."""

    program: str
    name: str
    option: str | None
    settings: Mapping[str, str]


def _presets() -> Iterator[Preset]:
    for name, option in _GNOME.items():
        yield Preset("gnome-mines", name, option, {"theme": "'default'"})
    for name in _KMINES:
        yield Preset("kmines", name, None, {"KgDifficulty/Level": name})


def _played(preset: Preset, boards: int, *, at_first_sight: bool) -> Row:
    row = Row()
    with PrivateDisplay(SCREEN) as display:
        for _ in range(boards):
            try:
                with any_game(
                    display, preset.option, program=preset.program, settings=preset.settings
                ):
                    _play(display, preset.program, row, at_first_sight=at_first_sight)
            except MinebotError as error:
                row.ended["otherwise"] += 1
                row.problems.append(f"{type(error).__name__}: {error}")
    return row


def _play(display: PrivateDisplay, program: str, row: Row, *, at_first_sight: bool) -> None:
    desktop = native(display.name)
    (window,) = desktop.windows()
    profile = profile_at_first_sight(window) if at_first_sight else load(program)
    with open_session(desktop, window, profile, Stop(), PlaySettings()) as session:
        game = session.play()
    is_guess = game.outcome is Outcome.LOST and bool(game.hit_a_guess)
    won = game.outcome is Outcome.WON
    row.ended["won" if won else "lost" if is_guess else "otherwise"] += 1
    row.seconds.append(game.seconds)
    if not won and not is_guess:
        row.problems.append(game.reason or "lost, and not on a guess")


if __name__ == "__main__":
    sys.exit(main())
