"""From one game to the next in the same window."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from bot.capture import Window
from bot.errors import WindowError
from bot.play.result import Settings
from bot.play.session import open_session
from bot.profile import load
from bot.recording import pictures
from bot.stop import Stop
from tests.fake_desktop import FakeDesk

SHOTS = Path(__file__).parents[2] / "fixtures" / "screenshots" / "kmines"
FADES = 0.4
"""Seconds."""


def picture(moment: str) -> NDArray[np.uint8]:
    return pictures.load(SHOTS / f"default-9x9n10-w560x400-{moment}.png").pixels


class Kmines(FakeDesk):
    """A finished game; the key brings a fresh board, on which the message of the end fades."""

    def __init__(self) -> None:
        super().__init__(picture("early"))
        self.pressed_at = 0.0
        self.on_key = self.press

    def press(self, key: str) -> None:
        if key == "ctrl+n" and not self.dialogs:
            self.pressed_at = time.monotonic()
            self.paint(picture("fresh"))

    def picture(self) -> NDArray[np.uint8]:
        shown = super().picture()
        left = 1 - (time.monotonic() - self.pressed_at) / FADES
        if left > 0:
            shown[150:200, 200:350, :3] += np.uint8(4 * left)
        return shown


def test_a_new_board_is_clicked_only_when_the_message_of_the_end_is_gone() -> None:
    desk = Kmines()
    with open_session(desk, desk.window, load("kmines"), Stop(), Settings(), keep=False) as session:
        session.new_game()
        assert time.monotonic() - desk.pressed_at > FADES
    assert desk.keys == ["ctrl+n"]


def test_a_session_takes_one_seat() -> None:
    """On some desktops the user is asked for each."""
    desk = Kmines()
    desk.minimise()
    with open_session(desk, desk.window, load("kmines"), Stop(), Settings(), keep=False) as session:
        session.new_game()
    assert desk.opened == 1


@pytest.mark.parametrize("title", ["High Scores", "Preferences"])
def test_a_window_that_comes_as_the_new_board_is_asked_for(title: str) -> None:
    desk = Kmines()

    def late(_: str) -> None:
        desk.dialogs.append(Window("0x900000", title, ("kmines",), parent=desk.window.id))
        desk.on_key = desk.press

    desk.on_key = late
    with open_session(desk, desk.window, load("kmines"), Stop(), Settings(), keep=False) as session:
        if title == "High Scores":  # KMines has shown it for the end of the last game
            session.new_game()
            assert desk.keys == ["ctrl+n", "Escape", "ctrl+n"]
        else:
            with pytest.raises(WindowError, match=f"{title}.*waits for an answer"):
                session.new_game()
            assert desk.keys == ["ctrl+n"]


def test_what_it_saw_is_kept_where_no_new_board_comes(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("bot.play.session._FRESH", 0.05)
    monkeypatch.setattr("bot.play.session.user_state_path", lambda _: tmp_path)
    desk = Kmines()
    desk.on_key = lambda _: desk.paint(picture("early") // 2)
    with (
        open_session(desk, desk.window, load("kmines"), Stop(), Settings(), keep=False) as session,
        pytest.raises(WindowError, match="no new board comes when") as caught,
    ):
        session.new_game()
    (note,) = caught.value.__notes__
    assert "what it saw is kept in" in note
    assert list(tmp_path.rglob("*.png"))
    assert set(desk.keys) == {"ctrl+n"}
