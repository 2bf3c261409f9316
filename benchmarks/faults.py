"""Plays boards of the real game while something goes wrong, and prints how each game ended.

    python benchmarks/faults.py                          20 trials of every fault
    python benchmarks/faults.py --faults moved,resized --trials 200
    python benchmarks/faults.py --list                   which faults there are

Each trial starts Simon Tatham's Mines with a board of 60x30 cells and 350 mines that needs no
guess, then the `minebot` command as a user would, and lets the fault happen after 20 to 700
of some 1,100 clicks. Every press of a button is heard as the X server reports it. A trial is bad
when a mine was hit that was no guess, when something was clicked later than 0.1 s after a stop,
when the program did not end by itself, or when it showed a traceback.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import socket
import statistics
import struct
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import xcffib
import xcffib.xinput
from rich.console import Console
from rich.table import Table
from xcffib import xproto

from benchmarks.busy import busy
from bot.desktop.x11.display import Display
from bot.errors import MinebotError
from bot.sandbox.display import Game, PrivateDisplay

BOARD = "60x30n350"
SCREEN = (1700, 1000)
HEARD = 0.1
"""Seconds within which a stop is promised to be heard."""
PATIENCE = 150.0
"""Seconds after the fault within which the program has to end by itself; it gives a game that
makes up its first board 90."""
BEFORE = 60.0
"""Seconds that the game gets to make up its board and the program to begin."""
XI_ALL_MASTERS = 1


class Presses:
    """Hears every press of a mouse button on a display, in a thread of its own."""

    def __init__(self, display: str) -> None:
        self._display = Display(display)
        wanted = xcffib.xinput.XIEventMask.RawButtonPress
        mask = struct.pack("=HHI", XI_ALL_MASTERS, 1, wanted)
        self._display.xinput.XISelectEventsChecked(self._display.root, 1, [mask]).check()
        self.times: list[float] = []
        """When each was heard, by `time.monotonic`."""
        self._over = False
        self._thread = threading.Thread(target=self._listen, daemon=True)
        self._thread.start()

    def _listen(self) -> None:
        with suppress(MinebotError, xcffib.XcffibException):
            while not self._over:
                for event in self._display.pending():
                    if isinstance(event, xcffib.xinput.RawButtonPressEvent):
                        self.times.append(time.monotonic())
                self._display.sleep(0.02)

    def close(self) -> None:
        """End the thread."""
        self._over = True
        self._thread.join()
        with suppress(MinebotError, xcffib.XcffibException):
            self._display.close()


@dataclass
class Trial:
    """One game, with what a fault may do to it."""

    display: PrivateDisplay
    server: Display
    """A connection of the benchmark's own."""
    game: Game
    bot: subprocess.Popen[str]
    rng: random.Random
    ends: ExitStack
    """What has to be undone when the trial is over."""
    said: list[str] = field(default_factory=list)

    @property
    def window(self) -> int:
        """The X number of the game's window."""
        return int(self.game.window, 0)

    def configure(self, **wanted: int) -> None:
        """Ask the window manager for another place or size, as another program would."""
        names = {"x": 1, "y": 2, "width": 4, "height": 8}
        mask = sum(names[name] for name in wanted)
        values = [wanted[name] for name in names if name in wanted]
        self.server.core.ConfigureWindow(self.window, mask, values)
        self.server.flush()

    def key(self, keysym: int) -> None:
        """Press and release a key of the user's keyboard."""
        setup = self.server.setup
        first, count = setup.min_keycode, setup.max_keycode - setup.min_keycode + 1
        reply = self.server.core.GetKeyboardMapping(first, count).reply()
        per = reply.keysyms_per_keycode
        code = next(
            first + at // per for at, symbol in enumerate(reply.keysyms) if symbol == keysym
        )
        for kind in (xproto.KeyPressEvent, xproto.KeyReleaseEvent):
            self.server.xtest.FakeInput(kind.event_number, code, 0, self.server.root, 0, 0, 0)
        self.server.core.GetInputFocus().reply()

    def focus_game(self) -> None:
        """Give the game the keyboard, as a user who types into it has done."""
        self.server.core.SetInputFocus(xproto.InputFocus.PointerRoot, self.window, 0)
        self.server.core.GetInputFocus().reply()

    def tell_root(self, name: str, data: list[int]) -> None:
        """Send the window manager a client message about the game's window."""
        words = struct.pack("=5I", *(data + [0] * 5)[:5])
        event = struct.pack("=BBHII", 33, 32, 0, self.window, self.server.atom(name)) + words
        mask = xproto.EventMask.SubstructureRedirect | xproto.EventMask.SubstructureNotify
        self.server.core.SendEvent(False, self.server.root, mask, event)
        self.server.flush()

    def cover(self) -> int:
        """Another program's window over the middle of the board; its X number."""
        root, window = self.server.root, self.server.new_id()
        screen = self.server.setup.roots[0]
        left, top = self.rng.randrange(400, 900), self.rng.randrange(250, 500)
        self.server.core.CreateWindow(
            screen.root_depth, window, root, left, top, 260, 160, 0,
            xproto.WindowClass.InputOutput, screen.root_visual,
            xproto.CW.BackPixel | xproto.CW.OverrideRedirect, [0x336699, 1],
        )  # fmt: skip
        self.server.core.MapWindow(window)
        self.server.core.GetInputFocus().reply()
        return window


