"""`minebot windows`: which windows there are, which game each is, where."""

from __future__ import annotations

import argparse

from rich.console import Console
from rich.table import Table

from bot.capture import Window
from bot.cli.report import write_json
from bot.desktop.choose import native
from bot.play.identify import game_of
from bot.profile import headings

__all__ = ["run"]


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
        table.add_row(
            f"{window.id:#x}",
            window.title,
            " ".join(filter(None, (window.instance, window.wm_class))),
            headings()[game].title if game else "-",
            f"{width}x{height} at ({left}, {top})",
            window.state.value,
        )
    Console(highlight=False).print(table if windows else "there are no windows")
    return 0


def _facts(window: Window) -> dict[str, object]:
    game = game_of(window)
    return {
        "id": window.id,
        "title": window.title,
        "instance": window.instance,
        "wm_class": window.wm_class,
        "game": game,
        "left": window.rect.left,
        "top": window.rect.top,
        "width": window.rect.width,
        "height": window.rect.height,
        "state": window.state.value,
    }
