"""`minebot profiles`: which games it knows, and what each looks like."""

from __future__ import annotations

import argparse

from rich.console import Console
from rich.table import Table

from bot.cli.report import people, write_json
from bot.profile import load, names, own_folder

__all__ = ["run"]


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
        table.add_row(profile.name, profile.title, " ".join(profile.wm_class), profile.looks)
    Console(highlight=False).print(table)
    people().print(f"your own profiles go to {own_folder()}", soft_wrap=True)
    return 0
