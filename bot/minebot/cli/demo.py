"""Starts Simon Tatham's Mines on a private display, plays it, and leaves a picture of the finished
board and an animation of the game. With --show it plays on your screen, and leaves the game open.
"""

from __future__ import annotations

import argparse
import tempfile
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from pathlib import Path

from minebot.cli import options
from minebot.cli.console import save, say
from minebot.cli.play import play_games
from minebot.cli.start import started, started_on
from minebot.errors import file_errors
from minebot.play.session import Session
from minebot.recording.pictures import png
from minebot.recording.recorder import Recording, animate
from minebot.sandbox.private_display import PrivateDisplay
from minebot.stop import Stop, interrupts_stop

_SCREEN = (1280, 800)
"""Width and height of the private display in pixels. Specified: an expert board fits twice."""

ARGUMENTS = (
    options.argument("--game", "ID", "the game's ID (default: %(default)s)", default="30x16n99"),
    options.switch("--show", "play on your own screen instead of a private one"),
    options.path(
        "--out", "folder for the pictures (default: the current one)", "DIR", default=Path()
    ),
    options.PLAY,
    options.DISPLAY,
    options.JSON,
)


def run(arguments: argparse.Namespace) -> int:
    """Play and leave the pictures; returns the exit status."""
    stop = Stop()
    with ExitStack() as ends:
        folder = arguments.record
        if folder is None:
            folder = Path(ends.enter_context(tempfile.TemporaryDirectory(prefix="minebot-demo-")))
        recording = Recording(folder, stop)
        command = ["sgt-mines", arguments.game]
        if arguments.show:
            game = started(command, arguments.display, ends)
        else:
            display = ends.enter_context(PrivateDisplay(_SCREEN))
            game = started_on(display.environ(), command, ends)
        ends.enter_context(interrupts_stop(stop))
        finished = partial(_leave_finished, folder=arguments.out)
        status = play_games(replace(game, recording=recording), arguments, stop, then=finished)
        animate(folder, arguments.out / "game.gif")
        say(f"{arguments.out / 'game.gif'}: the game, in the time it took")
        return status


def _leave_finished(session: Session, folder: Path) -> None:
    with file_errors(folder):
        folder.mkdir(parents=True, exist_ok=True)
    end = session.observer.read()  # past the flashes of the end
    what = f"the finished board, {end.board.width}x{end.board.height}"
    save(folder / "finished.png", png(end.frame), what)
