"""What can be typed after `minebot`, and what a newcomer reads with --help."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

from bot import __version__
from bot.cli import simulate_arguments, solve_arguments

__all__ = ["parser"]

_STATUSES = """\
exit status: 0 every game won (every picture right), 1 not so, 2 bad arguments, file or
profile, 3 no such window or it cannot be captured, 4 the board cannot be read, 130 stopped
"""

_PLAY = """\
Sees a Minesweeper window, works out what is certain, and clicks it.

Without a command, minebot plays the board that is open in a window, to its end.
To stop it at once: press Esc anywhere, move the mouse, or press Ctrl-C here.
"""

_EXAMPLES = f"""\
examples:
  minebot --window Mines              play the board that is open, to its end
  minebot --window Mines --games 20   press the new-game key between boards
  minebot --window Mines --dry-run    say what it would click, touch nothing
  minebot windows                     which windows it can see
  minebot solve board.txt             a board typed as text, ? for hidden cells
  minebot demo                        no game at hand? start one and watch

{_STATUSES}"""


def parser() -> argparse.ArgumentParser:
    """The parser; the namespace it makes has `run`, the function that does what was typed."""
    top = _Parser(
        prog="minebot",
        description=_PLAY,
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    top.add_argument("--version", action="version", version=f"minebot {__version__}")
    top.set_defaults(run=_later("play"))
    _window_arguments(top)
    _play_arguments(top)
    _json_argument(top)
    commands = top.add_subparsers(title="other commands", metavar="COMMAND")
    for add in (
        _windows,
        _profiles,
        _calibrate,
        _read,
        _replay,
        _solve,
        _simulate,
        _prepare,
        _demo,
    ):
        add(commands)
    return top


class _Parser(argparse.ArgumentParser):
    """An argument parser whose complaints are one line."""

    def error(self, message: str) -> None:  # type: ignore[override]  # ends the program as the base does
        self.exit(2, f"{self.prog}: {message}; see {self.prog} --help\n")


_Commands = argparse._SubParsersAction  # argparse has no public name for it


def _command(
    commands: _Commands[_Parser], name: str, summary: str, description: str
) -> argparse.ArgumentParser:
    return commands.add_parser(
        name,
        help=summary,
        description=description,
        epilog=_STATUSES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        # What is typed before the command's name holds too: its defaults are the top's.
        argument_default=argparse.SUPPRESS,
    )


def _windows(commands: _Commands[_Parser]) -> None:
    command = _command(
        commands,
        "windows",
        "list the windows it can see, which game each is, where",
        "Lists the windows on the desktop, the game that each is known to be, and where it is.",
    )
    _display_argument(command)
    _json_argument(command)
    command.set_defaults(run=_later("windows"))


def _profiles(commands: _Commands[_Parser]) -> None:
    command = _command(
        commands,
        "profiles",
        "list the games it knows and what each looks like",
        "Lists the games that it knows, their windows, and what each looks like in words.",
    )
    _json_argument(command)
    command.set_defaults(run=_later("profiles"))


def _calibrate(commands: _Commands[_Parser]) -> None:
    command = _command(
        commands,
        "calibrate",
        "make a profile for a game that it has never seen",
        "Makes a profile for a game: by playing it in its window until it knows what every look\n"
        "means, or from pictures whose boards are typed as text beside them. Pictures are added\n"
        "to a profile of that name, if there is one.",
    )
    command.add_argument("--name", required=True, help="what to call the profile")
    command.add_argument(
        "--from",
        dest="pictures",
        type=str,
        nargs="+",
        action="append",
        default=[],
        metavar="FILE",
        help="picture.png board.txt, and more such pairs: learn from these instead of a window",
    )
    command.add_argument(
        "--new-game-key",
        default=None,
        metavar="KEY",
        help="the game's key for a new board of the same size, such as ctrl+r "
        "(default: it asks for each new board)",
    )
    command.add_argument(
        "--games", type=_at_least(1), metavar="N", help="play at most N games (default: 12)"
    )
    command.add_argument(
        "--out",
        type=Path,
        default=None,
        metavar="DIR",
        help="the folder of profiles to write to (default: your own)",
    )
    command.add_argument(
        "--force", action="store_true", default=False, help="overwrite a profile of that name"
    )
    command.add_argument(
        "--mines",
        type=_at_least(1),
        metavar="N",
        help="the total number of mines, where you know it",
    )
    command.add_argument("--window", metavar="NAME", help="the window of the game to play")
    _display_argument(command)
    command.set_defaults(run=_later("calibrate"))


def _read(commands: _Commands[_Parser]) -> None:
    command = _command(
        commands,
        "read",
        "print the board in a picture, as text",
        "Prints the board in a picture: one row a line, ? hidden, 0-8, F flag, * mine,\n"
        "! the mine that was hit.",
    )
    command.add_argument("picture", type=Path, help="a screenshot, PNG or the like")
    command.add_argument(
        "--overlay",
        type=Path,
        default=None,
        metavar="FILE",
        help="draw the grid, what was read, how sure it is, and each cell's mine risk over it",
    )
    _profile_argument(command)
    _json_argument(command)
    command.set_defaults(run=_later("read"))


def _replay(commands: _Commands[_Parser]) -> None:
    command = _command(
        commands,
        "replay",
        "read every picture in a folder and compare with the text beside it",
        "Reads every picture below the folders and compares it with the text beside it\n"
        "(board.png, board.txt). An index.json may say of a picture that it is to be refused.",
    )
    command.add_argument("paths", type=Path, nargs="+", metavar="PATH", help="folder or picture")
    _profile_argument(command)
    _json_argument(command)
    command.set_defaults(run=_later("replay"))


def _solve(commands: _Commands[_Parser]) -> None:
    command = _command(
        commands,
        "solve",
        "solve a board or a paper puzzle typed as text",
        solve_arguments.DESCRIPTION,
    )
    command.epilog = solve_arguments.EPILOG
    solve_arguments.add_arguments(command)
    _json_argument(command)
    command.set_defaults(run=_later("solve"))


def _simulate(commands: _Commands[_Parser]) -> None:
    command = _command(
        commands,
        "simulate",
        "play many games without a screen and say how many are won",
        simulate_arguments.DESCRIPTION,
    )
    command.epilog = simulate_arguments.EPILOG
    simulate_arguments.add_arguments(command, _at_least)
    _json_argument(command)
    command.set_defaults(run=_later("simulate"))


def _prepare(commands: _Commands[_Parser]) -> None:
    command = _command(
        commands,
        "prepare",
        "compile what guesses need, beforehand",
        "Compiles what guesses need, which the first guess after an installation does else.",
    )
    command.set_defaults(run=_later("prepare"))


def _demo(commands: _Commands[_Parser]) -> None:
    command = _command(
        commands,
        "demo",
        "start a game and play it, on a private display",
        "Starts Simon Tatham's Mines on a private display (or with --show on yours), plays it,\n"
        "and leaves a picture of the finished board and an animation of the game.",
    )
    command.add_argument(
        "--game", default="30x16n99", metavar="ID", help="the game's ID (default: %(default)s)"
    )
    command.add_argument(
        "--show",
        action="store_true",
        default=False,
        help="on your own screen instead of a private one",
    )
    command.add_argument(
        "--out",
        type=Path,
        default=Path(),
        metavar="DIR",
        help="where to leave the pictures (default: the current folder)",
    )
    _play_arguments(command)
    _json_argument(command)
    command.set_defaults(run=_later("demo"))


def _window_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--window",
        metavar="NAME",
        help="the window's title or WM_CLASS, or a part of one, or its number "
        "(default: the only window of a known game)",
    )
    command.add_argument(
        "--dry-run", action="store_true", help="say what would be clicked, touch nothing"
    )
    command.add_argument(
        "--mouse",
        choices=("auto", "pyautogui"),
        default="auto",
        help="how to click: the window system's own way, or through pyautogui",
    )
    command.add_argument(
        "--board",
        type=_size,
        metavar="WxH",
        help="have a board of so many columns and rows, as 30x16, where the game lets choose",
    )
    _profile_argument(command)
    _display_argument(command)


def _play_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--games",
        type=_at_least(1),
        metavar="N",
        help="play N games, pressing the game's new-game key between them",
    )
    command.add_argument(
        "--mines",
        type=_at_least(1),
        metavar="N",
        help="the total number of mines (default: read from the status line)",
    )
    command.add_argument("--no-flags", action="store_true", help="open cells only, flag no mines")
    command.add_argument(
        "--record",
        type=Path,
        metavar="DIR",
        help="keep every frame, board and move there, as minebot replay reads them",
    )


def _profile_argument(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--profile", metavar="NAME", help="which game it is (default: told by the window)"
    )


def _display_argument(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--display", metavar="NAME", help="the X display, such as :1 (default: $DISPLAY)"
    )


def _json_argument(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--json",
        action="store_true",
        help="one JSON object a line on standard output",
    )


def _size(text: str) -> tuple[int, int]:
    width, cross, height = text.partition("x")
    if not (cross and width.isdecimal() and height.isdecimal() and int(width) and int(height)):
        raise argparse.ArgumentTypeError(f"{text!r} is not columns x rows, as 30x16")
    return int(width), int(height)


def _at_least(least: int) -> Callable[[str], int]:
    def number(text: str) -> int:
        value = int(text)
        if value < least:
            raise argparse.ArgumentTypeError(f"{value} is less than {least}")
        return value

    number.__name__ = "whole number"
    return number


def _later(name: str) -> Callable[[argparse.Namespace], int]:
    """The command's function, imported when it is called: reading needs no window system."""

    def run(arguments: argparse.Namespace) -> int:
        from importlib import import_module  # noqa: PLC0415

        return int(import_module(f"bot.cli.{name}").run(arguments))

    return run
