"""What each step of guessing is worth: the same boards, played with each policy.

    python -m benchmarks.guessing --boards FILE
    python -m benchmarks.guessing --boards FILE --from 1000 --count 500 --results FILE

Every game is appended to the results file as it ends, so that a run that was stopped
goes on where it was. Columns of the boards file that hold another engine's results
(1 won, 0 lost) are compared with as well. Differences are paired, board by board, in
points of a per cent with 95 % intervals: to the policy before, and to java_lookahead.
"""

from __future__ import annotations

import argparse
import gzip
import json
import time
from collections.abc import Sequence
from math import sqrt
from pathlib import Path

from rich.console import Console
from rich.table import Table

from minebot.policy.confidence import interval
from minebot.policy.guessing.prepare import prepare
from minebot.policy.guessing.settings import Strategy
from minebot.simulate.games import dealt_from, play

ENGINES = ("least_risk", "pseq", "java_lookahead")
Wins = dict[int, bool]


def main() -> None:
    """Play what is not played yet, then print the table."""
    arguments = _arguments()
    deals = dealt_from(arguments.boards)
    stop = len(deals) if arguments.count is None else arguments.start + arguments.count
    numbers = range(arguments.start, min(stop, len(deals)))
    prepare()
    games = _read(arguments.results)
    arguments.results.parent.mkdir(parents=True, exist_ok=True)
    with arguments.results.open("a") as file:
        for strategy in arguments.policies:
            for number in numbers:
                if (strategy.value, number) in games:
                    continue
                began = time.perf_counter()
                record = play(deals[number], strategy)
                game = {
                    "policy": strategy.value,
                    "board": number,
                    "won": record.won,
                    "seconds": round(time.perf_counter() - began, 5),
                    "slowest": round(max(record.milliseconds, default=0.0), 2),
                    "guesses": len(record.risks),
                }
                file.write(json.dumps(game) + "\n")
                file.flush()
                games[strategy.value, number] = game
    Console(width=100).print(_table(arguments, games, numbers))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="What each step of guessing is worth.")
    parser.add_argument("--boards", type=Path, required=True, metavar="FILE")
    parser.add_argument("--from", dest="start", type=int, default=0, metavar="N")
    parser.add_argument("--count", type=int, metavar="N", help="default: all boards")
    parser.add_argument(
        "--policies", type=Strategy, nargs="+", default=list(Strategy), metavar="NAME"
    )
    parser.add_argument("--results", type=Path, default=Path("out", "guessing.jsonl"))
    return parser.parse_args()


def _read(path: Path) -> dict[tuple[str, int], dict[str, float]]:
    """The games that were played before; a line cut off in the middle is passed over."""
    games = {}
    for line in path.read_text().splitlines() if path.exists() else ():
        try:
            game = json.loads(line)
        except ValueError:
            continue
        games[game["policy"], game["board"]] = game
    return games


def _engines(path: Path, numbers: Sequence[int]) -> dict[str, Wins]:
    with gzip.open(path, "rt") if path.suffix == ".gz" else path.open() as file:
        head, *lines = file.read().splitlines()
    columns = head.lstrip("#").split("\t")
    rows = [dict(zip(columns, line.split("\t"), strict=False)) for line in lines]
    return {
        name: {number: rows[number][name] == "1" for number in numbers}
        for name in ENGINES
        if name in columns
    }


def _table(
    arguments: argparse.Namespace,
    games: dict[tuple[str, int], dict[str, float]],
    numbers: Sequence[int],
) -> Table:
    engines = _engines(arguments.boards, numbers)
    table = Table(title=f"boards {numbers[0]} to {numbers[-1]} of {arguments.boards.name}")
    for heading in (
        "policy", "won %", "95 %", "to the last", "to the best",
        "guesses", "games/s", "slowest ms",
    ):  # fmt: skip
        table.add_column(heading, justify="left" if heading == "policy" else "right")
    best = engines.get("java_lookahead")
    for name, wins in engines.items():
        table.add_row(name, *_won(wins), "", _paired(wins, best) if wins is not best else "")
    before: Wins | None = None
    for strategy in arguments.policies:
        played = {n: games[strategy.value, n] for n in numbers}
        wins = {n: bool(game["won"]) for n, game in played.items()}
        seconds = sum(game["seconds"] for game in played.values())
        table.add_row(
            strategy.value,
            *_won(wins),
            _paired(wins, before),
            _paired(wins, best),
            f"{sum(game['guesses'] for game in played.values()) / len(played):.2f}",
            f"{len(played) / seconds:.1f}",
            f"{max(game['slowest'] for game in played.values()):.0f}",
        )
        before = wins
    return table


def _won(wins: Wins) -> tuple[str, str]:
    count, games = sum(wins.values()), len(wins)
    low, high = interval(count, games)
    return f"{100 * count / games:.2f}", f"{100 * low:.2f} to {100 * high:.2f}"


def _paired(wins: Wins, others: Wins | None) -> str:
    if others is None:
        return ""
    differences = [wins[number] - others[number] for number in wins]
    games = len(differences)
    mean = sum(differences) / games
    variance = sum((value - mean) ** 2 for value in differences) / max(1, games - 1)
    return f"{100 * mean:+.2f} ± {196 * sqrt(variance / games):.2f}"


if __name__ == "__main__":
    main()
