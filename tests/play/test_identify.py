"""Which game a window is: by its name, else by what fits its pixels."""

from __future__ import annotations

import shutil
import tomllib
from pathlib import Path
from typing import Any

import pytest

from minebot.capture import Window
from minebot.desktop.ports import pick
from minebot.play.identify import fitting, game_of
from minebot.profile import load, profiles
from minebot.recording import pictures

CALIBRATION = Path(__file__).parents[2] / "calibration"
SHOTS = Path(__file__).parents[2] / "fixtures" / "screenshots"
TATHAM = Window("1", "Mines", ("sgt-mines", "Sgt-mines"))
GNOME = Window("2", "Mines", ("gnome-mines", "Gnome-mines"))
NAMELESS = Window("8", "Mines")
"""Its program is not known, as with a portal."""
SHELL = Window("3", "gnome-mines", ("xterm", "XTerm"))


@pytest.mark.parametrize(
    ("window", "name"),
    [
        (TATHAM, "sgt-mines"),
        (GNOME, "gnome-mines"),
        (Window("4", "Mines", ("/usr/games/gnome-mines", "Other")), "gnome-mines"),
        (Window("5", "Mines", ("org.gnome.Mines", "org.gnome.Mines")), "gnome-mines"),
        (Window("6", "Mines", ("SGT-MINES", "")), "sgt-mines"),
        (SHELL, None),
        (Window("7", "gnome-mines", ("", "")), None),
    ],
)
def test_a_game_is_told_by_its_window(window: Window, name: str | None) -> None:
    assert game_of(window) == name


def test_however_many_windows_there_are_each_profile_is_parsed_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    own = tmp_path / "minebot" / "profiles"
    for name in profiles():  # under a new path, so that none has been parsed before
        shutil.copytree(CALIBRATION / name, own / name)
    parsed: list[str] = []
    loads = tomllib.loads

    def counted(text: str) -> dict[str, Any]:
        parsed.append(text)
        return loads(text)

    monkeypatch.setattr("tomllib.loads", counted)
    windows = [Window(str(number), "Log", ("xterm", "XTerm")) for number in range(30)]
    assert pick(None, [*windows, TATHAM], lambda one: game_of(one) is not None) is TATHAM
    assert [game_of(window) for window in (*windows, TATHAM)] == [None] * 30 + ["sgt-mines"]
    assert len(parsed) == len(profiles())


@pytest.mark.parametrize(
    ("shot", "games"),
    [
        ("sgt-mines/9x9n10-t20-middle-flags", ["sgt-mines"]),
        ("classic/plain-16x16n60-x1-lost", ["classic"]),
        ("classic/black-16x16n60-x1-lost", []),
        ("gnome-mines/classic-16x16n40-w800x700-middle-1", []),
        ("gnome-mines/chooser-w600x400", []),
    ],
)
def test_the_pixels_tell_a_game_of_known_colours(shot: str, games: list[str]) -> None:
    frame = pictures.load(SHOTS / f"{shot}.png")
    assert [profile.name for profile in fitting(frame, NAMELESS)] == games


def test_a_window_shows_no_board_of_a_program_that_it_is_not_of() -> None:
    frame = pictures.load(SHOTS / "sgt-mines/9x9n10-t20-middle-flags.png")
    assert [profile.name for profile in fitting(frame, TATHAM)] == ["sgt-mines"]
    assert fitting(frame, GNOME) == []


@pytest.mark.parametrize(("page", "games"), [("Mines", ["sgt-mines"]), ("Hex mines", [])])
def test_nor_of_a_page_that_is_called_otherwise(
    page: str, games: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    profile = load("sgt-mines").changed(page=page)
    monkeypatch.setattr("minebot.play.identify.profiles", lambda: {"sgt-mines": profile})
    frame = pictures.load(SHOTS / "sgt-mines/9x9n10-t20-middle-flags.png")
    assert [profile.name for profile in fitting(frame, TATHAM)] == games
    assert game_of(TATHAM) == (games[0] if games else None)
    assert [profile.name for profile in fitting(frame, NAMELESS)] == ["sgt-mines"]


def test_a_look_that_many_games_have_fits_whatever_the_program() -> None:
    frame = pictures.load(SHOTS / "classic" / "plain-16x16n60-x1-middle.png")
    assert [profile.name for profile in fitting(frame, SHELL)] == ["classic"]
