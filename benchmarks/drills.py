"""Whether drills find a player's weakness, and whether any of their answers is wrong.

    python -m benchmarks.drills --games 20 --workers 2

Twenty made-up players play games of 16x16 cells with 51 mines, as crowded as expert boards. Each
looks through the safe cells beside its last click, the nearest first, and opens the first one that
it sees; it sees all kinds but one, which it misses four times out of five. Where it sees none it
guesses, and now and then it is hasty and guesses all the same. Its games are reviewed and kept as
`review --drill` does; the weakness has to be at the top of the table of `drill --stats`.

Then every drill that arose is answered with every covered cell. Where a cell is safe, a SAT solver
of its own, with another encoding, says which ones are; where none is, what is taken for right is
held against the exact risks and the program's own choice.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Iterator
from multiprocessing import Pool
from pathlib import Path
from random import Random
from typing import NamedTuple

from rich.console import Console
from rich.table import Table

from benchmarks.why import Checker
from minebot.analysis.drill_store import opened
from minebot.analysis.drills import Tally, reply, situation
from minebot.analysis.move_rating import NEAR, rate
from minebot.analysis.played_game import Click, ClickEvent, PlayedGame, Simulated
from minebot.analysis.review import review
from minebot.board import Action, Board, Cell
from minebot.layout import Layout
from minebot.policy.guessing.prepare import prepare
from minebot.policy.plan import Reason, guess
from minebot.solver import Solver, Verdict

WEAKNESSES = (
    *("1-1", "1-2", "1-3", "1-4", "2-2", "2-3", "2-4", "overlap", "contradiction", "mine count"),
    *("satisfied clue", "satisfied clue at the edge", "satisfied clue in the corner"),
    *("1-2 at the edge", "1-3 at the edge", "overlap at the edge", "at the edge", "in the corner"),
    *("guess", "flag"),
)
"""What each player misses; without a place anywhere on the board, without a pattern any."""
MISSED = 0.8
"""How often it misses that."""
HASTE = 0.002
"""How often a player guesses without looking."""
LOOKED_AT = 12
"""Safe cells beside the last click that a player looks through."""
FLAGS = 0.05
"""How often a player sets a flag before it opens a cell."""
WIDTH, HEIGHT, MINES = 16, 16, 51


class Played(NamedTuple):
    """A player's table, and its drills."""

    weakness: str
    won: int
    tallies: tuple[Tally, ...]
    drills: tuple[Board, ...]


