"""Simulation: the same games whoever plays them, none lost and none counted twice."""

from __future__ import annotations

import json
import os
import signal
from pathlib import Path

import pytest

from minebot.cli import main
from minebot.policy.guessing.settings import Strategy
from minebot.simulate.games import deal, play
from tests.simulate.playing import SETTINGS, SMALL, games, lines_in, started, wait_for_lines


def test_killed_and_resumed_it_plays_every_game_once(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    arguments = [*SMALL, "--games", "400", "--workers", "1", "--resume", str(path)]
    process = started(*arguments)
    wait_for_lines(path, 20, process)
    process.kill()
    process.communicate()
    before = lines_in(path)
    assert before < 401
    with path.open("a") as file:
        file.write('{"game": 399, "wo')  # killed in the middle of a line
    assert main(["simulate", *arguments, "--games", "60"]) == 0
    played = games(path.read_text())
    assert [number for number, _, _ in played] == list(range(max(60, before - 1)))
    fresh = [play(deal(SETTINGS, number), Strategy.FULL) for number in range(len(played))]
    assert [won for _, won, _ in played] == [record.won for record in fresh]


def test_all_games_are_on_the_disk_at_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, synced, fsync = tmp_path / "games.jsonl", [], os.fsync

    def noted(number: int) -> None:
        fsync(number)
        file = os.fstat(number)
        synced.append((file.st_ino, file.st_size))

    monkeypatch.setattr(os, "fsync", noted)
    arguments = ["--games", "2", "--workers", "1", "--resume", str(path)]
    assert main(["simulate", *SMALL, *arguments]) == 0
    assert synced[-1:] == [(path.stat().st_ino, path.stat().st_size)]


def test_ctrl_c_ends_with_what_it_has(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    arguments = ["--games", "5000", "--workers", "2", "--json", "--resume", str(path)]
    process = started(*arguments)
    wait_for_lines(path, 6, process)
    process.send_signal(signal.SIGINT)
    out, error = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "stopped: " in error
    assert "Traceback" not in error
    last = json.loads(out.splitlines()[-1])["summary"]
    assert last["games"] == len(games(out)) == lines_in(path) - 1


def test_a_file_of_other_settings_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "games.jsonl"
    arguments = ["simulate", *SMALL, "--games", "2", "--workers", "1", "--resume", str(path)]
    assert main(arguments) == 0
    before = path.read_bytes()
    capsys.readouterr()
    assert main([*arguments, "--seed", "2"]) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert "seed 1 instead of 2" in error
    assert path.read_bytes() == before


def test_a_device_is_no_file_for_games(capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        main(["simulate", *SMALL, "--games", "2", "--workers", "1", "--resume", "/dev/null"]) == 2
    )
    assert capsys.readouterr().err == "minebot: /dev/null: is no file that games can be kept in\n"


def test_more_mines_than_cells_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", "--size", "4x4", "--mines", "12"]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_the_picture_is_drawn(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    path = tmp_path / "result.png"
    arguments = ["simulate", *SMALL, "--games", "8", "--workers", "1", "--out", str(path)]
    assert main(arguments) == 0
    assert path.read_bytes().startswith(b"\x89PNG")


def test_without_matplotlib_it_says_so_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("minebot.extras.find_spec", lambda _: None)
    assert main(["simulate", "--games", "1000000", "--out", str(tmp_path / "a.png")]) == 2
    assert ".[plots]" in capsys.readouterr().err
