"""Every picture of the real games: what is read in it by its own game's profile, and no other's.

Each is opened once, and all that is known of it is asked at once.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from minebot.board import Board, Cell
from minebot.capture import Frame, Window
from minebot.errors import Contradiction, Unsettled, VisionError
from minebot.play.identify import fitting
from minebot.profile import load, profiles
from minebot.recording import pictures
from minebot.vision.grid import Grid
from minebot.vision.known_game import MAX_FAILURES, KnownGameReader, is_first_sight, reader_of
from minebot.vision.pressed import settled
from minebot.vision.status import read_status
from minebot.vision.text import Tesseract

SHOTS = Path(__file__).parents[2] / "fixtures" / "screenshots"
NAMELESS = Window("1", "")
"""Of a program that does not say what it is called."""
PATHS = sorted(SHOTS.glob("*/*.png"))
NEGATIVE = [path for path in PATHS if path.parent.name == "negative"]
FAST, FASTEST = {*PATHS[::2], *NEGATIVE}, {*PATHS[::16], *NEGATIVE}
"""Those that `make test-fast` tries on their own games' profiles, and on the others' too."""
KNOWN = [name for name in profiles() if not is_first_sight(load(name))]
"""Games whose colours are known; the others are read at first sight."""
THOROUGH = pytest.mark.thorough
LEAST_WIDTHS = {"sgt-mines": 200, "kmines": 240}
"""In pixels: narrower windows of these games have no room for their status lines."""

ocr = cache(Tesseract)


@cache
def _index(folder: Path) -> dict[str, dict[str, Any]]:
    index: dict[str, dict[str, Any]] = json.loads((folder / "index.json").read_text())
    return index


def _facts(path: Path) -> dict[str, Any]:
    return _index(path.parent)[path.stem]


def _marks(path: Path) -> list[pytest.MarkDecorator]:
    by_networks = path.parent.name in profiles() and not _has_known_colours(path)
    trained = [pytest.mark.trained] if by_networks else []
    return trained if path in FAST else [*trained, THOROUGH]


def _has_known_colours(path: Path) -> bool:
    return path.parent.name in KNOWN and not _is_otherwise(path)


def _is_otherwise(path: Path) -> bool:
    """Whether first sight reads a game of known colours, since it is drawn in others."""
    by_name = path.stem.endswith(("-repainted", "-swapped"))
    # On tiles of 9 pixels a cross leaves nothing of the mine.
    is_crossed_over = path.stem == "9x9n10-t9-revealed-flags-wrong"
    return by_name or is_crossed_over or _facts(path).get("theme") in ("greys", "black")


def _name(path: Path) -> str:
    return f"{path.parent.name}-{path.stem}"


def test_there_are_pictures_of_every_game_to_be_read() -> None:
    read = [_index(path.parent)[path.stem]["expect"] == "read" for path in PATHS]
    assert sum(read) >= 380
    shown = {path.parent.name for path, there in zip(PATHS, read, strict=True) if there}
    assert shown == {*profiles()}, "games with pictures, and games with a profile"


@pytest.mark.parametrize(
    "path",
    [pytest.param(each, marks=_marks(each)) for each in PATHS],
    ids=_name,
)
def test_a_picture_is_read_right_by_its_own_games_profile_or_refused(path: Path) -> None:
    facts, game = _facts(path), path.parent.name
    if game not in profiles():
        return  # a picture without a board, which is for all profiles to refuse
    reader, frame = reader_of(load(game)), pictures.load(path)
    for _ in range(MAX_FAILURES - 1 if _is_otherwise(path) else 0):
        with pytest.raises(VisionError):
            reader.read(frame)
    is_unsettled = facts["expect"] == "unsettled"
    if facts["expect"] != "read" and not (is_unsettled and _is_otherwise(path)):
        refusals = Unsettled if is_unsettled else (VisionError, Contradiction)
        with pytest.raises(refusals):
            settled(reader.read(frame).board)
        return
    try:
        reading = reader.read(frame)
    except VisionError:
        # At first sight the rules tell that a pressed cell is covered, or it is in doubt.
        if is_unsettled:
            return
        raise
    board = settled(reading.board)
    assert board == Board.parse(path.with_suffix(".txt").read_text())
    _check_grid(reading.grid, facts["grid"], exactly=_has_known_colours(path))
    _check_status(game, frame, reading.grid, board, facts)


@pytest.mark.parametrize(
    "path",
    [each if each in FASTEST else pytest.param(each, marks=THOROUGH) for each in PATHS],
    ids=_name,
)
def test_no_other_games_profile_reads_it(path: Path) -> None:
    frame = pictures.load(path)
    text = path.with_suffix(".txt")
    is_fresh = text.exists() and set(Board.parse(text.read_text()).cells) == {Cell.HIDDEN}
    for profile in map(load, KNOWN):
        if profile.name == path.parent.name:
            continue
        if profile.generic and is_fresh:
            continue  # fresh boards of many games look alike, and are read right
        with pytest.raises(VisionError):
            settled(KnownGameReader(profile).read(frame).board)


@pytest.mark.parametrize(
    "path",
    [path for path in PATHS if "fresh" in path.stem and path not in NEGATIVE],
    ids=_name,
)
def test_a_fresh_board_is_told_by_the_colours_of_its_own_game_alone(path: Path) -> None:
    found = [profile.name for profile in fitting(pictures.load(path), NAMELESS)]
    assert found == ([path.parent.name] if _has_known_colours(path) else [])


def _check_grid(grid: Grid, drawn: dict[str, Any], *, exactly: bool) -> None:
    """The grid is where the game draws it; at first sight clicks go into the middles of tiles."""
    if "columns" in drawn:
        columns, rows, sides = drawn["columns"], drawn["rows"], drawn["tile"]
    else:
        pitch = drawn["pitch"]
        columns = [drawn["left"] + pitch * column for column in range(grid.width)]
        rows = [drawn["top"] + pitch * row for row in range(grid.height)]
        sides = pitch, pitch
    if exactly:
        assert (list(grid.columns), list(grid.rows)) == (columns, rows)
        assert grid.tile == min(sides)
        return
    assert (grid.width, grid.height) == (len(columns), len(rows))
    for lines, starts, side in zip((grid.columns, grid.rows), (columns, rows), sides, strict=True):
        for line, start in zip(lines, starts, strict=True):
            assert abs(line + grid.tile / 2 - (start + side / 2)) <= side / 8


def _check_status(name: str, frame: Frame, grid: Grid, board: Board, facts: dict[str, Any]) -> None:
    """Every total and ending that is not cut off is read, and all that is read is right."""
    look = load(name).status
    if look is None or name not in LEAST_WIDTHS:
        return
    status = read_status(frame, grid, look, ocr())
    if frame.width >= LEAST_WIDTHS[name] and (name == "sgt-mines" or facts["outcome"] == "playing"):
        assert (status.mines, status.ended) != (None, None)
    assert status.mines in (None, facts["mines"])
    assert status.marked in (None, board.count(Cell.FLAG))
    assert status.ended in (None, facts["outcome"])
