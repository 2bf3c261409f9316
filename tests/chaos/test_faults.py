"""Games of the real program to which something happens in their middle.

    python -m pytest tests/chaos                             one trial of each fault
    MINEBOT_CHAOS_TRIALS=20 python -m pytest tests/chaos -rP     20 of each, and how each ended

Each trial starts Simon Tatham's Mines with a large or a dense board that needs no guess, then the
`minebot` command as a user would, and lets the fault happen in its middle. Every press of a
button is heard as the X server, or sway, reports it.
"""

from __future__ import annotations

import random
import time
from contextlib import ExitStack

import pytest

from fixtures.waiting import settled
from tests.chaos import sway_faults, x11_faults
from tests.chaos.trial import BOARDS, TRIALS, Fault, Faults

pytestmark = [pytest.mark.game, pytest.mark.thorough, pytest.mark.timeout(300)]

DESKTOPS = {"x11": x11_faults.FAULTS, "sway": sway_faults.FAULTS}
HEARD = 0.1
"""Seconds within which a stop is promised to be heard."""
ON_ITS_WAY = 2.0
"""Milliseconds after a fault within which a click that was on its way is got: sway is asked for the
window's place 0.6 before (measured); the next click of a game comes some 4 later."""
STATUSES = (0, 1, 3, 4, 130)
"""Those of the README that a game which was begun can end with."""


def cases() -> list[object]:
    boards = list(BOARDS)
    return [
        pytest.param(
            desktop, fault, board, seed, id=f"{name}-{fault.__name__}-{board}-{seed}"
        )
        for name, desktop in DESKTOPS.items()
        for number, fault in enumerate(desktop.every)
        for seed in range(TRIALS)
        for board in [boards[(number + seed) % len(boards)]]
    ]  # fmt: skip


@pytest.mark.parametrize(("desktop", "fault", "board", "seed"), cases())
def test_whatever_happens_no_mine_is_hit_and_nothing_is_left_behind(
    desktop: Faults, fault: Fault, board: str, seed: int
) -> None:
    rng = random.Random(f"{fault.__name__} {seed}")
    with ExitStack() as ends:
        trial = desktop.begin(f"{board}#{seed}", fault, rng, ends)
        trial.wait_for(rng.choice(BOARDS[board]))
        fault(trial)
        happened = time.monotonic()
        facts, said = trial.ended()
        status = trial.bot.returncode
        presses = trial.presses.times
        settled(lambda: len(presses), 0.05)  # what the display still has to report
        last = 1000 * (presses[-1] - happened)
        print(f"{status} {facts.get('outcome')}, last click after {last:.0f} ms: {said}")

        assert status in STATUSES
        assert "Traceback" not in said
        is_struck = fault in desktop.raced and last <= ON_ITS_WAY and facts.get("outcome") == "lost"
        assert facts.get("outcome") != "lost" or facts["hit_a_guess"] or is_struck
        if fault in desktop.stops:
            assert last <= 1000 * HEARD
            stopped = 3 if fault is desktop.ends_display else 130
            # On a busy machine the last click may fall into the moment in which it happens.
            assert status == stopped or (status, facts.get("outcome")) == (0, "won")
        if fault in desktop.harmless:
            assert facts.get("outcome") == "won" or is_struck
        if fault in desktop.out_of_sight:
            assert status == 3
        if fault is not desktop.ends_display:
            assert trial.answers()
            assert not trial.held()
