"""Playing from the command line: windows that close, tiles that nobody has met, the engine."""

from __future__ import annotations

import os
import sys
import termios
import time
from pathlib import Path
from threading import Thread

import pytest

from fixtures.waiting import wait_until
from minebot import cli
from minebot.actuator import Button
from minebot.board import Cell
from minebot.capture import Frame
from minebot.cli.play import ask_label, have_engine
from minebot.errors import Stopped, UnreadableTile
from minebot.policy.guessing import cache
from minebot.profile import load
from minebot.recording import pictures
from minebot.stop import Stop
from minebot.vision.framed import trace
from minebot.vision.known_game import KnownGameReader
from tests.support.compiler import compiler_is
from tests.support.fake_game import EASY, FakeGame


def _closing(monkeypatch: pytest.MonkeyPatch, left: int) -> FakeGame:
    """A game that closes its window as it opens a cell, so many covered ones being left then.

    It takes the window down before.
    """
    game = FakeGame(EASY)
    game.desk.clock = game.clock
    monkeypatch.setattr("minebot.cli.options.native", lambda *_, **__: game.desk)

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


SHOT = Path(__file__).parents[2] / "fixtures/screenshots/sgt-mines"
MIDDLE = "9x9n10-t20-middle-flags.png"


def test_a_tile_that_is_named_is_read_from_then_on() -> None:
    frame = pictures.load(SHOT / MIDDLE)
    reader = KnownGameReader(load("sgt-mines"))
    reading = reader.read(frame)
    truth, grid = reading.board, reading.grid
    pixels = frame.pixels.copy()
    for square in truth.squares(Cell.TWO):
        rect = grid.rect(*truth.xy(square))
        pixels[rect.top : rect.bottom, rect.left : rect.right] = (10, 200, 90, 0)
    odd = Frame(pixels)
    with pytest.raises(UnreadableTile) as caught:
        reader.read(odd)
    square = truth.square(*caught.value.square)
    assert truth.cells[square] == Cell.TWO
    reader.teach(odd, grid, square, Cell.TWO)
    assert reader.read(odd).board == truth
    assert truth.count(Cell.TWO) > 1, "what looks alike is named once"


@pytest.mark.parametrize(("key", "cell"), [("2", Cell.TWO), ("f", Cell.FLAG), ("x", None)])
def test_one_key_names_it(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    key: str,
    cell: Cell | None,
) -> None:
    keyboard, terminal = os.openpty()

    def press() -> None:
        wait_until(lambda: not termios.tcgetattr(keyboard)[3] & termios.ICANON)
        os.write(keyboard, key.encode())

    person = Thread(target=press)
    person.start()
    monkeypatch.setattr(sys, "stdin", os.fdopen(terminal))
    frame = pictures.load(SHOT / MIDDLE)
    grid = trace(frame, load("sgt-mines").grid)
    assert ask_label(frame, grid, UnreadableTile("", (2, 1), {})) is cell
    person.join()
    sys.stdin.close()
    os.close(keyboard)
    said = capsys.readouterr().err
    assert "▀" in said
    assert "row 2, column 3" in said


@pytest.fixture
def caches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's caches, empty."""
    monkeypatch.delenv(cache.FOLDER, raising=False)
    monkeypatch.setattr("minebot.policy.guessing.cache.user_cache_path", tmp_path.joinpath)
    cache.folder.cache_clear()
    return tmp_path


def test_the_engine_is_compiled_once_and_said_so(
    caches: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    done = f"import pathlib, os; (pathlib.Path(os.environ[{cache.FOLDER!r}]) / 'complete').touch()"
    compiler_is(monkeypatch, caches, done)
    try:
        have_engine(Stop())
        assert "compiling what guesses need, once" in caplog.text
        caplog.clear()
        have_engine(Stop())
        assert not caplog.text
        # Sources that are newer than what was compiled of them are asked about again.
        (mark,) = caches.rglob("complete")
        os.utime(mark, (0, 0))
        assert not cache.seems_complete()
    finally:
        cache.folder.cache_clear()


def test_a_stop_ends_the_waiting_for_the_engine(
    caches: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    compiler_is(monkeypatch, caches, "import signal; signal.pause()")
    stop = Stop()
    stop.request("enough")
    began = time.monotonic()
    try:
        with pytest.raises(Stopped):
            have_engine(stop)
    finally:
        cache.folder.cache_clear()
    assert time.monotonic() - began < 10
