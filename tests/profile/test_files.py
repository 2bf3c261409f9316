"""Which profiles there are, what one may say, and that a written one comes back whole."""

from __future__ import annotations

import copy
import errno
import json
import re
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from minebot import cli
from minebot.errors import ProfileError, UsageError
from minebot.profile import Behaviour, LatticeStyle, Profile, load, load_file, parse, profiles
from minebot.profile.files import write
from minebot.profile.schema import Chooser, Dialog, FlagButton, RelativePosition, StatusStyle
from minebot.vision.known_game import is_first_sight
from tests.profile.profile_texts import DATA, LATTICE

ROOT = Path(__file__).parents[2]


SHIPPED = ROOT / "calibration"
GAMES = sorted(file.parent.name for file in SHIPPED.glob("*/profile.toml"))


MOST_LINES = 80
"""A user reads the whole of a profile."""


@pytest.mark.parametrize("name", profiles())
def test_a_shipped_profile_loads_under_its_own_name(name: str) -> None:
    profile = load(name)
    assert profile.name == name


@pytest.mark.parametrize("name", profiles())
def test_a_shipped_profile_can_be_read_by_a_user(name: str) -> None:
    text = (SHIPPED / name / "profile.toml").read_text()
    assert text.count("\n") <= MOST_LINES
    assert profiles()[name] == load(name)


def test_an_unknown_name_lists_those_there_are() -> None:
    with pytest.raises(
        ProfileError, match=r"nosuch: profile: there is none; there are: .*sgt-mines"
    ):
        load("nosuch")


def test_a_users_own_profile_wins_over_the_shipped_one(own: Path) -> None:
    assert load("sgt-mines").title.startswith("My own ")
    own.unlink()
    assert not load("sgt-mines").title.startswith("My own ")


def test_a_users_own_game_is_listed_with_the_others(own: Path) -> None:
    own.parent.rename(own.parents[1] / "another")
    assert list(profiles()) == ["another", *GAMES]
    assert load("another").title.startswith("My own ")
    assert profiles()["another"].title.startswith("My own ")


