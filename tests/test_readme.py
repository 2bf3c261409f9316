"""The README is true: its commands run, its table of statuses is the program's."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from minebot.sandbox import private_display as desks
from minebot.sandbox.private_display import PrivateDisplay

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text()
BLOCKS = re.findall(r"```console\n(.*?)```", README, re.DOTALL)
COMMANDS = [
    line.removeprefix("$ ").partition("#")[0].strip()
    for block in BLOCKS
    for line in block.splitlines()
    if line.startswith("$ ")
]
OURS = [command for command in COMMANDS if command.startswith("minebot")]


def _run(command: str, display: PrivateDisplay) -> subprocess.CompletedProcess[str]:
    _, *arguments = shlex.split(command)
    return subprocess.run(
        [sys.executable, "-m", "minebot", *arguments],
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
        cwd=ROOT,
        env={**os.environ, "DISPLAY": display.name},
    )


@pytest.mark.game
@pytest.mark.parametrize("command", OURS)
def test_every_command_in_it_works(command: str, desk: PrivateDisplay) -> None:
    with desks.RunningGame(desk, "9x9n10"):
        run = _run(command, desk)
    assert run.returncode == 0, run.stderr


def test_what_it_shows_read_print_is_what_read_prints(desk: PrivateDisplay) -> None:
    (block,) = [block for block in BLOCKS if "$ minebot read" in block]
    command, _, shown = block.partition("\n")
    assert _run(command.removeprefix("$ "), desk).stdout == shown


@pytest.mark.parametrize("command", [line for line in COMMANDS if line.startswith("make")])
def test_the_makefile_has_what_it_tells_to_make(command: str) -> None:
    subprocess.run([*shlex.split(command), "--dry-run"], check=True, cwd=ROOT, capture_output=True)


def test_every_link_and_picture_in_it_is_there() -> None:
    for target in re.findall(r"\]\(([^)]+)\)", README):
        if "://" not in target:
            assert (ROOT / target).exists(), target


def test_there_is_no_command_that_it_leaves_out() -> None:
    help_text = subprocess.run(
        [sys.executable, "-m", "minebot", "--help"],
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
        env={**os.environ, "COLUMNS": "200"},
    ).stdout
    listed = re.findall(r"^    ([a-z]+) {2,}\S", help_text.partition("other commands:")[2], re.M)
    assert listed
    for command in listed:
        assert f"minebot {command}" in README, command
