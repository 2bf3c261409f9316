"""What can go wrong on sway while a game is played, and a sway to have it go wrong on."""

from __future__ import annotations

import os
import random
import re
import signal
import time
from contextlib import ExitStack, suppress
from dataclasses import dataclass

from fixtures.desktops.sway import SwayDesktop, sway_desktop
from fixtures.desktops.wayland_user import WaylandUser
from fixtures.waiting import pass_time, stays
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

CONFIG = 'for_window [app_id="sgt-fifteen"] floating disable\n'
"""The other program's window floats when it is told to."""

RAISED = 0.05
"""Seconds after which a click that was under way has reached the game."""

BUTTON = re.compile(
    rb"\[ *(\d+)\.(\d{3})\][^\n]* zwlr_virtual_pointer_v1[@#]\d+\.button\(.*, ([01])\)"
)
"""How libwayland writes that a virtual pointer has pressed a button, 1, or released it, 0; the
moment in milliseconds."""

KEY = re.compile(rb"zwp_virtual_keyboard_v1[@#]\d+\.key\(")
"""How it writes that a virtual keyboard has pressed or released a key."""

ROUND_US = 1 << 32
"""Microseconds after which its clock starts anew; it is the realtime one (read in its source)."""


class Presses:
    """Every press of a button by a program, with the moment at which sway has got it."""

    def __init__(self, sway: SwayDesktop) -> None:
        self._sway = sway
        self._read = 0
        self._times: list[float] = []
        self.down = 0
        """How many of them were not released by the time of the last look."""

    @property
    def times(self) -> list[float]:
        """When each was got, by `time.monotonic`."""
        new = self._sway.complaints(self._read)
        new = new[: new.rfind(b"\n") + 1]
        self._read += len(new)
        now, now_us = time.monotonic(), time.time_ns() // 1000
        for whole, rest, is_press in BUTTON.findall(new):
            if is_press == b"0":
                self.down -= 1
                continue
            self.down += 1
            age_us = (now_us - int(whole + rest)) % ROUND_US
            self._times.append(now - age_us / 1e6)
        return self._times


@dataclass
class SwayTrial(Trial):
    """One game on a sway of its own."""

    sway: SwayDesktop
    game: int
    """The number of its window."""
    other: int
    """That of another program's window, for faults that have one."""
    user: WaylandUser | None
    """For faults in which the user does something."""

    def held(self) -> int:
        """See `Trial`."""
        assert isinstance(self.presses, Presses)
        assert self.presses.times
        return self.presses.down

    def pressed_after_key(self) -> int:
        """How many presses sway got after the first key of the user's."""
        log = self.sway.complaints()
        key = KEY.search(log)
        assert key is not None
        return sum(is_press == b"1" for _, _, is_press in BUTTON.findall(log, key.end()))

    def answers(self) -> bool:
        """See `Trial`; it raises TimeoutError where sway does not."""
        return bool(self.sway.outputs())

    def tell(self, command: str) -> None:
        """Have something done to the game's window."""
        self.sway.say(f"[con_id={self.game}] {command}")

    def does(self, what: str) -> None:
        """The user presses a key, or moves the `mouse`."""
        assert self.user is not None
        self.user.does(what)

    def other_has_focus(self) -> bool:
        """Whether the other program's window has the focus, and so lies above the game's."""
        return any(one["focused"] for one in self.sway.windows() if one["id"] == self.other)

    def show_other(self) -> None:
        """Another program's window comes up over the middle of the board."""
        left, top = self.rng.randrange(150, 450), self.rng.randrange(100, 260)
        self.sway.say(f"[con_id={self.other}] move absolute position {left} {top}, focus")


def moved(trial: SwayTrial) -> None:
    """The user moves the window by up to a few tiles."""
    trial.tell(f"move absolute position {trial.rng.randrange(420)} {trial.rng.randrange(20, 240)}")


def resized(trial: SwayTrial) -> None:
    """The window gets another size."""
    width, height = trial.rng.randrange(700, 1600), trial.rng.randrange(420, 900)
    trial.tell(f"resize set width {width} px height {height} px")


def resized_by_a_tiled_window(trial: SwayTrial) -> None:
    """A second tiled window comes, and takes half of the screen."""
    trial.sway.say(f"[con_id={trial.other}] move container to workspace 1")


def covered_for_a_moment(trial: SwayTrial) -> None:
    """A window comes up over the board and goes again."""
    trial.show_other()
    pass_time(trial.rng.uniform(0.05, 1.0))
    trial.sway.say(f"[con_id={trial.other}] move container to workspace 2")


