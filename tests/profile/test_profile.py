"""Profiles: the shipped ones are whole, a broken one says file, key and why."""

from __future__ import annotations

import copy
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from bot.board import Cell
from bot.calibrate.writing import profile_text
from bot.errors import ProfileError
from bot.profile import ApartLook, InkLook, SampleLook, TouchingLook, load, names, parse

PATH = Path(__file__).parents[2] / "calibration" / "sgt-mines" / "profile.toml"
DATA = tomllib.loads(PATH.read_text())


@pytest.mark.parametrize("name", names())
def test_a_shipped_profile_loads_under_its_own_name(name: str) -> None:
    profile = load(name)
    assert profile.name == name
    if isinstance(profile.cells, InkLook):
        assert set(profile.cells.digits) == {Cell(number) for number in range(1, 9)}
    else:
        assert {Cell.HIDDEN, Cell.FLAG, Cell.EMPTY} <= {
            sample.cell for sample in profile.cells.samples
        }


def test_an_unknown_name_lists_those_there_are() -> None:
    with pytest.raises(
        ProfileError, match=r"nosuch: profile: there is none; there are: .*sgt-mines"
    ):
        load("nosuch")


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A person's own profile of the shipped game, under another title."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    file = tmp_path / "minebot" / "profiles" / "sgt-mines" / "profile.toml"
    file.parent.mkdir(parents=True)
    file.write_text(PATH.read_text().replace('title = "', 'title = "My own '))
    return file


def test_a_persons_own_profile_wins_over_the_shipped_one(own: Path) -> None:
    assert load("sgt-mines").title.startswith("My own ")
    own.unlink()
    assert not load("sgt-mines").title.startswith("My own ")


def test_a_persons_own_game_is_listed_with_the_others(own: Path) -> None:
    own.parent.rename(own.parents[1] / "another")
    assert names() == sorted(["another", *names()[1:]])
    assert load("another").title.startswith("My own ")


