"""A picture of any game: by the profile that fits, or else at first sight."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from minebot.board import Board, Cell
from minebot.capture import Frame, Rect
from minebot.errors import Clipped, Contradiction, GridNotFound, UnreadableTile, Unsettled
from minebot.profile import LatticeStyle, Profile, load, profiles
from minebot.recording import pictures
from minebot.vision.any_game import fitting, read_any, read_as, read_at_first_sight, read_known
from minebot.vision.known_game import KnownGameReader, is_first_sight
from minebot.vision.reading import MAX_DOUBT
from tests.support.fake_sight import Sight, asleep, blind, seeing

SHOTS = Path(__file__).parents[2] / "fixtures" / "screenshots"
BOARD = SHOTS / "sgt-mines" / "9x9n10-t20-middle-flags.png"
TRUTH = Board.parse(BOARD.with_suffix(".txt").read_text())
GNOME = SHOTS / "gnome-mines" / "default-8x8n10-w600x450-middle-1.png"
GNOME_TRUTH = Board.parse(GNOME.with_suffix(".txt").read_text())
FLASHES = SHOTS / "sgt-mines" / "9x9n10-t20-won-flash-white.png"
HELD = SHOTS / "sgt-mines" / "9x9n10-t20-held.png"
NO_BOARD = SHOTS / "negative" / "lightup.png"
SMUDGED = 4 * 9 + 4
KNOWN = [name for name in profiles() if not is_first_sight(load(name))]
"""Games whose colours are known."""
OTHERS = [name for name in profiles() if name not in KNOWN]
SOME = 0.02
"""Fraction of the tiles that may be in doubt: one rare number on a small board."""


def _profiles(*without: str) -> list[Profile]:
    return [load(name) for name in profiles() if name not in without]


def _smudged(*squares: int, rim: int = 0) -> Frame:
    """Something lies on these squares, but for so many pixels at their edges."""
    frame = pictures.load(BOARD)
    grid = read_known(frame, [load("sgt-mines")]).grid
    pixels = frame.pixels.copy()
    for square in squares:
        rect = grid.rect(square % grid.width, square // grid.width)
        rows, columns = (
            slice(start + rim, end - rim)
            for start, end in ((rect.top, rect.bottom), (rect.left, rect.right))
        )
        pixels[rows, columns] = (10, 200, 90, 0)
    return Frame(pixels)


@pytest.mark.parametrize("path", [BOARD, SHOTS / "classic" / "plain-16x16n60-x1-middle.png"])
def test_a_game_of_known_colours_is_read_by_its_profile_and_not_at_first_sight(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asleep.install(monkeypatch)
    reading = read_any(pictures.load(path), _profiles())
    assert reading.board == Board.parse(path.with_suffix(".txt").read_text())
    assert reading.profile is not None
    assert reading.profile.name == path.parent.name
    assert (reading.problem, reading.unread) == (None, ())


def test_the_tiles_are_those_of_the_board_and_say_what_they_resemble() -> None:
    frame = pictures.load(BOARD)
    reading = read_known(frame, [load("sgt-mines")])
    assert reading == KnownGameReader(load("sgt-mines")).read(frame)
    assert all(tile.scores for tile in reading.tiles)


def test_a_game_without_a_profile_is_read_at_first_sight(monkeypatch: pytest.MonkeyPatch) -> None:
    seeing(TRUTH).install(monkeypatch)
    reading = read_any(pictures.load(BOARD), _profiles("sgt-mines"))
    assert reading.board == TRUTH
    assert (reading.profile, reading.problem) == (None, None)
    assert reading.grid.bounds == Rect(10, 10, 144, 144)


def test_first_sight_is_given_all_kept_tiles_or_those_of_the_profile_that_is_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sight = seeing(TRUTH, doubtful={12})
    sight.install(monkeypatch)
    one, other = ({"?": (bytes([level]) * 108,)} for level in (1, 2))
    mine, yours = (load("kmines").changed(grid=LatticeStyle(tiles=(it,))) for it in (one, other))
    frame = Frame(np.full((200, 300, 4), 90, np.uint8))
    read_any(frame, [mine, *_profiles("classic"), yours])
    read_any(_smudged(SMUDGED), [mine, *_profiles()])
    read_as(frame, yours)
    assert [list(kept) for kept in sight.kept] == [[one, other], [one], [other]]


def test_a_tile_in_doubt_at_first_sight_is_named_with_what_it_resembles(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seeing(TRUTH, doubtful={12, 80}).install(monkeypatch)
    reading = read_any(pictures.load(BOARD), [])
    assert reading.unread == (12, 80)
    assert isinstance(reading.problem, UnreadableTile)
    assert reading.problem.square == (3, 1)
    assert reading.problem.scores == {"five": 0.75, "six": 0.25}


@pytest.mark.parametrize("game", OTHERS)
def test_a_game_of_which_only_the_behaviour_is_known_is_read_at_first_sight(
    game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    seeing(GNOME_TRUTH, doubtful={3}, pitch=24).install(monkeypatch)
    frame = pictures.load(GNOME)
    by_any, as_it = read_any(frame, [load(game)]), read_as(frame, load(game))
    assert by_any.profile is None
    assert as_it.profile == load(game)
    assert by_any.tiles == as_it.tiles
    assert (as_it.unread, as_it.grid.bounds) == ((3,), Rect(10, 10, 192, 192))


def test_a_game_is_read_in_the_way_that_its_profile_asks_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asleep.install(monkeypatch)
    frame, profile = pictures.load(BOARD), load("sgt-mines")
    assert read_as(frame, profile) == read_known(frame, [profile])


@pytest.mark.parametrize(("pitch", "is_cut"), [(20, True), (21, False)])
def test_a_board_as_narrow_as_the_game_draws_it_may_be_cut_off(
    pitch: int, is_cut: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    seeing(GNOME_TRUTH, pitch=pitch).install(monkeypatch)
    frame, profile = pictures.load(GNOME), load("gnome-mines")
    if is_cut:
        with pytest.raises(Clipped, match="make the window larger"):
            read_as(frame, profile)
    else:
        assert read_as(frame, profile).board == GNOME_TRUTH


@pytest.mark.parametrize("look", [blind, seeing(TRUTH, doubtful={0})])
def test_what_lies_over_a_board_of_known_colours_is_in_doubt(
    look: Sight, monkeypatch: pytest.MonkeyPatch
) -> None:
    look.install(monkeypatch)
    reading = read_any(_smudged(SMUDGED), _profiles())
    assert reading.profile is not None
    assert (reading.profile.name, reading.unread) == ("sgt-mines", (SMUDGED,))


@pytest.mark.parametrize(
    ("path", "why"), [(FLASHES, "the board flashes"), (HELD, "is being pressed")]
)
def test_what_a_profile_knows_to_pass_is_not_read_at_first_sight(
    path: Path, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asleep.install(monkeypatch)
    reading = read_any(pictures.load(path), _profiles())
    assert isinstance(reading.problem, Unsettled)
    assert why in str(reading.problem)


def test_a_pressed_cell_is_not_believed_at_first_sight_either(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seeing(Board.parse("????\n?0??\n????\n????")).install(monkeypatch)
    reading = read_at_first_sight(pictures.load(BOARD))
    assert "row 2, column 2 is being pressed" in str(reading.problem)


def test_a_board_on_which_no_mine_can_be_is_not_believed(monkeypatch: pytest.MonkeyPatch) -> None:
    seeing(Board.parse("0000\n0000\n0000\n0000")).install(monkeypatch)
    reading = read_at_first_sight(pictures.load(BOARD))
    assert isinstance(reading.problem, Unsettled)


def test_a_grid_that_no_profile_can_read_and_nobody_sees_is_no_board(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    blind.install(monkeypatch)
    frame = _smudged(*range(81), rim=2)
    assert read_known(frame, _profiles()).doubt > MAX_DOUBT
    with pytest.raises(GridNotFound, match="no board at first sight"):
        read_any(frame, _profiles())


def test_where_no_mine_layout_fits_what_is_seen_some_tiles_are_in_doubt(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seeing(TRUTH, doubtful={7}, is_possible=False).install(monkeypatch)
    reading = read_at_first_sight(pictures.load(BOARD))
    assert reading.unread == (7,)
    assert isinstance(reading.problem, UnreadableTile)


def test_what_is_seen_and_cannot_be_is_a_contradiction(monkeypatch: pytest.MonkeyPatch) -> None:
    seeing(TRUTH, doubtful=set(range(41)), is_possible=False).install(monkeypatch)
    with pytest.raises(Contradiction):
        read_any(pictures.load(BOARD), [])


def test_what_a_profile_can_hardly_read_is_read_at_first_sight(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seeing(TRUTH, doubtful={0}).install(monkeypatch)
    reading = read_any(_smudged(*range(81), rim=2), _profiles())
    assert (reading.profile, reading.unread) == (None, (0,))


def test_a_game_in_other_colours_is_read_at_first_sight(monkeypatch: pytest.MonkeyPatch) -> None:
    seeing(TRUTH).install(monkeypatch)
    reading = read_any(_smudged(SMUDGED), _profiles())
    assert (reading.profile, reading.unread, reading.board) == (None, (), TRUTH)


def test_a_board_that_no_mine_layout_fits_is_not_believed(monkeypatch: pytest.MonkeyPatch) -> None:
    blind.install(monkeypatch)
    frame = pictures.load(BOARD)
    grid = read_known(frame, [load("sgt-mines")]).grid
    # The two at the top, beside two flags, is drawn as a one.
    two, one = (next(TRUTH.squares(cell)) for cell in (Cell.TWO, Cell.ONE))
    pixels = frame.pixels.copy()
    here, there = (grid.rect(*TRUTH.xy(square)) for square in (two, one))
    pixels[here.area] = frame.pixels[there.area]
    reading = read_any(Frame(pixels), _profiles())
    assert reading.unread == ()
    assert reading.board.cells[two] == Cell.ONE
    assert isinstance(reading.problem, Contradiction)


def test_a_plain_picture_is_no_board() -> None:
    with pytest.raises(GridNotFound):
        read_any(Frame(np.full((200, 300, 4), 90, np.uint8)), _profiles())


def test_the_refusal_of_the_only_profile_says_what_it_missed() -> None:
    with pytest.raises(GridNotFound, match="framed like a board"):
        read_known(Frame(np.full((200, 300, 4), 90, np.uint8)), [load("sgt-mines")])


def test_only_a_profile_that_reads_the_whole_board_fits() -> None:
    assert [one.name for one in fitting(pictures.load(BOARD), _profiles())] == ["sgt-mines"]
    assert fitting(_smudged(SMUDGED), _profiles()) == []


@pytest.mark.trained
@pytest.mark.parametrize(
    "path",
    [
        BOARD,
        SHOTS / "sgt-mines" / "9x9n10-t20-early.png",
        SHOTS / "classic" / "greys-16x16n60-x2-middle.png",
        SHOTS / "xdemineur" / "plain-13x12n78-w300x440-middle.png",
    ],
    ids=lambda path: f"{path.parent.name}-{path.stem}",
)
def test_a_real_game_without_its_profile_is_read_without_a_wrong_cell(path: Path) -> None:
    reading = read_any(pictures.load(path), _profiles("classic", path.parent.name))
    truth = Board.parse(path.with_suffix(".txt").read_text())
    assert reading.profile is None
    assert (reading.board.width, reading.board.height) == (truth.width, truth.height)
    pairs = zip(reading.tiles, truth.cells, strict=True)
    assert all(tile.cell in (None, cell) for tile, cell in pairs)
    assert reading.doubt < SOME


@pytest.mark.trained
@pytest.mark.parametrize("path", [NO_BOARD, *sorted((SHOTS / "negative").glob("plain-*.png"))])
def test_a_real_picture_without_a_board_is_refused(path: Path) -> None:
    with pytest.raises((GridNotFound, Contradiction)):
        read_any(pictures.load(path), _profiles())
