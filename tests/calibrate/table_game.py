"""A small game that is drawn on a make-believe desktop, for calibrating on it."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import numpy as np
from numpy.typing import NDArray

from bot.actuator import Button
from bot.board import Cell
from bot.capture import Pixel
from bot.layout import Layout
from bot.stop import Stop
from tests.fake_desktop import FakeDesk

GROUND, GAP = 240, 4
LEFT, TOP = 30, 44


class FakeClock:
    """A clock whose sleep takes no time; see `bot.stop.Clock`."""

    def __init__(self, stop: Stop, on_sleep: Callable[[], None] = lambda: None) -> None:
        self._stop = stop
        self._on_sleep = on_sleep
        self.seconds = 0.0

    def now(self) -> float:
        return self.seconds

    def sleep(self, seconds: float) -> None:
        self._stop.check()
        self.seconds += seconds
        self._on_sleep()
        self._stop.check()


class TableGame:
    """Tiles that stand apart; each kind of cell has a drawing of its own, made up at random.

    It knows flags and question marks, shows its mines when it is lost, flags them when
    it is won, and has a key, `n`, for a new board. Its tiles grow with its window.
    """

    dot = 3
    """Pixels of a dot that drawings consist of; there are seven to a tile."""
    tells_of_the_end = False
    """Whether a message then lies over the middle of the board."""
    shows_all_mines = True
    """Whether it does when it is lost, or only the one that was hit."""
    tells_the_hit = True
    """Whether that one looks otherwise than the others."""
    first_is_safe = True
    """Whether the first click cannot hit a mine."""

    def __init__(self, width: int, height: int, mines: int, seed: int) -> None:
        self.random = Random(seed)
        self.size = width, height, mines
        drawings = np.random.default_rng(seed)
        self.drawings = {
            cell: drawings.integers(0, 2, (5, 5), np.uint8)
            for cell in (*Cell, "question")
            if cell not in (Cell.EMPTY, Cell.HIDDEN)
        }
        self.played = 0
        self.restart()
        self.desk = FakeDesk(self.picture())
        self.desk.on_click = self.click
        self.desk.on_key = self.key
        self.desk.on_resize = self.resize

    def restart(self) -> None:
        self.message = False
        self.layout: Layout | None = None
        self.opened: set[int] = set()
        self.marks: dict[int, str] = {}
        self.hit: int | None = None

    @property
    def tile(self) -> int:
        return 7 * self.dot + 1

    def resize(self, width: int, height: int) -> None:
        across = (width - LEFT - 30) // self.size[0]
        down = (height - TOP - 20) // self.size[1]
        self.dot = max(2, (min(across, down) - GAP - 1) // 7)
        self.desk.paint(self.picture())

    @property
    def over(self) -> bool:
        width, height, mines = self.size
        return self.hit is not None or len(self.opened) == width * height - mines

    def key(self, key: str) -> None:
        if key == "n":
            self.played += 1
            self.restart()
            self.desk.paint(self.picture())

    def click(self, pixel: Pixel, button: Button) -> None:
        width, height, mines = self.size
        step = self.tile + GAP
        x, y = (pixel.x - LEFT) // step, (pixel.y - TOP) // step
        assert 0 <= x < width, "a click beside the board"
        assert 0 <= y < height, "a click beside the board"
        square = y * width + x
        if self.over:
            return
        if button is Button.RIGHT and square not in self.opened:
            following = {None: "flag", "flag": "question", "question": None}
            mark = following[self.marks.pop(square, None)]
            if mark:
                self.marks[square] = mark
        elif button is Button.LEFT and self.marks.get(square) != "flag":
            if self.layout is None:
                self.layout = Layout.scattered(
                    width, height, mines, self.random, {square} if self.first_is_safe else ()
                )
            if square in self.layout.mines:
                self.hit = square
            elif square not in self.opened:
                self.opened |= self.layout.opened_by(square)
        self.message = self.over and self.tells_of_the_end
        self.desk.paint(self.picture())

    def fade(self) -> None:
        """The message goes, unless the pointer lies on the board."""
        if self.desk.pointer.x < self.desk.rect.left + LEFT:
            self.message = False
            self.desk.paint(self.picture())

    def cell(self, square: int) -> Cell | str:
        if square in self.opened:
            assert self.layout is not None
            return Cell(self.layout.number(square))
        if square == self.hit:
            return Cell.EXPLODED if self.tells_the_hit else Cell.MINE
        mark = self.marks.get(square)
        shows = self.over and (self.hit is None or self.shows_all_mines)
        if shows and self.layout is not None and square in self.layout.mines and mark != "flag":
            return Cell.FLAG if self.hit is None else Cell.MINE
        return {"flag": Cell.FLAG, "question": "question", None: Cell.HIDDEN}[mark]

    def picture(self) -> NDArray[np.uint8]:
        width, height, _ = self.size
        tile_side, step, dot = self.tile, self.tile + GAP, self.dot
        shape = (TOP + height * step + 20, LEFT + width * step + 30, 4)
        pixels = np.full(shape, GROUND, np.uint8)
        for square in range(width * height):
            y, x = divmod(square, width)
            cell = self.cell(square)
            is_open = isinstance(cell, Cell) and (cell <= Cell.EIGHT or cell > Cell.FLAG)
            tile = np.full((tile_side, tile_side, 4), 215 if is_open else 150, np.uint8)
            if cell in self.drawings:
                drawing = np.kron(self.drawings[cell], np.ones((dot, dot), np.uint8))
                tile[dot : 6 * dot, dot : 6 * dot][drawing == 1] = 30
            pixels[TOP + y * step :, LEFT + x * step :][:tile_side, :tile_side] = tile
        if self.message:
            middle = TOP + height * step // 2
            pixels[middle - step : middle + step, LEFT + step : LEFT + (width - 1) * step] = 250
        return pixels
