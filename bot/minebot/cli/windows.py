"""Lists the windows on the desktop, the game that each is known to be, and where it is."""

from __future__ import annotations

import argparse

from minebot.capture import Rect, Window
from minebot.cli import options
from minebot.cli.console import console, table, write_json
from minebot.desktop.choose import native
from minebot.play.identify import game_of
from minebot.profile import profiles

ARGUMENTS = options.DESKTOP, options.JSON


def run(arguments: argparse.Namespace) -> int:
    """List the windows; returns 0."""
    windows = native(arguments.display, backend=arguments.desktop).windows()
    if arguments.json:
        for window in windows:
            write_json(_facts(window))
        return 0
    headings = ("id", "title", "program", "game", "place", "state")
    shown = table(headings, map(_cells, windows), words=len(headings))
    console(stderr=False).print(shown if windows else "there are no windows")
    return 0


def _cells(window: Window) -> list[str]:
    game, rect = game_of(window), window.rect
    titled = profiles()[game].title if game else "-"
    place = f"{rect.width}x{rect.height} at ({rect.left}, {rect.top})" if rect else "-"
    return [window.id, window.title, " ".join(window.app_ids), titled, place, window.state.value]


def _facts(window: Window) -> dict[str, object]:
    game = game_of(window)
    return {
        "id": window.id,
        "title": window.title,
        "app_ids": window.app_ids,
        "game": game,
        **dict(zip(Rect._fields, window.rect or (None,) * 4, strict=True)),
        "state": window.state.value,
    }
