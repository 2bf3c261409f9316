"""The library: `import minebot`, and the examples on its page."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import minebot
from fixtures.running_game import RunningGame
from minebot import api
from minebot.board import Action, Board
from minebot.play.result import Outcome
from minebot.recording import pictures
from minebot.sandbox.private_display import PrivateDisplay

ROOT = Path(__file__).parents[1]
PICTURE = ROOT / "fixtures/screenshots/sgt-mines/9x9n10-t20-middle-flags.png"
EXAMPLES = re.findall(r"```python\n(.*?)```", (ROOT / "docs/library.md").read_text(), re.DOTALL)
OFF_SCREEN = [example for example in EXAMPLES if "play(" not in example]


def test_every_name_is_there_and_no_other() -> None:
    for name in minebot.__all__:
        assert getattr(minebot, name) is not None
    with pytest.raises(AttributeError, match="has no attribute 'no_such_name'"):
        _ = minebot.no_such_name


def test_to_import_it_loads_nothing_heavy() -> None:
    code = "import minebot, sys; print(*{'numpy', 'cv2', 'minebot.api'} & {*sys.modules})"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.split() == []


@pytest.mark.parametrize("example", OFF_SCREEN)
def test_the_examples_run(example: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    exec(compile(example, "docs/library.md", "exec"), {})


def test_a_file_and_its_pixels_read_alike() -> None:
    shown = PICTURE.with_suffix(".txt").read_text().strip()
    assert str(minebot.read(PICTURE).board) == shown
    assert str(minebot.read(np.array(pictures.load(PICTURE).pixels)).board) == shown


def test_what_is_certain_is_recommended_before_any_guess() -> None:
    board = Board.parse("????\n1221\n0000")
    plan = minebot.recommend(board)
    assert plan.guess is None
    assert {(move.action, move.x, move.y) for move in plan.moves} == {
        (Action.OPEN, 0, 0),
        (Action.OPEN, 3, 0),
    }
    assert minebot.recommend(Board.hidden(9, 9)).moves
    with pytest.raises(minebot.Contradiction):
        minebot.recommend(Board.parse("?1\n?3"))


@pytest.mark.game
def test_a_game_is_played(desk: PrivateDisplay, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in desk.environ().items():
        monkeypatch.setenv(name, value)
    said = list[str]()
    with RunningGame(desk, "9x9n10"):
        result = api.play("Mines", say=said.append)
    assert result.outcome is Outcome.WON
    assert not result.guesses
