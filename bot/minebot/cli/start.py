"""Opens a game, plays it, and leaves it open.

Where the desktop lets no program read or click the windows of others, the game comes in a
window of minebot's own, and ends with it.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace

from minebot.cli import options
from minebot.cli.console import say
from minebot.cli.play import GameToPlay, play_games
from minebot.desktop.choose import native, ways
from minebot.errors import CaptureError
from minebot.play.identify import profile_of
from minebot.recording.recorder import Recording
from minebot.sandbox.private_display import nested_display
from minebot.sandbox.process import opened
from minebot.stop import Stop, interrupts_stop

EPILOG = f"""\
examples:
  minebot start                       an expert board of Simon Tatham's Mines
  minebot start sgt-mines 9x9n10      another board of it
  minebot start kmines                KMines, as large as it was left
  minebot start --games 5 sgt-mines   options come before the game

{options.STATUSES}"""

_BOARD = "30x16n99"
"""What Simon Tatham's Mines is started with where nothing is said: an expert board."""

ARGUMENTS = (
    options.PLAY,
    options.switch(
        "--own-window",
        "open the game in a window of minebot's own even if that is not needed (Wayland only)",
    ),
    *(options.PROFILE, options.DISPLAY, options.NO_STOP_KEY, options.JSON),
    options.argument("game", "game", "name of the game's program", nargs="?", default="sgt-mines"),
    options.argument(
        "words", "words", "arguments for the game, such as a preset", nargs=argparse.REMAINDER
    ),
)


def run(arguments: argparse.Namespace) -> int:
    """Open the game and play; returns the exit status."""
    words = arguments.words or ([_BOARD] if arguments.game == "sgt-mines" else [])
    with interrupts_stop(Stop()) as stop, ExitStack() as ends:
        recording = Recording(arguments.record, stop) if arguments.record is not None else None
        command, own_window = [arguments.game, *words], arguments.own_window
        game = started(command, arguments.display, ends, own_window=own_window)
        profile = profile_of(game.window, arguments.profile)
        desktop = game.desktop if arguments.no_stop_key else options.Stoppable([game.desktop])
        game = replace(game, desktop=desktop, profile=profile, recording=recording)
        return play_games(game, arguments, stop)


def started(
    command: Sequence[str], display: str | None, ends: ExitStack, *, own_window: bool = False
) -> GameToPlay:
    """The game of that command, until the `ends`; what was clicked is left open then.

    `display` is the X display's name, None for wherever the user is. Raises WindowError
    when the game does not come up, CaptureError when there is nowhere to show it.
    """
    found = [] if own_window else ways(display)
    # Others would ask the user, or see no windows of other programs.
    whole = [way.open for way in found if way.open is not None and not way.is_restricted]
    if not whole:
        if found and not any(way.is_restricted for way in found):
            raise CaptureError("; ".join(way.finding for way in found))
        say("the game comes in a window of its own, which minebot can see and click")
        return started_on(ends.enter_context(nested_display()), command, ends)
    desktop = whole[0]()
    environ = {"DISPLAY": display, "GDK_BACKEND": "x11"} if display else {}
    window, program = ends.enter_context(opened(desktop, command, environ))
    return GameToPlay(desktop, window, profile_of(window), program=program)


def started_on(environ: Mapping[str, str], command: Sequence[str], ends: ExitStack) -> GameToPlay:
    """The game of that command on a display of minebot's own, given by the environment for it.

    It ends with the `ends`. Raises WindowError when it does not come up.
    """
    desktop = native(environ["DISPLAY"])
    window, _ = ends.enter_context(opened(desktop, command, environ))
    return GameToPlay(desktop, window, profile_of(window))
