"""What comes to the page in files: a picture or a game that is dropped there, or is there at first.

What the user says that the tiles of a picture show is kept in a profile of the user's own.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import msgspec

from minebot.analysis import from_recording, replay_files
from minebot.analysis.played_game import PlayedGame
from minebot.analysis.review import review
from minebot.analysis.serialize import review_facts
from minebot.board import Board, Cell
from minebot.capture import Frame, Window
from minebot.errors import Unsettled, UsageError, VisionError, file_errors
from minebot.files import read_text
from minebot.play.identify import profile_at_first_sight
from minebot.profile import LatticeStyle, Profile, file_of, load_file, located, profiles
from minebot.profile.files import write
from minebot.profile.schema import NO_WINDOW, KeptTiles
from minebot.puzzle.texts import Puzzle
from minebot.recording.pictures import load, png
from minebot.study.board_answers import check_size, parsed, position, shown
from minebot.vision.any_game import read_any
from minebot.vision.reading import Reading
from minebot.vision.status import read_total
from minebot.vision.tiles import crop, keys

LARGEST = 16 * 1024 * 1024
"""Largest size of a recording's texts, in bytes. Specified: some ten thousand observations of the
largest boards of most games."""
_PICTURES = (".png", ".jpg", ".jpeg", ".webp", ".bmp", ".gif")
_BESIDE = 320
"""Pixels around a board in which the mine total is searched. Measured on pictures of Simon Tatham's
Mines in fixtures/screenshots: 80 to 640 read the same totals, 40 reads none."""
_TILES = 128
"""Different tiles that are kept of a picture at most. Specified: three such pictures fit in a
profile. The boards in fixtures/others/dev have 89 at most."""


class _Recording(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The texts of a recording, without its pictures."""

    journal: str
    boards: Mapping[str, str]
    """By the names of their files."""
    number: Annotated[int, msgspec.Meta(ge=1)] = 1
    """Which game of it, the first one being 1."""


