"""How long it takes from the command to its first click, and `minebot windows` to its end.

    python -m benchmarks.startup --runs 15

The real command plays the real game on a private display, alone and beside 30 other
windows. The click is timed where it arrives, at the X server, by a listener of its own.
Ratios are against `python -c pass` in the same run: they tell a slow machine from slow
code.
"""

from __future__ import annotations

import argparse
import os
import select
import statistics
import struct
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import xcffib.xinput

from fixtures.any_game import any_game
from minebot.desktop.x11.display import Display
from minebot.policy.guessing.prepare import prepare
from minebot.sandbox.private_display import PrivateDisplay

PATIENCE = 30.0
"""Seconds in which the click must come."""
ALL_MASTERS = 1
"""XInput2's device number for every pointer."""
WINDOW = 300
"""Width and height of the other windows, in pixels."""


def main() -> None:
    """Measure and print one row a command."""
    parser = argparse.ArgumentParser(description="From the command to its first click.")
    parser.add_argument("--runs", type=int, default=15)
    parser.add_argument("--others", type=int, nargs="+", default=[0, 30], metavar="WINDOWS")
    parser.add_argument("--program", default="sgt-mines")
    parser.add_argument("--game", default="30x16n99", metavar="ID")
    arguments = parser.parse_args()
    prepare()
    program = [sys.executable, "-m", "minebot"]
    with PrivateDisplay() as display:
        bare = _median(arguments.runs, lambda: _finished([sys.executable, "-c", "pass"], display))
        print(f"{'command':<18} {'others':>6} {'median s':>9} {'slowest s':>10} {'ratio':>6}")
        _tell("python -c pass", 0, [bare], bare)
        for others in arguments.others:
            with _windows(display, others):
                clicks = [
                    _first_click(program, display, arguments.program, arguments.game)
                    for _ in range(arguments.runs)
                ]
                _tell("minebot, to click", others, clicks, bare)
                with any_game(display, arguments.game or None, program=arguments.program):
                    lists = [
                        _finished([*program, "windows"], display) for _ in range(arguments.runs)
                    ]
                _tell("minebot windows", others, lists, bare)


def _tell(what: str, others: int, seconds: list[float], bare: float) -> None:
    median = statistics.median(seconds)
    print(f"{what:<18} {others:>6} {median:>9.3f} {max(seconds):>10.3f} {median / bare:>6.1f}")


def _environ(display: PrivateDisplay) -> dict[str, str]:
    """The user's own, for minebot finds there what was compiled; the display is another."""
    return {**os.environ, "DISPLAY": display.name}


def _median(runs: int, timed: Callable[[], float]) -> float:
    return statistics.median(timed() for _ in range(runs))


def _finished(command: list[str], display: PrivateDisplay) -> float:
    """Seconds until the command has ended."""
    began = time.perf_counter()
    subprocess.run(command, env=_environ(display), check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - began


def _first_click(command: list[str], display: PrivateDisplay, game: str, game_id: str) -> float:
    """Seconds from the command's start until the X server has its first click."""
    with any_game(display, game_id or None, program=game), Display(display.name) as listener:
        # The struct EventMask of XInput2: device, words of mask, mask.
        mask = struct.pack("=HHI", ALL_MASTERS, 1, xcffib.xinput.XIEventMask.RawButtonPress)
        listener.xinput.XISelectEventsChecked(listener.root, 1, [mask]).check()
        began = time.perf_counter()
        bot = subprocess.Popen(
            command, env=_environ(display), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
        )
        try:
            while time.perf_counter() - began < PATIENCE and bot.poll() is None:
                select.select([listener.fileno()], [], [], 0.02)
                if any(True for _ in listener.pending()):
                    return time.perf_counter() - began
        finally:
            bot.terminate()
            _, said = bot.communicate()
        raise SystemExit(f"no click came: {said.decode()}")


@contextmanager
def _windows(display: PrivateDisplay, number: int) -> Iterator[None]:
    """So many windows of other programs, for a `with` block."""
    with Display(display.name) as owner:
        for index in range(number):
            window = owner.new_id()
            left, top = 40 * (index % 30), 25 * (index % 25)
            in_and_out, none = 1, 0
            owner.core.CreateWindow(
                0, window, owner.root, left, top, WINDOW, WINDOW, 0, in_and_out, 0, none, []
            )
            for name, text in (
                ("WM_NAME", f"another window, {index}"),
                ("WM_CLASS", f"other{index}\0Other\0"),
            ):
                value = text.encode()
                owner.core.ChangeProperty(
                    0, window, owner.atom(name), owner.atom("STRING"), 8, len(value), value
                )
            owner.core.MapWindow(window)
        owner.flush()
        time.sleep(1 if number else 0)  # The window manager puts frames around them.
        yield


if __name__ == "__main__":
    main()
