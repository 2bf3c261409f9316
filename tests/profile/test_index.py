"""Which profiles there are, and whose comes first."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from minebot import cli
from minebot.board import Cell
from minebot.errors import ProfileError
from minebot.profile import load, names, parse, profiles
from minebot.vision.known_game import is_first_sight
from tests.profile.profile_texts import DATA, PATH

ROOT = Path(__file__).parents[2]


SHIPPED = ROOT / "calibration"


MOST_LINES = 80
"""A user reads the whole of a profile."""


@pytest.mark.parametrize("name", names())
def test_a_shipped_profile_loads_under_its_own_name(name: str) -> None:
    profile = load(name)
    assert profile.name == name
    if is_first_sight(profile):
        assert profile.colours is None
    else:
        assert profile.colours is not None
        assert set(profile.colours.digits) == {Cell(number) for number in range(1, 9)}


@pytest.mark.parametrize("name", names())
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
    assert names() == sorted(["another", *names()[1:]])
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
    assert list(found) == names()
    assert found["another"].title.startswith("My own ")
    assert found["sgt-mines"] == parse(DATA, "x.toml", PATH.parent)
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
    assert len(told.out.splitlines()) == len(names())
    assert told.err.startswith(f"note: skipped a broken profile: {own}: file: ")
    assert told.err.count("\n") == 1
    picture = ROOT / "fixtures/screenshots/sgt-mines/9x9n10-t20-early.png"
    assert cli.main(["read", str(picture)]) == 0
    assert cli.main(["read", "--profile", "sgt-mines", str(picture)]) == 2
    assert capsys.readouterr().err.startswith(f"minebot: {own}: file: ")
