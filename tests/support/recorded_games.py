"""Games as they are recorded while they are played."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import numpy as np

from minebot.analysis.played_game import PlayedGame
from minebot.board import Action, Move
from minebot.capture import Frame
from minebot.layout import Layout
from minebot.recording.recorder import Recorder, Recording
from minebot.solver import solve
from minebot.stop import Stop
from tests.support.people import played

FIELD = Layout.scattered(9, 9, 10, Random(0), clear={0, 1, 9, 10})
"""One that needs no guess."""


def slow(pause: float) -> PlayedGame:
    """A game with one long pause over cells that are safe."""
    clicks = [(0.0, Action.OPEN, 0)]
    now = 0.0
    while True:
        game = played(FIELD, clicks)
        if game.won:
            return game
        safe = solve(game.final, risk=True).safe
        now += pause if len(clicks) == 3 else 0.3
        clicks.append((now, Action.OPEN, safe[0]))


def record(folder: Path, *played: PlayedGame, times: bool = True) -> None:
    """Write games as the player does."""
    now = [0.0]
    with Recording(folder, Stop()) as recording:
        recorder = Recorder(lambda: now[0], recording)
        blank = Frame(np.zeros((4, 4, 4), np.uint8))
        for game in played:
            for act in game.acts:
                now[0] = act.click.seconds
                recorder.looked(blank, act.before.with_mines(None))
                recorder.entries[-1].total = game.final.mines if act.before.begun else None
                xy = act.before.xy(act.click.square)
                recorder.clicked(Move(Action(act.click.action.value), *xy), now[0])
            now[0] = game.ended
            recorder.looked(blank, game.final.with_mines(None))
    if not times:
        journal = folder / "journal.jsonl"
        lines = [json.loads(line) for line in journal.read_text().splitlines()]
        for line in lines:
            del line["times"], line["total"]
        journal.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