def test_profiles_says_which_of_two_with_the_same_name_applies(
    own: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for whose, file in (("your own", own), ("shipped", SHIPPED / own.parent.name / own.name)):
        assert cli.main(["profiles", "--json"]) == 0
        told = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
        assert {one["name"]: one["file"] for one in told}["sgt-mines"] == str(file)
        assert cli.main(["profiles"]) == 0
        lines = capsys.readouterr().out.splitlines()
        (row,) = (line for line in lines if line.split()[:1] == ["sgt-mines"])
        assert whose in row
        own.unlink(missing_ok=True)


def test_a_profile_that_changes_is_read_again(own: Path) -> None:
    assert profiles()["sgt-mines"].title.startswith("My own ")
    own.write_text(own.read_text().replace("My own ", "My other "))
    assert profiles()["sgt-mines"].title.startswith("My other ")
    assert load("sgt-mines").title.startswith("My other ")


def test_a_broken_profile_of_the_users_own_is_skipped_with_one_line(
    own: Path, caplog: pytest.LogCaptureFixture
) -> None:
    own.parent.rename(own.parents[1] / "another")
    own.parent.mkdir()
    own.write_text("name = 3")  # and stands before the shipped one
    for _ in range(2):
        found = profiles()
    assert list(found) == ["another", *GAMES]
    assert found["another"].title.startswith("My own ")
    assert found["sgt-mines"] == parse(DATA, "x.toml")
    line = f"skipped a broken profile: {own}: name: Expected `str`, got `int`"
    assert [record.getMessage() for record in caplog.records] == [line]
    with pytest.raises(ProfileError, match=r"name: Expected `str`, got `int`"):
        load("sgt-mines")


def test_a_broken_profile_is_named_by_commands_that_go_on_without_it(
    own: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    own.write_text("x = [")
    assert cli.main(["profiles", "--json"]) == 0
    told = capsys.readouterr()
    assert len(told.out.splitlines()) == len(profiles())
    assert told.err.startswith(f"note: skipped a broken profile: {own}: file: ")
    assert told.err.count("\n") == 1
    picture = ROOT / "fixtures/screenshots/sgt-mines/9x9n10-t20-early.png"
    assert cli.main(["read", str(picture)]) == 0
    assert cli.main(["read", "--profile", "sgt-mines", str(picture)]) == 2
    assert capsys.readouterr().err.startswith(f"minebot: {own}: file: ")


OLD = "is of an older minebot: make the profile anew, by minebot calibrate --force"


NAN, INF = float("nan"), float("inf")


SPOT = {"side": "above", "from": "start", "along_tiles": 1.0, "away_tiles": 1.0}


@pytest.mark.thorough
@pytest.mark.parametrize(
    "content",
    [
        b"name = ",
        b"\xff\xfe",
        b"name = 3",
        b"x = " + b"[" * 50_000,
        b"x = 1\n" * 50_000,
        b".".join([b"a"] * 30_000) + b" = 1",
        b"x = " + b"9" * 50_000,
    ],
)
def test_a_file_that_is_no_profile_is_named(own: Path, content: bytes) -> None:
    own.write_bytes(content)
    with pytest.raises(ProfileError) as caught:
        load("sgt-mines")
    assert str(caught.value).startswith(str(own))
    assert "\n" not in str(caught.value)


@pytest.mark.thorough
def test_a_profile_of_an_older_form_says_so_in_one_line(own: Path) -> None:
    own.write_text(own.read_text().replace("app_ids", "wm_class"))
    with pytest.raises(ProfileError) as caught:
        load("sgt-mines")
    assert str(caught.value) == f"{own}: wm_class: {OLD}"


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("key", "value", "reason"),
    [
        ("name", 3, "Expected `str`, got `int`"),
        ("title", None, "is missing"),
        ("app_ids", [], "of length >= 1"),
        ("app_id", ["mines"], "is not known"),
        ("grid", "bevel", "Expected `object`, got `str`"),
        ("grid.kind", "round", "Invalid value 'round'"),
        ("grid.dark_rgb", [1, 2], "of length 3, got 2"),
        ("grid.dark_rgb", [1, 2, 256], "Expected `int` <= 255"),
        ("grid.dark_rgb", [1, 2, True], "Expected `int`, got `bool`"),
        ("grid.light_rgb", None, "is missing"),
        ("grid.bevel_tiles", 0.9, "Expected `float` <= 0.4"),
        ("grid.tolerance_levels", True, "Expected `int`, got `bool`"),
        ("grid.smallest", 3, "is not known"),
        ("grid.grounds", None, "is missing"),
        ("grid.grounds.covered", [], "of length >= 1"),
        ("grid.grounds.exploded", None, "is missing"),
        ("grid.grounds.opened", [3], "Expected `array`, got `int`"),
        ("grid.grounds.lit", [[1, 2, 3]], "is not known"),
        ("grid.inks.3", "red", "Expected `array`, got `str`"),
        ("grid.inks.9", [[1, 2, 3]], "matching regex"),
        ("grid.inks", 3, "Expected `object`, got `int`"),
        ("status.side", "left", "matching regex '^(below|above|right)$'"),
        ("status.total", "(", "is no regular expression: "),
        ("status.total", "a{99999999999999999999}", "is no regular expression: "),
        ("status.total", "(" * 5000 + ")" * 5000, "is no regular expression: "),
        ("counter", {"at": {**SPOT, "along_tiles": NAN}}, "Expected `float` >= -1000.0"),
        ("counter", {"at": {**SPOT, "along_tiles": INF}}, "Expected `float` <= 1000.0"),
        ("behaviour.new_game_button", {**SPOT, "away_tiles": NAN}, "Expected `float` >= -1000.0"),
        ("status.total", "Marked", "lacks the group 'marked', 'mines'"),
        ("status.won", 3, "3 is not a text"),
        ("behaviour.new_game_key", "nn", "not a key: 'nn'"),
        ("behaviour.answer_milliseconds", -1, "Expected `int` >= 0"),
        ("behaviour.answer_milliseconds", 0.5, "Expected `int`, got `float`"),
        ("behaviour.boards", {"big": ["n"]}, r"matching regex '^[1-9]\\d*x[1-9]\\d*$'"),
        ("behaviour.boards.9x9", ["nn"], "not a key: 'nn'"),
        ("behaviour.flags_to_win", "yes", "Expected `bool`, got `str`"),
        ("behaviour.chooser", {"entry": "(?P<width>.)"}, "lacks the group 'height'"),
    ],
)
def test_a_broken_profile_names_the_key_and_says_why(key: str, value: Any, reason: str) -> None:
    data = copy.deepcopy(DATA)
    *tables, last = key.split(".")
    table: Any = data
    for name in tables:
        table = table[name]
    if value is None:
        del table[last]
    else:
        table[last] = value
    with pytest.raises(ProfileError) as caught:
        parse(data, "x.toml")
    assert str(caught.value) == f"x.toml: {caught.value.key}: {caught.value.reason}"
    assert reason in caught.value.reason
    assert "\n" not in str(caught.value)
    # A key of a table whose keys are free is told by the table and the reason.
    at = caught.value.key.replace("[...]", "").split("[")[0]
    assert key.startswith(at) or at.startswith(key)
    assert key.split(".", maxsplit=1)[0] == at.split(".")[0]


TILES = {"kind": "tiles", "picture": "gone.png", "cells": "012345678?F*!"}


def test_a_framed_game_of_an_older_minebot_keeps_its_colours() -> None:
    """It told the shapes of all signs, too."""
    grid = dict(DATA["grid"])
    inks = {name: ink for name, (ink, *_) in grid.pop("inks").items()}
    inks |= {"flag_base": [0, 0, 0], "cross": [255, 0, 0]}
    colours = {"grounds": grid.pop("grounds"), "inks": inks}
    old = {"grid": grid, "colours": colours, "shapes": {"1": [[1, 1]]}}
    assert parse({**DATA, **old}, "x.toml") == parse(DATA, "x.toml")


@pytest.mark.thorough
def test_what_an_older_minebot_wrote_of_a_lattice_is_not_used() -> None:
    old = {"grid": {"kind": "lattice", "inset_tiles": 0.1}, "sheets": [TILES]}
    profile = parse(LATTICE | old, "x.toml")
    assert is_first_sight(profile)
    assert profile == parse(LATTICE, "x.toml")


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("grid", "sheets"),
    [
        ({"kind": "apart", "ground_rgbs": [[9, 9, 9]]}, [TILES]),
        ({"kind": "touching", "gap_pixels": 1}, [TILES]),
        (DATA["grid"] | {"inset_tiles": 0.1}, [TILES]),
        (DATA["grid"], [{"kind": "glyphs", "phase": "lost"}]),
        (DATA["grid"], [{"kind": "shapes", "picture": "cells.png", "cells": "12345678F*"}]),
    ],
)
def test_a_profile_with_pictures_of_cells_is_of_an_older_minebot(
    own: Path, grid: dict[str, Any], sheets: list[dict[str, Any]]
) -> None:
    data = LATTICE | {"grid": grid, "sheets": sheets}
    own.write_text("\n".join(f"{name} = {_toml(value)}" for name, value in data.items()))
    with pytest.raises(ProfileError) as caught:
        load("sgt-mines")
    assert str(caught.value) == f"{own}: sheets: {OLD}"


