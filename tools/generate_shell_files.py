"""Makes the man page and the completions for bash and zsh out of the command line's parsers.

    make shell-files

They lie in share/, and an installation puts them where man and the shells look.
"""

from __future__ import annotations

import argparse
from functools import partial
from importlib import import_module
from pathlib import Path

import shtab
from argparse_manpage.manpage import Manpage

from minebot import __version__
from minebot.cli import options
from minebot.cli.parser import DESCRIPTION, GROUPS

SHARE = Path(__file__).parents[1] / "share"


def parser() -> argparse.ArgumentParser:
    """All commands as sub-commands of one parser, for programs that expect that."""
    # man breaks the lines, so that they are the same in every terminal and under every Python.
    wide = partial(argparse.HelpFormatter, width=1_000_000)
    whole = argparse.ArgumentParser(
        prog="minebot",
        formatter_class=wide,
        description=DESCRIPTION,
    )
    whole.add_argument("--version", action="version", version=f"minebot {__version__}")
    options.add(whole, options.ALONE)
    commands = whole.add_subparsers(metavar="COMMAND")
    for group in GROUPS.values():
        for name, summary in group.items():
            module = import_module(f"minebot.cli.{name}")
            command = commands.add_parser(
                name, help=summary, description=module.__doc__, formatter_class=wide
            )
            options.add(command, getattr(module, "ARGUMENTS", ()))
    return whole


def files() -> dict[str, str]:
    """The text of each file, by its path below share/."""
    whole = parser()
    page = Manpage(whole, {"project_name": "minebot", "version": __version__})
    page.manual, page.description = "minebot", "plays Minesweeper in any window"
    page.date = ""  # the same files whenever they are made
    return {
        "man/man1/minebot.1": str(page),
        "bash-completion/completions/minebot": shtab.complete(whole, "bash"),
        "zsh/site-functions/_minebot": shtab.complete(whole, "zsh"),
    }


def main() -> None:
    """Write the files."""
    for name, text in files().items():
        path = SHARE / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


if __name__ == "__main__":
    main()