@pytest.mark.parametrize("content", [b"name = ", b"\xff\xfe", b"name = 3"])
def test_a_file_that_is_no_profile_is_named(own: Path, content: bytes) -> None:
    own.write_bytes(content)
    with pytest.raises(ProfileError) as caught:
        load("sgt-mines")
    assert str(caught.value).startswith(str(own))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("key", "value", "reason"),
    [
        ("name", 3, "3 is not a text"),
        ("title", None, "is missing"),
        ("wm_class", [], r"\[\] is not a list of texts"),
        ("grid", "bevel", "'bevel' is not a table"),
        ("grid.kind", "round", "'round' is none of framed, apart, touching"),
        ("grid.dark_rgb", [1, 2], "not three levels"),
        ("grid.dark_rgb", [1, 2, 256], "not three levels"),
        ("grid.dark_rgb", [1, 2, True], "not three levels"),
        ("grid.bevel_tiles", 0.9, "0.9 is not between 0 and 0.4"),
        ("grid.tolerance_levels", True, "True is not a number"),
        ("backgrounds.opened", [], "names no colour"),
        ("backgrounds.opened", [3], "not a table with a key 'rgb'"),
        ("inks.3", "red", "'red' is not a colour"),
        ("status.side", "left", "'left' is none of below, above, right"),
        ("status.total", "(", "no regular expression"),
        ("status.total", "Marked", "lacks the group"),
        ("keys.new_game", "nn", "not a key: 'nn'"),
        ("timing.answer_milliseconds", -1, "-1 is not between 0 and 60000"),
        ("boards.keys.big", ["n"], "is no board's columns and rows"),
        ("boards.flags_to_win", "yes", "'yes' is neither true nor false"),
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
    with pytest.raises(ProfileError, match=reason) as caught:
        parse(data, "x.toml")
    assert str(caught.value).startswith("x.toml: ")
    assert caught.value.key.split("[")[0] == key


_SAMPLE = {
    "cell": "1",
    "ground_rgbs": [[1, 2, 3]],
    "ink_rgb": [9, 9, 9],
    "aspect": 0.5,
    "height_tiles": 0.5,
    "shape": "0123456789ab\n" * 12,
}
_APART = {
    "kind": "apart",
    "ground_rgbs": [[9, 9, 9]],
    "tolerance_levels": 8,
    "smallest_tile_pixels": 12,
}


@pytest.mark.parametrize(
    ("key", "value", "reason"),
    [
        ("cell", "x", "'x' is none of 0, 1"),
        ("ground_rgbs", [], "names no colour"),
        ("ground_rgbs", [[1, 2]], "not three levels"),
        ("ink_rgb", None, "is missing"),
        ("aspect", 0, "0 is not between"),
        ("shape", "0", "is not 12 rows of 12 digits"),
        ("shape", "0123456789xy\n" * 12, "is not 12 rows of 12 digits"),
    ],
)
def test_a_broken_sample_names_its_number_and_key(key: str, value: Any, reason: str) -> None:
    sample = {**_SAMPLE, key: value}
    if value is None:
        del sample[key]
    data = {**DATA, "grid": _APART, "samples": [_SAMPLE, sample]}
    with pytest.raises(ProfileError, match=reason) as caught:
        parse(data, "x.toml")
    assert caught.value.key.split("[0]")[0] == f"samples[1].{key}"


def test_tiles_that_stand_apart_are_told_by_samples() -> None:
    with pytest.raises(ProfileError, match="samples"):
        parse({**DATA, "grid": _APART}, "x.toml")
    profile = parse({**DATA, "grid": _APART, "samples": [_SAMPLE]}, "x.toml")
    assert isinstance(profile.cells, SampleLook)
    assert profile.cells.samples[0].shape[:3] == (0, 1, 2)


def test_a_game_may_cut_its_board_off_where_tiles_stand_close() -> None:
    data = {**DATA, "grid": {**_APART, "least_step_pixels": 20}, "samples": [_SAMPLE]}
    profile = parse(data, "x.toml")
    assert profile.grid == ApartLook(((9, 9, 9),), 8, 12, 20)
    assert parse(tomllib.loads(profile_text(profile)), "x.toml").grid == profile.grid


def test_tiles_that_touch_say_how_wide_the_line_between_them_is() -> None:
    grid = {"kind": "touching", "gap_pixels": 1, "smallest_tile_pixels": 12}
    profile = parse({**DATA, "grid": grid, "samples": [_SAMPLE]}, "x.toml")
    assert profile.grid == TouchingLook(gap=1, smallest_tile=12)
    with pytest.raises(ProfileError, match="9 is not between 0 and 8"):
        parse({**DATA, "grid": {**grid, "gap_pixels": 9}, "samples": [_SAMPLE]}, "x.toml")


def _sheet(folder: Path, size: tuple[int, int], **changes: Any) -> dict[str, Any]:
    Image.new("RGBA", size, (90, 80, 70, 200)).save(folder / "sheet.png")
    sheet = {"picture": "sheet.png", "cells": "0?F", **changes}
    grid = {"kind": "touching", "gap_pixels": 0, "smallest_tile_pixels": 12}
    return {**DATA, "grid": grid, "sheets": [sheet]}


def test_a_sheet_holds_a_thumbnail_of_each_cell_in_each_row(tmp_path: Path) -> None:
    profile = parse(_sheet(tmp_path, (36, 24)), "x.toml", tmp_path)
    assert isinstance(profile.cells, SampleLook)
    assert [sample.cell for sample in profile.cells.samples] == [
        Cell.EMPTY, Cell.HIDDEN, Cell.FLAG, Cell.EMPTY, Cell.HIDDEN, Cell.FLAG,
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("size", "changes", "why"),
    [
        ((36, 20), {}, "36x20 pixels, which is not 3 thumbnails of 12x12 in each row"),
        ((48, 24), {}, "48x24 pixels"),
        ((36, 24), {"picture": "other.png"}, "other.png No such file"),
        ((36, 24), {"picture": "../sheet.png"}, "no file beside the profile"),
        ((36, 24), {"cells": "0?X"}, "cells: is not one or more of"),
        ((36, 24), {"behind_rgbs": [[1, 2, 3]]}, "behind_rgbs: is not two colours"),
        ((36, 24), {"uneven": "yes"}, "uneven: 'yes' is neither true nor false"),
    ],
)
def test_a_broken_sheet_says_what_is_wrong(
    tmp_path: Path, size: tuple[int, int], changes: dict[str, Any], why: str
) -> None:
    with pytest.raises(ProfileError, match=re.escape(why)):
        parse(_sheet(tmp_path, size, **changes), "x.toml", tmp_path)


def test_a_sheet_that_is_no_picture_says_so(tmp_path: Path) -> None:
    data = _sheet(tmp_path, (36, 24))
    (tmp_path / "sheet.png").write_text("not a picture")
    with pytest.raises(ProfileError, match=r"sheet\.png is not a picture"):
        parse(data, "x.toml", tmp_path)
