"""Has unknown games learnt, then plays them with what was learnt alone.

    python -m benchmarks.unknown                           each game once
    python -m benchmarks.unknown winemine --runs 5         five times
    python -m benchmarks.unknown --kill 20 sgt-mines       is killed 20 times while it learns
    python -m benchmarks.unknown --desktop sway sgt-mines gnome-mines page-flat

Each game is started on a desktop of its own (`fixtures/unknown_games.py`; those in a page need
`npm install` in `fixtures/pages`), and `minebot calibrate` is run as a user runs it who is
asked for nothing. Then games are played by what was found: each has to be won, or lost on a cell
that was reported as a guess; a board that shows a tile in doubt is refused.
"""

from __future__ import annotations

import argparse
import os
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from rich.console import Console
from rich.table import Table

from benchmarks.stages import STAGES, timed_stages
from fixtures.desktops.any_desktop import sway_seen
from fixtures.desktops.sway import SwayDesktop
from fixtures.unknown_games import GAMES, Place, Unknown, shown
from minebot.capture import Window
from minebot.desktop.choose import native
from minebot.desktop.ports import Desktop
from minebot.errors import MinebotError, UnreadableTile
from minebot.play.result import GameResult, Outcome, PlaySettings
from minebot.play.session import open_session
from minebot.policy.guessing.prepare import prepare
from minebot.profile import Profile, load, load_file
from minebot.sandbox.private_display import PrivateDisplay
from minebot.stop import Stop

ROOT = Path(__file__).parents[1]
SCREEN = (1400, 1000)
_GAME = re.compile(rb"game (\d+): ")
_APART = 1.1
"""Seconds between two boards: WineMine lays the same mines for those that begin in one second."""
_LATEST = 40.0
"""Seconds after the first game in which it is killed. Specified: some games, and pauses."""


@dataclass(slots=True)
class Run:
    """One game learnt, and played."""

    seconds: float = 0.0
    profile: Profile | None = None
    games: list[GameResult] = field(default_factory=list)
    stages: list[dict[str, float]] = field(default_factory=list)
    """Where the time of each of these games went, as `timed_stages` tells it."""
    refused: int = 0
    """Boards on which a tile was shown that could not be read."""
    problem: str = ""

    @property
    def dishonest(self) -> list[GameResult]:
        """Games that were neither won, nor lost on a reported guess."""
        return [
            game
            for game in self.games
            if game.outcome is not Outcome.WON
            and not (game.outcome is Outcome.LOST and game.hit_a_guess)
        ]


