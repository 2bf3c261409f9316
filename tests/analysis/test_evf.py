"""Games are written as replays that other programs read."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from minebot.analysis import replay_files
from minebot.analysis.evf import evf
from minebot.analysis.played_game import PlayedGame
from minebot.analysis.review import review
from minebot.board import Action, Board
from minebot.errors import UsageError
from minebot.layout import Layout
from tests.support.people import careful, played, with_chords

pytest.importorskip("ms_toollib")


JUDGE = """
import json, sys, ms_toollib
video = ms_toollib.EvfVideo(sys.argv[1])
video.parse()
video.analyse()
video.current_time = 1e6
print(json.dumps({
    "mines": [[cell == -1 for cell in row] for row in video.board],
    "3bv": video.bbbv, "solved": video.bbbv_solved, "clicks": video.cl, "ioe": video.ioe,
    "seconds": video.rtime, "completed": video.is_completed, "speed": video.bbbv_s,
    "right": video.right, "double": video.double,
}))
"""


def judged(file: Path) -> dict[str, object]:
    """What ms-toollib makes of a file; in a process of its own, for it ends that over bad ones."""
    run = subprocess.run(
        [sys.executable, "-c", JUDGE, str(file)], capture_output=True, text=True, check=True
    )
    facts: dict[str, object] = json.loads(run.stdout)
    return facts


@pytest.mark.parametrize("seed", range(8))
def test_what_is_written_agrees_with_what_the_library_reads(tmp_path: Path, seed: int) -> None:
    random = Random(seed)
    width, height, mines = [(9, 9, 10), (16, 16, 40), (30, 16, 99)][seed % 3]
    layout = Layout.scattered(width, height, mines, random, clear={0, 1, width, width + 1})
    game = with_chords(layout, 0, random) if seed % 2 else careful(layout, 0, random, 0.05)
    file = tmp_path / "game.evf"
    file.write_bytes(evf(game))
    theirs, ours = judged(file), review(game)
    assert theirs["mines"] == [
        [row * width + column in layout.mines for column in range(width)] for row in range(height)
    ]
    assert theirs["completed"] is game.won
    assert theirs["3bv"] == ours.figures.bbbv
    assert theirs["clicks"] == ours.figures.clicks
    assert theirs["seconds"] == pytest.approx(game.seconds, abs=0.0006)
    if game.won:
        assert theirs["solved"] == ours.figures.solved
        assert theirs["ioe"] == pytest.approx(ours.figures.efficiency)
        assert theirs["speed"] == pytest.approx(ours.figures.speed, rel=0.01)


@pytest.mark.parametrize("seed", range(6))
def test_a_game_is_read_back_as_it_was_played(tmp_path: Path, seed: int) -> None:
    random = Random(seed)
    layout = Layout.scattered(16, 16, 40, random, clear={0, 1, 16, 17})
    game = with_chords(layout, 0, random) if seed % 2 else careful(layout, 0, random, 0.1)
    file = tmp_path / "game.evf"
    file.write_bytes(evf(game))
    again = replay_files.load(file)
    assert [act.click.action for act in again.acts] == [act.click.action for act in game.acts]
    assert [act.after for act in again.acts] == [act.after for act in game.acts]
    assert again.layout == layout
    assert again.seconds == pytest.approx(game.seconds, abs=0.001)
    assert review(again).counts == review(game).counts


def test_a_game_whose_mines_are_not_known_makes_no_replay() -> None:
    layout = Layout.parse("*..\n...\n..*")
    game = played(layout, [(0.0, Action.OPEN, 2)])
    unknown = PlayedGame("it", game.acts, Board(3, 3, 2, game.final.cells), 1.0)
    with pytest.raises(UsageError, match="does not tell where all mines were"):
        evf(unknown)
