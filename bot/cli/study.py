"""Opens a page in the browser to look at any position: every cell's risk, what is certain and
why, the move to make. It is served on this machine only, until Ctrl-C.

FILE is a board or a paper puzzle typed as text, or a screenshot of a game. Without it,
boards are drawn, pasted or dropped on the page.
"""

from __future__ import annotations

import argparse
import webbrowser
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from bot.cli import options
from bot.cli.console import say
from bot.errors import UsageError, file_errors
from bot.policy.guessing.prepare import prepare
from bot.puzzle.texts import Puzzle

if TYPE_CHECKING:
    from bot.study.position import Position

_NEEDED = ("starlette", "uvicorn", "pebble")
_PICTURES = (".png", ".jpg", ".jpeg", ".webp", ".bmp", ".gif")
_PORTS = 65535
"""The last port."""


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Add the arguments of `study`."""
    command.add_argument(
        "file", type=Path, nargs="?", metavar="FILE", help="what the page begins with"
    )
    command.add_argument(
        "--mines", type=options.at_least(0), metavar="N", help="the total number of mines"
    )
    command.add_argument(
        "--port", type=options.at_least(1), default=0, metavar="N", help="(default: a free one)"
    )
    command.add_argument(
        "--seconds",
        type=options.at_least(1),
        default=10,
        metavar="N",
        help="what one calculation may take before it is given up (default: %(default)s)",
    )
    command.add_argument(
        "--no-browser", action="store_true", help="print the address, open no browser"
    )


def run(arguments: argparse.Namespace) -> int:
    """Serve the page until it is stopped. Raises UsageError, VisionError."""
    missing = [name for name in _NEEDED if find_spec(name) is None]
    if missing:
        raise UsageError(f"the study needs {', '.join(missing)}: pip install 'minebot[study]'")
    if arguments.port > _PORTS:
        raise UsageError(f"there is no port {arguments.port}: the last one is {_PORTS}")
    opened = None if arguments.file is None else _opened(arguments.file, arguments.mines)
    prepare(say)
    from bot.study.server import serve  # noqa: PLC0415  # an extra

    def ready(address: str) -> None:
        print(address, flush=True)
        say("this address is for this machine's browsers only; Ctrl-C ends the study")
        if not arguments.no_browser:
            webbrowser.open(address)

    serve(opened, ready, arguments.port, arguments.seconds)
    return 0


def _opened(file: Path, mines: int | None) -> Position:
    """What is in the file, for the page."""
    from bot.recording.pictures import load  # noqa: PLC0415
    from bot.study import analysis, pictures, position  # noqa: PLC0415

    if file.suffix.lower() in _PICTURES:
        return pictures.read(load(file), mines)
    with file_errors(file):
        puzzle = Puzzle.parse(file.read_text(encoding="utf-8-sig"), mines)
        return analysis.shown(position.checked(puzzle))
