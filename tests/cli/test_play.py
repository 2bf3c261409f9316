"""Playing from the command line."""

from __future__ import annotations

import pytest

from minebot import cli
from minebot.actuator import Button
from tests.support.fake_game import EASY, FakeGame


def _closing(monkeypatch: pytest.MonkeyPatch, left: int) -> FakeGame:
    """A game that closes its window as it opens a cell, so many covered ones being left then.

    It takes the window down before.
    """
    game = FakeGame(EASY)
    game.desk.clock = game.clock
    monkeypatch.setattr("minebot.cli.desktops.native", lambda *_, **__: game.desk)

    def click(square: int, button: Button) -> list[tuple[int, Button]]:
        game.apply(square, button)
        if game.board.covered <= left:
            game.desk.minimise()
            game.clock.after(0.5, game.desk.close)
        return []

    game.mangle = click
    return game


def test_a_game_that_closes_its_window_with_the_last_cell_is_won(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    _closing(monkeypatch, len(EASY.mines))
    assert cli.main(["--window", "Mines", "--style=no-flags"]) == 0
    assert capsys.readouterr().err.startswith("won")


def test_a_window_that_is_closed_in_the_middle_of_a_game_is_an_error(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    _closing(monkeypatch, 20)
    assert cli.main(["--window", "Mines", "--style=no-flags"]) == 3
    assert "has been closed" in capsys.readouterr().err


def test_it_is_so_too_where_another_window_of_that_game_opens(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    game = _closing(monkeypatch, 20)
    close = game.desk.close

    def close_and_reopen() -> None:
        close()
        game.clock.after(1, lambda: game.desk.reopen("0x600009"))

    monkeypatch.setattr(game.desk, "close", close_and_reopen)
    assert cli.main(["--window", "Mines", "--style=no-flags"]) == 3
    said = capsys.readouterr().err
    assert "has been closed" in said
    assert "stuck" not in said


def test_a_window_that_is_taken_down_for_long_is_an_error(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    game = _closing(monkeypatch, 20)
    monkeypatch.setattr(game.desk, "close", lambda: None)
    assert cli.main(["--window", "Mines", "--style=no-flags"]) == 3
    assert "is minimised" in capsys.readouterr().err
