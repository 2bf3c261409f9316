"""What the page and the server say to each other, and what is refused of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, TypeVar

import msgspec

from minebot.board import Board
from minebot.errors import UsageError
from minebot.puzzle.texts import Puzzle

SIDE, CELLS = 200, 10_000
"""Columns, rows and cells of a board at most. Specified: what a page draws without delay."""
TEXT = 64 * 1024
"""Characters of a text that may be a board. Specified: the largest one, with comments."""

_Asked = TypeVar("_Asked")
_Square = Annotated[int, msgspec.Meta(ge=0, lt=CELLS)]


class Question(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A board as text, in any form that `minebot solve` reads, and its mine total if known."""

    text: Annotated[str, msgspec.Meta(max_length=TEXT)]
    mines: Annotated[int, msgspec.Meta(ge=0, le=CELLS)] | None = None
    square: _Square | None = None
    """The cell that is asked about, row-major; None: about the board."""
    unread: tuple[_Square, ...] = ()
    """The cells of a picture that were not read: they count as covered."""

    def puzzle(self) -> Puzzle:
        """The board and where it is from; raises UsageError."""
        puzzle = Puzzle.parse(self.text, self.mines)
        check_size(puzzle.board)
        return puzzle

    def cell(self) -> tuple[Board, int]:
        """The board and the square that is asked about; raises UsageError."""
        board = self.puzzle().board
        if self.square is None or self.square >= len(board.cells):
            raise UsageError("not a cell of this board")
        return board, self.square


class DoubtMessage(msgspec.Struct, frozen=True):
    """Tiles of a picture that could not be read, all drawn alike."""

    squares: Sequence[int]
    png: bytes
    """The picture of the first one."""


class PositionMessage(msgspec.Struct, frozen=True):
    """A board for the page to show."""

    width: int
    height: int
    rows: str
    """The text form, one row a line."""
    mines: int | None
    source: str
    """What it was taken from, for people."""
    unsure: Sequence[DoubtMessage] = ()
    """What could not be read in a picture: shown as covered, for the user to name."""
    notes: Sequence[str] = ()
    """What else there is to say about it, a line each."""
    tiles: Sequence[tuple[Sequence[int], bytes]] = ()
    """The squares that are drawn alike in a picture with unsure ones, and their tile to keep."""


def parsed(body: bytes, kind: type[_Asked], what: str) -> _Asked:
    """What the page sent; raises UsageError, which says that it is not `what`."""
    try:
        return msgspec.json.decode(body, type=kind)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"not {what}: {error}") from error


def check_size(board: Board) -> None:
    """Raise UsageError if the board is too large for the page."""
    if max(board.width, board.height) > SIDE or len(board.cells) > CELLS:
        raise UsageError(
            f"a board of {board.width}x{board.height} is too large for the page: it may have "
            f"{SIDE} columns, {SIDE} rows and {CELLS:,} cells at most"
        )


def position(
    board: Board,
    source: str,
    unsure: Sequence[DoubtMessage] = (),
    notes: Sequence[str] = (),
    tiles: Sequence[tuple[Sequence[int], bytes]] = (),
) -> PositionMessage:
    """A board for the page; see `PositionMessage`."""
    size, rows = (board.width, board.height), str(board)
    return PositionMessage(*size, rows, board.mines, source, unsure, notes, tiles)