def moved(trial: Trial) -> None:
    """Another program moves the window by up to a few tiles."""
    trial.configure(x=trial.rng.randrange(20, 420), y=trial.rng.randrange(20, 240))


def resized(trial: Trial) -> None:
    """The window gets another size, as tiling window managers give when a window opens."""
    trial.configure(width=trial.rng.randrange(700, 1600), height=trial.rng.randrange(420, 900))


def covered_for_a_moment(trial: Trial) -> None:
    """A window comes up over the board and goes again."""
    window = trial.cover()
    time.sleep(trial.rng.uniform(0.05, 1.0))
    trial.server.core.DestroyWindow(window)
    trial.server.core.GetInputFocus().reply()


def covered_for_good(trial: Trial) -> None:
    """A window comes up over the board and stays."""
    trial.cover()


def closed(trial: Trial) -> None:
    """The user closes the game."""
    trial.tell_root("_NET_CLOSE_WINDOW", [0, 2])


def hung(trial: Trial) -> None:
    """The game does not answer any more."""
    pid = trial.server.numbers(trial.server.ask(trial.window, "_NET_WM_PID"))[0]
    os.kill(pid, signal.SIGSTOP)

    def go_on() -> None:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGCONT)

    trial.ends.callback(go_on)


def minimised(trial: Trial) -> None:
    """The user puts the window away."""
    trial.tell_root("WM_CHANGE_STATE", [3])


def focus_lost(trial: Trial) -> None:
    """Another window takes the keyboard."""
    trial.server.core.SetInputFocus(xproto.InputFocus.PointerRoot, trial.server.root, 0)
    trial.server.core.GetInputFocus().reply()


def hand_on_the_mouse(trial: Trial) -> None:
    """The user moves the mouse."""
    none = xcffib.XCB_NONE
    x, y = trial.rng.choice((-90, 90)), trial.rng.choice((-70, 70))
    trial.server.core.WarpPointer(none, none, 0, 0, 0, 0, x, y)
    trial.server.core.GetInputFocus().reply()


def esc(trial: Trial) -> None:
    """The user presses Esc."""
    trial.key(0xFF1B)


def ctrl_c(trial: Trial) -> None:
    """The user presses Ctrl-C in the terminal."""
    trial.bot.send_signal(signal.SIGINT)


def sigterm(trial: Trial) -> None:
    """The program is told to end."""
    trial.bot.send_signal(signal.SIGTERM)


def menu_open(trial: Trial) -> None:
    """The user opens the game's menu with the keyboard."""
    trial.focus_game()
    trial.key(0xFFC7)


def second_window(trial: Trial) -> None:
    """The same game is started a second time, wherever the window manager puts it."""
    trial.ends.enter_context(Game(trial.display, "9x9n10"))


def new_game(trial: Trial) -> None:
    """The user begins another game."""
    trial.focus_game()
    trial.key(ord("n"))


def undo(trial: Trial) -> None:
    """The user takes back a move."""
    trial.focus_game()
    trial.key(ord("u"))


def busy_machine(trial: Trial) -> None:
    """Four processes begin that do nothing but take time."""
    trial.ends.enter_context(busy(4))


def display_gone(trial: Trial) -> None:
    """The X server ends."""
    os.kill(_server_of(trial.display.name), signal.SIGKILL)


STOPS = (hand_on_the_mouse, esc, ctrl_c, sigterm, display_gone)
"""After these nothing may be clicked any more."""

FAULTS: tuple[Callable[[Trial], None], ...] = (
    moved, resized, covered_for_a_moment, covered_for_good, closed, hung, minimised, focus_lost,
    *STOPS, menu_open, second_window, new_game, undo, busy_machine,
)  # fmt: skip


@dataclass(frozen=True)
class Ending:
    """How a trial ended."""

    how: str
    """Exit status and outcome or message, its numbers left out."""
    problems: tuple[str, ...]
    clicks_after: float | None
    """Seconds from the fault to the last press; None where none came after it."""