class _Kept(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: str
    tiles: KeptTiles
    add: bool = False
    """Whether they may be added to a profile that exists."""


def replay(kind: str, data: bytes) -> dict[str, object]:
    """The review of a replay file of that kind, as `evf`. Raises UsageError."""
    return _reviewed([replay_files.parse(kind, data)], 1)


def recording(data: bytes) -> dict[str, object]:
    """The review of one game of a recording. Raises UsageError, Contradiction."""
    asked = parsed(data, _Recording, "a recording")
    return _reviewed(from_recording.games_of(asked.journal, asked.boards), asked.number)


def is_game(file: Path) -> bool:
    """Whether it is a recording or a replay, to go by its name."""
    return file.is_dir() or replay_files.is_replay(file)


def board(file: Path, mines: int | None) -> bytes:
    """A board from a screenshot or a text, with that total. Raises UsageError, VisionError."""
    with file_errors(file):
        if file.suffix.lower() in _PICTURES:
            return msgspec.json.encode(picture(load(file), mines))
        puzzle = Puzzle.parse(read_text(file, encoding="utf-8-sig"), mines)
        return msgspec.json.encode(shown(puzzle))


def game(file: Path, number: int) -> bytes:
    """The review of a recording's game, the first one being 1; raises UsageError, Contradiction."""
    is_replay = replay_files.is_replay(file)
    games = [replay_files.load(file)] if is_replay else from_recording.games(file)
    with file_errors(file):
        return msgspec.json.encode(_reviewed(games, number))


def _reviewed(games: Sequence[PlayedGame], number: int) -> dict[str, object]:
    """The review of the Nth game, and how many there are; raises UsageError, Contradiction."""
    if number > len(games):
        raise UsageError(f"there is no game {number}, but {len(games)} in all")
    game = games[number - 1]
    check_size(game.final)
    facts = review_facts(review(game), boards=True)
    return facts | {"game": number, "games": len(games)}


def picture(frame: Frame, mines: int | None = None) -> dict[str, Any]:
    """The board in a picture, with `mines` or the total that the picture shows.

    Raises VisionError, Contradiction; UsageError for a board too large, or `mines` that do not fit.
    """
    reading = read_any(frame, list(profiles().values()))
    if reading.profile is not None and not reading.is_board:
        reading.checked(partly=False)
    board = reading.board
    check_size(board)  # before its tiles are looked at
    notes = [str(reading.problem)] if isinstance(reading.problem, Unsettled) else []
    if reading.warning is not None:
        notes.append(reading.warning)
    if mines is not None:
        board = board.with_mines(mines)
    elif reading.profile is None:
        notes.append("the mine total is not read: no profile knows the colours of this game")
    else:
        board = _with_total(reading, reading.profile, frame, notes)
    name = "a game read at first sight" if reading.profile is None else reading.profile.name
    tiles, unsure = _alike(reading.drawings, range(len(board.cells))), _doubts(frame, reading)
    is_kept = unsure and len(tiles) <= _TILES
    kept = [(squares, tile) for tile, squares in tiles.items()] if is_kept else []
    return position(board, f"a picture of {name}", unsure, notes, kept)


def _doubts(frame: Frame, reading: Reading) -> list[dict[str, object]]:
    """The tiles in doubt, those drawn alike together, the most numerous first."""
    grid = reading.grid
    drawings = reading.drawings or keys(crop(frame, grid), grid.tile).tolist()
    doubts: list[dict[str, object]] = []
    for squares in sorted(_alike(drawings, reading.unread).values(), key=len, reverse=True):
        first = grid.rect(*reading.board.xy(squares[0])).clipped(frame.bounds)
        doubts.append({"squares": squares, "png": png(Frame(frame.part(first).copy()))})
    return doubts


def _alike(drawings: Sequence[Any], squares: Iterable[int]) -> dict[Any, list[int]]:
    """The squares by how they are drawn; none if that is not known."""
    alike: dict[Any, list[int]] = {}
    for square in squares if drawings else ():
        alike.setdefault(drawings[square], []).append(square)
    return alike


def _with_total(reading: Reading, profile: Profile, frame: Frame, notes: list[str]) -> Board:
    """The board with the mine total that the picture tells; with a note where it does not."""
    board, grid = reading.board, reading.grid
    near = grid.frame.grown(_BESIDE, _BESIDE).clipped(frame.bounds)
    moved = grid.moved(-near.left, -near.top)
    try:
        look, flags = profile.counter or profile.status, board.count(Cell.FLAG)
        mines = read_total(Frame(frame.part(near).copy()), moved, look, flags).mines
        if mines is None:
            raise VisionError("it is not shown")
        return board.with_mines(mines)
    except (VisionError, UsageError) as error:
        notes.append(f"the mine total cannot be read: {error}")
        return board


def keep(body: bytes) -> dict[str, object]:
    """Write tiles to the profile that the page names; raises UsageError, ProfileError.

    Returns what to tell the user. Unless it was `kept`, it asks whether to add them to the profile.
    """
    asked = parsed(body, _Kept, "tiles to keep")
    name, path = asked.name, file_of(asked.name)
    profile = profile_at_first_sight(Window("", name, NO_WINDOW)).changed(
        name=name, looks="read at first sight, with tiles that you named", grid=LatticeStyle()
    )
    if path.exists():
        profile = load_file(path)
    grid = profile.grid
    if located().get(name, (path,))[0] != path or not isinstance(grid, LatticeStyle):
        raise UsageError(f"{name} is the profile of a known game: take another name")
    if path.exists() and not asked.add:
        return {"said": f"You have a profile {name}. Add these tiles to it?", "kept": False}
    tiles = grid.tiles if asked.tiles in grid.tiles else (*grid.tiles, asked.tiles)
    write(profile.changed(grid=grid.changed(tiles=tiles)), path)
    return {"said": f"Kept: {path}", "kept": True}
