"""Where the time of a game goes: what grabbing, reading, thinking, clicking and waiting take."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from unittest.mock import patch

from minebot.play import player
from minebot.play.clicker import Clicker
from minebot.play.observer import BoardObserver
from minebot.play.session import Session
from minebot.solver import Solver

STAGES = ("grab", "read", "solve", "click", "wait")


@contextmanager
def timed_stages(session: Session) -> Iterator[dict[str, float]]:
    """For a `with` block, add up the seconds that its games spend in each of `STAGES`."""
    stages = dict.fromkeys(STAGES, 0.0)

    def timed(stage: str, plain: Callable[..., object]) -> Callable[..., object]:
        def run(*given: object, **named: object) -> object:
            began = time.perf_counter()
            try:
                return plain(*given, **named)
            finally:
                stages[stage] += time.perf_counter() - began

        return run

    screen, reader = type(session.window_session.screen), type(session.reader)
    with ExitStack() as ends:
        for stage, owner, name in (
            ("grab", screen, "grab"),
            ("read", reader, "read"),
            ("solve", Solver, "solve"),
            ("solve", player, "certain_moves"),
            ("solve", player, "guess"),
            ("click", Clicker, "click"),
            ("wait", BoardObserver, "wait"),
        ):
            run = timed(stage, getattr(owner, name))
            ends.enter_context(patch.object(owner, name, run))
        yield stages
