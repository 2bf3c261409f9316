"""Writes many games as EVF replays, and asks the library that other players use what is in them.

    python -m benchmarks.evf --games 1000

Made-up users play boards of all usual sizes, with flags, chords, useless clicks and mines that
are hit. What ms-toollib reads is held against the game: mines, outcome, 3BV, what was solved of
it, clicks, efficiency, time; and the game that this program reads back against the one written.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

from minebot.analysis import replay_files
from minebot.analysis.played_game import Click, PlayedGame, Simulated, replayed
from minebot.analysis.replay_files import evf
from minebot.analysis.review import Review
from minebot.board import Action, Board, Cell
from minebot.layout import Layout

SIZES = ((9, 9, 10), (16, 16, 40), (30, 16, 99), (8, 8, 10), (40, 20, 160))
LIBRARY = """
import json, sys, ms_toollib
for file in sys.argv[1:]:
    video = ms_toollib.EvfVideo(file)
    video.parse()
    video.analyse()
    video.current_time = 1e6
    print(json.dumps({
        "mines": [at for at, cell in enumerate(sum(map(list, video.board), [])) if cell == -1],
        "won": video.is_completed, "3bv": video.bbbv, "solved": video.bbbv_solved,
        "clicks": video.cl, "efficiency": video.ioe, "seconds": video.rtime,
        "speed": video.bbbv_s,
    }))
"""


def made_up(random: Random) -> PlayedGame:
    """A game by somebody who knows the layout, is careless, and ends it one way or the other."""
    width, height, mines = random.choice(SIZES)
    layout = Layout.scattered(width, height, mines, random, clear={0})
    shows = [
        Cell.MINE if at in layout.mines else number for at, number in enumerate(layout.numbers)
    ]
    start = Board.hidden(width, height, mines)
    game = Simulated(start, shows)
    clicks = [Click(0.0, Action.OPEN, 0)]
    game.click(Action.OPEN, 0)
    boldness = random.choice((0.0, 0.0, 0.01))
    while not game.board.lost and game.board.covered > mines:
        action, square = _next(game.board, layout, random, boldness)
        clicks.append(Click(clicks[-1].seconds + random.randint(40, 900) / 1000, action, square))
        game.click(action, square)
    return replayed("a game", clicks, Simulated(start, shows), clicks[-1].seconds)


def _next(board: Board, layout: Layout, random: Random, boldness: float) -> tuple[Action, int]:
    hidden = list(board.squares(Cell.HIDDEN))
    flags = set(board.squares(Cell.FLAG))
    roll = random.random()
    if roll < boldness:
        return Action.OPEN, random.choice(hidden)
    if roll < 0.05:
        return Action.OPEN, random.randrange(len(board.cells)) if not layout.mines - flags else (
            random.choice([at for at in range(len(board.cells)) if at not in layout.mines])
        )
    if roll < 0.1 and flags:
        return Action.UNFLAG, random.choice(sorted(flags))
    if roll < 0.35 and layout.mines - flags:
        return Action.FLAG, random.choice(sorted(layout.mines - flags))
    if roll < 0.6:
        ready = [
            at for at, cell in enumerate(board.cells)
            if 0 < cell <= Cell.EIGHT
            and {one for one in board.neighbours(at) if one in layout.mines}
            == flags.intersection(board.neighbours(at))
        ]  # fmt: skip
        if ready:
            return Action.CHORD, random.choice(ready)
    return Action.OPEN, random.choice([at for at in hidden if at not in layout.mines] or hidden)


def main() -> int:
    """Print how many agree in what; 1 where any does not."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    random = Random(arguments.seed)
    games = [made_up(random) for _ in range(arguments.games)]
    counts: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder, f"{number}.evf") for number in range(len(games))]
        for file, game in zip(files, games, strict=True):
            file.write_bytes(evf(game))
        run = subprocess.run(
            [sys.executable, "-c", LIBRARY, *map(str, files)],
            capture_output=True, text=True, check=True, cwd=folder,
        )  # fmt: skip
        lines = run.stdout.splitlines()
        for file, game, line in zip(files, games, lines, strict=True):
            counts["games"] += 1
            counts["won" if game.won else "lost"] += 1
            for name, agrees in _agreement(game, json.loads(line)).items():
                counts[f"agree: {name}"] += agrees
            again = replay_files.load(file)
            counts["read back the same"] += (
                [(act.click.action, act.click.square, act.after) for act in again.acts]
                == [(act.click.action, act.click.square, act.after) for act in game.acts]
                and again.layout == game.layout
                and abs(again.seconds - game.seconds) < 0.001
            )
    for name, count in counts.items():
        print(f"{count:6} {name}")
    whole = {name: count for name, count in counts.items() if name not in ("won", "lost")}
    return int(len(set(whole.values())) > 1)


def _agreement(game: PlayedGame, theirs: dict[str, Any]) -> dict[str, bool]:
    ours = Review(game, ())
    layout = game.layout
    assert layout is not None
    assert ours.figures.solved is not None
    clicks = len(game.acts)
    return {
        "mines": theirs["mines"] == sorted(layout.mines),
        "won or lost": theirs["won"] is game.won,
        "3BV": theirs["3bv"] == ours.figures.bbbv,
        "3BV solved": theirs["solved"] == ours.figures.solved,
        "clicks": theirs["clicks"] == clicks,
        "efficiency": abs(theirs["efficiency"] - ours.figures.solved / clicks) < 1e-6,
        "seconds": abs(theirs["seconds"] - game.seconds) < 0.0006,
        "3BV/s": not game.seconds
        or abs(theirs["speed"] - ours.figures.solved / game.seconds)
        < 0.01 * theirs["speed"] + 1e-3,
    }


if __name__ == "__main__":
    sys.exit(main())
