"""Finds the buttons for a new board, at several values of each number that decides.

    python -m benchmarks.buttons

The faces are those in the pictures of xdemineur and of the classic look, where the profiles say
that they are. The buttons with words are drawn: in several sizes, colours and fonts, with and
without a ground of their own, below or above a board. A row tells how many per cent are among the
first three places, with one number changed; the value that is used has a star.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from random import Random

import cv2
import numpy as np

from minebot.capture import Frame, Pixel, Rect
from minebot.learn import buttons as module
from minebot.profile import load
from minebot.recording import pictures
from minebot.vision.grid import Grid
from minebot.vision.known_game import reader_of

ROOT = Path(__file__).parents[1]

WORDS = 30
"""Buttons that are drawn."""
FIRST = 3
"""Places that count."""
Case = tuple[Frame, Grid, Callable[[Pixel], bool]]

VALUES: dict[str, list[object]] = {
    "_EDGES": [(5, 15), (10, 30), (20, 60), (40, 120), (80, 240)],
    "_OBLONG": [1.0, 1.2, 1.4, 2.0, 2.5],
    "_LEVELS": [6, 12, 24, 48, 96],
    "_SIDES": [(0.3, 4.5), (0.6, 4.5), (1.2, 4.5), (0.6, 2.0), (0.6, 9.0)],
    "_ASPECT": [1.1, 1.3, 1.6, 2.5],
    "_JOINED": [1, 3, 5, 9],
    "_ABOVE": [2.0, 4.0, 6.0, 12.0],
    "_HIGH": [(8, 63), (14, 63), (20, 63), (14, 40), (14, 90)],
    "_RIM": [0, 1, 2, 4],
    "_EDGE": [0, 1, 3, 6],
    "_CENTRED": [0.2, 0.4, 0.75, 1.5],
}
"""The numbers of `minebot.learn.buttons`, and the values that are tried."""


def faces() -> Iterator[Case]:
    """Pictures with a face above the board."""
    for game in ("xdemineur", "classic"):
        profile = load(game)
        button = profile.behaviour.new_game_button
        assert button is not None
        for path in sorted((ROOT / "fixtures" / "screenshots" / game).glob("*.png")):
            frame = pictures.load(path)
            grid = reader_of(profile).read(frame, partly=True).grid
            at = button.pixel(grid.bounds, grid.tile)
            near = Rect(at.x - grid.tile // 2, at.y - grid.tile // 2, grid.tile, grid.tile)
            if near.top >= 0 and _is_drawn(frame, near):
                yield frame, grid, near.holds


def _is_drawn(frame: Frame, place: Rect) -> bool:
    """Whether there is a face: some pictures of the classic look have none."""
    part = frame.pixels[place.top : place.bottom, place.left : place.right, :3]
    return bool(part.max() - part.min() > 100)


def words() -> Iterator[Case]:
    """Drawn windows with a button that has a word on it."""
    for seed in range(WORDS):
        lot = Random(seed)
        tile = lot.choice((16, 24, 32, 40))
        bounds = Rect(40, 120, 9 * tile, 9 * tile)
        ground = lot.choice((30, 200, 217, 250))
        pixels = np.full((bounds.bottom + 120, bounds.right + 80, 3), ground, np.uint8)
        pixels[bounds.top : bounds.bottom, bounds.left : bounds.right] = 150
        scale = lot.choice((0.5, 0.6, 0.8))
        text = lot.choice(("New game", "Restart", "Play again", "Reset", "New"))
        font = lot.choice((cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_DUPLEX))
        (across, down), _ = cv2.getTextSize(text, font, scale, 1)
        room = lot.choice((8, 12, 20))
        top = lot.choice((20, bounds.bottom + 20))
        box = Rect(lot.randint(20, 60), top, across + 2 * room, down + 2 * room)
        own = lot.choice((ground, 255 - ground // 2, 120))
        pixels[box.top : box.bottom, box.left : box.right] = own
        rim = min(255, own + 60) if own < 128 else own - 60
        corner = (box.right - 1, box.bottom - 1)
        cv2.rectangle(pixels, (box.left, box.top), corner, (rim,) * 3, 1)
        ink = (255,) * 3 if own < 128 else (0,) * 3
        at = (box.left + room, box.top + room + down)
        cv2.putText(pixels, text, at, font, scale, ink, 1, cv2.LINE_AA)
        alpha = np.full(pixels.shape[:2], 255, np.uint8)
        yield Frame(np.dstack([pixels, alpha])), Grid.regular(bounds, tile, tile, bounds), box.holds


def found(cases: list[Case]) -> str:
    """How many of 100 buttons are among the first places."""
    hits = 0
    for frame, grid, is_hit in cases:
        hits += any(map(is_hit, islice(module.buttons(None, frame, grid), FIRST)))
    return f"{100 * hits / len(cases):.0f}"


def main() -> None:
    """Print a row for each value of each number."""
    drawn, seen = list(words()), list(faces())
    print(f"{len(seen)} faces, {len(drawn)} buttons with words")
    for name, values in VALUES.items():
        used = getattr(module, name)
        for value in values:
            setattr(module, name, value)
            star = " *" if value == used else ""
            print(f"{name} {value}{star}: faces {found(seen)}, words {found(drawn)}", flush=True)
        setattr(module, name, used)


if __name__ == "__main__":
    main()
