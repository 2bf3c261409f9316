"""Games without a screen: how each is dealt and played, and the file that they are kept in.

That has one line of settings, then one line a game. Every game is written as it is
finished, so that nothing is lost when the program is killed; half a last line is dropped.
"""

from __future__ import annotations

import gzip
import os
import time
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import IO

import msgspec

from minebot.board import Board
from minebot.errors import UsageError, file_errors
from minebot.layout import First, Layout
from minebot.policy.guessing.settings import SETTINGS, GuessingSettings, Strategy
from minebot.policy.plan import first_move, guess
from minebot.solver import Solver


@dataclass(frozen=True, slots=True)
class SimulationSettings:
    """What makes the games what they are; the number of workers does not."""

    width: int
    height: int
    mines: int
    first: First
    seed: int
    strategy: Strategy
    boards: str = ""
    """What stands for the file of boards, where they are given; then there is no seed."""


@dataclass(frozen=True, slots=True)
class Deal:
    """Game `number`, from 0: where the mines lie, and the square of the first click."""

    number: int
    layout: Layout
    first: int


@dataclass(frozen=True, slots=True)
class Record:
    """What is kept of a game, rounded to what a file of games has."""

    game: int
    won: bool
    opened: float
    """The share of the safe cells that were open at the end."""
    risks: tuple[float, ...]
    """The mine probability of each guess; in a lost game the last one was a mine."""
    milliseconds: tuple[float, ...]
    """How long each step took to work out: from a board to what to click, or in the compiled
    parts from a guess over all that is certain after it to the next guess."""


def deal(settings: SimulationSettings, number: int, first: int | None = None) -> Deal:
    """Deal game `number`: the same for the same seed, whoever deals it, in whatever order.

    The first click is on the square `first`, or else where the player would have it.
    """
    random = Random(f"{settings.seed}:{number}")
    if first is None:
        board = Board.hidden(settings.width, settings.height, settings.mines)
        (move,) = first_move(board, settings.first).moves
        first = board.square(move.x, move.y)
    clear = settings.first.clear(settings.width, settings.height, first)
    layout = Layout.scattered(settings.width, settings.height, settings.mines, random, clear)
    return Deal(number, layout, first)


def dealt_from(path: Path) -> list[Deal]:
    """The boards of a file: width, height, mines, x, y and layout of each, tab by tab.

    A line that begins with `#` names the columns; `layout_hex` is the mine bitmap in
    row-major order, four cells a digit, the first cell the highest bit. The file may
    be compressed. Raises UsageError.
    """
    with file_errors(path), gzip.open(path, "rt") if path.suffix == ".gz" else path.open() as file:
        try:
            lines = file.read().splitlines()
        except (EOFError, zlib.error) as error:
            raise UsageError(f"damaged: {error}") from error
    head = lines[0].lstrip("#").split("\t") if lines else []
    deals = []
    for number, line in enumerate(lines[1:]):
        row = dict(zip(head, line.split("\t"), strict=False))
        try:
            deals.append(_dealt(number, row))
        except (KeyError, ValueError, UsageError) as error:
            what = f"no column {error}" if isinstance(error, KeyError) else str(error)
            raise UsageError(f"{path}: line {number + 2}: {what}") from error
    if not deals:
        raise UsageError(f"{path}: holds no board")
    return deals


def _dealt(number: int, row: dict[str, str]) -> Deal:
    width, height, mines = int(row["width"]), int(row["height"]), int(row["mines"])
    digits = row["layout_hex"]
    bits = f"{int(digits, 16):0{4 * len(digits)}b}"
    layout = Layout(
        width, height, frozenset(square for square, bit in enumerate(bits) if bit == "1")
    )
    if len(layout.mines) != mines:
        raise UsageError(f"{mines} mines are announced, {len(layout.mines)} laid")
    x, y = int(row["x"]), int(row["y"])
    first = layout.square(x, y)
    if not (0 <= x < width and 0 <= y < height) or first in layout.mines:
        raise UsageError(f"x {x} and y {y}, counted from 0, are no safe cell")
    return Deal(number, layout, first)


def play(deal: Deal, strategy: Strategy) -> Record:
    """Play a game to its end."""
    if strategy in SETTINGS:
        return play_compiled(deal, SETTINGS[strategy])
    return play_with_solver(deal, strategy)


