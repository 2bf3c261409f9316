"""What can be typed after `minebot`, and what a newcomer reads with --help.

A command is a module of this package. Its docstring is what --help says, with its EPILOG
where there is more to say than the exit statuses; it has a table of its ARGUMENTS and
`run(arguments)`, which returns the exit status. Only the module of the command that was
typed is imported. What is typed before a command's name holds for the command as if it
stood behind it.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import NoReturn

from minebot import __version__
from minebot.cli import options
from minebot.cli.console import complain
from minebot.errors import did_you_mean

GROUPS = {
    "play": {
        "play": "play the board that is open in a window (the same as no command)",
        "start": "open a game, play it and leave it open",
        "demo": "start a game on a private display and play it",
        "watch": "watch you play, then review your games; never clicks",
    },
    "look at boards and games": {
        "read": "print the board in a picture of any game, as text",
        "solve": "solve a board or a paper puzzle typed as text",
        "review": "review a recorded game: marks, luck, 3BV, what was missed and why",
        "drill": "ask again what you missed: find the safe cell, or the best guess",
        "study": "open a page to study any position: risks, what is certain and why",
        "mcp": "give an agent eyes, logic and hands for any game: an MCP server",
    },
    "set up": {
        "doctor": "check how minebot captures and clicks on this desktop, and what is missing",
        "windows": "list the windows with their games and places",
        "profiles": "list the known games and describe how they look",
        "calibrate": "find out how a game behaves, and make a profile for it",
    },
    "measure": {
        "simulate": "play many games without a screen and say how many are won",
        "replay": "read every picture in a folder and compare it with the text beside it",
    },
}
"""Each command's name, which is its module's too, and what it is for."""

_COMMANDS = {name for group in GROUPS.values() for name in group}

DESCRIPTION = """\
Sees a Minesweeper window, works out what is certain, and clicks it.

Without a command, minebot plays the board that is open in a window, to its end.
To stop it at once, press Ctrl-C in its terminal. On X11 you can also press Esc in any window, on
sway any key, and on both you can move the mouse; while it plays, its status line names a way.
"""


def _listed() -> str:
    lines = []
    for purpose, commands in GROUPS.items():
        lines.append(f"commands to {purpose}:")
        lines += [f"    {name:<12}{summary}" for name, summary in commands.items()]
        lines.append("")
    return "\n".join(lines)


_EPILOG = f"""\
{_listed()}
examples:
  minebot --window Mines              play the board that is open, to its end
  minebot --window Mines --games 20   press the new-game key between boards
  minebot --window Mines --dry-run    say what it would click, touch nothing
  minebot windows                     list the windows
  minebot solve board.txt             a board typed as text, ? for hidden cells
  minebot demo                        no game at hand? start one and watch

{options.STATUSES}"""


def parse(words: Sequence[str]) -> tuple[Callable[[argparse.Namespace], int], argparse.Namespace]:
    """What was typed: the function that does it, and its arguments."""
    top = _top()
    for word in words:
        if word in _COMMANDS:
            break
        # Else the value of a mistyped option would be taken for a command.
        top.check_option(word)
    typed = top.parse_args(words)
    before = words[: len(words) - len(typed.rest) - 1]
    if typed.command == "play":
        typed = top.parse_args([*before, *typed.rest])
        if typed.command is not None:
            top.error(f"unrecognized arguments: {typed.command}")
    if typed.command is None:
        return import_module("minebot.cli.play").run, typed
    module = import_module(f"minebot.cli.{typed.command}")
    command = _Parser(
        prog=f"minebot {typed.command}",
        description=module.__doc__ or "",
        epilog=getattr(module, "EPILOG", options.STATUSES),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    options.add(command, module.ARGUMENTS)
    for word in typed.rest:
        command.check_option(word)
    return module.run, command.parse_args([*before, *typed.rest])


def _top() -> _Parser:
    """The parser of what may stand before a command, or alone."""
    top = _Parser(
        prog="minebot",
        usage="minebot [options] [COMMAND ...]",
        description=DESCRIPTION,
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    top.add_argument("--version", action="version", version=f"minebot {__version__}")
    options.add(top, options.ALONE)
    top.add_argument(
        "command",
        nargs="?",
        type=_command,
        metavar="COMMAND",
        help="one of those below; minebot COMMAND --help says more",
    )
    top.add_argument("rest", nargs=argparse.REMAINDER, help=argparse.SUPPRESS)
    return top


def _command(text: str) -> str:
    if text not in _COMMANDS:
        raise argparse.ArgumentTypeError(f"there is no {text!r}{did_you_mean(text, _COMMANDS)}")
    return text


class _Parser(argparse.ArgumentParser):
    """An argument parser whose complaints are one line."""

    def check_option(self, word: str) -> None:
        """End the program, as `parse_args` does, if the word is an option that there is not."""
        name = word.partition("=")[0]
        known = self._option_string_actions
        if name.startswith("--") and not any(option.startswith(name) for option in known):
            self.error(f"there is no option {name}{did_you_mean(name, known)}")

    def error(self, message: str) -> NoReturn:
        """End the program with one line and status 2."""
        complain(f"{message}; see {self.prog} --help")
        raise SystemExit(2)
