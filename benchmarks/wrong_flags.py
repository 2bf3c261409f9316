"""Games begun on boards where the user has set one to five wrong flags that fit what is open.

    python benchmarks/wrong_flags.py --games 300            made-up windows, 9x9
    python benchmarks/wrong_flags.py --games 0 --real 6     Simon Tatham's Mines, 16x16

A wrong flag fits where some layout has mines under all the flags. A mine that is opened counts as
avoidable where something was certain at that moment, or it was no guess. The boards of the real
game need no guess: each has to be won. Returns 1 where a mine was avoidable.
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
    arguments = parser.parse_args()
    rng = random.Random(arguments.seed)
    won = lost = avoidable = flags = 0
    for _ in range(arguments.games):
        outcome, wrong, hit = _made_up(rng)
        won, lost = won + (outcome is Outcome.WON), lost + (outcome is Outcome.LOST)
        flags, avoidable = flags + wrong, avoidable + hit
    print(f"made up: {won} won, {lost} lost, {flags} wrong flags, {avoidable} avoidable mines")
    with PrivateDisplay() as display:
        for seed in range(arguments.real):
            outcome, flags = _real(display, seed, rng)
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


def _made_up(rng: random.Random) -> tuple[Outcome | None, int, int]:
    layout = Layout.scattered(9, 9, rng.choice(MINES), rng, clear=range(3))
    game = FakeGame(layout)
    game.apply(0, Button.LEFT)
    total = len(layout.mines)

    def flag(square: int) -> Board:
        game.apply(square, Button.RIGHT)
        return game.board.with_mines(total)

    safe = [square for square in game.board.squares(Cell.HIDDEN) if square not in layout.mines]
    order = _beside_digits(game.board, safe, rng)
    wrong = _flagged(game.board.with_mines(total), order, rng.choice(FLAGS), flag)
    game.paint()
    apply, hits = game.apply, list[tuple[Board, int]]()

    def watched(square: int, button: Button) -> None:
        before, opened = game.board.with_mines(total), len(game.opened)
        apply(square, button)
        if set(game.opened[opened:]) & layout.mines:
            hits.append((before, square))

    game.apply = watched  # type: ignore[method-assign]
    table = Table(game, mines=total)
    try:
        outcome: Outcome | None = table.play().outcome
    except Contradiction:
        outcome = None
    guesses = {(guess.x, guess.y) for guess in table.player.game.guesses}
    avoidable = sum(
        board.xy(square) not in guesses or bool(solve(board, every=True).safe)
        for board, square in hits
    )
    return outcome, wrong, avoidable


def _real(display: PrivateDisplay, seed: int, rng: random.Random) -> tuple[Outcome | None, int]:
    with RunningGame(display, f"16x16n40#{seed}") as game:
        desktop, stop = native(display.name), Stop()
        window = desktop.pick(game.window, lambda _: True)
        with open_session(desktop, window, load("sgt-mines"), stop, PlaySettings()) as session:
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
    seen = session.player.last
    assert seen is not None
    session.player.clicker.click(move, seen)
    while session.observer.read().board == seen.board:
        session.observer.wait()


if __name__ == "__main__":
    sys.exit(main())
