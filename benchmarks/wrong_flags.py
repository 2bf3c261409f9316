"""Games begun on boards where the user has set one to five wrong flags that fit what is open.

    python -m benchmarks.wrong_flags --games 300            made-up windows, 9x9
    python -m benchmarks.wrong_flags --games 0 --real 6     Simon Tatham's Mines, 16x16
    python -m benchmarks.wrong_flags --style efficient      played with chords
    python -m benchmarks.wrong_flags --games 40 --control   whether it would report a mine

A wrong flag fits where some layout has mines under all the flags. A mine that is opened counts as
avoidable where something was certain at that moment, or it was no guess. The boards of the real
game need no guess: each has to be won. Returns 1 where a mine was avoidable.

The control has each made-up game open a mine in place of a cell, once something is certain; every
other one of these passes for a guess. Each has to be counted as avoidable: it returns 1 if not.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Callable

from fixtures.running_game import RunningGame
from minebot.actuator import Button
from minebot.board import Action, Board, Cell, Move
from minebot.desktop.choose import native
from minebot.errors import Contradiction
from minebot.layout import Layout
from minebot.play.result import Outcome, PlaySettings
from minebot.play.session import Session, open_session
from minebot.policy.style import Style
from minebot.profile import load
from minebot.sandbox.private_display import PrivateDisplay
from minebot.solver import Solver, solve
from minebot.stop import Stop
from tests.support.fake_game import FakeGame, Table

MINES = (10, 12, 16)
FLAGS = range(1, 6)


def main() -> int:
    """Print how the games ended; returns 1 where a mine could have been avoided."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--games", type=int, default=300, help="(default: %(default)s)")
    parser.add_argument("--real", type=int, default=0, help="(default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--style", type=Style, default=Style.FAST, metavar="STYLE")
    parser.add_argument("--control", action="store_true", help="open mines: all have to be counted")
    arguments = parser.parse_args()
    rng, settings = random.Random(arguments.seed), PlaySettings(style=arguments.style)
    if arguments.control:
        return _control(rng, arguments.games)
    won = lost = avoidable = flags = 0
    for _ in range(arguments.games):
        game = MadeUp(rng)
        outcome, wrong = game.play(settings), game.flags
        won, lost = won + (outcome is Outcome.WON), lost + (outcome is Outcome.LOST)
        flags, avoidable = flags + wrong, avoidable + game.avoidable()
    print(f"made up: {won} won, {lost} lost, {flags} wrong flags, {avoidable} avoidable mines")
    with PrivateDisplay() as display:
        for seed in range(arguments.real):
            outcome, flags = _real(display, seed, rng, settings)
            avoidable += outcome is not Outcome.WON
            print(
                f"16x16n40#{seed}: {outcome.value if outcome else None}, {flags} flags", flush=True
            )
    return 1 if avoidable else 0


def _flagged(board: Board, cells: list[int], count: int, flag: Callable[[int], Board]) -> int:
    """Flag some of the cells, as many as fit with what is open; how many."""
    done = 0
    for square in cells:
        shown = str(board).replace("F", "*").replace("\n", "")
        tried = bytes(
            Cell.MINE if at == square or kind == "*" else cell
            for at, (kind, cell) in enumerate(zip(shown, board.cells, strict=True))
        )
        fits = Solver().is_possible(Board(board.width, board.height, board.mines, tried))
        if done < count and fits:
            board, done = flag(square), done + 1
    return done


def _beside_digits(board: Board, cells: list[int], rng: random.Random) -> list[int]:
    """The cells in some order, those beside open ones first."""
    rng.shuffle(cells)
    return sorted(cells, key=lambda s: all(board.cells[n] > 8 for n in board.neighbours(s)))


