"""Games of the `minebot` command to which a fault happens: what all desktops have in common."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import tempfile
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from fixtures.busy import busy
from fixtures.waiting import within

TRIALS = int(os.environ.get("MINEBOT_CHAOS_TRIALS", "1"))
"""Of each fault; the boards take turns."""
BOARDS = {"60x30n350": range(20, 700), "30x16n170": range(20, 200)}
"""By preset, the number of clicks after which a fault may happen."""
SCREEN = (1700, 1000)
"""Width and height in pixels; the largest board fits with some room to move."""
BEFORE = 60.0
"""Seconds that the game gets to make up its board and the program to begin."""
END = 150.0
"""Seconds after the fault within which the program has to end by itself; it gives a game that
makes up its first board 90."""


class Heard(Protocol):
    """What hears every press of a mouse button, outside the program that presses."""

    @property
    def times(self) -> list[float]:
        """When each was heard, by `time.monotonic`."""
        ...


@dataclass
class Trial(ABC):
    """One game, with what a fault may do to it."""

    bot: subprocess.Popen[str]
    presses: Heard
    rng: random.Random
    ends: ExitStack
    """What has to be undone when the trial is over."""

    @abstractmethod
    def held(self) -> int:
        """How many mouse buttons, or which, are down; 0 for none."""

    @abstractmethod
    def answers(self) -> bool:
        """Whether the display goes on serving its programs."""

    def wait_for(self, clicks: int) -> None:
        """Return once there have been so many clicks; fail where the game ends before."""

        def clicked() -> bool:
            assert self.bot.poll() is None, self.bot.communicate()
            return len(self.presses.times) >= clicks

        assert within(clicked, BEFORE), f"{len(self.presses.times)} clicks, no more"

    def ended(self) -> tuple[dict[str, Any], str]:
        """What the program says of its game at its end, empty for nothing, and what else."""
        out, said = self.bot.communicate(timeout=END)
        return json.loads(out.splitlines()[-1]) if out.strip() else {}, said


class Begin(Protocol):
    """Starts the game with an id and the program, on a desktop of its own."""

    def __call__(self, game_id: str, fault: Fault, rng: random.Random, ends: ExitStack) -> Trial:
        """The fault is to come."""
        ...


Fault = Callable[[Any], None]
"""Something that happens to a trial of one desktop."""


@dataclass(frozen=True)
class Faults:
    """What can go wrong on one desktop."""

    every: tuple[Fault, ...]
    """Each takes the trial that `begin` gives."""
    stops: tuple[Fault, ...]
    """After these of them nothing may be clicked any more."""
    harmless: tuple[Fault, ...]
    """After these of them the game is played on to its end."""
    out_of_sight: tuple[Fault, ...]
    """After these of them the board cannot be seen any more, and the program ends saying so."""
    ends_display: Fault
    """The one of them after which there is no display."""
    begin: Begin
    raced: tuple[Fault, ...] = ()
    """While these of them happen a click on its way may land on another cell."""


def ctrl_c(trial: Trial) -> None:
    """The user presses Ctrl-C in the terminal."""
    trial.bot.send_signal(signal.SIGINT)


def sigterm(trial: Trial) -> None:
    """The program is told to end."""
    trial.bot.send_signal(signal.SIGTERM)


def sighup(trial: Trial) -> None:
    """The terminal is closed."""
    trial.bot.send_signal(signal.SIGHUP)


def busy_machine(trial: Trial) -> None:
    """Four processes begin that do nothing but take time."""
    trial.ends.enter_context(busy(4))


def cache() -> str:
    """Where what is compiled lies, as for the user's own games: else it would be compiled anew."""
    return os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")


def start_bot(
    arguments: Sequence[str], environ: Mapping[str, str], ends: ExitStack
) -> subprocess.Popen[str]:
    """The `minebot` command, killed at the end if it is still there."""
    state = ends.enter_context(tempfile.TemporaryDirectory(prefix="minebot-chaos-"))
    bot = subprocess.Popen(
        [sys.executable, "-m", "minebot", *arguments, "--json"],
        env={**environ, "XDG_STATE_HOME": state, "XDG_CACHE_HOME": cache()},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    ends.callback(_kill, bot)
    return bot


def _kill(process: subprocess.Popen[str]) -> None:
    if process.poll() is None:
        process.kill()
    process.wait()
