"""The first guess after an installation waits until what it needs is compiled."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path

import pytest

from minebot.board import Board
from minebot.errors import Stopped
from minebot.layout import Layout
from minebot.play.result import PlaySettings
from minebot.policy.guessing.cache import FOLDER, folder
from tests.support.compiler import compiler_is
from tests.support.fake_game import FakeGame, Table


@pytest.fixture(autouse=True)
def _nothing_is_compiled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv(FOLDER, str(tmp_path))
    compiler_is(monkeypatch, tmp_path, "import signal; signal.pause()")
    folder.cache_clear()
    yield
    folder.cache_clear()


def test_a_guess_says_what_it_waits_for_and_hears_the_stop_meanwhile() -> None:
    said: list[str] = []
    asked: list[float] = []

    class Notes(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            said.append(record.getMessage())
            table.clock.after(1.0, press_esc)

    def press_esc() -> None:
        asked.append(table.clock.now())
        table.stop.request("Esc")

    game = FakeGame(Layout.parse("*.\n.."), Board.parse("??\n?1"))
    table = Table(game, PlaySettings(mines=1))
    notes = Notes()
    logging.getLogger("minebot").addHandler(notes)
    try:
        with pytest.raises(Stopped, match="Esc"):
            table.play()
    finally:
        logging.getLogger("minebot").removeHandler(notes)
    assert table.clock.now() - asked[0] < 0.1
    assert len(said) == 1
    assert not game.desk.clicks
