"""Reads every picture below the folders and compares it with the text beside it
(board.png, board.txt). An index.json may list pictures that must be refused.
"""

from __future__ import annotations

import argparse
import statistics
from collections import Counter
from collections.abc import Sequence

from rich.table import Table
from rich.text import Text

from minebot.cli import options
from minebot.cli.console import console, printable, table, write_json
from minebot.profile import load, profiles
from minebot.recording import replay
from minebot.recording.replay import Comparison, Result

_STYLES = {
    Comparison.RIGHT: "green",
    Comparison.WRONG: "bold red",
    Comparison.REFUSED: "yellow",
    Comparison.UNKNOWN: "dim",
}

ARGUMENTS = (
    options.path("paths", "folder or picture", "PATH", nargs="+"),
    options.PROFILE,
    options.JSON,
)


def run(arguments: argparse.Namespace) -> int:
    """Say each picture's verdict; returns 0 when every one is right, else 1."""
    known = [load(arguments.profile)] if arguments.profile else list(profiles().values())
    people = console()
    results: list[Result] = []
    for path in arguments.paths:
        for case in replay.cases(path):
            with options.within(case.path):
                result = replay.replay(case, known)
            results.append(result)
            if arguments.json:
                write_json(_facts(result))
            people.print(_line(result), soft_wrap=True)
    people.print(_summary(results))
    right = (Comparison.RIGHT, Comparison.UNKNOWN)
    return 0 if all(result.verdict in right for result in results) else 1


def _line(result: Result) -> Text:
    line = f" {result.case.path}"
    if result.wrong:
        line += f": {result.wrong} of {result.cells} cells"
    if result.problem:
        line += f": {result.problem}"
    verdict = f"{result.verdict.value:>8}", _STYLES[result.verdict]
    return Text.assemble(verdict, printable(line))


def _summary(results: Sequence[Result]) -> Table:
    """A row for each game and, should there be several, one for all."""
    found = {result.verdict for result in results} | {*Comparison} - {Comparison.UNKNOWN}
    verdicts = [verdict for verdict in Comparison if verdict in found]
    shown = table(
        ("game", "pictures", *(verdict.value for verdict in verdicts), "cells", "misread", "ms"),
        title="pictures read",
        caption="misread: cells; ms: median of those read",
    )
    games = sorted({result.case.game for result in results})
    for game in games:
        of_game = [result for result in results if result.case.game == game]
        shown.add_row(printable(game), *_row(of_game, verdicts))
    if len(games) > 1:
        shown.add_section()
        shown.add_row("all", *_row(results, verdicts))
    return shown


def _row(results: Sequence[Result], verdicts: Sequence[Comparison]) -> list[str]:
    counts = Counter(result.verdict for result in results)
    read = [result for result in results if result.cells]
    return [
        str(len(results)),
        *(str(counts[verdict]) for verdict in verdicts),
        str(sum(result.cells for result in read)),
        str(sum(result.wrong for result in read)),
        f"{1000 * statistics.median(result.seconds for result in read):.1f}" if read else "",
    ]


def _facts(result: Result) -> dict[str, object]:
    return {
        "picture": str(result.case.path),
        "game": result.case.game,
        "expect": result.case.expect,
        "verdict": result.verdict.value,
        "cells": result.cells,
        "wrong": result.wrong,
        "milliseconds": round(1000 * result.seconds, 3),
        "problem": result.problem,
    }
