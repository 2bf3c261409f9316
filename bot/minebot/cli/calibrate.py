"""Makes a profile for a game by finding out in its window how it behaves."""

from __future__ import annotations

import argparse

from minebot.actuator import Key
from minebot.cli import options
from minebot.cli.desktops import desktop_of
from minebot.cli.learn import learn
from minebot.learn.findings import FLAG_WAYS
from minebot.learn.run import LearnOptions
from minebot.profile import file_of

_SAID_WAYS = (*(way for way in FLAG_WAYS if way != "button"), "none")
"""How the user may say that flags are set; where a button is, --flag-at says."""
_ASKS = "ask"
"""In the place of a key: the user opens each new board."""


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Add the arguments of `calibrate`."""
    command.add_argument("--name", required=True, help="what to call the profile")
    again = command.add_mutually_exclusive_group()
    again.add_argument(
        "--new-game-key",
        metavar="KEY",
        help="the game's key for a new board of the same size, such as ctrl+r, or 'ask' to be "
        "asked each time (default: try the usual keys, then whatever resembles a button)",
    )
    again.add_argument(
        "--new-game-at",
        type=options.pixel,
        metavar="X,Y",
        help="the place of a button for a new board, in pixels from the upper left corner of the "
        "window without its title bar",
    )
    flags = command.add_mutually_exclusive_group()
    flags.add_argument(
        "--flag-by",
        choices=_SAID_WAYS,
        help="how the game sets a flag: by a right click, by a left click with that key held, or "
        "not at all (default: try a right click, ctrl, shift, alt, and a button with such a label)",
    )
    flags.add_argument(
        "--flag-at",
        type=options.pixel,
        metavar="X,Y",
        help="the place of a button that makes later clicks set flags, in pixels as for "
        "--new-game-at",
    )
    options.add_count(command, "--games", "play at most N games (default: 12)")
    options.add_path(
        command, "--out", "the folder of profiles to write to (default: your own)", metavar="DIR"
    )
    options.add_switch(command, "--force", "start over if a profile of that name exists")
    options.add_count(command, "--mines", "the total number of mines, if you know it")
    command.add_argument("--window", metavar="NAME", help="the window of the game to play")
    options.add_desktop(command, clicks=True)


def run(arguments: argparse.Namespace) -> int:
    """Make the profile and say what it knows; returns 0.

    Raises UsageError, GridNotFound, and what playing raises.
    """
    path = file_of(arguments.name, arguments.out)
    key = arguments.new_game_key
    if key not in (None, _ASKS):
        Key.parse(key)
    desktop = desktop_of(arguments)
    window = desktop.pick(arguments.window or "", lambda _: False)
    wishes = LearnOptions(
        None if key == _ASKS else key,
        arguments.games or LearnOptions().games,
        finds=key is None,
        button=arguments.new_game_at,
        flag_way=arguments.flag_by,
        flag_button=arguments.flag_at,
    )
    learn(desktop, window, path, wishes, arguments.mines, force=arguments.force)
    return 0
