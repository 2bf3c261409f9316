"""`minebot windows`: which windows there are, which game each is, where."""

from __future__ import annotations

import argparse

from rich.table import Table

from bot.capture import Window
from bot.cli import options
from bot.cli.console import console, printable, write_json
from bot.desktop.choose import native
from bot.play.identify import game_of

__all__ = ["DESCRIPTION", "EPILOG", "add_arguments", "run"]

DESCRIPTION = """\
Lists the windows on the desktop, the game that each is known to be, and where it is.
"""
EPILOG = options.STATUSES


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Add the arguments of `windows`."""
    options.add_display(command)
    options.add_json(command)


def run(arguments: argparse.Namespace) -> int:
    """List the windows; returns 0."""
    windows = native(arguments.display).windows()
    if arguments.json:
        for window in windows:
            write_json(_facts(window))
        return 0
    table = Table()
    for heading in ("number", "title", "WM_CLASS", "game", "place", "state"):
        table.add_column(heading, overflow="fold")
    for window in windows:
        left, top, width, height = window.rect
        game = game_of(window)
        cells = (
            f"{window.id:#x}",
            window.title,
            " ".join(filter(None, (window.instance, window.wm_class))),
            game.title if game else "-",
            f"{width}x{height} at ({left}, {top})",
            window.state.value,
        )
        table.add_row(*map(printable, cells))
    console(stderr=False).print(table if windows else "there are no windows")
    return 0


def _facts(window: Window) -> dict[str, object]:
    game = game_of(window)
    return {
        "id": window.id,
        "title": window.title,
        "instance": window.instance,
        "wm_class": window.wm_class,
        "game": game.name if game else None,
        "left": window.rect.left,
        "top": window.rect.top,
        "width": window.rect.width,
        "height": window.rect.height,
        "state": window.state.value,
    }
