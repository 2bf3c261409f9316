"""Asks positions again in which you went wrong: find the safe cell or, where there is none, the
best guess. Right answers come back later and later, wrong ones soon.

The positions are those that review --drill and watch --drill kept, and those of --starter.
"""

from __future__ import annotations

import argparse
from itertools import islice
from random import Random

from minebot.analysis.drill_store import Drill, DrillStore, opened
from minebot.analysis.drills import PATTERNS, Reply, notes, positions
from minebot.analysis.review import Review
from minebot.cli import options
from minebot.cli.console import ask, console, save, say, table
from minebot.cli.solve import tell
from minebot.errors import UsageError
from minebot.extras import how_to_install
from minebot.puzzle.texts import ruled

_DECK = 10
"""Positions that --starter adds. Specified: docs/drills.md."""
_WEEKS = 4
"""Weeks that --stats tells apart. Specified: docs/drills.md."""

EPILOG = f"""\
examples:
  minebot review game --drill                       keep the mistakes of a game as drills
  minebot drill                                     ask those that are due
  minebot drill --starter 1-1                       ten positions that 1-1 alone opens
  minebot drill --stats                             what you miss, by kind of situation
  minebot drill --export drills.txt                 for Anki: File, Import

Being asked needs {how_to_install("drill")}.

exit status: 0 none is due any more or q was typed, 2 bad arguments or file, 130 stopped
"""

ARGUMENTS = (
    options.Group(
        "",
        options.switch(
            "--stats",
            "print what you missed by kind of situation over four weeks, the weakest first",
        ),
        options.path(
            "--export", "write all drills as a text that Anki imports, boards drawn and answered"
        ),
        options.argument(
            "--starter",
            "PATTERN",
            "add ten positions of made-up games that this pattern alone opens: "
            + ", ".join(PATTERNS),
            choices=PATTERNS,
        ),
    ),
)


def run(arguments: argparse.Namespace) -> int:
    """Do what was asked for with the drills; returns 0. Raises UsageError."""
    with opened() as store:
        if arguments.stats:
            _tell(store)
        elif arguments.export is not None:
            boards = [drill.board for drill in store.drills()]
            save(arguments.export, notes(boards))
            say(f"{len(boards)} drills written; Anki imports them by File, Import")
        elif arguments.starter is not None:
            found = positions(arguments.starter, Random(arguments.starter))
            # Some of the first ones may be there already.
            fresh = filter(None, (store.add([board]) for board in found))
            _tell_new(store, sum(islice(fresh, _DECK)))
        else:
            _ask_all(store)
    return 0


def keep(reviews: list[Review]) -> None:
    """Keep the mistakes of games as drills, and tell how many there are now."""
    with opened() as store:
        _tell_new(store, sum(map(store.keep, reviews)))


def _tell_new(store: DrillStore, new: int) -> None:
    say(f"drills: {new} new, {len(store.due())} due; minebot drill asks them")


def _ask_all(store: DrillStore) -> None:
    """Ask what is due, until nothing is or the user stops."""
    replies: list[Reply] = []
    while True:
        drill, text = store.ask()
        found = None if drill is None else _asked(store, drill, text)
        if found is None:
            break
        replies.append(found)
    right = sum(found.right for found in replies)
    left = text if drill is None else f"{len(store.due())} due"
    say(f"{len(replies)} asked, {right} right; {left}")


def _asked(store: DrillStore, drill: Drill, text: str) -> Reply | None:
    """Ask until a cell can be judged, and tell what it is worth; None if the user stops."""
    print(ruled(drill.board))
    say(text)
    while (line := ask("row and column, such as 3 4, or q: ")) is not None:
        if line.strip().lower() in ("q", "quit"):
            return None
        try:
            found, again = store.answer(drill, options.square_of(drill.board, *options.place(line)))
        except (argparse.ArgumentTypeError, UsageError) as error:
            say(str(error))
            continue
        print(found.said)
        tell(found.reasons())
        print(f"{again}\n")
        return found
    return None


def _tell(store: DrillStore) -> None:
    missed = [one for one in store.tallies() if one.missed]
    if not missed:
        say("nothing was missed yet")
        return
    print(missed[0].text)
    weeks = [f"{ago} ago" for ago in range(_WEEKS - 1, 0, -1)]
    rows = []
    for one in missed:
        pairs = [(one.missed, len(one.met)), one.lately]
        pairs += [one.week(ago, store.clock()) for ago in range(_WEEKS - 1, -1, -1)]
        rows.append([one.kind, *(f"{part}/{whole}" if whole else "" for part, whole in pairs)])
    headings = ("situation", "in all", "last 10", *weeks, "this week")
    caption = "missed/met; weeks of seven days, 3 to 1 ago"
    console(stderr=False).print(table(headings, rows, caption=caption))
