"""Keeps playing around tiles that cannot be read, and labels one once logic leaves one number.

No such tile is given a label that is only likely. It counts as covered, which says nothing about
the mines around it, so every conclusion drawn without it holds. Once the cell must be open and only
one number of mines can be around it, its tile is labelled with that number, unless the number is 0:
then something may lie on the tile. If the profile knows all tiles of its game, nothing is learnt. A
certain mine is left alone whatever its tile shows: a flag drawn off centre, or below the pointer.
"""

from __future__ import annotations

from collections.abc import Set

from minebot.board import Board, Cell
from minebot.capture import Frame
from minebot.errors import UnreadableTile
from minebot.play.end_detection import goes_on
from minebot.play.observer import Observation
from minebot.solver import Solver
from minebot.vision.board_reader import BoardReader
from minebot.vision.known_game import is_first_sight

_MAX_DIFFERENT = 8
"""Different tiles that may be unknown. Specified: eight numbers; more are another picture."""


class UnknownTiles:
    """The squares of one game that cannot be read while the others can."""

    def __init__(self, reader: BoardReader) -> None:
        self._reader = reader
        self.squares: frozenset[int] = frozenset()
        reader.overlook(self.squares)
        self.error: UnreadableTile | None = None
        """Why they cannot be read, None if there is none."""
        self._taught: set[int] = set()
        self._deduced: dict[int, Cell] = {}
        """Squares that cannot be read, and what logic says that they show."""

    @property
    def unclear(self) -> frozenset[int]:
        """Those of the squares of which logic does not tell, either, what they show."""
        return self.squares - self._deduced.keys()

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
        guessed: Set[int],
        proven: Set[int],
    ) -> bool:
        """Whether play may go on around all that cannot be read in this frame.

        `last` is the last board that was read, `proven` are its certain mines; a square that was
        opened as a guess may show a mine, too, unless it is only in doubt which number it shows. If
        more than a few different tiles cannot be read, or tiles that could be read before, the
        picture is not the board's.
        """
        if frame.pixels.shape != last.frame.pixels.shape:
            return False
        tiles, board = self._reader.tentative_tiles(frame), last.board
        unread = frozenset(square for square, tile in enumerate(tiles) if tile.cell is None)
        is_news = unread and unread != self.squares and not unread & self._taught
        if not is_news or len(tiles) != len(board.cells):
            return False
        # A number stays what it is, though it fades to colours that leave it in doubt.
        likeliest = {s: tiles[s].scores[0][0] for s in unread if tiles[s].scores}
        before = {s: Cell(board.cells[s]) for s in likeliest.keys() & board.opened}
        same = {s: number for s, number in before.items() if likeliest[s] == number.name.lower()}
        numbers = unread - proven - self._deduced.keys() - same.keys()
        were_open = any(board.cells[square] != Cell.HIDDEN for square in numbers)
        if were_open or len({tiles[square].scores for square in numbers}) > _MAX_DIFFERENT:
            return False
        empty = [square for square, tile in enumerate(tiles) if tile.cell == Cell.EMPTY]
        numbered = {square for square, tile in enumerate(tiles) if goes_on(tile)}
        may_be_hit = numbers & guessed - board.around(empty) - numbered
        if may_be_hit or (numbers and not is_first_sight(self._reader.profile)):
            return False
        self._deduced |= same
        self._overlook(unread)
        self.error = error
        return True

    def left_alone(self, board: Board, opened: Set[int], proven: Set[int]) -> Set[int]:
        """The squares that are not to be opened, even where they are certain to hold no mine.

        What cannot be read may be covered, so that it is opened once; but never beside flags of
        the user's that may be wrong, for it may be a number, and the click a chord.
        """
        may_chord = not proven >= set(board.squares(Cell.FLAG))
        return self.squares if may_chord else self.squares & opened

    def filled(self, board: Board) -> Board:
        """The board with what logic says of squares that cannot be read."""
        return board.showing(self._deduced)

    def learn(
        self,
        observation: Observation,
        board: Board,
        opened: Set[int],
        safe: Set[int],
        proven: Set[int],
        *,
        search: bool,
    ) -> bool:
        """Learn, or deduce, what squares show whose number is certain by now; whether any is.

        `board` is the one that was seen, with its mine total and `filled`; `safe` are the
        squares that were ever certain to hold no mine, `opened` those of them that were clicked.
        With `search` it is worked out which numbers are possible where mines around are in doubt.
        """
        # Some may be known by now: the user has named them, or what lay over them has gone.
        shown = observation.board.cells
        covered = self.squares & {*observation.reading.unread, *proven}
        self._overlook(frozenset(s for s in covered if shown[s] == Cell.HIDDEN))
        self._deduced = {s: number for s, number in self._deduced.items() if s in self.squares}
        before = len(self._deduced)
        near_empty = board.around(board.squares(Cell.EMPTY))
        free = safe | near_empty
        # A covered tile shows no number, even where it is certain to hold no mine.
        for square in sorted(self.unclear & (opened | near_empty)):
            number = _number(board, square, free, proven, search=search)
            if number == Cell.EMPTY:
                self._deduced[square] = number
            elif number is not None:
                self._reader.teach(observation.frame, observation.grid, square, number)
                self._taught.add(square)
                self._overlook(self.squares - {square})
                return True
        return len(self._deduced) > before


def _number(
    board: Board, square: int, free: Set[int], proven: Set[int], *, search: bool
) -> Cell | None:
    """How many mines are around the square, None if there are several possibilities."""
    around = {*board.neighbours(square)} & {*board.squares(Cell.HIDDEN, Cell.FLAG)}
    least, doubtful = len(around & proven), len(around - proven - free)
    able = list(range(least, least + doubtful + 1))
    if doubtful and search:
        is_possible = Solver().is_possible
        able = [number for number in able if is_possible(board.showing({square: number}))]
    return Cell(able[0]) if len(able) == 1 else None
