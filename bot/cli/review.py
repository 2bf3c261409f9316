"""Looks at games again: every click marked, luck, 3BV, the costliest moments and why.

A game comes from a folder that --record made, or from a replay file of another program
(.avf, .evf, .mvf, .rmv: needs pip install 'minebot[replays]').
"""

from __future__ import annotations

import argparse
from pathlib import Path

from rich.box import SIMPLE
from rich.table import Table

from bot.cli import options
from bot.cli.console import console, printable, say, write_json
from bot.errors import UsageError, file_errors
from bot.policy.guessing.prepare import prepare
from bot.study.facts import review_facts
from bot.study.marks import Mark
from bot.study.page import figures_of, page
from bot.study.recorded import games
from bot.study.review import Review, review

EPILOG = """\
examples:
  minebot --window Mines --record game              a game to look at again
  minebot review game                               what is to be said of it
  minebot review game --html game.html              one file with all of it, to send to a friend

exit status: 0 reviewed, 2 bad arguments or no recording, 4 no board that can be, 130 stopped
"""


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Add the arguments of `review`."""
    command.add_argument("game", type=Path, metavar="RECORDING", help="a folder or a replay file")
    command.add_argument(
        "--game",
        type=options.at_least(1),
        metavar="N",
        dest="number",
        help="only the Nth game of the recording",
    )
    command.add_argument(
        "--html", type=Path, metavar="FILE", help="write the review of a game as one HTML file"
    )
    options.add_json(command)


def run(arguments: argparse.Namespace) -> int:
    """Review the games; returns 0. Raises UsageError, Contradiction."""
    found = games(arguments.game)
    if arguments.number is not None:
        if arguments.number > len(found):
            raise UsageError(f"{arguments.game}: there are {len(found)} games")
        found = found[arguments.number - 1 : arguments.number]
    reviews = [review(one, lambda: prepare(say)) for one in found]
    write(reviews, arguments.html)
    for one in reviews:
        tell(one, json=arguments.json)
    return 0


def write(reviews: list[Review], html: Path | None) -> None:
    """Write the pages that were asked for: FILE, and FILE-2 and so on for further games."""
    if html is None:
        return
    for number, one in enumerate(reviews, 1):
        file = html if number == 1 else html.with_stem(f"{html.stem}-{number}")
        with file_errors(file):
            file.write_text(page(one), encoding="utf-8")
        say(f"{file}: written")


def tell(one: Review, *, json: bool) -> None:
    """One game, for people or for programs."""
    if json:
        write_json(review_facts(one))
        return
    out = console(stderr=False)
    out.print(printable(f"{one.game.source}: {one.game.outcome}"), soft_wrap=True)
    for number, moment in enumerate(one.costliest, 1):
        out.print(f"{number}. move {moment.at + 1}: {moment.text}", soft_wrap=True)
        if moment.why is not None:
            for step in moment.why.steps:
                out.print(f"   {'  ' * step.depth}{step.text}", soft_wrap=True)
    if not one.costliest:
        out.print("no mistake, no hesitation")
    out.print(_table(one))


def _table(one: Review) -> Table:
    """The figures, and beside them how many clicks have each mark."""
    table = Table(box=SIMPLE, pad_edge=False, show_header=False)
    for _ in range(2):
        table.add_column()
        table.add_column(justify="right")
    left = figures_of(one)
    right = [(mark.value, str(one.counts[mark])) for mark in Mark if one.counts[mark]]
    for at in range(max(len(left), len(right))):
        pairs = [row[at] if at < len(row) else ("", "") for row in (left, right)]
        table.add_row(*pairs[0], *pairs[1])
    return table
