"""Playing on Wayland with the command, as a user runs it: on sway, and where nothing is allowed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from fixtures.desktops.cage import cage_desktop
from fixtures.desktops.sway import SwayDesktop, sway_desktop
from fixtures.waiting import wait_until
from minebot.profile import load
from minebot.sandbox.private_display import PrivateDisplay

ROOT = Path(__file__).parents[2]

pytestmark = [pytest.mark.game, pytest.mark.thorough]

EXPERT = "30x16n99"
NATIVELY = {"GDK_BACKEND": "wayland", "QT_QPA_PLATFORM": "wayland"}


def _minebot(environ: Mapping[str, str], *arguments: str) -> subprocess.CompletedProcess[str]:
    # Else what is compiled would be compiled anew in the desktop's own home.
    cache = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return subprocess.run(
        [sys.executable, "-m", "minebot", *arguments],
        capture_output=True,
        text=True,
        check=False,
        timeout=100,
        cwd=ROOT,
        env={**environ, "XDG_CACHE_HOME": cache},
    )


def _facts(run: subprocess.CompletedProcess[str]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in run.stdout.splitlines()]


def _won(run: subprocess.CompletedProcess[str], preset: str = EXPERT) -> dict[str, Any]:
    """The only game, which was won without a guess, and with all its mines known."""
    assert run.returncode == 0, run.stderr
    (game,) = _facts(run)
    assert (game["outcome"], game["guesses"]) == ("won", 0)
    assert "{width}x{height}n{mines}".format(**game) == preset
    return game


@contextmanager
def _mines(sway: SwayDesktop, preset: str = EXPERT) -> Iterator[int]:
    with sway.program(["sgt-mines", preset], NATIVELY) as number:
        yield number


def _without(environ: Mapping[str, str], *names: str) -> dict[str, str]:
    return {name: value for name, value in environ.items() if name not in names}


def test_two_boards_are_won_natively(sway: SwayDesktop) -> None:
    with _mines(sway) as number:
        run = _minebot(sway.environ, "--window", "Mines", "--games", "2", "--json")
    assert run.returncode == 0, run.stderr
    games = _facts(run)
    assert [(game["outcome"], game["guesses"]) for game in games] == [("won", 0)] * 2
    assert [(game["width"], game["height"], game["mines"]) for game in games] == [(30, 16, 99)] * 2
    assert {game["window"] for game in games} == {f"sgt-mines 'Mines' (sway:{number})"}


@pytest.mark.parametrize("scale", [1.25, 2])
def test_a_board_is_won_at_another_scale(scale: float) -> None:
    with sway_desktop((round(1280 * scale), round(1024 * scale)), scale) as sway, _mines(sway):
        assert sway.outputs()[0]["scale"] == scale
        _won(_minebot(sway.environ, "--json"))


@pytest.mark.parametrize("scale", [1, 1.25])
def test_a_board_is_won_on_the_second_screen(scale: float) -> None:
    # Where the first one has another scale, the game paints a board of half the size.
    size = round(1280 * scale), round(1024 * scale)
    with sway_desktop(size, scale) as sway:
        sway.say("create_output")
        mode = "{}x{}".format(*size)
        sway.say(f"output HEADLESS-2 resolution {mode} position 1280 0 scale {scale}")
        sway.say("focus output HEADLESS-2")
        with _mines(sway):
            (window,) = sway.windows()
            assert window["rect"]["x"] >= 1280
            _won(_minebot(sway.environ, "--json"))


def test_a_board_is_won_where_nobody_tells_places(sway: SwayDesktop) -> None:
    with _mines(sway):
        game = _won(_minebot(_without(sway.environ, "SWAYSOCK"), "--json"))
    assert "(wayland:" in game["window"]


def test_start_plays_on_sway_itself(sway: SwayDesktop) -> None:
    run = _minebot({**sway.environ, **NATIVELY}, "start", "--json", "sgt-mines", "16x16n40")
    assert "(sway:" in _won(run, "16x16n40")["window"]
    (left,) = sway.windows()
    sway.say(f"[con_id={left['id']}] kill")
    wait_until(lambda: sway.windows() == [])


def test_start_plays_in_a_window_of_its_own_where_asked_to(sway: SwayDesktop) -> None:
    run = _minebot(sway.environ, "start", "--own-window", "--json")
    assert "(0x" in _won(run)["window"]
    assert "in a window of its own" in run.stderr
    assert sway.windows() == []


def test_a_game_of_xwayland_is_played_through_x11(sway: SwayDesktop) -> None:
    with (
        sway.x11() as name,
        sway.program(["sgt-mines", EXPERT], {"GDK_BACKEND": "x11", "DISPLAY": name}),
    ):
        environ = {**sway.environ, "DISPLAY": name}
        assert "(0x" in _won(_minebot(environ, "--desktop", "x11", "--json"))["window"]


@pytest.mark.trained
@pytest.mark.parametrize(
    ("command", "name", "board"),
    [
        (["gnome-mines", "--small"], "gnome-mines", "8x8n10"),
        (["dbus-run-session", "--", "kmines"], "kmines", "9x9n10"),
    ],
    ids=["gnome-mines", "kmines"],
)
def test_other_games_are_played_natively(
    sway: SwayDesktop, command: list[str], name: str, board: str
) -> None:
    with sway.program(command, {**NATIVELY, "GSETTINGS_BACKEND": "memory"}) as number:
        (window,) = sway.windows()
        assert window["app_id"] in load(name).app_ids
        run = _minebot(sway.environ, "--games", "3", "--json")
    games = _facts(run)
    assert len(games) == 3, run.stderr
    for game in games:
        # A mine may be hit, but only by what was reported as a guess.
        assert game["outcome"] == "won" or game["hit_a_guess"], run.stderr
        assert "{width}x{height}n{mines}".format(**game) == board
        assert game["window"].endswith(f"(sway:{number})")


class TestDoctor:
    def _ways(self, run: subprocess.CompletedProcess[str]) -> dict[str, tuple[bool, str]]:
        (facts,) = _facts(run)
        return {way["name"]: (way["works"], way["finding"]) for way in facts["ways"]}

    def test_on_sway_it_takes_wayland(self, sway: SwayDesktop) -> None:
        run = _minebot(sway.environ, "doctor", "--json")
        (facts,) = _facts(run)
        assert (run.returncode, facts["taken"]) == (0, ["wayland"]), run.stderr
        assert self._ways(run)["wayland"] == (True, "sway, which tells where windows are")
        assert facts["environment"]["SWAYSOCK"] == sway.environ["SWAYSOCK"]

    def test_without_a_desktop_nothing_is_taken(self, sway: SwayDesktop) -> None:
        run = _minebot(_without(sway.environ, "WAYLAND_DISPLAY", "SWAYSOCK"), "doctor", "--json")
        assert (run.returncode, _facts(run)[0]["taken"]) == (3, []), run.stderr
        ((works, finding),) = self._ways(run).values()
        assert not works
        assert "DISPLAY is not set" in finding

    def test_a_dead_wayland_is_named(self, sway: SwayDesktop, desk: PrivateDisplay) -> None:
        dead = {**sway.environ, "WAYLAND_DISPLAY": "/nowhere"}
        run = _minebot(dead, "doctor", "--json")
        assert (run.returncode, _facts(run)[0]["taken"]) == (3, []), run.stderr
        named = (False, "no Wayland compositor answers at /nowhere")
        assert self._ways(run)["wayland"] == named
        run = _minebot({**dead, "DISPLAY": desk.name}, "doctor", "--json")
        assert (run.returncode, _facts(run)[0]["taken"]) == (0, ["x11"]), run.stderr
        assert self._ways(run)["wayland"] == named


class TestKiosk:
    """cage shows one program, and tells no other of it; older ones let no other click, either."""

    @pytest.fixture
    def cage(self) -> Iterator[dict[str, str]]:
        with cage_desktop() as environ:
            yield environ

    def test_doctor_says_that_no_program_may_click(self, cage: dict[str, str]) -> None:
        run = _minebot(cage, "doctor", "--json")
        (facts,) = _facts(run)
        assert (run.returncode, facts["taken"]) == (3, []), run.stderr
        (finding,) = [way["finding"] for way in facts["ways"] if way["name"] == "wayland"]
        assert finding.startswith("this Wayland compositor lets no program ")
        assert finding.endswith("list windows")

    def test_playing_is_refused_in_one_line(self, cage: dict[str, str]) -> None:
        run = _minebot(cage, "--window", "Mines")
        assert run.returncode == 3
        assert run.stderr.count("\n") == 1
        assert "lets no program" in run.stderr

    def test_start_opens_its_own_window(self, cage: dict[str, str]) -> None:
        run = _minebot(cage, "start", "--json")
        assert "(0x" in _won(run)["window"]
        assert "in a window of its own" in run.stderr
