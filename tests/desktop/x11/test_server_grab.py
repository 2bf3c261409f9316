"""The X server is held for a moment, and never for good."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
from contextlib import closing

import pytest

from minebot.desktop.x11.display import Display
from minebot.desktop.x11.server_grab import ServerGrab
from minebot.sandbox.private_display import PrivateDisplay
from minebot.stop import Stop

ANSWER_SECONDS = 1.0
"""Time within which a server that nobody holds answers. Specified: the promise."""


def test_a_connection_that_is_closed_is_gone(bare_desk: PrivateDisplay) -> None:
    """The process that watches, which has it too, ends with it."""
    with Display(bare_desk.name) as other:
        with Display(bare_desk.name) as display, closing(ServerGrab(display, Stop())) as grab:
            selection, window = display.atom("MINEBOT_TEST"), display.new_id()
            display.core.CreateWindow(0, window, display.root, 0, 0, 1, 1, 0, 0, 0, 0, [])
            display.core.SetSelectionOwner(window, selection, 0)
            with grab:
                display.core.GetInputFocus().reply()
            assert other.core.GetSelectionOwner(selection).reply().owner == window
        assert other.until(
            lambda: other.core.GetSelectionOwner(selection).reply().owner == 0, ANSWER_SECONDS
        )


HOLDER = """\
import sys
from contextlib import closing
from minebot.desktop.x11.display import Display
from minebot.desktop.x11.server_grab import ServerGrab
from minebot.errors import Stopped
from minebot.stop import Stop

with Display(sys.argv[1]) as display, closing(ServerGrab(display, Stop())) as grab:
    for _ in range(300):  # more than are told apart
        with grab:
            display.core.GetInputFocus().reply()
    try:
        with grab:
            display.core.GetInputFocus().reply()
            print("held", flush=True)
            sys.stdin.readline()
            display.core.GetInputFocus().reply()
    except Stopped as error:
        print(error)
    else:
        print("went on")
"""


def is_answered(display: Display) -> bool:
    answer = display.core.GetInputFocus()
    display.flush()
    is_there = bool(select.select([display.fileno()], [], [], ANSWER_SECONDS)[0])
    if is_there:
        answer.reply()
    return is_there


@pytest.mark.parametrize("frozen", [True, False])
def test_a_program_that_is_frozen_lets_go_of_the_server(
    bare_desk: PrivateDisplay, frozen: bool
) -> None:
    """One that only takes long goes on holding it."""
    with (
        Display(bare_desk.name) as other,
        subprocess.Popen(
            [sys.executable, "-c", HOLDER, bare_desk.name],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        ) as holder,
    ):
        try:
            assert holder.stdout is not None
            assert holder.stdout.readline() == "held\n"
            if frozen:
                os.kill(holder.pid, signal.SIGSTOP)
            assert is_answered(other) == frozen
            os.kill(holder.pid, signal.SIGCONT)
            said, _ = holder.communicate("\n", timeout=10)
        finally:
            holder.kill()
        why = "stopped: the program was frozen in the middle of a click"
        assert said == (f"{why}\n" if frozen else "went on\n")
        assert holder.returncode == 0
