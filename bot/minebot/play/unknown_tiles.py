"""Plays on beside looks that were never met, and learns those of which logic leaves one number.

What such a tile shows is not guessed: it is taken for covered, which tells nothing of the mines
around it, until no other number of mines can be there. Where that is none, something may lie on
the tile: nothing is learnt from it, and it is played by what logic says. Of a game whose profile
knows all that it draws nothing is learnt either. A mine that is certain is left alone whatever its
tile shows: a flag that lies a little elsewhere, or below the pointer.
"""

from __future__ import annotations

from collections.abc import Set
from dataclasses import replace

from minebot.board import Board, Cell
from minebot.capture import Frame
from minebot.errors import Contradiction, UnreadableTile, VisionError
from minebot.play.observer import Observation
from minebot.solver import solve
from minebot.vision.board_reader import BoardReader
from minebot.vision.known_game import is_first_sight

_MOST = 8
"""Different tiles that may show numbers never met: there are no more numbers than that; where more
tiles are unknown, it is another picture."""


class UnknownTiles:
    """The squares of one game that cannot be read, though they are certainly open or mines."""

    def __init__(self, reader: BoardReader) -> None:
        self._reader = reader
        self.squares: frozenset[int] = frozenset()
        self.error: UnreadableTile | None = None
        """Why they cannot be read, None where there is none."""
        self._taught: set[int] = set()
        self._deduced: dict[int, Cell] = {}
        """Squares that cannot be read, and what logic says that they show."""

    @property
    def unclear(self) -> frozenset[int]:
        """Those of the squares of which logic does not tell, either, what they show."""
        return self.squares - self._deduced.keys()

    def restart(self) -> None:
        """Another game begins."""
        self._taught.clear()
        self._deduced.clear()
        self._overlook(frozenset())

    def doubt(self) -> None:
        """Forget what was deduced: it may rest on a mine total that is wrong."""
        self._deduced.clear()

    def _overlook(self, squares: frozenset[int]) -> None:
        if squares != self.squares:
            self.squares = squares
            self._reader.overlook(squares)
        if not squares:
            self.error = None

    def accept(
        self,
        error: UnreadableTile,
        frame: Frame,
        last: Observation,
        *,
        safe: Set[int],
        proven: Set[int],
    ) -> bool:
        """Whether all that cannot be read are open numbers or mines, and play may go on.

        `last` is the last board that was read, `safe` are the squares that were ever certain to
        hold no mine, `proven` those certain to. What is covered, or is another picture, has more
        that cannot be read.
        """
        if frame.pixels.shape != last.frame.pixels.shape:
            return False
        try:
            reading = self._reader.read(frame, partly=True)
        except (VisionError, Contradiction):
            return False
        self._reader.forget()
        looks, unread, board = reading.tiles, frozenset(reading.unread), last.board
        is_news = unread and unread != self.squares and not unread & self._taught
        if not is_news or len(looks) != len(board.cells):
            return False
        near_empty = {
            other
            for square, look in enumerate(looks)
            if look.cell == Cell.EMPTY
            for other in board.neighbours(square)
        }
        numbers = unread - proven - self._deduced.keys()
        were_open = any(board.cells[square] != Cell.HIDDEN for square in numbers)
        if were_open or len({looks[square].scores for square in numbers}) > _MOST:
            return False
        may_learn = is_first_sight(self._reader.profile) and numbers <= safe | near_empty
        if numbers and not may_learn:
            return False
        self._overlook(unread)
        self.error = error
        return True

    def filled(self, board: Board) -> Board:
        """The board with what logic says of squares that cannot be read."""
        if not self._deduced:
            return board
        cells = bytearray(board.cells)
        for square, number in self._deduced.items():
            cells[square] = number
        return replace(board, cells=bytes(cells))

    def learn(
        self,
        observation: Observation,
        board: Board,
        safe: Set[int],
        proven: Set[int],
        *,
        search: bool,
    ) -> bool:
        """Learn, or deduce, what squares show whose number is certain by now; whether any is.

        `board` is the one that was seen, with its mine total and `filled`. With `search` it is
        worked out which numbers can be where mines around are in doubt.
        """
        # Some may be known by now: the user has named them, or what lay over them has gone.
        shown = observation.board.cells
        covered = self.squares & {*observation.reading.unread, *proven}
        self._overlook(frozenset(s for s in covered if shown[s] == Cell.HIDDEN))
        self._deduced = {s: number for s, number in self._deduced.items() if s in self.squares}
        before = len(self._deduced)
        for square in sorted(self.unclear - proven):
            number = self._number(board, square, safe, proven, search=search)
            if number == Cell.EMPTY:
                self._deduced[square] = number
            elif number is not None:
                self._learn(observation, square, number)
                return True
        return len(self._deduced) > before

    def _learn(self, observation: Observation, square: int, number: Cell) -> None:
        self._reader.teach(observation.frame, observation.grid, square, number)
        self._taught.add(square)
        self._overlook(self.squares - {square})

    def _number(
        self, board: Board, square: int, safe: Set[int], proven: Set[int], *, search: bool
    ) -> Cell | None:
        """How many mines are around the square, None where it may be this many or that."""
        around = [s for s in board.neighbours(square) if _is_covered(board, s)]
        least = sum(s in proven for s in around)
        doubtful = sum(s not in proven and s not in safe and s not in self.squares for s in around)
        able = list(range(least, least + doubtful + 1))
        if doubtful and search:
            able = [number for number in able if _is_possible(board, square, number)]
        return Cell(able[0]) if len(able) == 1 else None


def _is_possible(board: Board, square: int, number: int) -> bool:
    cells = bytearray(board.cells)
    cells[square] = number
    try:
        solve(replace(board, cells=bytes(cells)), risk=False, every=True)
    except Contradiction:
        return False
    return True


def _is_covered(board: Board, square: int) -> bool:
    return board.cells[square] in (Cell.HIDDEN, Cell.FLAG)
