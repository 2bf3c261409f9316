"""A small game on a make-believe desktop, drawn as the classic one, whose behaviour is unknown."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import replace
from random import Random

import cv2
import numpy as np
from numpy.typing import NDArray

from fixtures import classic_look
from fixtures.game_state import GameRules, GameState
from minebot.actuator import Button
from minebot.board import Board, Cell
from minebot.capture import Pixel, Rect, Window
from minebot.desktop.placement import Point
from minebot.layout import First, Layout
from tests.support.fake_clock import TimedDesk

RULES = GameRules(First.SAFE, chords=False, flags_when_won=False)
SCALE = 2
SIDE = SCALE * classic_look.SIDE
LEFT = SCALE * classic_look.LEFT
STRIP = 48
"""Pixels above the classic window, for buttons."""
TOP = STRIP + SCALE * classic_look.TOP
_BLACK, _FONT = (20, 20, 20), cv2.FONT_HERSHEY_SIMPLEX


class DrawnGame:
    """The rules of Minesweeper in the look of the nineties.

    It shows its mines when it is lost, and has a key, `n`, for a new board. What else it does is
    said by the attributes.
    """

    # -- flags
    takes_flags = True
    """Whether a right click flags."""
    flags_with = ""
    """What is held while a left click does, instead; empty for nothing."""
    flag_button = ""
    """What is written on a button above the board that has clicks flag, and then open again; empty
    for none."""
    open_button = ""
    """What is written on the one that has them open again, if that is another."""
    flags_once = False
    """Whether the button has one click alone flag."""
    flags_stay = False
    """Whether nothing takes a flag off again."""
    flags_to_win = False
    """Whether it is won only once all its mines are flagged, and tells of that in a window."""
    is_quiet = False
    """Whether it does not tell of that."""
    flags_late = 0.0
    """Seconds after which a flag shows."""
    counts = False
    """Whether a counter of the mines left stands above the board."""

    # -- clicks
    first_is_safe = True
    """Whether the first click cannot hit a mine."""
    first_opens = False
    """Whether the first click opens an area."""
    asks_for_buttons = False
    """Whether it asks every 0.05 seconds whether a button is down, and misses shorter clicks."""
    pointer_before: Pixel | None = None
    """Where it takes a short click to be; None where it is, as it takes longer ones to be."""
    last_click_alone = False
    """Whether it misses clicks that follow another one within 0.1 seconds."""
    grows = False
    """Whether the tile below the pointer is drawn larger, over the edges of those around it."""

    # -- the end
    message_seconds = 0.0
    """For how long a message lies over the board when it has ended, the pointer beside it."""
    dims = False
    """Whether a message dims all of the window then, until Escape is pressed."""
    asks = ""
    """What is written on the button of a message that lies over the board then, until that is
    clicked, which begins anew; empty for no message."""
    tells_in = ""
    """The title of a window that comes before the board when it has ended; empty for none."""
    flags_mines = False
    """Whether it draws all its mines as flags once it is lost."""
    writes_on_hit = ""
    """What it writes on the mine that was hit, showing no other and opening all that holds none;
    empty for a game that shows its mines."""
    moves_on = False
    """Whether the board goes on moving once it has ended."""

    # -- new boards
    key_for_new = "n"
    """What brings a new board; empty for no key."""
    has_face = False
    """Whether a face above the board does, when it is clicked."""
    gives_up_first = False
    """Whether a click of the face only gives up a game that is not over."""
    word_for_new = ""
    """What is written on a button above the board that brings a new one; empty for none."""
    again_by_board = False
    """Whether a click of a board that has ended brings a new one."""
    again_at_once = False
    """Whether a new one comes as soon as a game has ended."""
    starts = ""
    """What is written on the button that lies over each new board, until it is clicked."""
    asks_to_give_up = ""
    """The title of the window that asks whether to give up a game that goes on; empty for none."""
    new_windows = False
    """Whether each board comes in a window of its own, in the place of the last one's."""
    alerts = False
    """Whether a message dims all of the window when a new board comes, which shows once Escape is
    pressed."""

    def __init__(self, seed: int, size: tuple[int, int, int] = (9, 9, 10)) -> None:
        self.random = Random(seed)
        self.size = size
        self.played = 0
        self.flagging = False
        """Whether clicks flag by now."""
        self.pointed: Point | None = None
        """Where the pointer was when it was drawn last."""
        self._clicked_at = -1.0
        self.restart()
        self.desk = TimedDesk(self.picture())
        self.desk.on_click = self.click
        self.desk.on_key = self.key
        self.desk.on_grab = self._move

    def restart(self) -> None:
        self.game: GameState | None = None
        """Begins with the first click, which decides where the mines are."""
        self.flags: set[int] = set()
        self.late: set[int] = set()
        """Flags that do not show yet."""
        self.message = self.dimmed = self.asking = self.alerted = False
        self.shift = 0

    def show(self) -> None:
        self.desk.paint(self.picture())

    def begin(self, layout: Layout) -> None:
        """Have the mines lie there."""
        self.game = GameState(layout, replace(RULES, flags_to_win=self.flags_to_win))

    @property
    def over(self) -> bool:
        return self.game is not None and (self.game.won or self.game.lost)

    @property
    def lost(self) -> bool:
        return self.game is not None and self.game.lost

    # -- what the user does

    def key(self, key: str) -> None:
        if self.alerted or self.dimmed:
            was_alert = self.alerted
            if key == "Escape":
                self.alerted = self.dimmed = False
                if was_alert:
                    self._begin_anew()
            self.show()
        elif key and key == self.key_for_new and not self.asking:
            self._again()

    def click(self, pixel: Pixel, button: Button) -> None:
        is_short = self.desk.pressed_for < 0.05
        if self.alerted or self.dimmed or (self.asks_for_buttons and is_short):
            return
        if self.pointer_before is not None:
            before, self.pointer_before = self.pointer_before, pixel
            pixel = before if is_short else pixel
        now = self.desk.clock.now()
        is_close, self._clicked_at = now - self._clicked_at < 0.1, now
        if is_close and self.last_click_alone:
            return
        if self.asking:
            self._answer(pixel)
        elif pixel.y < TOP:
            self._click_above(pixel)
        else:
            self._click_board(pixel, button)

    def _answer(self, pixel: Pixel) -> None:
        if self.message_button.holds(pixel):
            self.asking = False
            if not self.starts:
                self._again()
        self.show()

    def _click_above(self, pixel: Pixel) -> None:
        if self.has_face and self.face.holds(pixel):
            if self.over or not self.gives_up_first:
                self._again()
                return
            self._lay(0)
            assert self.game is not None
            self.game.open(min(self.game.layout.mines))
        first, second = self.buttons
        if self.word_for_new and first.holds(pixel):
            self._again()
        elif self.flag_button and first.holds(pixel):
            self.flagging = bool(self.open_button) or not self.flagging
        elif self.open_button and second.holds(pixel):
            self.flagging = False
        self.show()

    def _click_board(self, pixel: Pixel, button: Button) -> None:
        width, height, _ = self.size
        x, y = (pixel.x - LEFT) // SIDE, (pixel.y - TOP) // SIDE
        assert 0 <= x < width, "a click beside the board"
        assert 0 <= y < height, "a click beside the board"
        if self.over:
            if self.again_by_board:
                self._again()
            return
        square, held = y * width + x, self.desk.held
        is_right = button is Button.RIGHT
        flags = (is_right and self.takes_flags and not self.flags_with) or self.flagging
        flags |= bool(self.flags_with) and held == self.flags_with
        self.flagging &= not self.flags_once
        if flags:
            self._flag(square)
        elif not is_right:
            self._open(square)
        self._end()
        self.show()

    def _flag(self, square: int) -> None:
        if self.game is not None and square in self.game.opened:
            return
        if square not in self.flags:
            self.flags.add(square)
            if self.flags_late:
                self.late.add(square)
                self.desk.clock.after(self.flags_late, self._show_late)
        elif not self.flags_stay:
            self.flags.remove(square)
        if self.game is not None:
            self.game.flags = set(self.flags)

    def _show_late(self) -> None:
        self.late.clear()
        self.show()

    def _lay(self, square: int) -> None:
        """Lay the mines, if they do not lie yet."""
        if self.game is not None:
            return
        if self.first_opens:
            self.begin(replace(RULES, first=First.OPENING).deal(*self.size, square, self.random))
        elif self.first_is_safe:
            self.begin(RULES.deal(*self.size, square, self.random))
        else:
            self.begin(Layout.scattered(*self.size, self.random))

    def _open(self, square: int) -> None:
        self._lay(square)
        assert self.game is not None
        self.game.flags = set(self.flags)
        self.game.open(square)

    def _end(self) -> None:
        """Do what the game does at its end, if it has come."""
        if not self.over:
            return
        if self.again_at_once:
            self._again()
            return
        self.dimmed, self.asking = self.dims, bool(self.asks)
        if self.message_seconds:
            self.message = True
            self.desk.clock.after(self.message_seconds, self._fade)
        tells_of_flags = self.flags_to_win and not self.is_quiet and not self.lost
        if self.tells_in or tells_of_flags:
            self.desk.dialogs.append(Window(f"0x8{self.played}", self.tells_in or "Won"))

    def _fade(self) -> None:
        """The message goes, unless the pointer lies on the board."""
        if self.desk.pointer.x < self.desk.rect.left + LEFT:
            self.message = False
            self.show()
        elif self.message:
            self.desk.clock.after(0.2, self._fade)

    def _move(self) -> None:
        """Draw anew what moves by itself: a board that has ended, and what the pointer lies on."""
        if self.moves_on and self.over:
            self.shift = 1 - self.shift
            self.show()
        elif self.grows and self.desk.pointer != self.pointed:
            self.pointed = self.desk.pointer
            self.show()

    def _again(self) -> None:
        if self.asks_to_give_up and self.game is not None and not self.over:
            self.desk.dialogs.append(Window(f"0x9{self.played}", self.asks_to_give_up))
            self.desk.repainted = True
            self.game.hit.add(min(self.game.layout.mines))
            self._begin_anew()
        elif self.alerts:
            self.alerted = True
            self.show()
        else:
            self._begin_anew()

    def _begin_anew(self) -> None:
        self.played += 1
        self.restart()
        self.asking = bool(self.starts)
        if self.new_windows:
            self.desk.reopen(f"0x70000{self.played % 4}")
        self.show()

    # -- what it shows

    @property
    def face(self) -> Rect:
        """Where it is, in pixels of the window."""
        middle = LEFT + self.size[0] * SIDE // 2
        return Rect(middle - 26, STRIP + 28, 52, 52)

    @property
    def buttons(self) -> tuple[Rect, Rect]:
        """Where the buttons above the board are, in pixels of the window."""
        return Rect(LEFT, 8, 100, 32), Rect(LEFT + 110, 8, 100, 32)

    @property
    def message_button(self) -> Rect:
        """Where that of the message is, in pixels of the window."""
        width, height, _ = self.size
        middle = LEFT + width * SIDE // 2, TOP + height * SIDE // 2
        return Rect(middle[0] - 60, middle[1], 120, 30)

    @property
    def board(self) -> Board:
        """What the board shows."""
        width, height, _ = self.size
        if self.game is None:
            board = Board.hidden(width, height)
            flags = self.flags
        else:
            board, flags = self.game.board(reveal=True), self.flags - self.game.opened
        cells = bytearray(board.cells)
        for square in flags - self.late:
            if cells[square] in (Cell.HIDDEN, Cell.MINE):
                cells[square] = Cell.FLAG
        if self.flags_mines and self.game is not None and self.lost:
            for square in self.game.layout.mines:
                cells[square] = Cell.FLAG
        if self.writes_on_hit and self.game is not None:
            mines = self.game.layout.mines
            for square in range(width * height) if self.lost else ():
                cells[square] = Cell.HIDDEN if square in mines else self.game.layout.numbers[square]
        return Board(width, height, None, bytes(cells))

    def picture(self) -> NDArray[np.uint8]:
        mines = self.size[2] if self.counts else None
        drawn = classic_look.draw(self.board, "blocks", SCALE, mines=mines).pixels
        pixels = np.full((STRIP + drawn.shape[0], drawn.shape[1], 4), 192, np.uint8)
        pixels[STRIP:] = drawn
        if self.grows:
            self._grow(pixels)
        if self.writes_on_hit and self.game is not None:
            self._write(pixels, self.game.hit)
        if self.has_face:
            self._draw_face(pixels)
        first, second = self.buttons
        if self.word_for_new:
            _draw_button(pixels, first, self.word_for_new, is_lit=False)
        if self.flag_button:
            _draw_button(pixels, first, self.flag_button, is_lit=self.flagging)
        if self.open_button:
            _draw_button(pixels, second, self.open_button, is_lit=not self.flagging)
        if self.shift:
            pixels[TOP : TOP + 40, LEFT : LEFT + 40] //= 2
        width, height, _ = self.size
        if self.message:
            top = TOP + height * SIDE // 2 - SIDE
            pixels[top : top + 2 * SIDE, LEFT + SIDE : LEFT + (width - 1) * SIDE] = 250
        if self.dimmed or self.asking or self.alerted:
            pixels //= 3
        if self.asking:
            self._draw_message(pixels)
        return pixels

    def _grow(self, pixels: NDArray[np.uint8]) -> None:
        """Draw the tile below the pointer larger."""
        at = self.desk.pixel(self.desk.pointer) if hasattr(self, "desk") else Pixel(0, 0)
        x, y, more = (at.x - LEFT) // SIDE, (at.y - TOP) // SIDE, 10
        if 0 <= x < self.size[0] and 0 <= y < self.size[1]:
            left, top = LEFT + x * SIDE, TOP + y * SIDE
            side = SIDE + 2 * more
            large = cv2.resize(pixels[top : top + SIDE, left : left + SIDE], (side, side))
            large[:3] = large[-3:] = large[:, :3] = large[:, -3:] = 30
            pixels[top - more : top + SIDE + more, left - more : left + SIDE + more] = large

    def _write(self, pixels: NDArray[np.uint8], squares: Set[int]) -> None:
        """Write on these cells."""
        for square in squares:
            left = LEFT + square % self.size[0] * SIDE
            top = TOP + square // self.size[0] * SIDE
            drawn = np.full((SIDE - 2, SIDE - 2, 3), 192, np.uint8)
            cv2.putText(drawn, self.writes_on_hit, (6, 24), _FONT, 0.8, (0, 0, 255), 2)
            pixels[top + 2 : top + SIDE, left + 2 : left + SIDE, :3] = drawn

    def _draw_face(self, pixels: NDArray[np.uint8]) -> None:
        left, top, side, _ = self.face
        drawn = np.full((side, side, 3), 192, np.uint8)
        cv2.circle(drawn, (side // 2, side // 2), 18, (0, 230, 255), -1)
        cv2.circle(drawn, (side // 2, side // 2), 18, _BLACK, 2)
        bend = (180, 360) if self.lost else (0, 180)
        cv2.ellipse(drawn, (side // 2, side // 2 + 6), (9, 6), 0, *bend, _BLACK, 2)
        pixels[top : top + side, left : left + side, :3] = drawn

    def _draw_message(self, pixels: NDArray[np.uint8]) -> None:
        left, top, across, down = self.message_button
        pixels[top - 60 : top + 45, left - 30 : left + across + 30] = 250
        said = np.ascontiguousarray(pixels[top - 45 : top + down, left : left + across, :3])
        cv2.putText(said, "Well!", (20, 25), _FONT, 0.7, _BLACK, 2, cv2.LINE_AA)
        cv2.rectangle(said, (0, 45), (across - 1, 45 + down - 1), (120, 190, 90), -1)
        text = self.starts or self.asks
        cv2.putText(said, text, (8, 66), _FONT, 0.6, _BLACK, 1, cv2.LINE_AA)
        pixels[top - 45 : top + down, left : left + across, :3] = said


def _draw_button(pixels: NDArray[np.uint8], place: Rect, text: str, *, is_lit: bool) -> None:
    left, top, across, down = place
    drawn = np.full((down, across, 3), 225, np.uint8)
    drawn[:] = (60, 190, 250) if is_lit else 225
    cv2.rectangle(drawn, (0, 0), (across - 1, down - 1), (90, 90, 90), 1)
    cv2.putText(drawn, text, (10, 22), _FONT, 0.6, _BLACK, 1, cv2.LINE_AA)
    pixels[top : top + down, left : left + across, :3] = drawn
