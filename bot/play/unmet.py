"""Plays on beside looks that were never met, and learns those of which logic leaves one number.

What such a tile shows is not guessed: it is taken for covered, which tells nothing of the mines
around it. Once all of these are certain, so is its number. Where that is one whose look is known,
something else lies on the tile, and nothing is learnt from it. A mine that is certain is left
alone whatever its tile shows: a flag that lies a little elsewhere, or below the pointer.
"""

from __future__ import annotations

from collections.abc import Callable, Set

from bot.board import Board, Cell
from bot.capture import Frame
from bot.errors import UnreadableTile, VisionError
from bot.play.eye import Sight
from bot.profile import Profile, SampleLook
from bot.vision.grid import Grid
from bot.vision.reader import Reader

Learns = Callable[[Profile, Frame, Grid, int, Cell], Profile]
"""The profile in which that square of the frame shows that cell."""

_MOST = 4
"""So many squares may show numbers that were never met; where more do, it is another picture.
Guessed."""


class Unmet:
    """The squares of one game that cannot be read, though they are certainly open or mines."""

    def __init__(self, reader: Reader, learns: Learns | None) -> None:
        self._reader = reader
        self._learns = learns
        self.squares: frozenset[int] = frozenset()
        self.error: UnreadableTile | None = None
        """Why they cannot be read, None where there is none."""
        self._taught: set[int] = set()

    def restart(self) -> None:
        """Another game begins."""
        self._taught.clear()
        self._overlook(frozenset())

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
        last: Sight,
        *,
        safe: Set[int],
        proven: Set[int],
        guessed: Set[int],
    ) -> bool:
        """Whether all that cannot be read are open numbers or mines, and play may go on.

        `last` is the last board that was read, `safe` are the squares that were ever certain to
        hold no mine, `proven` those certain to; none are those that were `guessed` where a mine
        that is hit has another look, which is known. What is covered, or is another picture, has
        more that cannot be read.
        """
        if frame.pixels.shape != last.frame.pixels.shape:
            return False
        looks = self._reader.readings(frame, last.grid)
        self._reader.forget()
        unread = frozenset(s for s, look in enumerate(looks) if look.cell is None)
        board = last.board
        near_empty = {
            other
            for square, look in enumerate(looks)
            if look.cell == Cell.EMPTY
            for other in board.neighbours(square)
        }
        if not unread or unread == self.squares or unread & self._taught:
            return False
        numbers = unread - proven
        if len(numbers) > _MOST:
            return False
        if any(board.cells[square] != Cell.HIDDEN for square in numbers):
            return False
        spared = guessed if self._knows(Cell.EXPLODED) else set()
        if numbers and not (self._missing() and numbers <= safe | near_empty | spared):
            return False
        self._overlook(unread)
        self.error = error
        return True

    def _missing(self) -> set[Cell]:
        """The numbers that were never met and may be learnt."""
        look = self._reader.profile.cells
        if self._learns is None or not isinstance(look, SampleLook):
            return set()
        return set(map(Cell, range(1, 9))) - {sample.cell for sample in look.samples}

    def _knows(self, cell: Cell) -> bool:
        look = self._reader.profile.cells
        return isinstance(look, SampleLook) and any(one.cell == cell for one in look.samples)

    def learn(self, sight: Sight, safe: Set[int], proven: Set[int]) -> tuple[int, Cell] | None:
        """Learn the look of a square whose number is certain by now; that, if there is one.

        Raises UnreadableTile where the number is one that was met, and looks otherwise.
        """
        board = sight.board
        # Some may be known by now: the user has named them.
        self._overlook(frozenset(s for s in self.squares if board.cells[s] == Cell.HIDDEN))
        for square in sorted(self.squares - proven):
            around = [s for s in board.neighbours(square) if _is_covered(board, s)]
            if any(s not in proven and s not in safe and s not in self.squares for s in around):
                continue
            number = Cell(sum(s in proven for s in around))
            assert self._learns is not None
            if number not in self._missing():
                assert self.error is not None
                raise self.error
            try:
                profile = self._learns(
                    self._reader.profile, sight.frame, sight.grid, square, number
                )
            except VisionError:
                return None
            self._taught.add(square)
            self._overlook(self.squares - {square})
            self._reader.learn(profile)
            return square, number
        return None


def _is_covered(board: Board, square: int) -> bool:
    return board.cells[square] in (Cell.HIDDEN, Cell.FLAG)
