"""A recording as one animated picture."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image

from minebot.board import Action, Move
from minebot.capture import Frame
from minebot.errors import UsageError
from minebot.recording import pictures
from minebot.recording.animation import animate
from minebot.recording.recorder import Recorder, Recording
from minebot.stop import Stop
from tests.recording.played import BOARD, Ticks, frame


def play(folder: Path, looks: int, step: float = 0.1) -> None:
    with Recording(folder, Stop()) as recording:
        recorder = Recorder(Ticks(step), 4, recording)
        for number in range(looks):
            recorder.looked(frame(number), BOARD)
            recorder.clicked(Move(Action.OPEN, number % 4, 0), number)
    assert not recording.problem


def test_an_animation_takes_the_time_that_the_game_took(tmp_path: Path) -> None:
    play(tmp_path / "game", 12)
    animate(tmp_path / "game", tmp_path / "game.gif")
    with Image.open(tmp_path / "game.gif") as image:
        shown = 0
        for number in range(getattr(image, "n_frames", 1)):
            image.seek(number)
            shown += image.info["duration"]
    assert shown == pytest.approx(11 * 100 + 3000, abs=20)


def test_an_animation_of_a_long_game_has_a_bounded_number_of_pictures(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    play(tmp_path / "game", 2000, step=1.0)
    loaded = []
    load = pictures.load

    def counted(path: Path) -> Frame:
        loaded.append(path)
        return load(path)

    monkeypatch.setattr(pictures, "load", counted)
    animate(tmp_path / "game", tmp_path / "game.gif")
    assert 250 < len(loaded) <= 302
    assert loaded[-1].name == "001999.png"


def test_without_a_frame_there_is_no_animation(tmp_path: Path) -> None:
    with pytest.raises(UsageError):
        animate(tmp_path, tmp_path / "game.gif")
