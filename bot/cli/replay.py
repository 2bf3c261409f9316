"""`minebot replay`: read every picture, compare with the text beside it."""

from __future__ import annotations

import argparse
from collections import Counter

from rich.table import Table

from bot import replay
from bot.cli.report import people, write_json
from bot.profile import load, names
from bot.replay import Result, Verdict

__all__ = ["run"]

_STYLES = {
    Verdict.RIGHT: "green",
    Verdict.WRONG: "bold red",
    Verdict.REFUSED: "yellow",
    Verdict.UNKNOWN: "dim",
}


def run(arguments: argparse.Namespace) -> int:
    """Say each picture's verdict; returns 0 when every one is right, else 1."""
    wanted = [arguments.profile] if arguments.profile else names()
    profiles = [load(name) for name in wanted]
    console = people()
    results: list[Result] = []
    for path in arguments.paths:
        for case in replay.cases(path):
            result = replay.replay(case, profiles)
            results.append(result)
            if arguments.json:
                write_json(_facts(result))
            console.print(_line(result), soft_wrap=True)
    console.print(_summary(results))
    right = (Verdict.RIGHT, Verdict.UNKNOWN)
    return 0 if all(result.verdict in right for result in results) else 1


def _line(result: Result) -> str:
    style = _STYLES[result.verdict]
    line = f"[{style}]{result.verdict.value:>8}[/] {result.case.path}"
    if result.wrong:
        return f"{line}: {result.wrong} of {result.cells} cells"
    if result.problem:
        return f"{line}: {result.problem}"
    return line


def _summary(results: list[Result]) -> Table:
    counts = Counter(result.verdict for result in results)
    read = [result for result in results if result.cells]
    table = Table(title="pictures read")
    for heading in ("pictures", *(verdict.value for verdict in Verdict), "cells", "wrong cells"):
        table.add_column(heading, justify="right")
    table.add_column("ms a picture", justify="right")
    seconds = sum(result.seconds for result in read) / max(1, len(read))
    table.add_row(
        str(len(results)),
        *(str(counts[verdict]) for verdict in Verdict),
        str(sum(result.cells for result in read)),
        str(sum(result.wrong for result in read)),
        f"{1000 * seconds:.2f}",
    )
    return table


def _facts(result: Result) -> dict[str, object]:
    return {
        "picture": str(result.case.path),
        "expect": result.case.expect,
        "verdict": result.verdict.value,
        "cells": result.cells,
        "wrong": result.wrong,
        "milliseconds": round(1000 * result.seconds, 3),
        "problem": result.problem,
    }
