"""`minebot profiles`: which games it knows, and what each looks like."""

from __future__ import annotations

import argparse

from rich.console import Console
from rich.table import Table

from bot.cli.report import people, write_json
from bot.profile import headings, own_folder

__all__ = ["run"]


def run(arguments: argparse.Namespace) -> int:
    """List the profiles; returns 0. Raises ProfileError for a broken one."""
    known = headings()
    if arguments.json:
        for name, game in known.items():
            facts = {"title": game.title, "app_ids": game.app_ids, "looks": game.looks}
            write_json({"name": name, **facts})
        return 0
    table = Table()
    for heading in ("name", "game", "windows", "looks like"):
        table.add_column(heading, overflow="fold")
    for name, game in known.items():
        table.add_row(name, game.title, " ".join(game.app_ids), game.looks)
    Console(highlight=False).print(table)
    people().print(f"your own profiles go to {own_folder()}", soft_wrap=True)
    return 0
