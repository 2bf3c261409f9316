"""Two policies on the same boards: which one wins more, and by how much.

    python -m benchmarks.duel full full,layouts=2000 --games 100000 --seed 1 --first safe
    python -m benchmarks.duel lookahead full --games 20000 --first opening --board 16x16 --mines 40
    python -m benchmarks.duel full@999a218 full --games 20000
    python -m benchmarks.duel full --first opening --cell 2,2

A policy is one of `minebot simulate`, and then what is other about it: fields of
`minebot.policy.guessing.settings.GuessingSettings`, 0 or 1 where one says whether; or it is one as
another commit has it: `full@HEAD full` compares what is committed with the working tree. The
others are compared to the first. The difference is paired, board by board, in points of a per cent
with its 95 % interval. All games are appended to the results file, some hundreds at a time: a run
that was stopped goes on where it was, and a policy that has played these boards before, with the
guessing code as it is now, does not play them again.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import replace
from hashlib import sha256
from math import sqrt
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple

from rich.console import Console
from rich.progress import track
from rich.table import Table

from benchmarks.commits import played_by, revision
from minebot.cli.options import size
from minebot.layout import First
from minebot.policy.guessing.cache import folder
from minebot.policy.guessing.prepare import load, prepare
from minebot.policy.guessing.settings import SETTINGS, GuessingSettings, Strategy
from minebot.simulate.games import Deal, SimulationSettings, deal, play_compiled

_CHUNK = 500
"""Games played by one process at a time. Specified: a second or two of work."""


class Commit(NamedTuple):
    """A policy as another commit has it."""

    strategy: Strategy
    revision: str


class Games(NamedTuple):
    """What one policy made of all boards."""

    won: str
    """A digit a game, 1 for one that was won."""
    guesses: int
    seconds: float
    slowest: float
    """The longest step, in milliseconds."""


class Boards(NamedTuple):
    """What is dealt."""

    settings: SimulationSettings
    cell: tuple[int, int] | None
    """The first click; None: the one that the player makes."""

    def __str__(self) -> str:
        games = self.settings
        first = "" if self.cell is None else " {},{}".format(*self.cell)
        size = f"{games.width}x{games.height} {games.mines}"
        return f"{size} {games.first.value} {games.seed}{first}"

    def deal(self, number: int) -> Deal:
        """Board `number`."""
        width = self.settings.width
        square = None if self.cell is None else self.cell[1] * width + self.cell[0]
        return deal(self.settings, number, square)


class Chunk(NamedTuple):
    """So many games of one policy on the boards from `start` on."""

    settings: GuessingSettings
    boards: str
    """What the boards are, as a text: size, mines, first click, seed."""
    start: int
    won: str
    """A digit a game, 1 for one that was won."""
    guesses: int
    seconds: float
    """Of processor time."""
    slowest: float
    """The longest step, in milliseconds."""
    code: str = ""
    """The version of the guessing code: what the folder of its machine code is called."""


Played = dict[tuple[GuessingSettings, int], Chunk]
"""By policy and by the first board."""


def main() -> None:
    """Play what is not played yet, then print the table."""
    parser = argparse.ArgumentParser(description="Two policies on the same boards.")
    parser.add_argument("policies", nargs="+", metavar="POLICY", help="the first is compared to")
    parser.add_argument("--games", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=First, default=First.SAFE, choices=list(First))
    parser.add_argument("--board", type=size, default=(30, 16), metavar="WxH")
    parser.add_argument("--mines", type=int, default=99)
    parser.add_argument("--cell", type=_cell, metavar="X,Y", help="the first click, from 0,0")
    parser.add_argument("--workers", type=int, default=os.cpu_count())
    parser.add_argument("--results", type=Path, default=Path("out", "duel.jsonl"))
    arguments = parser.parse_args()
    try:
        policies = {name: _policy(name) for name in arguments.policies}
    except ValueError as error:
        parser.error(f"no such policy: {error}")
    width, height = arguments.board
    dealt = SimulationSettings(
        width, height, arguments.mines, arguments.first, arguments.seed, Strategy.FULL
    )
    boards = Boards(dealt, arguments.cell)
    if arguments.cell and any(isinstance(policy, Commit) for policy in policies.values()):
        parser.error("a commit makes the first click that it makes: leave out --cell")
    arguments.results.parent.mkdir(parents=True, exist_ok=True)
    prepare()
    chosen = [policy for policy in policies.values() if isinstance(policy, GuessingSettings)]
    played = _play(boards, arguments, chosen)
    games = {
        name: _by_commit(policy, boards, arguments)
        if isinstance(policy, Commit)
        else _together(policy, played, arguments.games)
        for name, policy in policies.items()
    }
    Console(width=110).print(_table(boards, games))


def _policy(text: str) -> GuessingSettings | Commit:
    """What a name such as `full,layouts=2000` or `full@999a218` stands for; raises ValueError."""
    strategy, at, commit = text.partition("@")
    return Commit(Strategy(strategy), revision(commit)) if at else named(text)


def named(text: str) -> GuessingSettings:
    """The settings that a name such as `full,layouts=2000` stands for; raises ValueError."""
    strategy, *changes = text.split(",")
    settings = SETTINGS.get(Strategy(strategy))
    if settings is None:
        raise ValueError(f"{strategy} has no settings: compare it by minebot simulate --resume")
    for change in changes:
        key, _, value = change.partition("=")
        if key not in GuessingSettings._fields:
            raise ValueError(f"{key} is none of {', '.join(GuessingSettings._fields)}")
        kind = type(getattr(settings, key))
        if kind is bool and value not in ("0", "1"):
            raise ValueError(f"{change}: expected {key}=0 or {key}=1")
        try:
            settings = settings._replace(**{key: kind(float(value))})
        except ValueError:
            raise ValueError(f"{change}: expected a number") from None
    return settings


def _cell(text: str) -> tuple[int, int]:
    x, y = map(int, text.split(","))
    return x, y


def _play(
    boards: Boards, arguments: argparse.Namespace, policies: list[GuessingSettings]
) -> Played:
    """All chunks of the policies on these boards, those that are missing played now."""
    starts = range(0, arguments.games, _CHUNK)
    played = {
        (chunk.settings, chunk.start): chunk
        for chunk in _read(arguments.results)
        if (chunk.boards, chunk.code) == (str(boards), folder().name)
    }
    missing = [(one, at) for at in starts for one in policies if (one, at) not in played]
    with (
        arguments.results.open("a") as file,
        ProcessPoolExecutor(arguments.workers, get_context("spawn"), load) as pool,
    ):
        waiting = [pool.submit(_chunk, boards, one, at) for one, at in missing]
        done = as_completed(waiting)
        console = Console(stderr=True)
        for future in track(done, "playing", total=len(waiting), console=console):
            chunk = future.result()
            file.write(json.dumps(chunk._asdict() | {"settings": chunk.settings._asdict()}) + "\n")
            file.flush()
            played[chunk.settings, chunk.start] = chunk
    return {(one, at): played[one, at] for one in policies for at in starts}


def _chunk(boards: Boards, settings: GuessingSettings, start: int) -> Chunk:
    deals = [boards.deal(number) for number in range(start, start + _CHUNK)]
    began = time.process_time()
    records = [play_compiled(one, settings) for one in deals]
    return Chunk(
        settings,
        str(boards),
        start,
        "".join("01"[record.won] for record in records),
        sum(len(record.risks) for record in records),
        round(time.process_time() - began, 3),
        max(max(record.milliseconds) for record in records),
        folder().name,
    )


def _read(path: Path) -> list[Chunk]:
    """What was played before; a line cut off in the middle is passed over."""
    chunks = []
    for line in path.read_text().splitlines() if path.exists() else ():
        try:
            facts: dict[str, Any] = json.loads(line)
        except ValueError:
            continue
        chunks.append(Chunk(**facts | {"settings": GuessingSettings(**facts["settings"])}))
    return chunks


def _together(settings: GuessingSettings, played: Played, number: int) -> Games:
    chunks = sorted(
        (chunk for (one, _), chunk in played.items() if one == settings),
        key=lambda chunk: chunk.start,
    )
    return Games(
        "".join(chunk.won for chunk in chunks)[:number],
        sum(chunk.guesses for chunk in chunks) * number // (_CHUNK * len(chunks)),
        sum(chunk.seconds for chunk in chunks) * number / (_CHUNK * len(chunks)),
        max(chunk.slowest for chunk in chunks),
    )


def _by_commit(policy: Commit, boards: Boards, arguments: argparse.Namespace) -> Games:
    settings = replace(boards.settings, strategy=policy.strategy)
    name = f"{arguments.results.stem}-{policy.strategy.value}-{policy.revision[:12]}"
    digest = sha256(str(boards).encode()).hexdigest()[:8]
    file = arguments.results.with_name(f"{name}-{digest}.jsonl")
    records = played_by(policy.revision, settings, arguments.games, arguments.workers, file)
    return Games(
        "".join("01"[record.won] for record in records),
        sum(len(record.risks) for record in records),
        sum(sum(record.milliseconds) for record in records) / 1000,
        max(max(record.milliseconds) for record in records),
    )


def _table(boards: Boards, games: dict[str, Games]) -> Table:
    number = len(next(iter(games.values())).won)
    table = Table(title=f"{number} boards: {boards}")
    for heading in ("policy", "won %", "to the first", "games/s a core", "guesses", "slowest ms"):
        table.add_column(heading, justify="left" if heading == "policy" else "right")
    first: str | None = None
    for name, one in games.items():
        wins, spread = _mean([int(digit) for digit in one.won])
        table.add_row(
            name,
            f"{wins:.3f} ± {spread:.3f}",
            "" if first is None else _paired(one.won, first),
            f"{number / one.seconds:.0f}",
            f"{one.guesses / number:.2f}",
            f"{one.slowest:.0f}",
        )
        first = first or one.won
    return table


def _paired(won: str, others: str) -> str:
    mean, spread = _mean([int(one) - int(other) for one, other in zip(won, others, strict=True)])
    return f"{mean:+.3f} ± {spread:.3f}"


def _mean(values: list[int]) -> tuple[float, float]:
    """Mean and half the width of its 95 % interval, in per cent."""
    mean = sum(values) / len(values)
    variance = sum((value - mean) ** 2 for value in values) / max(1, len(values) - 1)
    return 100 * mean, 196 * sqrt(variance / len(values))


if __name__ == "__main__":
    main()
