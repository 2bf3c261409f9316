"""What the user said that tiles show is kept as a profile of the user's own."""

from __future__ import annotations

import json
import shutil
from base64 import b64encode
from pathlib import Path

import pytest

from minebot.capture import Window
from minebot.errors import ProfileError, UsageError
from minebot.play.identify import profile_at_first_sight
from minebot.profile import LatticeStyle, file_of, load, load_file
from minebot.profile.appearance import NO_WINDOW
from minebot.profile.writing import write
from minebot.study.kept_tiles import keep
from tests.study.asking import MARKUP, request_of

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
