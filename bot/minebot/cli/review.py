"""Looks at games again: every click marked, luck, 3BV, the costliest moments and why.

A game comes from a folder that --record made, from a replay file of another program (.avf, .evf,
.mvf, .rmv), or from a screen recording (.mp4, .mkv, .webm, .mov, .avi), from which the clicks are
worked out.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from dataclasses import asdict
from itertools import zip_longest
from pathlib import Path

from minebot.analysis import from_recording, replay_files
from minebot.analysis.move_rating import Rating
from minebot.analysis.played_game import PlayedGame
from minebot.analysis.replay_files import evf
from minebot.analysis.review import COSTLIEST, Review, habits, review
from minebot.analysis.serialize import figures_of, review_facts
from minebot.cli import options
from minebot.cli.console import console, printable, save, table, write_json
from minebot.cli.drill import keep
from minebot.errors import UsageError
from minebot.extras import how_to_install
from minebot.study import video
from minebot.study.single_file import game_page

EPILOG = f"""\
examples:
  minebot --window Mines --record game              a game to look at again
  minebot review game                               what is to be said of it
  minebot review game --evf game.evf                for other programs for players
  minebot review game.mp4 --mines 10                a screen recording
  minebot review game --html game.html              one file with all of it, to send to a friend

Replays need {how_to_install("replays")}.

exit status: 0 reviewed, 2 bad arguments or no recording, 4 no board that can be, 130 stopped
"""

ARGUMENTS = (
    options.path("game", "a folder, a replay file or a video", "RECORDING"),
    options.count("--game", "only the Nth game of the recording", dest="number"),
    options.count(
        "--mines", "the total number of mines in a video (default: as the end of the game tells)"
    ),
    options.path("--html", "write the review of a game as one HTML file"),
    options.path("--evf", "write the game as an EVF replay for other programs"),
    options.DRILL,
    options.JSON,
)


def run(arguments: argparse.Namespace) -> int:
    """Review the games; returns 0. Raises UsageError, Contradiction."""
    found = load(arguments.game, arguments.mines)
    if arguments.number is not None:
        if arguments.number > len(found):
            raise UsageError(f"{arguments.game}: there are {len(found)} games")
        found = found[arguments.number - 1 : arguments.number]
    reviews = [*map(review, found)]
    _save_each(arguments.evf, map(evf, found))
    tell(reviews, arguments)
    return 0


def load(path: Path, mines: int | None = None) -> list[PlayedGame]:
    """The games of a recording's folder or of a video with that mine total, or the one in a replay
    file; raises UsageError."""
    if not path.exists():
        raise UsageError(f"{path}: there is no such file or folder")
    if path.is_dir():
        return from_recording.games(path)
    if path.suffix.lower() in video.SUFFIXES:
        return video.games(path, mines)
    if not replay_files.is_replay(path):
        kinds = " ".join((*replay_files.SUFFIXES, *video.SUFFIXES))
        raise UsageError(f"{path}: neither a folder that --record made nor one of {kinds}")
    return [replay_files.load(path)]


def tell(reviews: list[Review], arguments: argparse.Namespace) -> None:
    """Say of the games what was asked for, and write pages and drills where that was."""
    _save_each(arguments.html, map(game_page, reviews))
    for one in reviews:
        _tell(one, json=arguments.json)
    tell_habits(reviews, json=arguments.json)
    if arguments.drill:
        keep(reviews)


def _save_each(first: Path | None, games: Iterable[str | bytes]) -> None:
    """Write each game to a file: FILE, FILE-2 and so on; nothing without FILE."""
    if first is not None:
        for number, game in enumerate(games, 1):
            save(first if number == 1 else first.with_stem(f"{first.stem}-{number}"), game)


def _tell(one: Review, *, json: bool) -> None:
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
    for lost in one.lost_clicks[:COSTLIEST]:
        out.print(f"lost clicks: {lost.clicks} at move {lost.at + 1}: {lost.text}", soft_wrap=True)
    figures = figures_of(one)
    marks = [(mark.value, str(one.counts[mark])) for mark in Rating if one.counts[mark]]
    rows = zip_longest(figures, marks, fillvalue=("", ""))
    shown = table(("", "", "", ""), ((*left, *right) for left, right in rows))
    shown.columns[2].justify = "left"
    out.print(shown)


def tell_habits(reviews: list[Review], *, json: bool) -> None:
    """What several games are lost by, for people or for programs; nothing of a single one."""
    if len(reviews) < 2:
        return
    found, won = habits(reviews), sum(one.game.won for one in reviews)
    if not json:
        rows = [
            (one.kind, str(one.times), str(one.lost), f"{one.risk:.2f}", f"{one.seconds:.1f}")
            for one in found
        ]
        shown = table(
            ("situation", "times", "games lost", "risk", "seconds"),
            rows,
            title=f"{won} of {len(reviews)} won; where the rest goes",
            caption="risk: taken without need, in games; seconds: over cells that were safe",
        )
        console(stderr=False).print(shown)
        return
    facts = [
        asdict(each) | {"risk": round(each.risk, 6), "seconds": round(each.seconds, 3)}
        for each in found
    ]
    write_json({"games": len(reviews), "won": won, "habits": facts})
