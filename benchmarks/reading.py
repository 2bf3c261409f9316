"""Times finding and reading a board in a frame, beside grabbing that frame.

    python -m benchmarks.reading

A 30x16 board of the real game in its 660x442 window: the first frame (the grid is
found, every tile is new), a frame in which nothing changed, frames in which ten cells
changed, and the grab of the same window in the same run. Then the same frame at first
sight, on one core, also in the middle of a large screen. Below it the 30x16 boards of other
games, which are read so, from their pictures in `fixtures/screenshots`.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
from rich.console import Console
from rich.table import Table

from fixtures import tatham
from fixtures.running_game import RunningGame
from minebot.board import Cell
from minebot.capture import Frame
from minebot.desktop.choose import native
from minebot.desktop.ports import find
from minebot.errors import MinebotError
from minebot.layout import Layout
from minebot.profile import load
from minebot.profile.schema import FramedStyle
from minebot.recording import pictures
from minebot.sandbox.private_display import PrivateDisplay
from minebot.stop import Stop
from minebot.vision.any_game import read_at_first_sight
from minebot.vision.framed import trace
from minebot.vision.known_game import KnownGameReader, reader_of

CHANGED = 10
SCREEN = (3840, 2160)
"""Of a large screen, on which the same window is looked for at first sight."""
SHOTS = Path(__file__).parents[1] / "fixtures" / "screenshots"
OTHERS = {
    "gnome-mines": "default-30x16n99-w1000x560-middle-1",
    "kmines": "default-30x16n99-w760x420-middle-1",
    "xdemineur": "plain-30x16n99-w640x480-middle-1",
}


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--repeats", type=int, default=200)
    repeats = parser.parse_args().repeats
    cv2.setNumThreads(1)
    profile = load("sgt-mines")
    style = profile.grid
    assert isinstance(style, FramedStyle)
    layout = Layout.scattered(30, 16, 99, random.Random(7), clear=range(3))
    table = Table(title="30x16 in a 660x442 window, milliseconds")
    for heading in ("what", "best", "median", "x grab"):
        table.add_column(heading, justify="right")
    game_id = tatham.encode(layout, (0, 0))
    with PrivateDisplay() as display, RunningGame(display, game_id) as game:
        desktop = native(display.name)
        window = find(game.window, desktop.windows())
        with desktop.open(window, Stop()) as window_session:
            frame = window_session.screen.grab()
            grab = _times(window_session.screen.grab, repeats)
    rows = {
        "grab the window": grab,
        "find the grid": _times(lambda: trace(frame, style), repeats),
        "find and read, first time": _times(lambda: KnownGameReader(profile).read(frame), repeats),
    }
    reader = KnownGameReader(profile)
    reader.read(frame)
    rows["nothing changed"] = _times(lambda: reader.read(frame), repeats)
    rows[f"{CHANGED} cells changed"] = _changing(reader, frame, repeats)
    for size in ((frame.width, frame.height), SCREEN):
        whole = _on_page(frame, size)
        times = _times(lambda whole=whole: read_at_first_sight(whole), max(1, repeats // 10))  # type: ignore[misc]
        rows[f"at first sight, {size[0]}x{size[1]}"] = times
    for other, picture in OTHERS.items():
        rows |= _other(other, SHOTS / other / f"{picture}.png", repeats)
    floor = statistics.median(grab)
    for name, times in rows.items():
        median = statistics.median(times)
        table.add_row(
            name, f"{1000 * min(times):.2f}", f"{1000 * median:.2f}", f"{median / floor:.1f}"
        )
    console = Console()
    console.print(f"window {frame.width}x{frame.height}")
    console.print(table)
    return 0


def _on_page(frame: Frame, size: tuple[int, int]) -> Frame:
    """The frame in the middle of a grey picture of this size."""
    pixels = np.full((size[1], size[0], 4), 200, np.uint8)
    left, top = (size[0] - frame.width) // 2, (size[1] - frame.height) // 2
    pixels[top : top + frame.height, left : left + frame.width] = frame.pixels
    return Frame(pixels)


def _other(game: str, path: Path, repeats: int) -> dict[str, list[float]]:
    """The first reading of a picture of another game, and that of one that has not changed."""
    profile, frame = load(game), pictures.load(path)
    reader = reader_of(profile)
    reader.read(frame)
    return {
        f"{game}, first time": _times(
            lambda: reader_of(profile).read(frame), max(1, repeats // 10)
        ),
        f"{game}, nothing changed": _times(lambda: reader.read(frame), repeats),
    }


def _changing(reader: KnownGameReader, frame: Frame, repeats: int) -> list[float]:
    """Times of reading frames of which each differs in ten cells from the one before."""
    reading = reader.read(frame)
    board, grid = reading.board, reading.grid
    chance = random.Random(1)
    opened = [s for s in range(len(board.cells)) if board.cells[s] not in (Cell.EMPTY, Cell.HIDDEN)]
    hidden = list(board.squares(Cell.HIDDEN))
    times = []
    pixels = frame.pixels
    for _ in range(repeats):
        pixels = pixels.copy()
        for square in chance.sample(hidden, CHANGED):
            there = grid.rect(*board.xy(square))
            look = grid.rect(*board.xy(chance.choice(opened)))
            pixels[there.top : there.bottom, there.left : there.right] = frame.pixels[
                look.top : look.bottom, look.left : look.right
            ]
        changed = Frame(pixels)
        times += _times(lambda changed=changed: reader.read(changed), 1)  # type: ignore[misc]
    return times


def _times(run: Callable[[], object], repeats: int) -> list[float]:
    times = []
    for _ in range(repeats):
        began = time.perf_counter()
        run()
        times.append(time.perf_counter() - began)
    return times


if __name__ == "__main__":
    try:
        sys.exit(main())
    except MinebotError as error:
        sys.exit(f"reading: {error}")
