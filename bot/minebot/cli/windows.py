"""Lists the windows on the desktop, the game that each is known to be, and where it is."""

from __future__ import annotations

import argparse

from minebot.capture import Rect
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
            facts = {"id": window.id, "title": window.title, "app_ids": window.app_ids}
            place = dict(zip(Rect._fields, window.rect or (None,) * 4, strict=True))
            write_json({**facts, "game": game_of(window), **place, "state": window.state.value})
        return 0
    rows = []
    for window in windows:
        game, rect = game_of(window), window.rect
        title = profiles()[game].title if game else "-"
        at = f"{rect.width}x{rect.height} at ({rect.left}, {rect.top})" if rect else "-"
        program, state = " ".join(window.app_ids), window.state.value
        rows.append((window.id, window.title, program, title, at, state))
    headings = ("id", "title", "program", "game", "place", "state")
    shown = table(headings, rows, words=len(headings))
    console(stderr=False).print(shown if windows else "there are no windows")
    return 0