class MadeUp:
    """A made-up game, begun, with wrong flags on it."""

    def __init__(self, rng: random.Random) -> None:
        layout = Layout.scattered(9, 9, rng.choice(MINES), rng, clear=range(3))
        self.game = game = FakeGame(layout)
        game.apply(0, Button.LEFT)
        safe = [square for square in game.board.squares(Cell.HIDDEN) if square not in layout.mines]

        def flag(square: int) -> Board:
            game.apply(square, Button.RIGHT)
            return self.board

        order = _beside_digits(game.board, safe, rng)
        self.flags = _flagged(self.board, order, rng.choice(FLAGS), flag)
        game.paint()
        self._apply, game.apply = game.apply, self._watched  # type: ignore[method-assign]
        self.hits: list[tuple[Board, int]] = []
        """The mines that were opened, each with the board before."""
        self.guesses: set[int] = set()
        self.spoilt: list[int] = []
        """The mines among these that were opened in place of another cell."""

    @property
    def board(self) -> Board:
        """What shows, with the mine total."""
        return self.game.board.with_mines(len(self.game.layout.mines))

    def _watched(self, square: int, button: Button) -> None:
        before, opened = self.board, len(self.game.opened)
        self._apply(square, button)
        if set(self.game.opened[opened:]) & self.game.layout.mines:
            self.hits.append((before, square))

    def play(self, settings: PlaySettings | None = None) -> Outcome | None:
        """Play to the end; None where the player gives up."""
        table = Table(self.game, settings, mines=len(self.game.layout.mines))
        try:
            return table.play().outcome
        except Contradiction:
            return None
        finally:
            self.guesses = table.player.game.guessed

    def avoidable(self) -> int:
        """How many of the mines that were opened could have been avoided."""
        return sum(
            square not in self.guesses or bool(solve(board, every=True).safe)
            for board, square in self.hits
        )

    def spoil(self) -> None:
        """Open a mine in place of the first cell that is opened while something is certain."""

        def mangle(square: int, button: Button) -> list[tuple[int, Button]]:
            mines = self.game.layout.mines.intersection(self.board.squares(Cell.HIDDEN))
            if button is Button.LEFT and mines and solve(self.board, every=True).safe:
                self.spoilt.append(min(mines))
                return [(min(mines), button)]
            return [(square, button)]

        self.game.mangle = mangle


def _control(rng: random.Random, games: int) -> int:
    """Whether all mines that spoilt games open are counted: 0, else 1."""
    spoilt = counted = 0
    for number in range(games):
        game = MadeUp(rng)
        game.spoil()
        game.play()
        if number % 2:
            game.guesses.update(game.spoilt)
        spoilt, counted = spoilt + len(game.spoilt), counted + game.avoidable()
    print(f"control: {spoilt} mines opened in place of a cell, {counted} counted as avoidable")
    return 0 if spoilt == counted > 0 else 1


def _real(
    display: PrivateDisplay, seed: int, rng: random.Random, settings: PlaySettings
) -> tuple[Outcome | None, int]:
    with RunningGame(display, f"16x16n40#{seed}") as game:
        desktop, stop = native(display.name), Stop()
        window = desktop.pick(game.window, lambda _: True)
        with open_session(desktop, window, load("sgt-mines"), stop, settings) as session:
            board, plan = session.player.preview()
            if not board.begun:
                _do(session, plan.moves[0])
                board, _ = session.player.preview()
            covered = [s for s in board.squares(Cell.HIDDEN) if s not in solve(board).mines]

            def flag(square: int) -> Board:
                x, y = board.xy(square)
                _do(session, Move(Action.FLAG, x, y))
                return session.player.preview()[0]

            order = _beside_digits(board, covered, rng)
            flags = _flagged(board, order, rng.choice(FLAGS), flag)
            return session.play().outcome, flags


def _do(session: Session, move: Move) -> None:
    """Click as the user would, and wait until it shows."""
    seen = session.player.last_seen
    assert seen is not None
    session.player.clicker.click(move, seen)
    while session.observer.read().board == seen.board:
        session.observer.wait()


if __name__ == "__main__":
    sys.exit(main())
