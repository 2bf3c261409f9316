"""`minebot demo`: start the real game and play it."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from bot.cli.play import play
from bot.desktop.choose import native
from bot.play.result import Outcome
from bot.profile import load
from bot.sandbox.display import Game, OwnDisplay, PrivateDisplay

__all__ = ["run"]

_SCREEN = (1280, 800)


def run(arguments: argparse.Namespace) -> int:
    """Play and leave the pictures; returns the exit status."""
    with _started(arguments) as game:
        desktop = native(game.display.name)
        window = desktop.pick(game.window, lambda _: False)
        games = play(desktop, window, load("sgt-mines"), arguments, pictures=arguments.out)
    return 0 if all(game.outcome is Outcome.WON for game in games) else 1


@contextmanager
def _started(arguments: argparse.Namespace) -> Iterator[Game]:
    """The game in a window of its own, on the display that was asked for."""
    with ExitStack() as ends:
        display: OwnDisplay | PrivateDisplay
        if arguments.show:
            display = OwnDisplay(arguments.display)
        else:
            display = ends.enter_context(PrivateDisplay(_SCREEN))
        yield ends.enter_context(Game(display, arguments.game))