def main() -> int:
    """Print a row for each fault; 1 when a trial was bad."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--faults", help="names, comma between (default: all)")
    parser.add_argument("--trials", type=int, default=20, help="of each (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="of the first trial")
    parser.add_argument("--list", action="store_true", help="print the faults and end")
    parser.add_argument("--board", default=BOARD, help="a preset (default: %(default)s)")
    arguments = parser.parse_args()
    faults = {fault.__name__.replace("_", "-"): fault for fault in FAULTS}
    if arguments.list:
        for name, fault in faults.items():
            print(f"{name:22}{fault.__doc__}")
        return 0
    names = arguments.faults.split(",") if arguments.faults else list(faults)
    unknown = sorted(set(names) - set(faults))
    if unknown:
        parser.error(f"no such fault: {', '.join(unknown)}; --list names them")
    console = Console(width=150, highlight=False)
    table = Table(title=f"{arguments.board}, {arguments.trials} trials of each fault")
    for heading in ("fault", "how it ended", "hit, no guess", "after a stop", "hung", "traceback"):
        table.add_column(heading)
    table.add_column("last click, ms after: median, most", justify="right")
    bad = 0
    for name in names:
        endings = []
        for seed in range(arguments.seed, arguments.seed + arguments.trials):
            ending = play(arguments.board, faults[name], seed)
            endings.append(ending)
            for problem in ending.problems:
                console.print(f"{name}, seed {seed}: {problem}; {ending.how}", markup=False)
        bad += sum(bool(ending.problems) for ending in endings)
        _add_row(table, name, endings)
        console.print(f"{name}: done", markup=False)
    console.print(table)
    return 1 if bad else 0


def play(board: str, fault: Callable[[Trial], None], seed: int) -> Ending:
    """Play one board while the fault happens."""
    rng = random.Random(f"{fault.__name__} {seed}")
    after = rng.randrange(20, 700)
    with ExitStack() as ends:
        display = ends.enter_context(PrivateDisplay(SCREEN))
        game = ends.enter_context(Game(display, f"{board}#{seed}"))
        server = ends.enter_context(Display(display.name))
        presses = Presses(display.name)
        ends.callback(presses.close)
        state = ends.enter_context(_folder())
        bot = _start(display, game, state)
        ends.callback(_kill, bot)
        trial = Trial(display, server, game, bot, rng, ends)
        _wait(lambda: len(presses.times) >= after or bot.poll() is not None, BEFORE)
        began = time.monotonic()
        fault(trial)
        hung_up = False
        try:
            out, said = bot.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            hung_up = True
            bot.kill()
            out, said = bot.communicate()
        time.sleep(0.05)  # what the server still has to report
        return _judge(
            fault, bot.returncode, out, said, began, presses=presses.times, hung_up=hung_up
        )


def _start(display: PrivateDisplay, game: Game, state: Path) -> subprocess.Popen[str]:
    # A shell that runs this in the background has Ctrl-C ignored, and children inherit that.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    command = ["--window", game.window, "--display", display.name, "--json"]
    return subprocess.Popen(
        [sys.executable, "-m", "bot", *command],
        env=display.environ({"XDG_STATE_HOME": str(state), "XDG_CACHE_HOME": _cache()}),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def _judge(
    fault: Callable[[Trial], None],
    status: int,
    out: str,
    said: str,
    began: float,
    *,
    presses: list[float],
    hung_up: bool,
) -> Ending:
    facts: dict[str, Any] = json.loads(out.splitlines()[-1]) if out.strip() else {}
    outcome = facts.get("outcome", "")
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    message = "" if outcome in ("won", "lost") else next(iter(lines), "")
    problems = []
    if outcome == "lost" and not facts["hit_a_guess"]:
        problems.append("hit a mine that was no guess")
    last = presses[-1] - began if presses and presses[-1] > began else None
    if fault in STOPS and last is not None and last > HEARD:
        problems.append(f"clicked {1000 * last:.0f} ms after the stop")
    if hung_up:
        problems.append("did not end by itself")
    if "Traceback" in said:
        problems.append("traceback")
    how = f"{status} {outcome}: {_plain(message)}" if message else f"{status} {outcome}"
    return Ending(how, tuple(problems), last)


def _plain(message: str) -> str:
    """A message without its numbers and paths, so that the same ones are counted together."""
    words = (
        "…" if any(c.isdigit() or c == "/" for c in word) else word for word in message.split()
    )
    text = " ".join(words)
    return text if len(text) <= 90 else text[:87] + "..."


def _add_row(table: Table, name: str, endings: list[Ending]) -> None:
    hows = Counter(ending.how for ending in endings)
    counts = [
        sum(any(kind in problem for problem in ending.problems) for ending in endings)
        for kind in ("no guess", "after the stop", "end by itself", "traceback")
    ]
    last = [1000 * ending.clicks_after for ending in endings if ending.clicks_after is not None]
    times = f"{statistics.median(last):.0f}, {max(last):.0f}" if last else "-"
    listed = "\n".join(f"{count}x {how}" for how, count in hows.most_common())
    table.add_row(name, listed, *map(str, counts), times)


def _server_of(display: str) -> int:
    """The process number of the X server that answers at this display."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(f"/tmp/.X11-unix/X{display.removeprefix(':')}")
        credentials = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12)
    return int(struct.unpack("3i", credentials)[0])


def _wait(ready: Callable[[], bool], patience: float) -> None:
    end = time.monotonic() + patience
    while not ready() and time.monotonic() < end:
        time.sleep(0.001)


def _kill(process: subprocess.Popen[str]) -> None:
    if process.poll() is None:
        process.kill()
    process.wait()


@contextmanager
def _folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="minebot-faults-") as name:
        yield Path(name)


def _cache() -> str:
    """Where what is compiled lies: the user's own, or it would be compiled anew."""
    return os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")


if __name__ == "__main__":
    try:
        sys.exit(main())
    except MinebotError as error:
        sys.exit(f"faults: {error}")
