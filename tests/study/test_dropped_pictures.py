"""A picture that is dropped on the page: its board, what is in doubt, and keeping its tiles."""

from __future__ import annotations

import json
import shutil
from base64 import b64encode
from pathlib import Path

import numpy as np
import pytest

from fixtures.study_page import PICTURE, smudged
from minebot.board import Board
from minebot.capture import Frame, Window
from minebot.errors import GridNotFound, ProfileError, Unsettled, UsageError
from minebot.play.identify import profile_at_first_sight
from minebot.profile import LatticeStyle, file_of, load, load_file
from minebot.profile.files import write
from minebot.profile.schema import NO_WINDOW
from minebot.recording import pictures
from minebot.study.opened_files import keep, picture
from tests.study.asking import MARKUP, request_of
from tests.support.fake_sight import asleep, blind, seeing

SHOTS = Path(__file__).parents[2] / "fixtures" / "screenshots"
FLASHES = SHOTS / "sgt-mines" / "9x9n10-t20-lost-flash.png"
HELD = SHOTS / "sgt-mines" / "9x9n10-t20-held.png"
TEXT = PICTURE.with_suffix(".txt").read_text().strip()
UNKNOWN = Frame(np.full((200, 300, 4), 90, np.uint8))
SEEN = Board.parse("????\n?11?\n?11?\n????")


def _on_a_desktop(frame: Frame) -> Frame:
    """The picture in the middle of a large, plain screen."""
    screen = np.full((1600, 2560, 4), (120, 90, 60, 0), np.uint8)
    screen[500 : 500 + frame.height, 900 : 900 + frame.width] = frame.pixels
    return Frame(screen)


