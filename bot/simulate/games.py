"""One game without a screen: the layout that is dealt, how it is played, what is kept of it."""

from __future__ import annotations

import gzip
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random
from typing import Any, Self

from bot.board import Action, Board
from bot.errors import UsageError
from bot.layout import Layout
from bot.policy.plan import First, Strategy, certain_moves, first_move, guess
from bot.solver import Solver

__all__ = ["Deal", "Record", "SimulationSettings", "deal", "dealt_from", "play"]


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

    def facts(self) -> dict[str, Any]:
        """As JSON has it."""
        return asdict(self) | {"first": self.first.value, "strategy": self.strategy.value}


@dataclass(frozen=True, slots=True)
class Deal:
    """Game `number`, from 0: where the mines lie, and the square of the first click."""

    number: int
    layout: Layout
    first: int


@dataclass(frozen=True, slots=True)
class Record:
    """What is kept of a game."""

    game: int
    won: bool
    opened: float
    """The share of the safe cells that were open at the end."""
    risks: tuple[float, ...]
    """The mine probability of each guess; in a lost game the last one was a mine."""
    milliseconds: tuple[float, ...]
    """How long each step took to work out: from a board to what to click."""

    def facts(self) -> dict[str, Any]:
        """As JSON has it."""
        return {
            "game": self.game,
            "won": self.won,
            "opened": round(self.opened, 4),
            "risks": [round(risk, 6) for risk in self.risks],
            "milliseconds": [round(time, 2) for time in self.milliseconds],
        }

    @classmethod
    def from_facts(cls, facts: dict[str, Any]) -> Self:
        """Read back; raises KeyError or TypeError where something is missing."""
        return cls(
            int(facts["game"]),
            bool(facts["won"]),
            float(facts["opened"]),
            tuple(facts["risks"]),
            tuple(facts["milliseconds"]),
        )


def deal(settings: SimulationSettings, number: int) -> Deal:
    """Deal game `number`: the same for the same seed, whoever deals it, in whatever order."""
    random = Random(f"{settings.seed}:{number}")
    board = Board.hidden(settings.width, settings.height, settings.mines)
    (move,) = first_move(board, settings.first).moves
    first = board.square(move.x, move.y)
    clear = {first}
    if settings.first is First.OPENING:
        clear.update(board.neighbours(first))
    layout = Layout.scattered(settings.width, settings.height, settings.mines, random, clear)
    return Deal(number, layout, first)


def dealt_from(path: Path) -> list[Deal]:
    """The boards of a file: width, height, mines, x, y and layout of each, tab by tab.

    A line that begins with `#` names the columns; `layout_hex` is the mine bitmap in
    row-major order, four cells a digit, the first cell the highest bit. The file may
    be compressed. Raises UsageError.
    """
    try:
        with gzip.open(path, "rt") if path.suffix == ".gz" else path.open() as file:
            lines = file.read().splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{path}: cannot be read: {error}") from error
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
        raise UsageError(f"({x}, {y}) is no safe square")
    return Deal(number, layout, first)


def play(deal: Deal, strategy: Strategy) -> Record:
    """Play a game to its end."""
    layout = deal.layout
    solver = Solver()
    opened = set(layout.opened_by(deal.first))
    covered = set(range(layout.width * layout.height)) - opened
    safe = len(covered) + len(opened) - len(layout.mines)
    proven: set[int] = set()
    risks: list[float] = []
    milliseconds: list[float] = []
    won = True
    while won and len(covered) > len(layout.mines):
        board = layout.seen(opened)
        began = time.perf_counter()
        verdict = solver.solve(board)
        proven.update(verdict.mines)
        moves = certain_moves(board, verdict.safe, proven, flags=False)
        if not moves:
            plan = guess(board, verdict.risk or (), proven, strategy)
            moves = plan.moves
            assert plan.guess is not None, "a board that is not solved has a cell to guess"
            risks.append(plan.guess.risk)
        milliseconds.append(1000 * (time.perf_counter() - began))
        for move in moves:
            assert move.action is Action.OPEN
            square = layout.square(move.x, move.y)
            if square in layout.mines:
                assert not verdict.safe, "what is certain is never a mine"
                won = False
            elif square in covered:
                new = layout.opened_by(square, covered)
                opened |= new
                covered -= new
    return Record(deal.number, won, len(opened) / safe, tuple(risks), tuple(milliseconds))