def main() -> int:
    """Print the tables; 1 if a weakness is not at the top or an answer is wrong."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--games", type=int, default=20, help="games of each player")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--seed", type=int, default=20261127)
    arguments = parser.parse_args()
    prepare()
    began = time.time()
    with Pool(arguments.workers) as pool:
        jobs = [(weakness, arguments.games, arguments.seed) for weakness in WEAKNESSES]
        players = list(pool.imap(play, jobs, chunksize=1))
        console = Console(width=110)
        console.print(_table(players))
        found = sum(_is_top(player) for player in players)
        console.print(f"{found} of {len(players)} weaknesses are at the top of their tables")
        boards = list(dict.fromkeys(board for player in players for board in player.drills))
        checked = pool.imap(check, boards, chunksize=1)
        cells = safe = wrong = 0
        for board, (answers, certain, problem) in zip(boards, checked, strict=True):
            cells += answers
            safe += certain
            if problem:
                wrong += 1
                print(f"{problem}\n{board}\nmines in all: {board.mines}")
    console.print(
        f"{len(boards)} drills, {safe} of them with a safe cell; {cells} answers, drills with a "
        f"wrong one: {wrong}; {time.time() - began:.0f} s"
    )
    return int(found < len(players) or wrong > 0)


def play(job: tuple[str, int, int]) -> Played:
    """The games of one player, kept as drills."""
    weakness, games, seed = job
    won = 0
    with tempfile.TemporaryDirectory() as folder, opened(Path(folder) / "drills") as store:
        for number in range(games):
            player = Player(weakness, Random(f"{seed}:{weakness}:{number}"))
            game = player.play()
            won += game.won
            store.keep(review(game))
        boards = tuple(drill.board for drill in store.drills())
        return Played(weakness, won, tuple(store.tallies()), boards)


class Player:
    """Somebody who misses one kind of situation."""

    def __init__(self, weakness: str, random: Random) -> None:
        self._weakness = weakness
        self._random = random
        self._solver = Solver()

    def play(self) -> PlayedGame:
        """One game, a click a second."""
        first = 3 * WIDTH + 3
        board = Board.hidden(WIDTH, HEIGHT, MINES)
        clear = {first, *board.neighbours(first)}
        layout = Layout.scattered(WIDTH, HEIGHT, MINES, self._random, clear)
        shows = [
            Cell.MINE if at in layout.mines else layout.numbers[at] for at in range(WIDTH * HEIGHT)
        ]
        game = Simulated(board, shows)
        acts: list[ClickEvent] = []
        click: tuple[Action, int] | None = (Action.OPEN, first)
        while click is not None:
            action, square = click
            before = game.board
            after = game.click(action, square)
            acts.append(ClickEvent(Click(float(len(acts)), action, square), before, after))
            done = after.lost or after.covered == MINES
            click = None if done else self._next(after, square)
        return PlayedGame("a made-up game", tuple(acts), game.board, float(len(acts)))

    def _next(self, board: Board, last: int) -> tuple[Action, int]:
        verdict = self._solver.solve(board, risk=True)
        assert verdict.risk is not None
        if self._random.random() < FLAGS:
            flag = self._flag(board, verdict)
            if flag is not None:
                return Action.FLAG, flag
        free = [at for at in verdict.safe if board.cells[at] == Cell.HIDDEN]
        if verdict.safe and not free:
            return Action.UNFLAG, verdict.safe[0]
        left = [at for at in board.squares(Cell.HIDDEN) if verdict.risk[at] != 1.0]
        if not left:  # The cells that are not certain bear flags.
            flags = board.squares(Cell.FLAG)
            return Action.UNFLAG, next(at for at in flags if verdict.risk[at] != 1.0)
        if free and self._random.random() >= HASTE:
            for square in sorted(free, key=lambda at: board.distance(last, at))[:LOOKED_AT]:
                if not self._misses(_kind(board, verdict, square)):
                    return Action.OPEN, square
        return Action.OPEN, self._guess(board, verdict, certain=bool(verdict.safe))

    def _misses(self, kind: str) -> bool:
        return _matches(kind, self._weakness) and self._random.random() < MISSED

    def _guess(self, board: Board, verdict: Verdict, *, certain: bool) -> int:
        """The least risky uncertain cell; where nothing is certain the best guess or a bad one."""
        assert verdict.risk is not None
        risks = {
            at: risk
            for at, risk in enumerate(verdict.risk)
            if risk and risk < 1 and board.cells[at] == Cell.HIDDEN
        }
        if not risks:  # Only certain cells are left: even this player sees one in the end.
            return next(at for at in verdict.safe if board.cells[at] == Cell.HIDDEN)
        least = min(risks, key=lambda at: (risks[at], at))
        if certain:
            return least
        if self._misses("guess"):
            return self._random.choice(list(risks))
        best = guess(board, verdict.risk, set(verdict.mines)).guess
        return least if best is None else best.square

    def _flag(self, board: Board, verdict: Verdict) -> int | None:
        """A certain mine or, missed, any other cell beside a number that is not safe."""
        assert verdict.risk is not None
        hidden = [at for at in board.squares(Cell.HIDDEN) if verdict.risk[at]]
        touching = [
            at
            for at in hidden
            if any(board.cells[one] <= Cell.EIGHT for one in board.neighbours(at))
        ]
        wrong = self._misses("flag")
        cells = [at for at in touching if (verdict.risk[at] == 1.0) is not wrong]
        return self._random.choice(cells) if cells else None


def _kind(board: Board, verdict: Verdict, square: int) -> str:
    """What a safe cell is called by the program that judges the player."""
    click = Click(0.0, Action.OPEN, square)
    event = ClickEvent(click, board, board.showing({square: Cell.ONE}))
    return situation(rate(event, verdict)) or ""


def _matches(kind: str, weakness: str) -> bool:
    pattern = kind.partition(" at ")[0].partition(" in ")[0]
    return weakness in (kind, pattern, kind.removeprefix(f"{pattern} "))


def _is_top(player: Played) -> bool:
    top = player.tallies[0]
    return top.missed > 0 and _matches(top.kind, player.weakness)


def _table(players: list[Played]) -> Table:
    table = Table(title="the weakness of each player, and the top of its table")
    for name in ("weakness", "won", "drills", "missed", "top of the table", "next"):
        table.add_column(name, justify="right" if name in ("won", "drills", "missed") else "left")
    for player in players:
        own = [one for one in player.tallies if _matches(one.kind, player.weakness)]
        missed = str(sum(one.missed for one in own))
        rows = [f"{one.kind} {one.missed}/{len(one.met)}" for one in player.tallies[:2]]
        rows[0] += "" if _is_top(player) else " (no)"
        table.add_row(player.weakness, str(player.won), str(len(player.drills)), missed, *rows)
    return table


def check(board: Board) -> tuple[int, bool, str]:
    """How many answers a drill has, whether a cell of it is safe, and what is wrong with them."""
    covered = [at for at, cell in enumerate(board.cells) if cell == Cell.HIDDEN]
    right = {at for at in covered if reply(board, at).right}
    safe = set(_proven(board, covered))
    if safe:
        return len(right), True, "" if right == safe else f"right {right}, but safe are {safe}"
    verdict = Solver().solve(board, risk=True)
    assert verdict.risk is not None
    choice = guess(board, verdict.risk, set(verdict.mines), every=True).choice
    assert choice is not None
    best = choice.best
    scores = {one.square: one.score for one in choice.candidates}
    if best.square not in right:
        return len(right), False, "the program's own guess is wrong"
    for at in right:
        score, risk = scores.get(at), verdict.risk[at] or 0.0
        if score is not None and best.score is not None and score < best.score - NEAR:
            return len(right), False, f"{board.name_of(at)} scores {score}, the best {best.score}"
        if choice.reason is not Reason.ENDGAME and risk > best.risk + NEAR:
            return len(right), False, f"{board.name_of(at)} has risk {risk}, the best {best.risk}"
    return len(right), False, ""


def _proven(board: Board, covered: list[int]) -> Iterator[int]:
    """The cells that hold no mine in any layout, by a solver that shares nothing with minebot's."""
    clues = [
        at
        for at, cell in enumerate(board.cells)
        if cell <= Cell.EIGHT
        and any(board.cells[one] == Cell.HIDDEN for one in board.neighbours(at))
    ]
    left = set(covered)
    with Checker(board, board.mines is not None) as checker:
        while left:
            square = left.pop()
            if checker.proves(clues, square, mine=False):
                yield square
            else:
                left -= checker.mines()


if __name__ == "__main__":
    sys.exit(main())
