"""Reads a board from a picture that was dropped on the page; runs in a worker process."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from operator import itemgetter

from bot.board import Board, Cell
from bot.capture import Frame, Rect
from bot.errors import GridNotFound, UnreadableTile, UsageError, VisionError
from bot.profile import Profile, load, names
from bot.recording.pictures import decoded
from bot.study.position import CELLS, SIDE, Position, position
from bot.vision import unnamed
from bot.vision.grid import Grid
from bot.vision.pressed import settled
from bot.vision.reader import Reader
from bot.vision.regions import cut, grown, is_whole, regions
from bot.vision.total import read_total

BYTES = 48 * 1024 * 1024
"""What a picture may have at most: 3840x2160 pixels take 25 MB where nothing can be packed."""
_PIXELS = 7680 * 4320
"""The largest screen's."""
_UNREAD = 0.25
"""So large a share of the tiles may be unsure; of more, the rest is no board either. Guessed."""
_FEW = 0.1
"""So large a share may be unsure before other games are tried. Guessed: by another game's looks
a fifth and more cannot be read."""
_BESIDE = 320
"""Pixels around a board in which its game counts the mines. Guessed."""


def seen(data: bytes) -> Position:
    """The board in a picture file; what cannot be read is marked.

    Raises UsageError, VisionError.
    """
    return read(decoded(data, _PIXELS))


def read(frame: Frame, mines: int | None = None) -> Position:
    """The board in a picture, with `mines` or the total that the picture shows.

    Raises VisionError; UsageError where the board is too large, or `mines` do not fit.
    """
    whole = Rect(0, 0, frame.width, frame.height)
    for part in regions(frame):
        found = _found(cut(frame, part))
        if found is not None:
            cells, reader, notes = found
            assert reader.grid is not None
            if not is_whole(reader.grid, part, whole):
                continue
            grid = reader.grid.moved(part.left, part.top)
            unsure = [square for square, cell in enumerate(cells) if cell is None]
            shown = bytes(Cell.HIDDEN if cell is None else cell for cell in cells)
            board = Board(grid.width, grid.height, None, shown)
            if mines is None:
                board = _with_total(board, frame, grid, reader.profile, notes)
            else:
                board = board.with_mines(mines)
            source = f"a picture of {reader.profile.name}"
            return position(board, source, unsure=tuple(unsure), notes=tuple(notes))
    raise VisionError(f"no board of a game that it knows: {', '.join(names())}")


def _found(frame: Frame) -> tuple[Sequence[Cell | None], Reader, list[str]] | None:
    """The cells, None those that cannot be read, and what there is to say; None: no board.

    By the first profile that reads nearly all, or else by the one that reads most.
    """
    found = []
    for profile in unnamed.likely_first(frame, profiles()):
        reader = Reader(profile)
        notes: list[str] = []
        try:
            board = settled(reader.read(frame))
        except GridNotFound:
            continue
        except UnreadableTile:
            pass
        except VisionError as error:
            notes.append(str(error))
        else:
            _check(board.width, board.height)
            return [Cell(cell) for cell in board.cells], reader, notes
        cells = _partly(reader, frame)
        found.append((_unread(cells), cells, reader, notes))
        if found[-1][0] <= _FEW:
            break
    best = min(found, key=itemgetter(0), default=None)
    if best is None or best[0] > _UNREAD:
        return None
    _, cells, reader, notes = best
    assert reader.grid is not None
    _check(reader.grid.width, reader.grid.height)
    return cells, reader, notes


def _partly(reader: Reader, frame: Frame) -> list[Cell | None]:
    """The cells that can be read; in other colours than the game's own where that reads more."""
    if reader.grid is not None:
        cells = [tile.cell for tile in reader.readings(frame, reader.grid)]
        if _unread(cells) <= _FEW:
            return cells
    return [tile.cell for tile in reader.readings(frame)]


def _unread(cells: Sequence[Cell | None]) -> float:
    return cells.count(None) / len(cells)


@lru_cache(maxsize=1)
def profiles() -> tuple[Profile, ...]:
    """Of every game that is known, the user's own too; read once."""
    return tuple(load(name) for name in names())


def _check(width: int, height: int) -> None:
    if max(width, height) > SIDE or width * height > CELLS:
        raise UsageError(f"a board of {width}x{height} is too large for the page")


def _with_total(
    board: Board, frame: Frame, grid: Grid, profile: Profile, notes: list[str]
) -> Board:
    """The board with the mine total that the picture tells; with a note where it does not."""
    whole = Rect(0, 0, frame.width, frame.height)
    near = grown(grid.frame, _BESIDE, whole)
    try:
        there = grid.moved(-near.left, -near.top)
        mines = read_total(cut(frame, near), there, profile, board.count(Cell.FLAG)).mines
        if mines is None:
            raise VisionError("it is not shown")
        return board.with_mines(mines)
    except (VisionError, UsageError) as error:
        notes.append(f"the mine total cannot be read: {error}")
        return board
