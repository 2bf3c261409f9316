"""A small game that is drawn on a make-believe desktop, for calibrating on it."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import replace
from random import Random

import cv2
import numpy as np
from numpy.typing import NDArray

from bot.actuator import Button
from bot.board import Cell
from bot.capture import Pixel, Rect, Window
from bot.layout import First, Layout
from bot.stop import Stop
from fixtures.game_state import GameRules, GameState
from tests.fake_clock import TimedDesk

RULES = GameRules(First.SAFE, chords=False, flags_when_won=False)
GROUND, GAP = 240, 4
LEFT, TOP = 30, 44


class _BySides(Layout):
    """Empty squares open those at their four sides alone."""

    def opened_by(self, square: int, covered: Collection[int] | None = None) -> set[int]:
        opened, fresh = {square}, [square]
        while fresh:
            at = fresh.pop()
            x, y = at % self.width, at // self.width
            beside = [s for s in self.neighbours(at) if s % self.width == x or s // self.width == y]
            if not self.number(at):
                fresh += [s for s in beside if s not in opened and (not covered or s in covered)]
                opened.update(fresh)
        return opened


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
    tells_in_words = False
    """Whether a message that is full of small print lies over its lower half then."""
    dims = False
    """Whether a message dims all of the window then, until Escape is pressed."""
    asks = ""
    """What is written on the button of a message that then lies over the dimmed board, until that
    is clicked, which begins anew; empty for no message."""
    asks_late = False
    """Whether it comes by `ask` alone, a while after the end."""
    shows_all_mines = True
    """Whether it does when it is lost, or only the one that was hit."""
    opens_all = False
    """Whether it shows what is below every square then, and takes the flags off."""
    keeps_flags = True
    """Whether flags stay on a board that is lost, or show what is below them as everywhere else."""
    opens_corners = True
    """Whether an empty square opens those at its corners too, not at its sides alone."""
    edge_differs = False
    """Whether the tiles of the first column look otherwise than the others."""
    flags_to_win = False
    """Whether it is won only once all its mines are flagged, and tells of that in a window."""
    starts = ""
    """What is written on the button that lies over each dimmed new board, until it is clicked."""
    new_windows = False
    """Whether each board comes in a window of its own, in the place of the last one's."""
    has_outlines = False
    """Whether covered tiles have a dark line at each edge beyond which a tile is open."""
    lights = False
    """Whether the tile below the pointer is lighter."""
    open_level, covered_level = 215, 150
    """How light opened tiles are, and covered ones."""
    tells_the_hit = True
    """Whether that one looks otherwise than the others."""
    first_is_safe = True
    """Whether the first click cannot hit a mine."""

    key_for_new = "n"
    """What brings a new board; empty for no key."""
    has_face = False
    """Whether a face above the board does, when it is clicked."""
    gives_up_first = False
    """Whether a click of the face only gives up a game that is not over."""
    takes_flags = True
    """Whether a right click flags."""
    flags_stay = False
    """Whether nothing takes a flag off again, and a flagged square cannot be opened."""
    pointer_before: Pixel | None = None
    """Where it takes a short click to be; None where it is, as it takes longer ones to be."""
    asks_for_buttons = False
    """Whether it asks every 0.05 seconds whether a button is down, and misses shorter clicks."""
    grows = False
    """Whether the tile below the pointer is drawn larger, over the edges of those around it."""
    opens_below_pointer = False
    """Whether a tile from which the last mark was taken is drawn as an open and empty one, until
    the pointer leaves it."""
    marks_text = False
    """Whether a click with Shift held marks all squares between it and the last, until the next."""
    again_by_board = False
    """Whether a click of a board that has ended brings a new one."""
    again_at_once = False
    """Whether a new one comes as soon as a game has ended."""
    goes_down = 0
    """By so many pixels the board goes down when it has ended."""
    goes_down_at_once = False
    """Whether it does so by its first click already."""
    shrinks = 0
    """By so many pixels a row is less high once it is open as a whole."""
    alerts = False
    """Whether a message dims all of the window when a new board comes, which shows once Escape is
    pressed."""
    flags_with = ""
    """What is held while a left click does, instead; empty for nothing."""

    flag_button = ""
    """What is written on a button above the board that has clicks flag, and then open again; empty
    for none."""
    open_button = ""
    """What is written on the one that has them open again, if that is another."""
    flags_once = False
    """Whether the button has one click alone flag."""
    counts_beside = False
    """Whether both buttons stand further to the right while more than one flag is set."""

    def __init__(self, width: int, height: int, mines: int, seed: int) -> None:
        self.flagging = False
        """Whether clicks flag by now."""
        self.random = Random(seed)
        self.size = width, height, mines
        drawings = np.random.default_rng(seed)
        self.drawings = {
            cell: drawings.integers(0, 2, (5, 5), np.uint8)
            for cell in (*Cell, "question")
            if cell not in (Cell.EMPTY, Cell.HIDDEN)
        }
        self.played = self.last = 0
        self.restart()
        self.desk = TimedDesk(self.picture())
        self.desk.on_click = self.click
        self.desk.on_key = self.key
        self.desk.on_resize = self.resize

    def restart(self) -> None:
        self.message = self.dimmed = self.asking = False
        self.alerted = False
        self.game: GameState | None = None
        """Begins with the first click, which decides where the mines are."""
        self.marks: dict[int, str] = {}
        self.unmarked: int | None = None
        """The square that is drawn as an open one for want of another click."""
        self.marked: set[int] = set()
        """The squares whose text is marked."""

    def begin(self, layout: Layout) -> None:
        """Have the mines lie there."""
        if not self.opens_corners:
            layout = _BySides(layout.width, layout.height, layout.mines)
        self.game = GameState(layout, replace(RULES, flags_to_win=self.flags_to_win))

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
        return self.game is not None and (self.game.won or self.game.lost)

    @property
    def _down(self) -> int:
        """By how many pixels the board is further down now."""
        has_gone = self.over or (self.goes_down_at_once and self.game is not None)
        return self.goes_down if has_gone else 0

    @property
    def _tops(self) -> list[int]:
        """Where its rows begin, in pixels of the window."""
        width, height, _ = self.size
        opened = self.game.opened if self.game is not None else set()
        tops = [TOP]
        for y in range(height - 1):
            less = self.shrinks if opened.issuperset(range(y * width, (y + 1) * width)) else 0
            tops.append(tops[-1] + self.tile + GAP - less)
        return tops

    @property
    def lost(self) -> bool:
        return self.game is not None and self.game.lost

    def key(self, key: str) -> None:
        if self.alerted:
            if key == "Escape":
                self._begin_anew()
        elif self.dimmed:
            self.dimmed = key != "Escape"
            self.desk.paint(self.picture())
        elif key and key == self.key_for_new:
            self._again()

    def _again(self) -> None:
        if self.alerts:
            self.alerted = True
            self.desk.paint(self.picture())
        else:
            self._begin_anew()

    def _begin_anew(self) -> None:
        self.played += 1
        self.restart()
        self.asking = bool(self.starts)
        if self.new_windows:
            self.desk.reopen(f"0x70000{self.played % 4}")
        self.desk.paint(self.picture())

    @property
    def face(self) -> Rect:
        """Where it is, in pixels of the window."""
        middle = LEFT + (self.size[0] * (self.tile + GAP) - GAP) // 2
        side = TOP - 14
        return Rect(middle - side // 2, 6, side, side)

    def click(self, pixel: Pixel, button: Button) -> None:  # noqa: PLR0911, PLR0912 - one for each kind
        width, height, _ = self.size
        is_short = self.desk.pressed_for < 0.05
        if self.asks_for_buttons and is_short:
            return
        if self.pointer_before is not None:
            before, self.pointer_before = self.pointer_before, pixel
            pixel = before if is_short else pixel
        if self.alerted:
            return
        if self.asking:
            if self.button.holds(pixel):
                self.asking = False
                if not self.starts:
                    self._again()
            self.desk.paint(self.picture())
            return
        if pixel.y < TOP and self.has_face:
            if self.face.holds(pixel):
                self._press_face()
            return
        if pixel.y < TOP and self.flag_button:
            self._choose(pixel)
            return
        step = self.tile + GAP
        down = self._down
        x = (pixel.x - LEFT) // step
        y = sum(top + down <= pixel.y for top in self._tops) - 1
        assert 0 <= x < width, "a click beside the board"
        assert 0 <= y < height, "a click beside the board"
        square = y * width + x
        if self.over and self.again_by_board:
            self._again()
            return
        if self.over or self.dimmed:
            return
        between = sorted((self.last, square))
        held = self.desk.held == "shift"
        self.marked = set(range(*between)) if held and self.marks_text else set()
        self.last, self.unmarked = square, None
        is_open = self.game is not None and square in self.game.opened
        if button is Button.RIGHT and (self.flags_with or not self.takes_flags):
            return
        flags = button is Button.RIGHT or self.flagging
        flags |= bool(self.flags_with) and self.desk.held == self.flags_with
        self.flagging &= not self.flags_once
        if flags and not is_open:
            following = {None: "flag", "flag": "question", "question": None}
            if self.flags_stay:
                following["flag"] = "flag"
            mark = following[self.marks.pop(square, None)]
            if mark:
                self.marks[square] = mark
            elif self.opens_below_pointer:
                self.unmarked = square
            if self.flags_to_win and self.game is not None:
                self.game.flags = {each for each, mark in self.marks.items() if mark == "flag"}
                self._tell_won()
        elif not flags:
            self._open(square)
        self.message = self.over and self.tells_of_the_end
        self.dimmed = self.over and self.dims
        self.asking = self.over and bool(self.asks) and not self.asks_late
        if self.over and self.again_at_once:
            self._again()
        self.desk.paint(self.picture())

    def _tell_won(self) -> None:
        """Tell in a window that it is won, and begin anew."""
        if self.over and not self.lost:
            self.desk.dialogs.append(Window(f"0x8{self.played}", "Won"))
            self._again()

    def _choose(self, pixel: Pixel) -> None:
        """What a click above the board does there."""
        flag, back = self.flag_buttons
        if flag.holds(pixel):
            self.flagging = bool(self.open_button) or not self.flagging
        elif back.holds(pixel) and self.open_button:
            self.flagging = False
        self.desk.paint(self.picture())

    @property
    def flag_buttons(self) -> tuple[Rect, Rect]:
        """Where the button for flags is, and that for opening, in pixels of the window."""
        left = LEFT + (12 if self.counts_beside and len(self.marks) > 1 else 0)
        return Rect(left, 6, 84, 30), Rect(left + 90, 6, 84, 30)

    def _press_face(self) -> None:
        if self.over or not self.gives_up_first:
            self._again()
            return
        if self.game is None:
            self.begin(RULES.deal(*self.size, 0, self.random))
        assert self.game is not None
        self.game.open(min(self.game.layout.mines))
        self.desk.paint(self.picture())

    def _open(self, square: int) -> None:
        flags = {each for each, mark in self.marks.items() if mark == "flag"}
        if self.game is None and square not in flags:
            if self.first_is_safe:
                self.begin(RULES.deal(*self.size, square, self.random))
            else:
                self.begin(Layout.scattered(*self.size, self.random))
        if self.game is not None:
            self.game.flags = flags
            self.game.open(square)

    @property
    def button(self) -> Rect:
        """Where that of the message is, in pixels of the window."""
        height, width, _ = self.picture_shape
        return Rect(width // 2 - 60, height // 2, 120, 30)

    def ask(self) -> None:
        """The message comes, if the game has ended."""
        if self.over and not self.asking:
            self.asking = True
            self.desk.paint(self.picture())

    def fade(self) -> None:
        """The message goes, unless the pointer lies on the board."""
        if self.desk.pointer.x < self.desk.rect.left + LEFT:
            self.message = False
            self.desk.paint(self.picture())

    def cell(self, square: int) -> Cell | str:
        game = self.game
        mark = None if self.lost and not self.keeps_flags else self.marks.get(square)
        if self.over and self.tells_in_words and square >= self.size[1] // 2 * self.size[0]:
            return "words"
        if game is not None and square in game.opened:
            return Cell(game.layout.number(square))
        if game is not None and square in game.hit:
            return Cell.EXPLODED if self.tells_the_hit else Cell.MINE
        if game is not None and self.lost and self.opens_all:
            is_mine = square in game.layout.mines
            return Cell.MINE if is_mine else Cell(game.layout.number(square))
        shows = self.over and (not self.lost or self.shows_all_mines)
        if game is not None and shows and square in game.layout.mines and mark != "flag":
            return Cell.MINE if self.lost else Cell.FLAG
        return {"flag": Cell.FLAG, "question": "question", None: Cell.HIDDEN}[mark]

    def _outline(self, tile: NDArray[np.uint8], square: int) -> None:
        """Draw dark lines at a covered tile's edges along open ones."""
        opened = self.game.opened if self.game is not None else set()
        width, edge = self.size[0], max(1, self.dot // 2)
        if square - width in opened:
            tile[:edge] = 60
        if square + width in opened:
            tile[-edge:] = 60
        if square % width and square - 1 in opened:
            tile[:, :edge] = 60
        if (square + 1) % width and square + 1 in opened:
            tile[:, -edge:] = 60

    def _grow(self, pixels: NDArray[np.uint8]) -> None:
        """Draw the tile below the pointer larger."""
        at, step, more = self.desk.pixel(self.desk.pointer), self.tile + GAP, 2 * GAP
        x, y = (at.x - LEFT) // step, (at.y - TOP) // step
        if 0 <= x < self.size[0] and 0 <= y < self.size[1]:
            left, top, side = LEFT + x * step, TOP + y * step, self.tile
            drawn = pixels[top : top + side, left : left + side]
            large = cv2.resize(drawn, (side + 2 * more, side + 2 * more))
            large[:2] = large[-2:] = large[:, :2] = large[:, -2:] = 30
            pixels[top - more : top + side + more, left - more : left + side + more] = large

    def _draw_buttons(self, pixels: NDArray[np.uint8]) -> None:
        """Draw those that tell whether clicks flag."""
        for said, place, is_lit in zip(
            (self.flag_button, self.open_button),
            self.flag_buttons,
            (self.flagging, not self.flagging),
            strict=True,
        ):
            if said:
                left, top, across, down = place
                drawn = np.full((down, across, 3), 250, np.uint8)
                drawn[:] = (60, 190, 250) if is_lit else 225
                cv2.rectangle(drawn, (0, 0), (across - 1, down - 1), (90, 90, 90), 1)
                font, black = cv2.FONT_HERSHEY_SIMPLEX, (20, 20, 20)
                cv2.putText(drawn, said, (10, 21), font, 0.6, black, 1, cv2.LINE_AA)
                pixels[top : top + down, left : left + across, :3] = drawn

    @property
    def _pointed(self) -> int | None:
        """The square below the pointer."""
        at, step = self.desk.pixel(self.desk.pointer), self.tile + GAP
        x, y = (at.x - LEFT) // step, (at.y - TOP) // step
        is_on = 0 <= x < self.size[0] and 0 <= y < self.size[1]
        return y * self.size[0] + x if is_on else None

    @property
    def picture_shape(self) -> tuple[int, int, int]:
        """That of the window's pixels."""
        width, height, _ = self.size
        step = self.tile + GAP
        return TOP + height * step + 20 + self.goes_down, LEFT + width * step + 30, 4

    def picture(self) -> NDArray[np.uint8]:  # noqa: PLR0912 - one for each kind of game
        width, height, _ = self.size
        tile_side, step, dot = self.tile, self.tile + GAP, self.dot
        pixels = np.full(self.picture_shape, GROUND, np.uint8)
        tops = self._tops
        for square in range(width * height):
            y, x = divmod(square, width)
            cell = self.cell(square)
            is_open = isinstance(cell, Cell) and (cell <= Cell.EIGHT or cell > Cell.FLAG)
            is_open |= self.unmarked == square == self._pointed
            tile = np.full(
                (tile_side, tile_side, 4),
                self.open_level if is_open else self.covered_level,
                np.uint8,
            )
            if self.edge_differs and not x:
                tile[..., :3] -= 25
            if cell in self.drawings:
                drawing = np.kron(self.drawings[cell], np.ones((dot, dot), np.uint8))
                tile[dot : 6 * dot, dot : 6 * dot][drawing == 1] = 30
            if square in self.marked:
                tile = 255 - tile
            if self.has_outlines and not is_open:
                self._outline(tile, square)
            if self.lights and square == self._pointed:
                tile += 20
            pixels[tops[y] :, LEFT + x * step :][:tile_side, :tile_side] = tile
        if self.grows:
            self._grow(pixels)
        if self._down:
            below = pixels.copy()
            pixels[TOP + self._down :] = below[TOP : -self._down]
            pixels[TOP : TOP + self._down] = GROUND
        if self.has_face:
            left, top, side, _ = self.face
            pixels[top : top + side, left : left + side] = 100
            mouth = top + (3 * side // 4 if self.lost else side // 2)
            pixels[mouth : mouth + 3, left + 4 : left + side - 4] = 20
        self._draw_buttons(pixels)
        if self.tells_in_words and self.over:
            below = pixels[
                TOP + height * step // 2 : TOP + height * step, LEFT : LEFT + width * step
            ]
            below[:] = np.random.default_rng(self.played).integers(0, 2, below.shape) * 255
        if self.message:
            middle = TOP + height * step // 2
            pixels[middle - step : middle + step, LEFT + step : LEFT + (width - 1) * step] = 250
        if self.dimmed or self.asking or self.alerted:
            pixels //= 3
        if self.asking:
            left, top, across, down = self.button
            pixels[top - 50 : top + 45, left - 20 : left + across + 20] = 250
            said = np.ascontiguousarray(pixels[top - 45 : top + down, left : left + across, :3])
            font, black = cv2.FONT_HERSHEY_SIMPLEX, (20, 20, 20)
            cv2.putText(said, "Well!", (20, 25), font, 0.7, black, 2, cv2.LINE_AA)
            cv2.rectangle(said, (0, 45), (across - 1, 45 + down - 1), (120, 190, 90), -1)
            cv2.putText(said, self.starts or self.asks, (8, 66), font, 0.6, black, 1, cv2.LINE_AA)
            pixels[top - 45 : top + down, left : left + across, :3] = said
        return pixels
