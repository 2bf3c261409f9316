"""`minebot demo` plays a real game that nobody sees, and leaves its pictures."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image
from PIL.GifImagePlugin import GifImageFile

from minebot import cli
from minebot.analysis import from_recording

pytestmark = [pytest.mark.game, pytest.mark.thorough]

GAME = "6x6n3#1"


def test_it_leaves_the_finished_board_and_the_game(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, record = tmp_path / "new" / "folder", tmp_path / "record"
    command = ["demo", "--game", GAME, "--out", str(out), "--record", str(record)]
    status = cli.main(command)
    _, said = capsys.readouterr()
    (game,) = from_recording.games(record)
    assert status == (0 if game.won else 1)
    assert {file.name for file in out.iterdir()} == {"finished.png", "game.gif"}
    with Image.open(out / "finished.png") as finished, Image.open(out / "game.gif") as film:
        assert isinstance(film, GifImageFile)
        assert film.n_frames > 1
        assert finished.size[0] > 6 * 8
    assert f"{out / 'finished.png'}: the finished board, 6x6" in said


def test_a_wrong_game_is_refused_in_the_games_words(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["demo", "--game", "nonsense", "--out", str(tmp_path)]) == 3
    out, said = capsys.readouterr()
    assert out == ""
    assert said.startswith("minebot: sgt-mines ")
    assert said.count("\n") == 1
    assert not list(tmp_path.iterdir())
