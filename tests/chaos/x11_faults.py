"""What can go wrong on X11 while a game is played, and a display to have it go wrong on."""

from __future__ import annotations

import os
import random
import select
import shutil
import signal
import socket
import struct
import threading
import time
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path

import xcffib
import xcffib.xinput
from xcffib import xproto

from fixtures.running_game import RunningGame
from fixtures.waiting import pass_time
from minebot.actuator import ESCAPE
from minebot.desktop.x11.display import Display
from minebot.errors import CaptureError, MinebotError
from minebot.sandbox.private_display import PrivateDisplay
from minebot.sandbox.process import running
from tests.chaos.trial import (
    SCREEN,
    Fault,
    Faults,
    Trial,
    busy_machine,
    ctrl_c,
    sighup,
    sigterm,
    start_bot,
)

ROOT = Path(__file__).parents[2]
XI_ALL_MASTERS = 1
ANSWERS = 0.5
"""Seconds within which a server answers that nobody holds; guessed."""
BUTTONS = 0x1F00
"""The bits of buttons 1 to 5 in a pointer's state; the X protocol."""


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
class XTrial(Trial):
    """One game on a display of its own."""

    display: PrivateDisplay
    server: Display
    """A connection of the test's own."""
    game: RunningGame

    def held(self) -> int:
        """See `Trial`."""
        return int(self.server.core.QueryPointer(self.server.root).reply().mask) & BUTTONS

    def answers(self) -> bool:
        """See `Trial`: also once it has done what was asked of it before."""
        for _ in range(2):
            answer = self.server.core.GetInputFocus()
            self.server.flush()
            if not select.select([self.server.fileno()], [], [], ANSWERS)[0]:
                return False
            answer.reply()
            pass_time(0.05)
        return True

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


def moved(trial: XTrial) -> None:
    """Another program moves the window by up to a few tiles."""
    trial.configure(x=trial.rng.randrange(20, 420), y=trial.rng.randrange(20, 240))


def resized(trial: XTrial) -> None:
    """The window gets another size, as tiling window managers give when a window opens."""
    trial.configure(width=trial.rng.randrange(700, 1600), height=trial.rng.randrange(420, 900))


def covered_for_a_moment(trial: XTrial) -> None:
    """A window comes up over the board and goes again."""
    window = trial.cover()
    pass_time(trial.rng.uniform(0.05, 1.0))
    trial.server.core.DestroyWindow(window)
    trial.server.core.GetInputFocus().reply()


def covered_for_good(trial: XTrial) -> None:
    """A window comes up over the board and stays."""
    trial.cover()


def closed(trial: XTrial) -> None:
    """The user closes the game."""
    trial.tell_root("_NET_CLOSE_WINDOW", [0, 2])


def hung(trial: XTrial) -> None:
    """The game does not answer any more."""
    pid = trial.server.numbers(trial.server.ask(trial.window, "_NET_WM_PID"))[0]
    os.kill(pid, signal.SIGSTOP)
    while not trial.answers():
        # The game holds the server, as GTK does for moments: that would be a hung display.
        os.kill(pid, signal.SIGCONT)
        trial.server.core.GetInputFocus().reply()
        os.kill(pid, signal.SIGSTOP)

    def go_on() -> None:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGCONT)

    trial.ends.callback(go_on)


def minimised(trial: XTrial) -> None:
    """The user puts the window away."""
    trial.tell_root("WM_CHANGE_STATE", [3])


def focus_lost(trial: XTrial) -> None:
    """Another window takes the keyboard."""
    trial.server.core.SetInputFocus(xproto.InputFocus.PointerRoot, trial.server.root, 0)
    trial.server.core.GetInputFocus().reply()


def hand_on_the_mouse(trial: XTrial) -> None:
    """The user moves the mouse."""
    none = xcffib.XCB_NONE
    x, y = trial.rng.choice((-90, 90)), trial.rng.choice((-70, 70))
    trial.server.core.WarpPointer(none, none, 0, 0, 0, 0, x, y)
    trial.server.core.GetInputFocus().reply()


def esc(trial: XTrial) -> None:
    """The user presses Esc."""
    trial.key(ESCAPE)


def menu_open(trial: XTrial) -> None:
    """The user opens the game's menu with the keyboard."""
    trial.focus_game()
    trial.key(0xFFC7)


def second_window(trial: XTrial) -> None:
    """The same game is started a second time, wherever the window manager puts it."""
    trial.ends.enter_context(RunningGame(trial.display, "9x9n10"))


def new_game(trial: XTrial) -> None:
    """The user begins another game."""
    trial.focus_game()
    trial.key(ord("n"))


def undo(trial: XTrial) -> None:
    """The user takes back a move."""
    trial.focus_game()
    trial.key(ord("u"))


def manager_replaced(trial: XTrial) -> None:
    """Another window manager takes the place of the one that runs."""
    command = ["openbox", "--replace"]
    trial.ends.enter_context(running(command, trial.display.environ(), CaptureError))


def display_gone(trial: XTrial) -> None:
    """The X server ends."""
    os.kill(_server_of(trial.display.name), signal.SIGKILL)


def begin(
    game_id: str,
    fault: Fault,  # noqa: ARG001 - it is the same before all of them
    rng: random.Random,
    ends: ExitStack,
    *,
    behaviour: str = "",
) -> XTrial:
    """Start the game and the program; see `Begin`.

    `behaviour` is a line more of that table in the game's profile.
    """
    display = ends.enter_context(PrivateDisplay(SCREEN))
    if behaviour:
        own = Path(display.environ()["XDG_CONFIG_HOME"]) / "minebot/profiles/sgt-mines"
        shutil.copytree(ROOT / "calibration" / "sgt-mines", own)
        file = own / "profile.toml"
        file.write_text(file.read_text().replace("[behaviour]", f"[behaviour]\n{behaviour}"))
    game = ends.enter_context(RunningGame(display, game_id))
    server = ends.enter_context(Display(display.name))
    presses = Presses(display.name)
    ends.callback(presses.close)
    arguments = ["--window", game.window, "--display", display.name]
    bot = start_bot(arguments, display.environ(), ends)
    return XTrial(bot, presses, rng, ends, display, server, game)


STOPS = (hand_on_the_mouse, esc, ctrl_c, sigterm, sighup, display_gone)

HARMLESS = (moved, resized, covered_for_a_moment, focus_lost, manager_replaced, busy_machine)

OUT_OF_SIGHT = (covered_for_good, closed, minimised)

FAULTS = Faults(
    (*HARMLESS, *STOPS, *OUT_OF_SIGHT, hung, menu_open, second_window, new_game, undo),
    STOPS,
    HARMLESS,
    OUT_OF_SIGHT,
    display_gone,
    begin,
)


def _server_of(display: str) -> int:
    """The process number of the X server that answers at this display."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(f"/tmp/.X11-unix/X{display.removeprefix(':')}")
        credentials = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12)
    return int(struct.unpack("3i", credentials)[0])