def _toml(value: Any) -> str:
    """A value in one line, as TOML has it."""
    if isinstance(value, dict):
        return f"{{{', '.join(f'{key} = {_toml(one)}' for key, one in value.items())}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(_toml, value))}]"
    return json.dumps(value)


TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
PATTERNS = TEXTS.map(re.escape).map(re.compile)
KEYS = st.lists(st.sampled_from(["n", "alt+s", "Return", "+", '"', "\\", "'"]), min_size=1).map(
    tuple
)
SIDES = st.integers(4, 64)

kept = st.dictionaries(
    st.sampled_from("0?F*!"),
    st.lists(st.binary(min_size=108, max_size=108), min_size=1, max_size=3).map(tuple),
    min_size=1,
)
lattices = st.builds(LatticeStyle, st.none() | SIDES, st.lists(kept, max_size=2).map(tuple))
statuses = st.builds(
    StatusStyle,
    st.sampled_from(["below", "above", "right"]),
    PATTERNS.map(lambda said: re.compile(rf"{said.pattern}(?P<marked>\d+)/(?P<mines>\d+)")),
    st.none() | PATTERNS,
    st.none() | PATTERNS,
    st.none() | PATTERNS,
)
choosers = st.builds(
    Chooser,
    st.just(re.compile(r"(?P<width>\d+)x(?P<height>\d+)")),
    st.none() | st.just("ctrl+n"),
)
spots = st.builds(
    RelativePosition,
    st.sampled_from(["above", "below", "left", "right"]),
    st.sampled_from(["start", "middle", "end"]),
    st.floats(-20, 20),
    st.floats(-20, 20),
)
flag_buttons = st.builds(
    FlagButton,
    spots,
    spots,
    st.floats(0.1, 20),
    st.floats(0.1, 20),
    st.binary(max_size=108),
    st.binary(max_size=108),
    st.none() | spots,
)
behaviours = st.builds(
    Behaviour,
    flag_button=st.none() | flag_buttons,
    new_game_key=st.none() | st.sampled_from(["n", "ctrl+shift+F5"]),
    answer_milliseconds=st.integers(0, 60_000),
    end_message_milliseconds=st.integers(0, 60_000),
    other_board=TEXTS,
    flags_to_win=st.booleans(),
    chooser=st.none() | choosers,
    boards=st.dictionaries(st.sampled_from(["9x9", "30x16"]), KEYS),
    dialogs=st.lists(
        st.builds(Dialog, PATTERNS, st.sampled_from(["ended", "new_game"]), KEYS), max_size=3
    ).map(tuple),
)


