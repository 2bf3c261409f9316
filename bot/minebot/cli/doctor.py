"""Says how minebot sees windows and clicks in them here, and what is missing, with the command that
mends it. It clicks nothing.
"""

from __future__ import annotations

import argparse
import os
import platform
import sys

from minebot import __version__
from minebot.cli import options
from minebot.cli.console import console, printable, table, write_json
from minebot.desktop.choose import Way, taken, ways
from minebot.errors import VisionError
from minebot.extras import EXTRAS, how_to_install, missing
from minebot.policy.guessing.cache import is_complete
from minebot.policy.guessing.prepare import prepare
from minebot.sandbox.process import located, package_command
from minebot.vision.text import Tesseract

EPILOG = "exit status: 0 it can play here, 3 it cannot"

_TOLD_BY = (
    *("XDG_SESSION_TYPE", "XDG_CURRENT_DESKTOP", "WAYLAND_DISPLAY"),
    *("DISPLAY", "SWAYSOCK", "DBUS_SESSION_BUS_ADDRESS"),
)
"""Environment that says what desktop this is."""
_GAMES = ("sgt-mines", "gnome-mines", "kmines", "xdemineur")
"""The programs of the known games that Debian has."""

ARGUMENTS = options.DISPLAY, options.JSON


def run(arguments: argparse.Namespace) -> int:
    """Say what there is; returns the exit status."""
    found = ways(arguments.display)
    chosen = taken(found)
    told = {name: os.environ[name] for name in _TOLD_BY if os.environ.get(name)}
    parts = _parts()
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
                "parts": [
                    {"name": name, "there": not mend, "mend": mend} for name, mend in parts.items()
                ],
            }
        )
    else:
        _print(told, found, chosen, parts)
    return 0 if chosen else 3


def _parts() -> dict[str, str]:
    """What minebot uses besides the desktop: text recognition, compiled code, games and extras.

    Each by its name with the command that brings it, empty where it is there.
    """
    found = [
        ("text recognition", _reads_text(), "apt install tesseract-ocr-eng"),
        ("compiled guessing", is_complete(), f"{sys.executable} -m {prepare.__module__}"),
        *((f"game {game}", located(game) is not None, package_command(game)) for game in _GAMES),
        *((f"extra {extra}", not missing(extra), how_to_install(extra)) for extra in EXTRAS),
    ]
    return {name: "" if there else mend for name, there, mend in found}


def _reads_text() -> bool:
    try:
        Tesseract()
    except VisionError:
        return False
    return True


def _print(
    told: dict[str, str], found: list[Way], chosen: list[Way], parts: dict[str, str]
) -> None:
    out = console(stderr=False)
    python = ".".join(map(str, sys.version_info[:3]))
    out.print(f"minebot {__version__}, Python {python}, {platform.platform()}", soft_wrap=True)
    for name, value in told.items():
        out.print(f"{name}={printable(value)}", soft_wrap=True)
    works = [
        "no" if way.open is None else "yes, taken" if way in chosen else "yes" for way in found
    ]
    rows = [(way.name, it, way.finding) for way, it in zip(found, works, strict=True)]
    out.print(table(("way", "works", "what was found"), rows, words=3))
    there = [(name, "no" if mend else "yes", mend) for name, mend in parts.items()]
    out.print(table(("part", "there", "what brings it"), there, words=3))
    if not chosen:
        out.print("no way works here; minebot start has a game in a window of its own")