def covered_for_good(trial: SwayTrial) -> None:
    """A window comes up over the board and stays.

    sway raises what is clicked: a click that was under way when the window came up has the game
    over it again, and the user puts the window back.
    """
    trial.show_other()
    while trial.bot.poll() is None and not stays(trial.other_has_focus, RAISED):
        trial.show_other()


def closed(trial: SwayTrial) -> None:
    """The user closes the game."""
    trial.tell("kill")


def hung(trial: SwayTrial) -> None:
    """The game does not answer any more."""
    pid = next(one["pid"] for one in trial.sway.windows() if one["id"] == trial.game)
    os.kill(pid, signal.SIGSTOP)

    def go_on() -> None:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGCONT)

    trial.ends.callback(go_on)


def minimised(trial: SwayTrial) -> None:
    """The window is put away to the scratchpad."""
    trial.tell("move scratchpad")


def on_another_workspace(trial: SwayTrial) -> None:
    """Another workspace is shown."""
    trial.sway.say("workspace 2")


def focus_lost(trial: SwayTrial) -> None:
    """Another window, beside the game's, takes the keyboard."""
    trial.sway.say(f"[con_id={trial.other}] focus")


def rescaled(trial: SwayTrial) -> None:
    """The screen gets another scale."""
    trial.sway.say("output HEADLESS-1 scale 1.25")


def second_window(trial: SwayTrial) -> None:
    """The same game is started a second time, in the middle of the screen."""
    command = ["sgt-mines", "9x9n10"]
    trial.ends.enter_context(trial.sway.program(command, {"GDK_BACKEND": "wayland"}))


def hand_on_the_mouse(trial: SwayTrial) -> None:
    """The user moves the mouse."""
    trial.does("mouse")


def key(trial: SwayTrial) -> None:
    """The user presses a key, whichever it is."""
    trial.does(trial.rng.choice(("Escape", "F12")))


def menu_open(trial: SwayTrial) -> None:
    """The user opens the game's menu with the keyboard."""
    trial.does("F10")


def new_game(trial: SwayTrial) -> None:
    """The user begins another game."""
    trial.does("n")


def undo(trial: SwayTrial) -> None:
    """The user takes back a move."""
    trial.does("u")


def compositor_gone(trial: SwayTrial) -> None:
    """sway ends."""
    trial.sway.end()


BESIDE = (covered_for_a_moment, covered_for_good, focus_lost)
"""Before these the other program's window floats beside the game's."""

TILED = (resized_by_a_tiled_window,)
"""Before these it is tiled on another workspace, and the game's fills the screen."""

BY_HAND = (hand_on_the_mouse, key, menu_open, new_game, undo)

STOPS = (*BY_HAND, ctrl_c, sigterm, sighup, compositor_gone)

HARMLESS = (
    moved, resized, resized_by_a_tiled_window, covered_for_a_moment, focus_lost, busy_machine,
)  # fmt: skip


def begin(game_id: str, fault: Fault, rng: random.Random, ends: ExitStack) -> SwayTrial:
    """Start the game and the program; see `Begin`."""
    # sway itself writes down what programs ask of it: the cost is some 0.1 s a board.
    tells = {"WAYLAND_DEBUG": "server"}
    sway = ends.enter_context(sway_desktop(SCREEN, config=CONFIG, extra=tells))
    natively = {"GDK_BACKEND": "wayland"}
    game = ends.enter_context(sway.program(["sgt-mines", game_id], natively))
    other = 0
    if fault in (*BESIDE, *TILED):
        other = ends.enter_context(sway.program(["sgt-fifteen"], natively))
    if fault in BESIDE:
        sway.say(f"[con_id={game}] move absolute position 20 40")
        sway.say(f"[con_id={other}] floating enable, move absolute position 1400 740")
    if fault in TILED:
        sway.say(f"[con_id={other}] move container to workspace 2")
        sway.say(f"[con_id={game}] floating disable")
    user = ends.enter_context(WaylandUser(sway.environ)) if fault in BY_HAND else None
    bot = start_bot(["--window", f"sway:{game}"], sway.environ, ends)
    return SwayTrial(bot, Presses(sway), rng, ends, sway, game, other, user)


OUT_OF_SIGHT = (covered_for_good, closed, minimised, on_another_workspace)

FAULTS = Faults(
    (*HARMLESS, *STOPS, *OUT_OF_SIGHT, hung, rescaled, second_window),
    STOPS,
    HARMLESS,
    OUT_OF_SIGHT,
    compositor_gone,
    begin,
    # Sway tells where a window is, but nobody can hold it there until the click has come.
    raced=(moved, resized, resized_by_a_tiled_window),
)