def play_compiled(deal: Deal, settings: GuessingSettings) -> Record:
    """Play a game to its end in the compiled parts, boards too large for these by least risk."""
    # They load for seconds.
    from minebot.policy.guessing.engine import CompiledGame  # noqa: PLC0415

    risks: list[float] = []
    milliseconds: list[float] = []
    began = time.perf_counter()
    game = CompiledGame(deal.layout)
    game.open(deal.first)
    while not game.over:
        if game.is_too_large:
            squares, risk = _solved(deal.layout.seen(game.opened), Solver())
        else:
            square, risk = game.guess(settings)
            squares = [square]
        if risk is not None:
            risks.append(round(risk, 6))
            now = time.perf_counter()
            milliseconds.append(round(1000 * (now - began), 2))
            began = now
        for square in squares:
            game.open(square)
    milliseconds.append(round(1000 * (time.perf_counter() - began), 2))
    return _record(deal, len(game.opened), risks, milliseconds)


def _solved(
    board: Board, solver: Solver, strategy: Strategy = Strategy.LEAST_RISK
) -> tuple[Sequence[int], float | None]:
    """The safe squares by the exact solver or, if there is none, a guess and its risk."""
    verdict = solver.solve(board)
    if verdict.safe:
        return verdict.safe, None
    plan = guess(board, verdict.risk or (), set(verdict.mines), strategy)
    assert plan.guess is not None, "a board that is not solved has a cell to guess"
    return [plan.guess.square], plan.guess.risk


def play_with_solver(deal: Deal, strategy: Strategy) -> Record:
    """Play a game to its end as on a screen: look, solve, click what is certain, or guess."""
    layout, solver = deal.layout, Solver()
    opened = set(layout.opened_by(deal.first))
    risks: list[float] = []
    milliseconds: list[float] = []
    lost = False
    while not lost and len(opened) + len(layout.mines) < layout.width * layout.height:
        board = layout.seen(opened)
        began = time.perf_counter()
        squares, risk = _solved(board, solver, strategy)
        if risk is not None:
            risks.append(round(risk, 6))
        milliseconds.append(round(1000 * (time.perf_counter() - began), 2))
        lost = not layout.mines.isdisjoint(squares)
        assert risk is not None or not lost, "what is certain is never a mine"
        for square in {*squares} - opened - layout.mines:
            opened |= layout.opened_by(square)
    return _record(deal, len(opened), risks, milliseconds)


def _record(
    deal: Deal, opened: int, risks: Sequence[float], milliseconds: Sequence[float]
) -> Record:
    safe = deal.layout.width * deal.layout.height - len(deal.layout.mines)
    share = round(opened / safe, 4) if safe else 1.0
    return Record(deal.number, opened == safe, share, tuple(risks), tuple(milliseconds))


@contextmanager
def stored(path: Path, settings: SimulationSettings) -> Iterator[ResultStore]:
    """Open or begin the file of these settings; raises UsageError for others, or no file."""
    with file_errors(path):
        if path.exists() and not path.is_file():
            raise UsageError("is no file that games can be kept in")
        file = path.open("a+b", buffering=0)
    with file:
        try:
            yield ResultStore(path, file, settings)
        finally:
            os.fsync(file.fileno())


class ResultStore:
    """An open file of games; raises UsageError if it holds something else, or other settings."""

    def __init__(self, path: Path, file: IO[bytes], settings: SimulationSettings) -> None:
        self._path = path
        self._file = file
        self.records: dict[int, Record] = {}
        """The games that are in it already, by number."""
        self._file.seek(0)
        text = self._file.read()
        whole = text.rfind(b"\n") + 1
        if not whole and not msgspec.json.encode(settings).startswith(text):
            raise UsageError(f"{self._path}: is not a file of simulated games")
        for number, line in enumerate(text[:whole].splitlines(), 1):
            try:
                if number == 1:
                    self._check(msgspec.json.decode(line, type=SimulationSettings), settings)
                else:
                    record = msgspec.json.decode(line, type=Record)
                    self.records.setdefault(record.game, record)
            except ValueError as error:  # no such JSON, or not UTF-8
                raise UsageError(f"{self._path}: line {number}: {error}") from error
        self._file.truncate(whole)
        if not whole:
            self.add(settings)

    def _check(self, found: SimulationSettings, wanted: SimulationSettings) -> None:
        has, wants = msgspec.to_builtins(found), msgspec.to_builtins(wanted)
        other = [
            f"{key} {has[key]!r} instead of {wants[key]!r}" for key in has if has[key] != wants[key]
        ]
        if other:
            raise UsageError(f"{self._path}: was made with other settings: {', '.join(other)}")

    def add(self, line: Record | SimulationSettings) -> None:
        """Write a game down, or in the first line the settings."""
        with file_errors(self._path):
            self._file.write(msgspec.json.encode(line) + b"\n")
