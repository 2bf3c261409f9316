"""`minebot profiles`: which games it knows, and what each looks like."""

from __future__ import annotations

import argparse

from rich.table import Table

from bot.cli import options
from bot.cli.console import console, printable, say, write_json
from bot.profile import load, names, own_folder

__all__ = ["DESCRIPTION", "EPILOG", "add_arguments", "run"]

DESCRIPTION = """\
Lists the games that it knows, their windows, and what each looks like in words.
"""
EPILOG = options.STATUSES


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Add the arguments of `profiles`."""
    options.add_json(command)


def run(arguments: argparse.Namespace) -> int:
    """List the profiles; returns 0. Raises ProfileError for a broken one."""
    profiles = [load(name) for name in names()]
    if arguments.json:
        for profile in profiles:
            facts = {"title": profile.title, "wm_class": profile.wm_class, "looks": profile.looks}
            write_json({"name": profile.name, **facts})
        return 0
    table = Table()
    for heading in ("name", "game", "WM_CLASS", "looks like"):
        table.add_column(heading, overflow="fold")
    for profile in profiles:
        cells = (profile.name, profile.title, " ".join(profile.wm_class), profile.looks)
        table.add_row(*map(printable, cells))
    console(stderr=False).print(table)
    say(f"your own profiles go to {own_folder()}")
    return 0
