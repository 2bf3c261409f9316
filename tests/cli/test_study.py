"""`minebot study` as a person types it: what it refuses, and with which status."""

from __future__ import annotations

import subprocess
import sys

import pytest

from fixtures.study_page import ROOT
from tests.study.asking import run_study

pytestmark = pytest.mark.thorough


@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        (("nowhere.txt",), 2),
        (("README.md",), 2),
        (("docs/finished.png", "--mines", "481"), 2),
        (("fixtures/texts/nine.txt", "--mines", "100"), 2),
        (("--port", "70000"), 2),
        (("--seconds", "0"), 2),
        (("--seconds", "nan"), 2),
        (("nowhere.png",), 2),
        (("bot/minebot/study/web/icon.svg",), 2),
    ],
)
def test_what_cannot_be_opened_ends_with_one_line(arguments: tuple[str, ...], status: int) -> None:
    run = run_study(*arguments)
    assert run.returncode == status
    assert run.stdout == ""
    assert run.stderr.count("\n") == 1, run.stderr
    assert run.stderr.startswith("minebot: ")


def test_without_the_extra_it_says_how_to_get_it() -> None:
    code = (
        "import sys, importlib.util as u; find = u.find_spec\n"
        "u.find_spec = lambda name, *rest: None if name == 'uvicorn' else find(name, *rest)\n"
        "from minebot.cli import main; sys.exit(main(['study']))"
    )
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=ROOT
    )
    assert run.returncode == 2
    assert run.stderr == "minebot: the study needs uvicorn: pip install '.[study]'\n"
