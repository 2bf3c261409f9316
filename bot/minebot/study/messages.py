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


class Question(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A board as text, in any form that `minebot solve` reads, and its mine total if known."""

    text: Annotated[str, msgspec.Meta(max_length=TEXT)]
    mines: Annotated[int, msgspec.Meta(ge=0, le=CELLS)] | None = None
    square: Annotated[int, msgspec.Meta(ge=0, lt=CELLS)] | None = None
    """The cell that is asked about, row-major; None: about the board."""
    unread: tuple[Annotated[int, msgspec.Meta(ge=0, lt=CELLS)], ...] = ()
    """The cells of a picture that were not read: they count as covered."""

    def puzzle(self) -> Puzzle:
        """The board; raises UsageError."""
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


class JudgementMessage(msgspec.Struct, frozen=True):
    """What is known about each cell of a board; squares are row-major."""

    risk: tuple[float | None, ...]
    """Each covered cell's mine probability."""
    percent: tuple[str | None, ...]
    """Risks in per cent, for people; `0` and `100` are certain."""
    safe: tuple[int, ...]
    mines: tuple[int, ...]
    layouts: str
    """How many layouts fit, an exact number."""
    weighed: bool
    """Whether the total is unknown, so that risks rest on how many mines common boards have."""


class OptionMessage(msgspec.Struct, frozen=True):
    """A candidate for a guess; chances are from 0 to 1 and, as text, in per cent."""

    square: int
    risk: str
    progress: str | None
    """The chance that it is opened and makes another cell certain; None: not looked at."""
    wins: str | None
    """The chance that the best play from there wins; None: not known exactly."""


class WinMessage(msgspec.Struct, frozen=True):
    """The chance to win from a position, in per cent, for people."""

    chance: str
    low: str = ""
    high: str = ""
    """The interval of 95 %, where it is an estimate."""
    games: int | None = None
    """How many games it is estimated by; None: it is exact."""


class SuggestionMessage(msgspec.Struct, frozen=True):
    """The move that the player would make."""

    action: str
    square: int
    why: str
    certain: bool
    decided: str = ""
    """What decided for a guess."""
    options: tuple[OptionMessage, ...] = ()
    """Of a guess: itself and the runners-up, best first."""
    win: WinMessage | None = None


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
    board: Board, source: str, unsure: Sequence[DoubtMessage] = (), notes: Sequence[str] = ()
) -> PositionMessage:
    """A board for the page; see `PositionMessage`."""
    rows = str(board)
    return PositionMessage(board.width, board.height, rows, board.mines, source, unsure, notes)
