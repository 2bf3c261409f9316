"""Replay files: what is written is read back the same, by the library that other players use."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from minebot.analysis import replay_files
from minebot.analysis.played_game import PlayedGame
from minebot.analysis.replay_files import evf
from minebot.analysis.review import review
from minebot.board import Action, Board
from minebot.cli import main
from minebot.errors import UsageError
from minebot.layout import Layout
from tests.support.people import careful, played, with_chords

pytest.importorskip("ms_toollib")


def with_events(file: Path, events: list[tuple[str, int]]) -> PlayedGame:
    """A replay whose mouse does just that, each event at the middle of a cell."""
    layout = Layout.parse("*..\n...\n...")
    plain = evf(played(layout, [(0.0, Action.OPEN, 8)]))
    head = plain[: -1 - 3 * 8]
    codes = {"mv": 1, "lc": 2, "lr": 3, "rc": 4, "rr": 5, "mc": 6, "mr": 7, "pf": 8, "cc": 9}
    for now, (what, square) in enumerate(events):
        x, y = square % 3 * 16 + 8, square // 3 * 16 + 8
        head += bytes([codes[what]]) + now.to_bytes(3) + x.to_bytes(2) + y.to_bytes(2)
    file.write_bytes(head + b"\xff")
    return replay_files.load(file)


@pytest.mark.parametrize(
    ("events", "actions"),
    [
        ([("lc", 4), ("lr", 4)], [Action.OPEN]),
        ([("lc", 8), ("lr", 4)], [Action.OPEN]),
        ([("rc", 0), ("rr", 0)], [Action.FLAG]),
        ([("rc", 0), ("rr", 0), ("rc", 0), ("rr", 0)], [Action.FLAG, Action.UNFLAG]),
        ([("pf", 0), ("lc", 4), ("lr", 4)], [Action.FLAG, Action.OPEN]),
        ([("lc", 4), ("rc", 4), ("rr", 4), ("lr", 4)], [Action.CHORD]),
        ([("lc", 4), ("rc", 4), ("lr", 4), ("rr", 4)], [Action.CHORD]),
        ([("mc", 4), ("mr", 4)], [Action.CHORD]),
        ([("lc", 4), ("lr", 4), ("rc", 4), ("cc", 4), ("lr", 4), ("rr", 4)],
         [Action.OPEN, Action.CHORD]),
        ([("lr", 4), ("rr", 4)], []),
        ([("lc", 4), ("lr", 4), ("rc", 4), ("lc", 4), ("lr", 4), ("rr", 4)],
         [Action.OPEN, Action.CHORD]),
        ([("lc", 4), ("lr", 4), ("rc", 4), ("rr", 4)], [Action.OPEN, Action.FLAG]),
    ],
)  # fmt: skip
def test_buttons_do_what_they_do_in_those_programs(
    tmp_path: Path, events: list[tuple[str, int]], actions: list[Action]
) -> None:
    assert [act.click.action for act in with_events(tmp_path / "a.evf", events).acts] == actions


@pytest.mark.parametrize("suffix", replay_files.SUFFIXES)
@pytest.mark.parametrize("data", [b"", b"abc", b"\3" * 500, bytes(range(256)) * 8])
def test_what_is_no_replay_is_refused_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, suffix: str, data: bytes
) -> None:
    file = tmp_path / f"bad{suffix}"
    file.write_bytes(data)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UsageError, match=r"^[^\n]*bad\.[^\n]*$"):
        replay_files.load(file)
    assert [one.name for one in tmp_path.iterdir()] == [file.name]


def test_a_time_that_is_no_number_is_refused() -> None:
    with pytest.raises(UsageError, match="not a replay that can be read, by its name avf"):
        replay_files.load(Path(__file__).with_name("no_number.avf"))


def test_a_game_that_ended_before_it_began_has_no_length() -> None:
    game = replay_files.load(Path(__file__).with_name("ends_early.mvf"))
    assert game.seconds == 0
    assert evf(game)


def test_without_the_extra_it_says_how_to_get_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("minebot.extras.find_spec", lambda _: None)
    with pytest.raises(UsageError, match=r"pip install '\.\[replays\]'"):
        replay_files.load(tmp_path / "game.evf")


def test_the_command_reviews_a_replay_and_writes_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    layout = Layout.scattered(9, 9, 10, Random(0), clear={0, 1, 9, 10})
    game = careful(layout, 0, Random(0))
    file, html, copy = (tmp_path / name for name in ("a.evf", "a.html", "b.evf"))
    file.write_bytes(evf(game))
    words = ["review", str(file), "--json", "--html", str(html), "--evf", str(copy)]
    assert main(words) == 0
    facts = json.loads(capsys.readouterr().out)
    assert facts["3bv"] == layout.bbbv
    assert copy.read_bytes() == file.read_bytes()
    assert html.read_text().startswith("<!DOCTYPE html>")
    assert main(["review", str(file)]) == 0
    assert "3BV/s" in capsys.readouterr().out
    for bad in (["review", str(html)], ["review", str(tmp_path / "none")],
                ["review", str(file), "--game", "2"]):  # fmt: skip
        assert main(bad) == 2
        assert capsys.readouterr().err.startswith("minebot: ")


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
