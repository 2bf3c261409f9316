"""Opens a page in the browser to look at any position: every cell's risk, what is certain and
why, the move to make. It is served on this machine only, until Ctrl-C.

FILE is a board or a paper puzzle typed as text, a screenshot of a game, or a game to look
at again: a folder that --record made, or another program's replay (.avf, .evf, .mvf, .rmv).
Without it, boards are drawn, pasted or dropped on the page.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import threading
import webbrowser
from contextlib import ExitStack
from pathlib import Path

from minebot.cli import options
from minebot.cli.console import say
from minebot.errors import UsageError
from minebot.extras import how_to_install, require
from minebot.policy.guessing.prepare import prepare
from minebot.profile import profiles

EPILOG = f"""\
The page needs {how_to_install("study")}, replays {how_to_install("replays")}.

{options.STATUSES}"""

_PORTS = 65535
"""Largest port number. Specified by TCP."""

ARGUMENTS = (
    options.path("file", "what the page shows first", nargs="?"),
    options.count("--mines", "the total number of mines", least=0),
    options.count("--game", "the Nth game of a recording"),
    options.count("--port", "port (default: a free one)", default=0),
    options.argument(
        "--seconds",
        "N",
        "time limit for one calculation (default: %(default)g)",
        type=options.seconds,
        default=options.SECONDS,
    ),
    options.switch("--no-browser", "print the address without opening a browser"),
)
"""Numbers are defaults and limits. Specified: the help says them."""


def run(arguments: argparse.Namespace) -> int:
    """Serve the page until it is stopped. Raises UsageError, VisionError."""
    require("study", "the study")
    if arguments.port > _PORTS:
        raise UsageError(f"there is no port {arguments.port}: the last one is {_PORTS}")
    profiles()  # broken ones are reported before the page opens
    opened = _opened(arguments)
    prepare()
    from minebot.study.server import serve  # noqa: PLC0415  # an extra

    with ExitStack() as ends:

        def ready(address: str) -> None:
            print(address, flush=True)
            say("this address is for this machine's browsers only; Ctrl-C ends the study")
            # Without a screen a browser would come in the terminal.
            seen = sys.platform != "linux" or {"DISPLAY", "WAYLAND_DISPLAY"} & os.environ.keys()
            if seen and not arguments.no_browser:
                file = _leading(address, ends)
                # Some ways to open one wait until it is closed.
                threading.Thread(target=webbrowser.open, args=(file.as_uri(),), daemon=True).start()

        serve(opened, ready, arguments.port, arguments.seconds)
    return 0


def _leading(address: str, ends: ExitStack) -> Path:
    """A file that redirects to the address and that only this user may read, until the `ends`.

    Everybody may read what a browser is started with.
    """
    number, name = tempfile.mkstemp(".html", "minebot-")
    file = Path(name)
    ends.callback(file.unlink, missing_ok=True)
    with os.fdopen(number, "w", encoding="utf-8") as opened:
        opened.write(
            f'<!DOCTYPE html><meta charset="utf-8"><title>minebot study</title>'
            f'<meta http-equiv="refresh" content="0;url={address}">'
            f'<a href="{address}">minebot study</a>'
        )
    return file


def _opened(arguments: argparse.Namespace) -> bytes:
    from minebot.study import opened_files  # noqa: PLC0415

    file = arguments.file
    if file is None:
        return b"null"  # an empty board, which the page has by itself
    with options.within(file, arguments.seconds):
        if opened_files.is_game(file):
            return opened_files.game(file, arguments.game or 1)
        return opened_files.board(file, arguments.mines)