@pytest.mark.parametrize("place", [lambda frame: frame, _on_a_desktop])
def test_a_known_game_is_read_with_its_total(
    place: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert callable(place)
    asleep.install(monkeypatch)
    found = picture(place(pictures.load(PICTURE)))
    assert (found["rows"], found["mines"], found["unsure"]) == (TEXT, 10, [])
    assert found["source"] == "a picture of sgt-mines"


def test_an_unknown_game_is_read_without_a_total(monkeypatch: pytest.MonkeyPatch) -> None:
    seeing(SEEN).install(monkeypatch)
    found = picture(UNKNOWN)
    assert (found["rows"], found["mines"], found["unsure"]) == (str(SEEN), None, [])
    assert found["source"] == "a picture of a game read at first sight"
    assert "no profile knows the colours" in found["notes"][0]
    assert (picture(UNKNOWN, 3)["mines"], picture(UNKNOWN, 3)["notes"]) == (3, [])


def test_a_board_that_ends_with_the_picture_may_be_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    seeing(SEEN, corner=(0, 10)).install(monkeypatch)
    assert "cells may be cut off there" in picture(UNKNOWN, 3)["notes"][0]


def test_what_is_in_doubt_at_first_sight_is_there_to_be_set(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seeing(SEEN, doubtful={5, 6, 9, 10, 15}).install(monkeypatch)
    found = picture(UNKNOWN)
    assert [doubt["squares"] for doubt in found["unsure"]] == [[5], [6], [9], [10], [15]]
    assert found["rows"] == "\n".join(["????"] * 4)


def test_tiles_in_doubt_come_by_how_they_are_drawn_with_a_picture_of_the_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pixels = UNKNOWN.pixels.copy()
    pixels[42:58, 26:42] = 200  # row 3, column 2
    groups = [9 if square in (0, 6, 9) else 1 + square // 8 for square in range(16)]
    seeing(SEEN, doubtful={5, 6, 9, 10, 15}, groups=groups).install(monkeypatch)
    found = picture(Frame(pixels))["unsure"]
    assert [doubt["squares"] for doubt in found] == [[6, 9], [10, 15], [5]]
    shown = [pictures.decoded(doubt["png"]).pixels for doubt in found]
    assert [tile.shape for tile in shown] == [(16, 16, 4)] * 3
    assert [int(tile[8, 8, 0]) for tile in shown] == [90, 90, 90]
    seeing(SEEN, doubtful={9, 10, 15}).install(monkeypatch)
    first, *_ = picture(Frame(pixels))["unsure"]
    assert (first["squares"], int(pictures.decoded(first["png"]).pixels[0, 0, 0])) == ([9], 200)


def test_tiles_of_a_known_game_are_alike_where_all_their_pixels_are(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    blind.install(monkeypatch)
    pixels = pictures.load(PICTURE).pixels.copy()
    for row, column, level in ((2, 0, 0), (2, 1, 0), (3, 0, 120)):
        top, left = 55 + 20 * row, 30 + 20 * column
        inside = pixels[top + 4 : top + 16, left + 4 : left + 16]
        inside[:] = (level, 0, 255, 255)
        inside[:, ::2] = (255, 0, 255, 255)
    found = picture(Frame(pixels))
    assert found["source"] == "a picture of sgt-mines"
    assert [doubt["squares"] for doubt in found["unsure"]] == [[18, 19], [27]]


@pytest.mark.parametrize("place", [lambda frame: frame, _on_a_desktop])
def test_a_tile_that_is_smudged_is_marked(place: object, monkeypatch: pytest.MonkeyPatch) -> None:
    assert callable(place)
    seeing(Board.parse(TEXT), doubtful={19}).install(monkeypatch)
    found = picture(place(pictures.decoded(smudged())))
    assert [doubt["squares"] for doubt in found["unsure"]] == [[19]]
    assert found["rows"] == TEXT


def test_a_pressed_cell_is_told_of(monkeypatch: pytest.MonkeyPatch) -> None:
    asleep.install(monkeypatch)
    found = picture(pictures.load(HELD))
    assert "is being pressed" in found["notes"][0]
    assert not found["unsure"]


def test_a_flash_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    asleep.install(monkeypatch)
    with pytest.raises(Unsettled, match="flashes"):
        picture(pictures.load(FLASHES))


def test_a_picture_without_a_board_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    blind.install(monkeypatch)
    with pytest.raises(GridNotFound):
        picture(pictures.load(SHOTS / "negative" / "lightup.png"))


def test_a_board_that_is_too_large_for_the_page_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seeing(Board.hidden(201, 4)).install(monkeypatch)
    with pytest.raises(UsageError, match="201x4 is too large"):
        picture(UNKNOWN)


ROOT = Path(__file__).parents[2]
TILE, OTHER = bytes(range(108)), bytes(108)


@pytest.fixture(autouse=True)
def own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """The folder of the user's own profiles."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    return tmp_path / "minebot" / "profiles"


def _keep(
    name: str, tile: bytes = TILE, sign: str = "?", times: int = 1, **more: object
) -> dict[str, object]:
    tiles = {sign: [b64encode(tile).decode()] * times}
    return keep(json.dumps({"name": name, "tiles": tiles, **more}).encode())


def test_tiles_are_kept_under_a_name_and_known_for_any_game_at_first_sight(own: Path) -> None:
    answer = _keep("my-game")
    path = own / "my-game" / "profile.toml"
    assert answer == {"said": f"Kept: {path}", "kept": True}
    profile = load_file(path)
    assert (profile.name, profile.kept) == ("my-game", ({"?": (TILE,)},))
    assert load("my-game") == profile
    assert profile.behaviour.first_click_may_lose, "nothing is known of how it behaves"
    assert profile_at_first_sight(Window("1", "Mines")).kept == profile.kept


def test_a_kept_game_is_taken_for_no_window(own: Path) -> None:
    _keep("chromium")
    assert load_file(own / "chromium" / "profile.toml").app_ids == NO_WINDOW


def test_a_profile_of_the_users_is_asked_about_before_tiles_are_added_to_it() -> None:
    known = load("kmines").changed(name="mine", grid=LatticeStyle(least_step=9))
    write(known, file_of("mine"))
    answer = _keep("mine")
    assert answer == {
        "said": "You have a profile mine. Add these tiles to it?",
        "kept": False,
    }
    assert load("mine") == known
    assert _keep("mine", add=True)["kept"]
    assert _keep("mine", OTHER, "F", add=True)["kept"]
    assert _keep("mine", add=True)["kept"]
    tiles = ({"?": (TILE,)}, {"F": (OTHER,)})
    assert load("mine") == known.changed(grid=LatticeStyle(least_step=9, tiles=tiles))


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("../escape", "cannot be a profile's name"),
        ("a/b", "cannot be a profile's name"),
        ("", "cannot be a profile's name"),
        (".hidden", "cannot be a profile's name"),
        ("x" * 61, "cannot be a profile's name"),
        ("a\n", "cannot be a profile's name"),
        ("kmines", "kmines is the profile of a known game"),
        ("sgt-mines", "sgt-mines is the profile of a known game"),
    ],
)
def test_what_can_be_no_profile_of_the_users_is_refused(name: str, said: str, own: Path) -> None:
    for more in ({}, {"add": True}):
        with pytest.raises(UsageError, match=said):
            _keep(name, **more)
    assert not own.exists()


def test_a_profile_that_reads_its_game_by_its_colours_is_left_as_it_is(own: Path) -> None:
    shutil.copytree(ROOT / "calibration" / "sgt-mines", own / "mine")
    before = file_of("mine").read_bytes()
    with pytest.raises(UsageError, match="mine is the profile of a known game"):
        _keep("mine", add=True)
    assert file_of("mine").read_bytes() == before


def test_a_broken_profile_is_left_as_it_is(own: Path) -> None:
    (own / "mine").mkdir(parents=True)
    file_of("mine").write_text("name = 3")
    with pytest.raises(ProfileError):
        _keep("mine", add=True)
    assert file_of("mine").read_text() == "name = 3"


def test_a_profile_that_is_full_is_left_as_it_is() -> None:
    many = (TILE,) * 420
    full = load("kmines").changed(name="mine", grid=LatticeStyle(tiles=({"?": many},)))
    write(full, file_of("mine"))
    with pytest.raises(UsageError, match="at most 65536 bytes"):
        _keep("mine", times=40, add=True)
    assert load("mine") == full


@pytest.mark.parametrize(
    "asked",
    [
        {"name": "mine"},
        {"name": "mine", "tiles": {}},
        {"name": "mine", "tiles": {"9": ["A" * 144]}},
        {"name": "mine", "tiles": {"?": ["A" * 140]}},
        {"name": 3, "tiles": {"?": ["A" * 144]}},
        {"name": "mine", "tiles": {"?": ["A" * 144]}, MARKUP: 1},
        [MARKUP],
    ],
)
def test_what_are_no_tiles_is_refused_in_one_line(asked: object, own: Path) -> None:
    with pytest.raises(UsageError, match="not tiles to keep"):
        keep(json.dumps(asked).encode())
    assert not own.exists()


def test_the_server_answers_a_page_that_keeps_no_tiles(study: str) -> None:
    asked = json.dumps({"name": MARKUP, "tiles": {"?": ["A" * 144]}}).encode()
    _, answer, _ = request_of(study, "api/keep", asked)
    assert json.loads(answer)["error"].endswith("at most 60 letters, digits, -_.")
