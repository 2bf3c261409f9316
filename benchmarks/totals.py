"""What pictures tell beside their boards: totals, endings, words and buttons that change.

Cases for `benchmarks/ranges.py`: the status lines and counters of a sixth of the pictures in
`fixtures/screenshots`; status lines of a small font that was scaled down; numbers, counters, words
and buttons that are drawn here.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import islice, product
from pathlib import Path
from random import Random

import cv2
import numpy as np

from benchmarks.buttons import words
from fixtures import seven_segments
from fixtures.classic_look import TONES, draw, random_board
from minebot.board import Action, Board, Cell
from minebot.capture import Frame, Pixel, Rect
from minebot.errors import MinebotError
from minebot.learn.buttons import buttons, worded
from minebot.profile import Profile, load, profiles
from minebot.profile.schema import (
    CounterStyle,
    FlagButton,
    FramedStyle,
    RelativePosition,
    StatusStyle,
)
from minebot.recording import pictures
from minebot.vision.counter import counters, numbers, read_counter
from minebot.vision.flag_mode import are_apart, button_colours, shown_mode
from minebot.vision.framed import trace
from minebot.vision.grid import Grid
from minebot.vision.known_game import MAX_FAILURES, reader_of
from minebot.vision.status import read_status, read_total
from minebot.vision.text import Grey, Tesseract

ROOT = Path(__file__).parents[1]
SHOTS = ROOT / "fixtures" / "screenshots"
SMALL = ROOT / "tests" / "vision" / "status_lines.png"
"""Status lines of 64 rows each that say a total of 99."""
FADED = 62
"""Levels of 255 by which black letters on white would differ from it once they are faded."""
EACH = 6
"""One picture in so many of each game is read."""
BUTTONS = 4
"""Buttons with words that are drawn."""
VALUES = (-38, 147, 236)
"""What they show."""
SCALES = (1.0, 1.3)
"""To which counters are drawn: their edges are smoothed at the second."""
NUMBERS = 24
"""Numbers in words that are drawn, and as many lines that count no mines."""
MODES = 40
"""Buttons that are drawn in both of their states."""
Levels = int | tuple[int, ...]
"""A grey, or blue, green and red."""
_MODES = (Action.OPEN, Action.FLAG)
_NEW = re.compile(r"\b(new|restart|again|reset)\b", re.IGNORECASE)
"""What is written on the buttons that `benchmarks/buttons.py` draws."""


class Remembering:
    """Tesseract, which reads each picture once."""

    def __init__(self) -> None:
        self._read: dict[tuple[int, bytes], str] = {}

    @cached_property
    def _tesseract(self) -> Tesseract:
        return Tesseract()

    def __call__(self, line: Grey) -> str:
        """The text of a line; raises VisionError."""
        key = len(line), line.tobytes()
        if key not in self._read:
            self._read[key] = self._tesseract(line)
        return self._read[key]


OCR = Remembering()


@dataclass(frozen=True, slots=True)
class Case:
    """A picture, and what is to be read in it; `read` returns None where nothing is read."""

    name: str
    truth: object
    read: Callable[[], object]

    def verdict(self) -> str:
        """`right`, `wrong` or `refused`."""
        found = None
        with suppress(MinebotError):
            found = self.read()
        return "refused" if found is None else "right" if found == self.truth else "wrong"


def _statuses() -> Iterator[Case]:
    """The pictures of games with a status line."""
    yield from (case for name in profiles() if load(name).status for case in _photographed(name))
    yield from _small()
    yield from _faded()


def _counters() -> Iterator[Case]:
    """The pictures of games with a counter of seven segments."""
    yield from (case for name in profiles() if load(name).counter for case in _photographed(name))
    yield from _segments()


def _photographed(name: str) -> Iterator[Case]:
    """The pictures of one game, every one that stands for others too."""
    profile, folder = load(name), SHOTS / name
    look = profile.counter or profile.status
    index = json.loads((folder / "index.json").read_text())
    for path in sorted(folder.glob("*.png"))[::EACH]:
        facts = index[path.stem]
        if facts["expect"] == "read":
            frame, told = pictures.load(path), (facts["mines"], facts["outcome"])
            grid = _grid(profile, frame)
            flags = Board.parse(path.with_suffix(".txt").read_text()).count(Cell.FLAG)
            read = partial(_total, frame, grid, look, flags, told)
            yield Case(f"{name}/{path.stem}", told, read)


def _total(
    frame: Frame,
    grid: Grid,
    look: StatusStyle | CounterStyle | None,
    flags: int,
    told: tuple[int, str],
) -> tuple[int, str] | None:
    """The total and the end, the one that is not told taken from `told`; None without both."""
    status = read_total(frame, grid, look, flags, lambda: OCR)
    if status.mines is None and status.ended is None:
        return None
    return (
        told[0] if status.mines is None else status.mines,
        told[1] if status.ended is None else status.ended,
    )


def _mines(frame: Frame, grid: Grid, look: StatusStyle) -> int | None:
    """The total in a status line; raises VisionError."""
    return read_status(frame, grid, look, OCR).mines


def _grid(profile: Profile, frame: Frame) -> Grid:
    """Where the board lies; in colours of its own it is read at first sight, after some tries."""
    reader = reader_of(profile)
    for _ in range(MAX_FAILURES - 1):
        with suppress(MinebotError):
            return reader.read(frame).grid
    return reader.read(frame).grid


def _small() -> Iterator[Case]:
    """Small letters that were scaled down, below a board."""
    window, profile = (
        pictures.load(SHOTS / "sgt-mines" / "30x16n99-t20-early.png"),
        load("sgt-mines"),
    )
    assert profile.status is not None
    grid, rows = _grid(profile, window), pictures.load(SMALL).pixels
    for number, line in enumerate(np.split(rows, len(rows) // 64)):
        below = np.full((64, window.width, 4), line[0, -1], np.uint8)
        below[:, : line.shape[1]] = line
        frame = Frame(np.vstack([window.pixels[: grid.frame.bottom], below]))
        read = partial(_mines, frame, grid, profile.status)
        yield Case(f"small line {number}", 99, read)


def _faded() -> Iterator[Case]:
    """Status lines whose letters hardly differ from their ground."""
    folder, look = SHOTS / "sgt-mines", load("sgt-mines").status
    assert look is not None
    for path in sorted(folder.glob("*-t20-*.png"))[::EACH]:
        facts, frame = (
            json.loads((folder / "index.json").read_text())[path.stem],
            pictures.load(path),
        )
        if facts["expect"] == "read" and facts["outcome"] == "playing":
            grid = _grid(load("sgt-mines"), frame)
            below = frame.pixels[grid.frame.bottom :]
            ground = below[-1, 0].astype(np.int32)
            pixels = frame.pixels.copy()
            pixels[grid.frame.bottom :] = ground + (below - ground) * FADED // 255
            read = partial(_mines, Frame(pixels), grid, look)
            yield Case(f"faded {path.stem}", facts["mines"], read)


def _numbers() -> Iterator[Case]:
    """The mines left in words, above a board; and what counts no mines."""
    for seed in range(NUMBERS):
        lot = Random(seed)
        font = lot.choice((cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_DUPLEX))
        scale, ink = lot.choice((0.4, 0.5, 0.7, 1.0)), lot.choice((0, 80, 225))
        says = lot.choice(("Mines: {}", "{}", "Flags left {}", "Mines left: {}"))
        at, first = Pixel(lot.randint(8, 90), 34), lot.randint(10, 99)
        second = first - lot.randint(1, 9)

        def drawn(
            text: str, font: int = font, scale: float = scale, ink: int = ink, at: Pixel = at
        ) -> Frame:
            frame = seven_segments.window("", seven_segments.SIZES[0], 0, 0)
            pixels = np.full_like(frame.pixels, 160)
            pixels[80:240, 40:200] = frame.pixels[80:240, 40:200]
            cv2.putText(pixels, text, at, font, scale, (ink,) * 3, 1 + (scale > 0.6), cv2.LINE_AA)
            return Frame(pixels)

        read = partial(_followed, drawn(says.format(first)), drawn(says.format(second)))
        yield Case(f"{says.format(second)} at {scale} in {ink}", second, read)
        other = lot.choice((f"Time 0:{first}", f"{first}/{second}", f"v{first}"))
        yield Case(f"{other} at {scale}", None, partial(_followed, drawn(other), drawn(other)))


def _followed(first: Frame, second: Frame) -> int | None:
    """The number that stands in the second picture where one was found in the first."""
    grid = seven_segments.GRID
    for number in numbers(first, grid, OCR):
        look = CounterStyle(RelativePosition.of(number.rect.middle, grid.bounds, grid.tile), "text")
        return read_counter(second, grid, look, lambda: OCR)
    return None


def _segments() -> Iterator[Case]:
    """Counters that are drawn."""
    looks: list[tuple[Levels, Levels]] = [
        seven_segments.RED,
        ((255, 255, 255), (0, 0, 0)),
        (20, 160),
    ]
    for size, (lit, ground), scale in product(seven_segments.SIZES, looks, SCALES):
        for value in VALUES:
            frame = seven_segments.window(f"{value:03d}", size, lit, ground)
            pixels = cv2.resize(frame.pixels, None, None, scale, scale, cv2.INTER_LINEAR)
            area = Rect(*(round(side * scale) for side in seven_segments.GRID.bounds))
            tile = round(seven_segments.GRID.tile * scale)
            grid = Grid.regular(area, tile, tile, area)
            read = partial(_counted, Frame(np.asarray(pixels, np.uint8)), grid)
            yield Case(f"{value} in {lit} at {scale * size[0]} pixels", [value], read)
    profile = load("classic")
    assert isinstance(profile.grid, FramedStyle)
    for tone, scale, seed in product(TONES, (1, 2, 3, 4), range(2)):
        board = random_board(30, 16, Random(seed), "0123456?????????F")
        left = (40, 238)[seed]
        frame = draw(board, "blocks", scale, tone, mines=left + board.count(Cell.FLAG))
        read = partial(_counted, frame, trace(frame, profile.grid))
        yield Case(f"{left} in the classic look, {tone}, {scale}", sorted((left, 87)), read)


def _counted(frame: Frame, grid: Grid) -> list[int] | None:
    return sorted(shown.value for shown in counters(frame, grid)) or None


def _words() -> Iterator[Case]:
    """Buttons with a word on them."""
    for number, (frame, grid, is_hit) in enumerate(islice(words(), BUTTONS)):
        for how, find in (("clicked", _clicked), ("found", _found)):
            yield Case(f"button {number} is {how}", True, partial(find, frame, grid, is_hit))


def _clicked(frame: Frame, grid: Grid, is_hit: Callable[[Pixel], bool]) -> bool | None:
    at = next(buttons(None, frame, grid), None)
    return None if at is None else is_hit(at)


def _found(frame: Frame, grid: Grid, is_hit: Callable[[Pixel], bool]) -> bool | None:
    places = worded(frame, grid, _NEW)
    return is_hit(places[0]) if places else None


def _modes() -> Iterator[Case]:
    """Buttons that say whether clicks open or flag, some pixels from where they were learnt."""
    for seed in range(MODES):
        lot = Random(seed)
        place = Rect(lot.randint(45, 90), lot.randint(15, 30), lot.choice((16, 20, 24)), 24)
        draw_it = partial(
            _button, place, lot.choice(("ground", "word", "tick", "flag")), lot.random()
        )
        shift = lot.randint(-30, 30), lot.randint(-8, 8)
        for mode in (*_MODES, None):
            read = partial(_mode, draw_it, place, mode, shift)
            yield Case(f"{mode} of button {seed}", mode, read)


def _mode(
    draw_it: Callable[[Action | None, tuple[int, int]], Frame],
    place: Rect,
    mode: Action | None,
    shift: tuple[int, int],
) -> Action | str | None:
    """What is read of a button in that mode that has moved; None where its looks are not apart."""
    grid = seven_segments.GRID
    opening, flagging = (button_colours(draw_it(each, (0, 0)), place) for each in _MODES)
    if not are_apart(opening, flagging):
        return None
    spot = RelativePosition.of(place.middle, grid.bounds, grid.tile)
    width, height = (round(side / grid.tile, 2) for side in place[2:])
    button = FlagButton(spot, spot, width, height, opening, flagging)
    shown = shown_mode(draw_it(mode, shift), grid, button)
    if shown is None:
        return None
    is_hit = place.moved(*shift).holds(shown.moved(place.middle))
    return shown.action if is_hit or mode is None else "elsewhere"


def _button(
    place: Rect, kind: str, shade: float, mode: Action | None, shift: tuple[int, int]
) -> Frame:
    """A window with such a button, and a number beside it; None for no button."""
    pixels = np.full((280, 260, 4), 200, np.uint8)
    cv2.putText(pixels, "Mines 12", (150, 40), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (0,) * 4, 1)
    if mode is None:
        return Frame(pixels)
    rect = place.moved(*shift)
    is_flag = mode is Action.FLAG
    ground = round(60 + 100 * shade)
    part = pixels[rect.top : rect.bottom, rect.left : rect.right]
    part[...] = ground - 50 if kind == "ground" and is_flag else ground
    ink = (20, 20, 220, 0)
    cell = np.ascontiguousarray(part)
    if kind == "word":
        word = "On" if is_flag else "Off"
        cv2.putText(cell, word, (2, 17), cv2.FONT_HERSHEY_SIMPLEX, 0.4, ink, 1, cv2.LINE_AA)
    elif kind == "tick" and is_flag:
        cv2.line(cell, (4, 12), (8, 18), ink, 2)
        cv2.line(cell, (8, 18), (14, 5), ink, 2)
    elif kind == "flag":
        shape = [(4, 4), (13, 8), (4, 12)] if is_flag else [(4, 14), (9, 4), (14, 14)]
        cv2.fillPoly(cell, [np.array(shape)], ink)
    part[...] = cell
    return Frame(pixels)


CASES = {
    "minebot.vision.text": (_statuses, _numbers, _words),
    "minebot.vision.status": (_statuses,),
    "minebot.vision.counter": (_numbers, _counters),
    "minebot.vision.flag_mode": (_modes,),
}
"""What the numbers of each module are measured on."""
