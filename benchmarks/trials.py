"""Games of the `minebot` command to which a fault happens: what all desktops have in common."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from benchmarks.busy import busy

SCREEN = (1700, 1000)
"""Width and height in pixels; the board fits with some room to move."""


class Heard(Protocol):
    """What hears every press of a mouse button, outside the program that presses."""

    @property
    def times(self) -> list[float]:
        """When each was heard, by `time.monotonic`."""
        ...


@dataclass
class Trial:
    """One game, with what a fault may do to it."""

    bot: subprocess.Popen[str]
    presses: Heard
    rng: random.Random
    ends: ExitStack
    """What has to be undone when the trial is over."""


@dataclass(frozen=True)
class Faults:
    """What can go wrong on one desktop."""

    every: tuple[Callable[[Any], None], ...]
    """Each takes the trial that `begin` gives."""
    stops: tuple[Callable[[Any], None], ...]
    """After these of them nothing may be clicked any more."""
    begin: Callable[[str, Callable[[Any], None], random.Random, ExitStack], Trial]
    """Starts the game with that id and the program; the fault is to come."""


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


def start_bot(
    arguments: Sequence[str], environ: Mapping[str, str], ends: ExitStack
) -> subprocess.Popen[str]:
    """The `minebot` command, killed at the end if it is still there."""
    # A shell that runs this in the background has Ctrl-C ignored, and children inherit that.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    state = ends.enter_context(tempfile.TemporaryDirectory(prefix="minebot-faults-"))
    # What is compiled lies where the user's own does, or it would be compiled anew.
    cache = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    bot = subprocess.Popen(
        [sys.executable, "-m", "minebot", *arguments, "--json"],
        env={**environ, "XDG_STATE_HOME": state, "XDG_CACHE_HOME": cache},
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
