"""Reads a board from a picture that was dropped on the page; runs in a worker process."""

from __future__ import annotations

from functools import lru_cache

from bot.board import Board, Cell
from bot.capture import Frame
from bot.errors import UnreadableTile, UsageError, VisionError
from bot.profile import Profile, load, names
from bot.recording.pictures import decoded
from bot.study.position import CELLS, SIDE, Position, position
from bot.vision import unnamed
from bot.vision.reader import Reader
from bot.vision.status import NO_COUNTER, read_status
from bot.vision.text import Tesseract

BYTES = 48 * 1024 * 1024
"""What a picture may have at most: 3840x2160 pixels take 25 MB where nothing can be packed."""
_PIXELS = 7680 * 4320
"""The largest screen's."""
_UNREAD = 0.25
"""So large a share of the tiles may be unsure; of more, the rest is no board either. Guessed."""


def seen(data: bytes) -> Position:
    """The board in a picture file; what cannot be read is marked.

    Raises UsageError, VisionError.
    """
    return read(decoded(data, _PIXELS))


def read(frame: Frame, mines: int | None = None) -> Position:
    """The board in a picture, with `mines` or the total that the picture shows.

    Raises VisionError; UsageError where the board is too large.
    """
    notes: list[str] = []
    profiles = _profiles()
    try:
        board, reader = unnamed.read(frame, profiles)
    except UnreadableTile:
        pass
    except VisionError as error:
        notes.append(str(error))
    else:
        _check(board.width, board.height)
        board = _with_total(board, mines, frame, reader, notes)
        return position(board, _name(reader), notes=tuple(notes))
    found = unnamed.look(frame, profiles)
    if found is None:
        raise VisionError(f"no board of a game that it knows: {', '.join(names())}")
    tiles, reader = found
    assert reader.grid is not None
    _check(reader.grid.width, reader.grid.height)
    unsure = tuple(square for square, tile in enumerate(tiles) if tile.cell is None)
    if len(unsure) > _UNREAD * len(tiles):
        raise VisionError(
            f"no board of a game that it knows: of {len(tiles)} tiles {len(unsure)} are unclear"
        )
    cells = bytes(Cell.HIDDEN if tile.cell is None else tile.cell for tile in tiles)
    board = Board(reader.grid.width, reader.grid.height, None, cells)
    board = _with_total(board, mines, frame, reader, notes)
    return position(board, _name(reader), unsure=unsure, notes=tuple(notes))


@lru_cache(maxsize=1)
def _profiles() -> tuple[Profile, ...]:
    """Read once: the user's own too."""
    return tuple(load(name) for name in names())


def _check(width: int, height: int) -> None:
    if max(width, height) > SIDE or width * height > CELLS:
        raise UsageError(f"a board of {width}x{height} is too large for the page")


def _name(reader: Reader) -> str:
    return f"a picture of {reader.profile.name}"


def _total(frame: Frame, reader: Reader, notes: list[str]) -> int | None:
    """The mine total that the picture tells; None, with a note, where it does not."""
    look = reader.profile.status
    assert reader.grid is not None
    try:
        if look is None:
            raise VisionError(NO_COUNTER)
        mines = read_status(frame, reader.grid, look, Tesseract()).mines
    except VisionError as error:
        notes.append(f"the mine total cannot be read: {error}")
        return None
    if mines is None:
        notes.append("the mine total cannot be read: say it")
    return mines


def _with_total(
    board: Board, mines: int | None, frame: Frame, reader: Reader, notes: list[str]
) -> Board:
    """The board with its total; raises UsageError where `mines` were said and do not fit."""
    if mines is not None:
        return board.with_mines(mines)
    try:
        return board.with_mines(_total(frame, reader, notes))
    except UsageError as error:
        notes.append(str(error))
        return board
