"""`minebot windows` lists what is on the desktop, and the game that each window is known to be."""

from __future__ import annotations

import json

import pytest

from minebot import cli
from minebot.capture import Rect
from minebot.sandbox.private_display import PrivateDisplay
from tests.desktop.x11.client import Client

PLACE = Rect(200, 150, 300, 200)


def _listed(desk: PrivateDisplay, capsys: pytest.CaptureFixture[str], *more: str) -> str:
    assert cli.main(["windows", "--display", desk.name, *more]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    return out


def test_a_game_is_listed_with_its_name_and_place(
    desk: PrivateDisplay, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    with Client(desk.name, PLACE, "Mines", "sgt-mines", "Sgt-mines") as client:
        (fact,) = map(json.loads, _listed(desk, capsys, "--json").splitlines())
        table, found = _listed(desk, capsys), client.window.id
    assert fact == {
        "id": found,
        "title": "Mines",
        "app_ids": ["sgt-mines", "Sgt-mines"],
        "game": "sgt-mines",
        "left": 200,
        "top": 150,
        "width": 300,
        "height": 200,
        "state": "shown",
    }
    assert fact["id"] in table
    assert "300x200 at (200, 150)" in table


def test_other_windows_are_of_no_game(
    desk: PrivateDisplay, capsys: pytest.CaptureFixture[str]
) -> None:
    with Client(desk.name, PLACE, "Notes"):
        (fact,) = map(json.loads, _listed(desk, capsys, "--json").splitlines())
    assert (fact["title"], fact["game"]) == ("Notes", None)


def test_a_title_is_text_and_moves_no_cursor(
    desk: PrivateDisplay, capsys: pytest.CaptureFixture[str]
) -> None:
    with Client(desk.name, PLACE, "[red]Mines\x1b[2J\rgone"):
        out = _listed(desk, capsys)
    assert "[red]Mines" in out
    assert not {"\x1b", "\r"} & set(out)


def test_a_desktop_without_windows_says_so(
    desk: PrivateDisplay, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _listed(desk, capsys) == "there are no windows\n"
    assert _listed(desk, capsys, "--json") == ""


def test_a_display_that_does_not_answer_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["windows", "--display", ":987"]) == 3
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("minebot: cannot open the X display ':987'")
    assert err.count("\n") == 1
