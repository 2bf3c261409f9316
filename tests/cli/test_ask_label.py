"""Naming an unknown tile, and reading on."""

from __future__ import annotations

import os
import sys
import termios
from pathlib import Path
from threading import Thread

import pytest

from fixtures.waiting import wait_until
from minebot.board import Cell
from minebot.capture import Frame
from minebot.cli import ask_label
from minebot.errors import UnreadableTile
from minebot.profile import load
from minebot.recording import pictures
from minebot.vision.framed import trace
from minebot.vision.known_game import KnownGameReader

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
    assert ask_label.named(frame, grid, UnreadableTile("", (2, 1), {})) is cell
    person.join()
    sys.stdin.close()
    os.close(keyboard)
    said = capsys.readouterr().err
    assert "▀" in said
    assert "row 2, column 3" in said
