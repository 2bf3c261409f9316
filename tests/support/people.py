"""Games as people play them: made up on known boards, with mistakes that are known."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

from minebot.analysis.played_game import Click, PlayedGame, Simulated, replayed
from minebot.board import Action, Board, Cell
from minebot.layout import Layout
from minebot.solver import Solver


def shows(layout: Layout) -> list[int]:
    """What each square of a layout turns out to show."""
    return [
        Cell.MINE if at in layout.mines else layout.numbers[at]
        for at in range(layout.width * layout.height)
    ]


def played(
    layout: Layout, clicks: Iterable[tuple[float, Action, int]], source: str = "a game"
) -> PlayedGame:
    """The game that these clicks make on a layout."""
    start = Board.hidden(layout.width, layout.height, len(layout.mines))
    made = [Click(*click) for click in clicks]
    game = Simulated(start, shows(layout))
    return replayed(source, made, game, made[-1].seconds if made else 0.0)


def careful(layout: Layout, first: int, random: Random, slips: float = 0.0) -> PlayedGame:
    """A player who sees everything, flags now and then, and slips with that chance a click."""
    clicks: list[tuple[float, Action, int]] = [(0.0, Action.OPEN, first)]
    solver = Solver()
    while True:
        game = played(layout, clicks)
        board = game.final
        if board.lost or board.covered == len(layout.mines):
            return game
        verdict = solver.solve(board, risk=True)
        assert verdict.risk is not None
        now = clicks[-1][0] + random.uniform(0.2, 0.6)
        risky = [at for at, risk in enumerate(verdict.risk) if risk and at not in layout.mines]
        if risky and random.random() < slips:
            clicks.append((now, Action.OPEN, random.choice(risky)))
        elif verdict.safe:
            clicks.append((now, Action.OPEN, random.choice(verdict.safe)))
        else:
            least = min(risk for risk in verdict.risk if risk is not None)
            clicks.append((now, Action.OPEN, list(verdict.risk).index(least)))


def with_chords(layout: Layout, first: int, random: Random) -> PlayedGame:
    """A game with flags and chords, some of them useless."""
    clicks = [(0.0, Action.OPEN, first)]
    while True:
        game = played(layout, clicks)
        if game.won or game.final.lost:
            return game
        now = clicks[-1][0] + random.randint(1, 900) / 1000
        board = game.final
        numbers = [at for at, cell in enumerate(board.cells) if 0 < cell <= 8]
        ready = [
            at
            for at in numbers
            if (around := [board.cells[other] for other in board.neighbours(at)])
            and around.count(Cell.FLAG) == board.cells[at]
            and Cell.HIDDEN in around
        ]
        if ready:
            clicks.append((now, Action.CHORD, random.choice(ready)))
            continue
        wanted = sorted(layout.mines - set(board.squares(Cell.FLAG)))
        if wanted and random.random() < 0.7:
            clicks.append((now, Action.FLAG, random.choice(wanted)))
        else:
            hidden = [at for at in board.squares(Cell.HIDDEN) if at not in layout.mines]
            clicks.append((now, Action.OPEN, random.choice(hidden)))
