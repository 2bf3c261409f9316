"""What the page and the server say to each other, and what is refused of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, TypeVar

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
    unsure: Sequence[Mapping[str, object]] = (),
    notes: Sequence[str] = (),
    tiles: Sequence[tuple[Sequence[int], bytes]] = (),
) -> dict[str, Any]:
    """A board for the page to show, and for people what it was taken from; raises UsageError.

    `unsure` is what could not be read in a picture, shown as covered, for the user to name: the
    `squares` that are drawn alike, with a `png` of the first one. `notes` is what else there is to
    say, a line each; `tiles` are, in a picture with unsure ones, the squares that are drawn alike
    and their tile to keep.
    """
    check_size(board)
    return {
        "width": board.width,
        "height": board.height,
        "rows": str(board),
        "mines": board.mines,
        "source": source,
        "unsure": unsure,
        "notes": notes,
        "tiles": tiles,
    }
