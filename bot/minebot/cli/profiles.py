"""Lists the known games with their windows and their appearance in words."""

from __future__ import annotations

import argparse

from minebot.cli import options
from minebot.cli.console import console, say, table, write_json
from minebot.profile import located, own_folder

ARGUMENTS = (options.JSON,)


def run(arguments: argparse.Namespace) -> int:
    """List the profiles; returns 0."""
    known, own = located(), own_folder()
    if arguments.json:
        for name, (file, game) in known.items():
            facts = {"title": game.title, "app_ids": game.app_ids, "looks": game.looks}
            write_json({"name": name, **facts, "file": str(file)})
        return 0
    rows = []
    for name, (file, game) in known.items():
        whose = "your own" if file.is_relative_to(own) else "shipped"
        rows.append((name, whose, game.title, " ".join(game.app_ids), game.looks))
    headings = ("name", "profile", "game", "windows", "looks like")
    console(stderr=False).print(table(headings, rows, words=5))
    say(f"your own profiles go to {own}, and apply before shipped ones of the same name")
    return 0
