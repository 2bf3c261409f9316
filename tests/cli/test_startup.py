"""The way from the command to the first click is short, and a stop on it is heard."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

HEAVY = (
    "distributed",
    "llvmlite",
    "matplotlib",
    "mss",
    "numba",
    "pyautogui",
    "rich",
    "tesserocr",
    "z3",
)
"""What takes long to load, and is not needed for the first click or loaded as it is used."""


def python(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
        timeout=60,
    )


def test_playing_loads_nothing_heavy_before_it_is_used() -> None:
    run = python(f"import sys, minebot.cli.play; print(*{{*{HEAVY!r}}} & {{*sys.modules}})")
    assert run.stdout.split() == [], run.stderr


def test_a_command_loads_no_other_command() -> None:
    run = python(
        "import sys\n"
        "from minebot.cli.parser import parse\n"
        "parse(['--json', 'windows'])\n"
        "print(*sorted(name for name in sys.modules if name.startswith('minebot.cli.')))"
    )
    assert run.stdout.split() == [
        f"minebot.cli.{name}" for name in ("console", "options", "parser", "windows")
    ], run.stderr


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize(
    "module", ["argparse", "numpy", "cv2", "minebot.solver", "minebot.cli.play"]
)
def test_a_stop_while_modules_load_is_one_line_and_130(number: int, module: str) -> None:
    run = python(f"""
import os, signal, sys

class Stopping:
    def find_spec(self, name, path, target=None):
        if name == {module!r}:
            os.kill(os.getpid(), {int(number)})

sys.meta_path.insert(0, Stopping())
sys.argv = ["minebot"]
from minebot.__main__ import main
main()
""")
    assert run.returncode == 130
    assert run.stderr.startswith("minebot: stopped: ")
    assert run.stderr.count("\n") == 1
    assert not run.stdout


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT])
@pytest.mark.parametrize("arguments", [[], ["windows"], ["profiles"], ["--dry-run"]])
def test_a_stop_while_a_command_works_is_one_line_and_130(
    number: int, arguments: list[str]
) -> None:
    run = python(f"""
import os, signal, sys
import minebot.profile.files
from minebot.capture import Window
from minebot.desktop import choose

def native(*_, **__):
    os.kill(os.getpid(), {int(number)})
    return Desktop()

class Desktop:
    def windows(self):
        return []

    def pick(self, query, known):
        return Window("1", "Log")

choose.native = native
located = minebot.profile.files.located
def stopping():
    os.kill(os.getpid(), {int(number)})
    return located()
minebot.profile.located = stopping
sys.argv = ["minebot", *{arguments!r}]
from minebot.__main__ import main
main()
""")
    assert run.returncode == 130, run.stderr
    assert run.stderr.startswith("minebot: stopped: ")
    assert run.stderr.count("\n") == 1


def test_a_command_that_ignores_ctrl_c_goes_on_ignoring_it() -> None:
    run = python("""
import os, signal, sys
signal.signal(signal.SIGINT, signal.SIG_IGN)
from minebot import cli
import minebot.cli.profiles as command
def run(_):
    os.kill(os.getpid(), signal.SIGINT)
    return 7
command.run = run
print(cli.main(["profiles"]))
""")
    assert run.stdout == "7\n", run.stderr