any_profiles = st.builds(
    Profile,
    TEXTS,
    TEXTS,
    TEXTS,
    st.lists(TEXTS, min_size=1, max_size=3).map(tuple),
    lattices,
    page=TEXTS,
    status=st.none() | statuses,
    behaviour=behaviours,
    generic=st.booleans(),
)


KNOWN = load("kmines")
OTHER = KNOWN.changed(title="Other")
AT_FIRST_SIGHT = [name for name in profiles() if is_first_sight(load(name))]


@pytest.mark.parametrize("name", AT_FIRST_SIGHT)
def test_a_shipped_profile_comes_back(name: str, tmp_path: Path) -> None:
    write(load(name), tmp_path / "profile.toml")
    assert load_file(tmp_path / "profile.toml") == load(name)


def test_a_profile_of_a_framed_game_is_not_written(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="classic is not read at first sight"):
        write(load("classic"), tmp_path / "profile.toml")
    assert not list(tmp_path.iterdir())


def test_kept_tiles_come_back(tmp_path: Path) -> None:
    tiles = {"?": (bytes(range(108)), bytes(108)), "3": (b"\xff" * 108,)}
    profile = KNOWN.changed(grid=LatticeStyle(tiles=(tiles, {"!": (bytes(108),)})))
    write(profile, tmp_path / "profile.toml")
    assert load_file(tmp_path / "profile.toml") == profile


def test_a_profile_too_large_to_be_loaded_is_not_written(tmp_path: Path) -> None:
    write(KNOWN, tmp_path / "profile.toml")
    tiles = {"?": tuple(bytes([number]) * 108 for number in range(256))}
    with pytest.raises(UsageError, match="a profile has at most 65536 bytes"):
        write(KNOWN.changed(grid=LatticeStyle(tiles=(tiles, tiles))), tmp_path / "profile.toml")
    assert load_file(tmp_path / "profile.toml") == KNOWN


@pytest.mark.thorough
@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(any_profiles, any_profiles)
def test_every_profile_comes_back_also_in_the_place_of_another(
    one: Profile, other: Profile
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "mine" / "profile.toml"
        for profile in (one, other):
            write(profile, path)
            assert load_file(path) == profile
        assert list(path.parent.iterdir()) == [path], "something was left behind"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A profile on disk."""
    write(KNOWN, tmp_path / "profile.toml")
    return tmp_path / "profile.toml"


def test_a_full_disk_leaves_the_profile_as_it_was(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = file.read_bytes()

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(UsageError, match=r"profile\.toml: No space left on device"):
        write(OTHER, file)
    assert {each.name: each.read_bytes() for each in file.parent.iterdir()} == {file.name: before}


def test_the_file_is_whole_until_it_is_replaced(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps: list[Path] = []
    move = Path.replace

    def watched(self: Path, target: Path) -> Path:
        assert load_file(file) == KNOWN
        assert load_file(self) == OTHER
        steps.append(target)
        return move(self, target)

    monkeypatch.setattr(Path, "replace", watched)
    write(OTHER, file)
    assert steps == [file]
    assert load_file(file) == OTHER


def test_what_a_user_wrote_into_the_file_stays(file: Path) -> None:
    file.write_text(written := "# Mine, do not lose.\n" + file.read_text())
    write(KNOWN, file)
    assert file.read_text() == written
    write(OTHER, file)
    assert load_file(file) == OTHER, "a comment stays only where the rest says the same"


@pytest.mark.parametrize("spoilt", [b"", b"name = ", b"\xff\n", b'wm_class = ["mines"]\n'])
def test_a_spoilt_file_is_replaced(file: Path, spoilt: bytes) -> None:
    file.write_bytes(spoilt)
    with pytest.raises(ProfileError):
        load_file(file)
    write(OTHER, file)
    assert load_file(file) == OTHER


def test_what_an_older_minebot_drew_is_left_alone(file: Path) -> None:
    tiles = file.parent / "tiles.png"
    tiles.write_bytes(b"some picture")
    sheets = '\n[[sheets]]\nkind = "tiles"\npicture = "tiles.png"\ncells = "012"\n'
    file.write_text(file.read_text().replace('kind = "lattice"', 'kind = "touching"') + sheets)
    with pytest.raises(ProfileError, match="sheets: is of an older minebot"):
        load_file(file)
    write(KNOWN, file)
    assert load_file(file) == KNOWN
    assert tiles.read_bytes() == b"some picture"
