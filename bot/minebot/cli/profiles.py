"""Lists the known games with their windows and their appearance in words."""

from __future__ import annotations

import argparse

from rich.table import Table

from minebot.cli import options
from minebot.cli.console import console, printable, say, write_json
from minebot.profile import own_folder, profiles


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Add the arguments of `profiles`."""
    options.add_json(command)


def run(arguments: argparse.Namespace) -> int:
    """List the profiles; returns 0."""
    known = profiles()
    if arguments.json:
        for name, game in known.items():
            facts = {"title": game.title, "app_ids": game.app_ids, "looks": game.looks}
            write_json({"name": name, **facts})
        return 0
    table = Table()
    for heading in ("name", "game", "windows", "looks like"):
        table.add_column(heading, overflow="fold")
    for name, game in known.items():
        table.add_row(*map(printable, (name, game.title, " ".join(game.app_ids), game.looks)))
    console(stderr=False).print(table)
    say(f"your own profiles go to {own_folder()}")
    return 0