def main() -> int:
    """Print a row for each run; 1 where one has no profile or a dishonest game."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("games", nargs="*", choices=[[], *GAMES], metavar="GAME")
    parser.add_argument("--runs", type=int, default=1, help="of each game (default: 1)")
    parser.add_argument("--learn", type=int, default=8, help="the most games to learn by")
    parser.add_argument("--play", type=int, default=5, help="games to play afterwards")
    parser.add_argument("--kill", type=int, default=0, help="try so often to kill it instead")
    parser.add_argument("--profile", help="learn nothing: play with that profile, or its file")
    parser.add_argument("--out", type=Path, help="where to leave the profiles")
    parser.add_argument(
        "--desktop",
        choices=("x11", "sway"),
        default="x11",
        help="Xvfb and openbox, or sway with Wayland windows (default: %(default)s)",
    )
    arguments = parser.parse_args()
    names = arguments.games or [game.name for game in GAMES.values() if game.often]
    if arguments.kill:
        return max(_killed(GAMES[name], arguments.kill) for name in names)
    prepare()
    table = Table()
    for heading in (
        "game",
        "run",
        "s",
        "flags",
        "new board",
        "total",
        "won",
        "lost on",
        "refused",
        "median",
    ):
        table.add_column(heading, overflow="fold")
    good = True
    with tempfile.TemporaryDirectory() as folder:
        for name in names:
            for number in range(1, arguments.runs + 1):
                out = (arguments.out or Path(folder)) / f"{name}-{number}"
                known = _known(arguments.profile) if arguments.profile else None
                run = _run(arguments, GAMES[name], out, known)
                _add(table, name, number, run)
                whole = run.profile is not None and len(run.games) == arguments.play
                good &= whole and not run.dishonest
                if run.problem:
                    print(f"{name} {number}: {run.problem}", flush=True)
                for game in run.dishonest:
                    print(
                        f"{name} {number}: {game.outcome}: {game.reason}\n{game.board}", flush=True
                    )
    Console(width=120).print(table)
    return 0 if good else 1


def _known(name: str) -> Profile:
    return load_file(Path(name)) if Path(name).is_file() else load(name)


def _run(arguments: argparse.Namespace, game: Unknown, out: Path, known: Profile | None) -> Run:
    run, play = Run(profile=known), arguments.play
    try:
        with _on_sway() if arguments.desktop == "sway" else _on_x11() as (place, desktop):
            with shown(place, desktop, game) as window:
                if known is None and not _learn(run, place, str(window.id), out, arguments.learn):
                    return run
                assert run.profile is not None
                _play(run, desktop, window, game, play)
            # A game that was given up may ask about that: the next board is a new window's.
            while len(run.games) < play and 0 < run.refused <= play:
                with shown(place, desktop, game) as window:
                    _play(run, desktop, window, game, play)
    except MinebotError as error:
        run.problem = f"{type(error).__name__}: {error}"
    return run


@contextmanager
def _on_x11() -> Iterator[tuple[Place, Desktop]]:
    with PrivateDisplay(SCREEN) as display:
        yield display, native(display.name)


@dataclass(frozen=True, slots=True)
class _OnSway:
    sway: SwayDesktop

    def environ(self, extra: Mapping[str, str]) -> dict[str, str]:
        """As `Place` has it."""
        path = f"{os.environ['PATH']}:/usr/games"
        native = {"GDK_BACKEND": "wayland", "QT_QPA_PLATFORM": "wayland"}
        return {**self.sway.environ, "PATH": path, **native, **extra}


@contextmanager
def _on_sway() -> Iterator[tuple[Place, Desktop]]:
    with sway_seen(SCREEN) as (sway, desktop):
        yield _OnSway(sway), desktop


def _play(run: Run, desktop: Desktop, window: Window, game: Unknown, play: int) -> None:
    """Play until so many games are over, or a board shows a tile in doubt."""
    profile = run.profile
    assert profile is not None
    told = profile.status is not None or profile.counter is not None
    settings = PlaySettings(mines=None if told else game.mines or None)
    try:
        with open_session(desktop, window, profile, Stop(), settings) as session:
            for number in range(play - len(run.games)):
                if number:
                    time.sleep(_APART)
                    session.new_game()
                with timed_stages(session) as stages:
                    run.games.append(session.play())
                run.stages.append(stages)
                run.profile = session.profile
    except UnreadableTile as error:
        # Nobody is here to name it.
        run.refused += 1
        run.problem = f"refused {run.refused} boards; the last: {error}"


def _learn(run: Run, place: Place, window: str, out: Path, games: int) -> bool:
    """Have the game learnt by so many games at most; whether that made a profile."""
    began = time.monotonic()
    words = ["--name", "it", "--window", window, "--force", "--out", str(out.absolute())]
    command = [sys.executable, "-m", "minebot", "calibrate", *words, "--games", str(games)]
    environ = {**place.environ({}), "PYTHONPATH": str(ROOT / "bot")}
    status = subprocess.run(command, stdin=subprocess.DEVNULL, env=environ, check=False).returncode
    run.seconds = time.monotonic() - began
    path = out / "it" / "profile.toml"
    if not path.exists():
        run.problem = f"no profile; exit status {status}"
        return False
    run.profile = load_file(path)
    return True


def _add(table: Table, name: str, number: int, run: Run) -> None:
    profile = run.profile
    if profile is None:
        table.add_row(name, str(number), f"{run.seconds:.0f}", "no profile")
        return
    behaviour = profile.behaviour
    flags = "button" if behaviour.flag_button else behaviour.flag_modifier or "right"
    flags = flags if behaviour.flags else "none"
    way = behaviour.new_game_key or ("button" if behaviour.new_game_button else "none")
    total = "counter" if profile.counter else "text" if profile.status else "--mines"
    won = sum(game.outcome is Outcome.WON for game in run.games)
    guessed = sum(bool(game.hit_a_guess) for game in run.games)
    lost = f"{guessed} guessed, {len(run.dishonest)} not"
    figures = (f"{run.seconds:.0f}", flags, way, total)
    times = [game.seconds for game in run.games if game.outcome is Outcome.WON]
    median = f"{statistics.median(times):.2f}" if times else ""
    if times:
        print(f"{name} {number}: {_stages(run)}")
    row = (
        *figures,
        f"{won} of {len(run.games)}",
        lost,
        str(run.refused),
        median,
    )
    table.add_row(name, str(number), *row)


def _stages(run: Run) -> str:
    """Where the time of the games that were won went, a game's mean in seconds."""
    played = zip(run.games, run.stages, strict=True)
    won = [(game, stages) for game, stages in played if game.outcome is Outcome.WON]
    sums = {stage: sum(each[stage] for _, each in won) / len(won) for stage in STAGES}
    clicks = sum(game.clicks for game, _ in won) / len(won)
    shares = ", ".join(f"{stage} {seconds:.2f}" for stage, seconds in sums.items())
    return f"{clicks:.0f} clicks; {shares}"


def _killed(game: Unknown, tries: int) -> int:
    """Kill it again and again while it learns; how often what it had found was not there."""
    random = Random(1)
    lost = 0
    with tempfile.TemporaryDirectory() as folder, PrivateDisplay(SCREEN) as display:
        desktop = native(display.name)
        with shown(display, desktop, game) as window:
            words = ["--name", "it", "--window", str(window.id), "--display", display.name]
            command = [sys.executable, "-m", "minebot", "calibrate", *words, "--out", folder]
            for number in range(1, tries + 1):
                before = _kept(Path(folder))
                seconds = random.uniform(2, _LATEST)
                told, last = _interrupted([*command, "--games", "50"], seconds)
                after = _kept(Path(folder))
                lost += bool((before or told) and not after)
                print(f"{number}: told of {told} games; {last}", flush=True)
    print(f"{tries} tries, {lost} lost something")
    return int(lost > 0)


def _interrupted(command: list[str], seconds: float) -> tuple[int, str]:
    """Run it so long at most, then kill it; how many games it has told of, and its last line."""
    with tempfile.TemporaryFile() as errors:
        with subprocess.Popen(
            command, stderr=errors, stdin=subprocess.DEVNULL, start_new_session=True
        ) as process:
            try:
                process.wait(seconds)
            except subprocess.TimeoutExpired:
                process.send_signal(signal.SIGKILL)
        errors.seek(0)
        lines = errors.read().splitlines()
    told = sum(b"not understood" not in line for line in lines if _GAME.match(line))
    return told, lines[-1].decode(errors="replace") if lines else "it said nothing"


def _kept(folder: Path) -> str:
    """The lines of the profile that tell how the game behaves; empty where there is none."""
    path = folder / "it" / "profile.toml"
    return path.read_text() if path.exists() else ""


if __name__ == "__main__":
    sys.exit(main())
