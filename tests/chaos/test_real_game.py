"""What minebot leaves on the display, and to its user, when something happens in a game."""

from __future__ import annotations

import os
import random
import signal
import time
from contextlib import ExitStack

import pytest

from fixtures.busy import busy
from fixtures.desktops.sway import sway_version
from fixtures.waiting import is_asleep, pass_time, stays, wait_until
from minebot.board import Board, Cell
from minebot.desktop.x11.desktop import XDesktop
from minebot.desktop.x11.display import Display
from minebot.profile import load
from minebot.stop import Stop
from minebot.vision.known_game import KnownGameReader
from tests.chaos import sway_faults, x11_faults
from tests.chaos.trial import BOARDS, TRIALS, Fault, ctrl_c, sighup, sigterm
from tests.chaos.x11_faults import XTrial

pytestmark = [pytest.mark.game, pytest.mark.thorough, pytest.mark.timeout(300)]

QUIET = 1.0
"""Seconds asleep after which a game has taken all clicks: making up a board it never sleeps."""
PATIENCE = 120.0
REPORTS_KEYS = 1, 8
"""The first version of sway that reports each key, however soon it follows another input."""


def board_of(trial: XTrial) -> Board:
    """What the game shows once it has taken all clicks."""
    (pid,) = trial.server.numbers(trial.server.ask(trial.window, "_NET_WM_PID"))
    wait_until(lambda: stays(lambda: is_asleep(pid), QUIET), PATIENCE)
    desktop = XDesktop(trial.display.name)
    window = next(each for each in desktop.windows() if each.id == trial.game.window)
    with desktop.open(window, Stop()) as window_session:
        return KnownGameReader(load("sgt-mines")).read(window_session.screen.grab()).board


@pytest.mark.parametrize("seed", range(TRIALS))
@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("processes", [0, 4])
def test_a_new_game_of_the_users_is_left_alone(processes: int, board: str, seed: int) -> None:
    """No click goes to it, not even one that was on its way; on a busy machine neither."""
    rng = random.Random(seed)
    with ExitStack() as ends:
        ends.enter_context(busy(processes))
        trial = x11_faults.begin(f"{board}#{seed}", x11_faults.new_game, rng, ends)
        trial.wait_for(rng.choice(BOARDS[board]))
        x11_faults.new_game(trial)
        print(trial.ended())
        shown = board_of(trial)
        assert shown.count(Cell.HIDDEN) == shown.width * shown.height


@pytest.mark.parametrize("seed", range(TRIALS))
@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("processes", [0, 4])
def test_a_new_game_of_the_users_gets_no_second_click_on_sway(
    processes: int, board: str, seed: int
) -> None:
    """One may be on its way; no game has a mine under its first."""
    if sway_version() < REPORTS_KEYS:
        pytest.skip("this sway does not report each key")
    rng = random.Random(seed)
    with ExitStack() as ends:
        ends.enter_context(busy(processes))
        trial = sway_faults.begin(f"{board}#{seed}", sway_faults.new_game, rng, ends)
        trial.wait_for(rng.choice(BOARDS[board]))
        sway_faults.new_game(trial)
        print(trial.ended())
        assert trial.bot.returncode == 130
        assert trial.pressed_after_key() <= 1


@pytest.mark.parametrize("fault", [sighup, sigterm, ctrl_c])
@pytest.mark.parametrize("seed", range(TRIALS))
def test_no_button_stays_down_where_clicks_are_long(fault: Fault, seed: int) -> None:
    rng = random.Random(seed)
    with ExitStack() as ends:
        long = "press_milliseconds = 50"
        trial = x11_faults.begin(f"30x16n170#{seed}", fault, rng, ends, behaviour=long)
        trial.wait_for(rng.randrange(5, 30))
        pass_time(rng.uniform(0, 0.05))
        fault(trial)
        trial.ended()
        assert trial.bot.returncode == 130
        assert not trial.held()


@pytest.mark.parametrize("seed", range(TRIALS))
def test_frozen_at_any_moment_it_holds_up_nobody(seed: int) -> None:
    """Others are served, a new one too; it goes on, or stops where it was in a click."""
    rng = random.Random(seed)
    with ExitStack() as ends:
        trial = x11_faults.begin(f"30x16n170#{seed}", ctrl_c, rng, ends)
        trial.wait_for(rng.choice(BOARDS["30x16n170"]))
        pass_time(rng.uniform(0, 0.01))
        os.kill(trial.bot.pid, signal.SIGSTOP)
        began = time.monotonic()
        trial.server.core.GetInputFocus().reply()
        with Display(trial.display.name) as other:
            other.core.GetInputFocus().reply()
        answered = time.monotonic() - began
        assert trial.answers()
        assert not trial.held()
        clicks = len(trial.presses.times)
        os.kill(trial.bot.pid, signal.SIGCONT)
        facts, said = trial.ended()
        more = len(trial.presses.times) - clicks
        print(f"{answered:.3f} s, {facts.get('outcome')} after {more} more clicks: {said}")
        assert answered < 1.0
        if trial.bot.returncode == 130:
            assert "stopped: the program was frozen in the middle of a click" in said
            assert not more
        else:
            assert facts["outcome"] == "won"
