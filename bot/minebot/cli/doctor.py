"""Says how minebot sees windows and clicks in them here, and what is missing.

It clicks nothing.
"""

from __future__ import annotations

import argparse
import os
import platform
import sys

from rich.table import Table

from minebot import __version__
from minebot.cli import options
from minebot.cli.console import console, printable, write_json
from minebot.desktop.choose import Way, taken, ways

EPILOG = "exit status: 0 it can play here, 3 it cannot"

_TOLD_BY = (
    *("XDG_SESSION_TYPE", "XDG_CURRENT_DESKTOP", "WAYLAND_DISPLAY"),
    *("DISPLAY", "SWAYSOCK", "DBUS_SESSION_BUS_ADDRESS"),
)
"""Environment that says what desktop this is."""


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Add the arguments of `doctor`."""
    options.add_display(command)
    options.add_json(command)


def run(arguments: argparse.Namespace) -> int:
    """Say what there is; returns the exit status."""
    found = ways(arguments.display)
    chosen = taken(found)
    told = {name: os.environ[name] for name in _TOLD_BY if os.environ.get(name)}
    if arguments.json:
        write_json(
            {
                "version": __version__,
                "system": platform.platform(),
                "environment": told,
                "taken": [way.name for way in chosen],
                "ways": [
                    {"name": way.name, "works": way.open is not None, "finding": way.finding}
                    for way in found
                ],
            }
        )
    else:
        _print(told, found, chosen)
    return 0 if chosen else 3


def _print(told: dict[str, str], found: list[Way], chosen: list[Way]) -> None:
    out = console(stderr=False)
    python = ".".join(map(str, sys.version_info[:3]))
    out.print(f"minebot {__version__}, Python {python}, {platform.platform()}", soft_wrap=True)
    for name, value in told.items():
        out.print(f"{name}={printable(value)}", soft_wrap=True)
    table = Table()
    for heading in ("way", "works", "what was found"):
        table.add_column(heading, overflow="fold")
    for way in found:
        works = "no" if way.open is None else "yes, taken" if way in chosen else "yes"
        table.add_row(way.name, works, printable(way.finding))
    out.print(table)
    if not chosen:
        out.print("no way works here; minebot start has a game in a window of its own")
