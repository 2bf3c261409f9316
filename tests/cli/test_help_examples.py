"""Every example in every --help is typed as it is printed, and does what it says."""

from __future__ import annotations

import gzip
import io
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from contextlib import ExitStack, redirect_stdout, suppress
from pathlib import Path

import pytest

from fixtures.running_game import RunningGame
from minebot.cli.parser import parse
from minebot.sandbox.private_display import PrivateDisplay
from tests.support.films import film, shown
from tests.support.recorded_games import record, slow

ROOT = Path(__file__).parents[2]
STOPPED_AFTER_SECONDS = 20
"""Long enough to load and begin; what is stopped then would go on for hours, or for a player."""


def _help(*words: str) -> str:
    told = io.StringIO()
    with redirect_stdout(told), suppress(SystemExit):
        parse([*words, "--help"])
    return told.getvalue()


def _printed() -> list[str]:
    """The examples of all helps: what stands before two spaces is typed."""
    told = _help()
    commands = re.findall(r"^ {4}([a-z]+) ", told.partition("commands to")[2], re.MULTILINE)
    texts = [told, *map(_help, commands)]
    blocks = [text.partition("\nexamples:\n")[2].partition("\n\n")[0] for text in texts]
    lines = [line.strip() for block in blocks for line in block.splitlines()]
    return list(dict.fromkeys(re.split(r" {2,}", line)[0] for line in lines))


EXAMPLES = _printed()
ON_A_GAME = re.compile(r"minebot (?:watch )?--window|minebot windows")
STARTS_A_GAME = re.compile(r"minebot (?:start|demo)")
HAS_NO_END = re.compile(r"minebot watch|--games 100000 --resume")


def _statuses(example: str) -> set[int]:
    """The exit statuses that show that the example was understood and done."""
    if HAS_NO_END.search(example):
        return {130}
    if "--dask" in example:
        return {2}  # nothing answers at the address, which is made up
    if "--interactive" in example:
        return {1}  # the answer typed is that the cell was a mine
    plays = STARTS_A_GAME.match(example) or re.match("minebot --window(?!.*--dry-run)", example)
    return {0, 1} if plays else {0}  # games are lost, too


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the files that examples name, and minebot itself on its path."""
    (tmp_path / "board.txt").write_text("???????\n" * 4)
    shutil.copy(ROOT / "fixtures" / "texts" / "newspaper.txt", tmp_path / "puzzle.txt")
    columns = "#width\theight\tmines\tx\ty\tlayout_hex\n"
    with gzip.open(tmp_path / "boards.tsv.gz", "wt") as file:
        file.write(f"{columns}3\t1\t1\t0\t0\t2\n")
    (tmp_path / "bin").mkdir()
    program = tmp_path / "bin" / "minebot"
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m minebot "$@"\n')
    program.chmod(0o755)
    return tmp_path


def _type(
    example: str, folder: Path, display: PrivateDisplay | None = None
) -> subprocess.CompletedProcess[str]:
    """What becomes of an example that is typed in the folder."""
    if "review game.mp4" in example:
        film(folder / "game.mp4", shown(slow(3.0)))
    elif "review game" in example:
        record(folder / "game", slow(3.0))
    ends: Sequence[str] = ()
    if HAS_NO_END.search(example):
        ends = ("timeout", "--preserve-status", "-s", "INT", str(STOPPED_AFTER_SECONDS))
    if STARTS_A_GAME.match(example):
        ends = ("dbus-run-session", "--")  # KMines asks for a desktop's bus
    environ = {**os.environ, "PATH": f"{folder / 'bin'}:{os.environ['PATH']}"}
    environ["DISPLAY"] = display.name if display else ""
    return subprocess.run(
        [*ends, "bash", "-c", f"exec {example}" if ends else example],
        input="x\n",
        capture_output=True,
        text=True,
        check=False,
        timeout=280,
        cwd=folder,
        env=environ,
    )


ALONE = [one for one in EXAMPLES if not (ON_A_GAME.match(one) or STARTS_A_GAME.match(one))]


@pytest.mark.thorough
@pytest.mark.parametrize("example", ALONE)
def test_an_example_without_a_window_works(example: str, folder: Path) -> None:
    run = _type(example, folder)
    assert run.returncode in _statuses(example), run.stderr
    if "--dask" in example:
        assert "no Dask scheduler answers at tcp://host:8786" in run.stderr


@pytest.mark.game
@pytest.mark.thorough
@pytest.mark.parametrize("example", [one for one in EXAMPLES if one not in ALONE])
def test_an_example_with_a_game_works(example: str, folder: Path) -> None:
    with PrivateDisplay() as display, ExitStack() as ends:
        if ON_A_GAME.match(example):
            ends.enter_context(RunningGame(display, "9x9n10"))
        run = _type(example, folder, display)
    assert run.returncode in _statuses(example), run.stderr


def test_there_are_examples_for_most_commands() -> None:
    named = {example.split("minebot ")[1].split()[0] for example in EXAMPLES}
    assert named >= {"solve", "review", "simulate", "start", "watch", "demo", "windows"}
