"""Opens a game and plays it.

Where the desktop lets no program read or click the windows of others, the game comes in a
window of minebot's own.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager

from minebot.capture import Window
from minebot.cli import options
from minebot.cli.console import say
from minebot.cli.desktops import Stoppable
from minebot.cli.play import played, status
from minebot.desktop.choose import native, ways
from minebot.desktop.ports import Desktop
from minebot.errors import CaptureError
from minebot.play.identify import game_of
from minebot.profile import load, profiles
from minebot.recording.recorder import Recording
from minebot.sandbox.launch import opened
from minebot.sandbox.nested import NestedDisplay
from minebot.stop import Stop, interrupts_stop

EPILOG = f"""\
examples:
  minebot start                       an expert board of Simon Tatham's Mines
  minebot start sgt-mines 9x9n10      another board of it
  minebot start --games 5 sgt-mines   options come before the game

{options.STATUSES}"""

_BOARD = "30x16n99"
"""What Simon Tatham's Mines is started with where nothing is said: an expert board."""


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Add the arguments of `start`."""
    options.add_play(command)
    command.add_argument(
        "--own-window",
        action="store_true",
        help="open the game in a window of minebot's own even if that is not needed (Wayland only)",
    )
    options.add_profile(command)
    options.add_display(command)
    options.add_stop(command)
    options.add_json(command)
    command.add_argument("game", nargs="?", default="sgt-mines", help="name of the game's program")
    command.add_argument(
        "words", nargs=argparse.REMAINDER, help="arguments for the game, such as a preset"
    )


def run(arguments: argparse.Namespace) -> int:
    """Open the game and play; returns the exit status."""
    stop = Stop()
    words = arguments.words or ([_BOARD] if arguments.game == "sgt-mines" else [])
    with ExitStack() as ends:
        recording = Recording(arguments.record, stop) if arguments.record is not None else None
        ends.enter_context(interrupts_stop(stop))
        desktop, window = ends.enter_context(
            started([arguments.game, *words], arguments.display, own_window=arguments.own_window)
        )
        if not arguments.no_stop_key:
            desktop = Stoppable(desktop)
        name = game_of(window)
        profile = profiles()[name] if name else None
        if arguments.profile:
            profile = load(arguments.profile)
        with played(desktop, window, profile, stop, arguments, recording=recording) as session:
            return status(session.games)


@contextmanager
def started(
    command: Sequence[str], display: str | None, *, own_window: bool = False
) -> Iterator[tuple[Desktop, Window]]:
    """The game of that command, and the desktop to play it on, for a `with` block.

    `display` is the X display's name, None for wherever the user is. Raises WindowError
    when the game does not come up, CaptureError when there is nowhere to show it.
    """
    with ExitStack() as ends:
        desktop = None if own_window else _open_desktop(display)
        environ = {"DISPLAY": display, "GDK_BACKEND": "x11"} if display else {}
        if desktop is None:
            say("the game comes in a window of its own, which minebot can see and click")
            nested = ends.enter_context(NestedDisplay())
            desktop, environ = native(nested.name), nested.environ()
        yield desktop, ends.enter_context(opened(desktop, command, environ))


def _open_desktop(display: str | None) -> Desktop | None:
    """The desktop as it is, where programs may read and click others' windows without asking."""
    found = ways(display)
    for way in found:
        if way.open is not None and not way.is_restricted:
            return way.open()
    if not any(way.is_restricted for way in found):
        raise CaptureError("; ".join(way.finding for way in found))
    return None
