"""The command line as a person types it: what goes where, and with which status."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from minebot import __version__
from minebot.board import Board
from minebot.capture import Frame
from minebot.recording import pictures

ROOT = Path(__file__).parents[2]
SHOTS = ROOT / "fixtures" / "screenshots"
BOARD = SHOTS / "sgt-mines" / "30x16n99-t20-middle-flags.png"


def minebot(*arguments: object, **environ: str) -> subprocess.CompletedProcess[str]:
    """Run the program without any screen, unless `environ` names one."""
    bare = {
        name: value
        for name, value in os.environ.items()
        if name not in ("DISPLAY", "WAYLAND_DISPLAY", "XDG_SESSION_TYPE")
    }
    return subprocess.run(
        [sys.executable, "-m", "minebot", *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        cwd=ROOT,
        env={**bare, **environ},
    )


def one_line(run: subprocess.CompletedProcess[str]) -> str:
    """The only line on standard error of a run that failed in good order."""
    assert "Traceback" not in run.stderr
    assert run.stderr.count("\n") == 1, run.stderr
    assert not run.stdout
    return run.stderr


def test_read_prints_the_board_and_nothing_else() -> None:
    run = minebot("read", BOARD)
    assert run.returncode == 0
    assert run.stdout == BOARD.with_suffix(".txt").read_text()
    assert not run.stderr


def test_read_json_is_one_object() -> None:
    run = minebot("read", BOARD, "--json")
    (line,) = run.stdout.splitlines()
    facts = json.loads(line)
    assert "\n".join(facts["rows"]) == str(Board.parse(BOARD.with_suffix(".txt").read_text()))
    assert (facts["width"], facts["height"], facts["mines"]) == (30, 16, 99)


def test_read_draws_what_it_sees(tmp_path: Path) -> None:
    drawn = tmp_path / "seen.png"
    run = minebot("read", BOARD, "--overlay", drawn)
    assert run.returncode == 0
    assert run.stdout == BOARD.with_suffix(".txt").read_text()
    assert pictures.load(drawn).width >= pictures.load(BOARD).width
    told = tmp_path / "told.png"
    minebot("read", BOARD, "--overlay", told, "--profile", "sgt-mines")
    assert drawn.read_bytes() == told.read_bytes()
    run = minebot("read", BOARD, "--overlay", tmp_path / "nowhere" / "seen.png")
    assert run.returncode == 2
    assert "nowhere" in one_line(run)


def _plain(path: Path) -> Path:
    path.write_bytes(pictures.png(Frame(np.full((200, 300, 4), 90, np.uint8))))
    return path


def _truncated(path: Path, source: Path = BOARD) -> Path:
    data = source.read_bytes()
    path.write_bytes(data[: len(data) // 2])
    return path


def test_a_picture_without_a_board_is_status_4(tmp_path: Path) -> None:
    run = minebot("read", _plain(tmp_path / "plain.png"))
    assert run.returncode == 4
    assert "no board in the picture" in one_line(run)
    run = minebot("read", _plain(tmp_path / "plain.png"), "--profile", "sgt-mines")
    assert run.returncode == 4
    assert "framed like a board" in one_line(run)


def test_a_truncated_picture_is_status_2(tmp_path: Path) -> None:
    run = minebot("read", _truncated(tmp_path / "half.png"))
    assert run.returncode == 2
    assert "damaged" in one_line(run)


@pytest.mark.parametrize("content", [b"", b"hello", b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff\xe0junk"])
def test_a_file_that_is_no_picture_is_status_2(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "x.png"
    path.write_bytes(content)
    run = minebot("read", path)
    assert run.returncode == 2
    assert "x.png" in one_line(run)


def test_a_missing_file_and_a_folder_are_status_2(tmp_path: Path) -> None:
    for path in (tmp_path / "nothing.png", tmp_path):
        run = minebot("read", path)
        assert run.returncode == 2
        assert str(path) in one_line(run)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--games", "0"), "--games"),
        (("--games", "many"), "--games"),
        (("--mines", "0"), "--mines"),
        (("--mouse", "feet"), "--mouse"),
        (("fly",), "fly"),
        (("watch", "--coach", "safe,mines"), "'mines' is none of safe, guess, flag"),
        (("watch", "--show"), "--show, --sound and --notify go with --coach"),
        (("read",), "picture"),
        (("replay",), "PATH"),
        (("read", "x.png", "--profile", "nosuch"), "x.png"),
        (("read", BOARD, "--profile", "nosuch"), "there is none"),
        (("replay", "no-such-folder"), "no-such-folder"),
    ],
)
def test_bad_arguments_are_one_line_and_status_2(arguments: tuple[object, ...], said: str) -> None:
    run = minebot(*arguments)
    assert run.returncode == 2
    assert said in one_line(run)


@pytest.mark.parametrize("command", [(), ("windows",), ("--dry-run",), ("demo", "--show")])
def test_without_a_display_it_says_so_with_status_3(command: tuple[str, ...]) -> None:
    run = minebot(*command)
    assert run.returncode == 3
    assert "DISPLAY" in one_line(run)


def test_on_wayland_without_x11_it_says_so_with_status_3() -> None:
    run = minebot("windows", WAYLAND_DISPLAY="wayland-0", XDG_SESSION_TYPE="wayland")
    assert run.returncode == 3
    assert "Wayland" in one_line(run)


def test_a_display_that_does_not_answer_is_status_3() -> None:
    run = minebot("windows", "--display", ":4711")
    assert run.returncode == 3
    assert ":4711" in one_line(run)


def test_replay_says_each_verdict_and_compares(tmp_path: Path) -> None:
    for name in ("9x9n10-t20-early", "9x9n10-t20-late"):
        for suffix in (".png", ".txt"):
            shutil.copy(SHOTS / "sgt-mines" / f"{name}{suffix}", tmp_path)
    run = minebot("replay", tmp_path, "--json")
    assert run.returncode == 0
    facts = [json.loads(line) for line in run.stdout.splitlines()]
    assert [fact["verdict"] for fact in facts] == ["right", "right"]
    text = tmp_path / "9x9n10-t20-late.txt"
    text.write_text(text.read_text().replace("1", "2", 1))
    run = minebot("replay", tmp_path, "--json")
    assert run.returncode == 1
    facts = [json.loads(line) for line in run.stdout.splitlines()]
    assert [(fact["verdict"], fact["wrong"]) for fact in facts] == [("right", 0), ("wrong", 1)]


def test_replay_sums_up_by_game(tmp_path: Path) -> None:
    for game, name in (("sgt-mines", "9x9n10-t20-early"), ("gnome-mines", "paused-default")):
        (tmp_path / game).mkdir()
        for suffix in (".png", ".txt"):
            if (shot := SHOTS / game / f"{name}{suffix}").exists():
                shutil.copy(shot, tmp_path / game)
    run = minebot("replay", tmp_path)
    rows = [
        re.findall(r"[\w.-]+", line)
        for line in run.stderr.splitlines()
        if re.match(r" \S+ +\d", line)
    ]
    assert [row[:6] for row in rows] == [
        ["gnome-mines", "1", "0", "0", "1", "0"],
        ["sgt-mines", "1", "1", "0", "0", "81"],
        ["all", "2", "1", "0", "1", "81"],
    ]
    assert run.returncode == 1


def test_replay_of_a_refused_picture_is_status_1(tmp_path: Path) -> None:
    _plain(tmp_path / "plain.png")
    run = minebot("replay", tmp_path, "--json")
    assert run.returncode == 1
    assert json.loads(run.stdout)["verdict"] == "refused"


@pytest.mark.parametrize(
    ("name", "content"),
    [("index.json", b"[3]"), ("index.json", b"{"), ("plain.txt", b"0x1"), ("plain.txt", b"\xff")],
)
def test_replay_names_a_broken_file_beside_the_pictures(
    tmp_path: Path, name: str, content: bytes
) -> None:
    _plain(tmp_path / "plain.png")
    (tmp_path / name).write_bytes(content)
    run = minebot("replay", tmp_path)
    assert run.returncode == 2
    assert name in one_line(run)


def test_replay_of_an_empty_folder_says_so(tmp_path: Path) -> None:
    run = minebot("replay", tmp_path)
    assert run.returncode == 2
    assert "no picture" in one_line(run)


@pytest.mark.parametrize("command", ["", "windows", "read", "replay", "demo"])
def test_help_is_help(command: str) -> None:
    run = minebot(*command.split(), "--help")
    assert run.returncode == 0
    assert "exit status" in run.stdout
    assert "--json" in run.stdout


def test_the_version_is_the_packages() -> None:
    assert minebot("--version").stdout == f"minebot {__version__}\n"


def test_a_reader_that_goes_away_is_no_traceback() -> None:
    command = f"{sys.executable} -m minebot replay {SHOTS} --json 2>&1 >&- | cat >/dev/null; true"
    run = subprocess.run(
        ["sh", "-c", command], capture_output=True, text=True, check=False, cwd=ROOT
    )
    assert "Traceback" not in run.stderr + run.stdout


def test_options_before_the_command_hold_too() -> None:
    run = minebot("--json", "read", BOARD)
    assert json.loads(run.stdout)["mines"] == 99
