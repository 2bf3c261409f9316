"""Plays the games that cannot be given a board, on a private desktop, and checks each click.

    python -m benchmarks.known_games --game gnome-mines            20 games, all themes in turn
    python -m benchmarks.known_games --game kmines --theme green   one theme only
    python -m benchmarks.known_games --game xdemineur
    python -m benchmarks.known_games --game kmines --desktop sway  as a Wayland window

These games take no seed, so guesses decide many of them. What counts is that each game
ends won, or lost on a cell that was reported as a guess; that no click goes outside the
grid; that whatever changes on the board follows from the clicks that were sent
(misplaced clicks are those that changed something else); and that no click has to be
sent again.
"""

from __future__ import annotations

import argparse
import statistics
import sys
from collections import Counter, deque
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise

from rich.console import Console
from rich.table import Table

from fixtures.desktops.any_desktop import Opener, any_desktop
from fixtures.known_games import KNOWN_GAMES
from minebot.board import Action, Board, Cell, Move
from minebot.capture import Window
from minebot.desktop.ports import Desktop, find
from minebot.errors import MinebotError
from minebot.play.result import GameResult, Outcome, PlaySettings
from minebot.play.session import Session, open_session
from minebot.policy.guessing.prepare import prepare
from minebot.profile import load
from minebot.recording.recorder import Entry
from minebot.stop import Stop
from minebot.vision.grid import Grid

THEMES = {name: game.themes for name, game in KNOWN_GAMES.items()}
HARD, WIDE = (30, 16), 1000
"""The width in pixels up to which KMines' window is made larger for its hard board, whose tiles
would otherwise have a dozen pixels."""


@dataclass(frozen=True, slots=True)
class Played:
    """One game, and what its clicks did."""

    game: GameResult
    outside: int
    """Clicks outside the grid."""
    misplaced: int
    """Cells that changed though nothing that was clicked explains it."""
    again: int
    """Clicks that were sent a second time."""

    @property
    def honest(self) -> bool:
        """Whether it was won, or lost on a cell that was reported as a guess."""
        if self.game.outcome is Outcome.WON:
            return True
        board = self.game.board
        if self.game.outcome is not Outcome.LOST or board is None or not self.game.guesses:
            return False
        last = self.game.guesses[-1]
        return board.cells[last.square] == Cell.EXPLODED


def main() -> int:
    """Print a row for each theme; 1 when a game ended otherwise, or a click went wrong."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--game", choices=tuple(THEMES), default="gnome-mines")
    parser.add_argument("--theme", help="one of the game's (default: all, one after the other)")
    parser.add_argument("--games", type=int, default=20, help="in all (default: %(default)s)")
    parser.add_argument("--desktop", choices=("x11", "sway"), default="x11")
    parser.add_argument("--board", default="30x16", help="(default: %(default)s)")
    arguments = parser.parse_args()
    width, height = (int(part) for part in arguments.board.split("x"))
    themes = (arguments.theme,) if arguments.theme else THEMES[arguments.game]
    prepare()  # compiling would otherwise take most of the first game's time
    console = Console(width=140)
    on_sway = arguments.desktop == "sway"
    table = _table(arguments.game, arguments.board, "sway" if on_sway else "Xvfb and openbox")
    good = True
    with any_desktop(arguments.desktop) as desktop:
        for number, theme in enumerate(themes):
            count = len(range(number, arguments.games, len(themes)))
            played = []
            for one in _play(desktop.start, arguments.game, theme, (width, height), count):
                if isinstance(one, MinebotError):
                    console.print(f"{theme}: {type(one).__name__}: {one}")
                    good = False
                    continue
                played.append(one)
                good &= one.honest and not (one.outside or one.misplaced or one.again)
                console.print(f"{theme}: {_sentence(one)}")
            if played:
                _add_row(table, theme, count, played)
    console.print(table)
    return 0 if good else 1


def _play(
    opener: Opener, program: str, theme: str, size: tuple[int, int], count: int
) -> Iterator[Played | MinebotError]:
    """So many games, one after the other in one window; in a new one after an error."""
    left = count
    while left > 0:
        left -= 1
        try:
            with _session(opener, program, theme, size) as session:
                while True:
                    yield _one(session)
                    if not left or session.profile.behaviour.new_game_key is None:
                        break
                    left -= 1
                    session.new_game()
        except MinebotError as error:
            yield error


def _one(session: Session) -> Played:
    session.recorder.entries = deque()  # each look, not the last few
    game = session.play()
    last = session.player.last_seen
    assert last is not None
    return _checked(game, session.recorder.entries, last.grid)


@contextmanager
def _session(opener: Opener, program: str, theme: str, size: tuple[int, int]) -> Iterator[Session]:
    settings = {"theme": f"'{theme}'", "window-width": "1400", "window-height": "900"}
    started_as: list[str] = []
    mines = None
    if program == "kmines":
        level = "Hard" if size == HARD else "Easy"
        settings = {"KgTheme/Theme": f"themes/{theme}.desktop", "KgDifficulty/Level": level}
    elif program == "xdemineur":
        # Its counter, in segments, is no text that could be read.
        settings, mines = {}, 99
        started_as = ["-geometry", f"{size[0]}x{size[1]}", "-m", "99"]
    with opener([program, *started_as], settings) as (desktop, window):
        if program == "kmines" and size == HARD:
            with desktop.open(window, Stop()) as window_session:
                while _width(desktop, window) < WIDE and window_session.control.enlarge():
                    pass
        profile = load(program)
        with open_session(
            desktop, window, profile, Stop(), PlaySettings(mines=mines), size=size
        ) as session:
            yield session


def _width(desktop: Desktop, window: Window) -> int:
    rect = find(window.id, desktop.windows()).rect
    assert rect is not None
    return rect.width


def _checked(game: GameResult, entries: Iterable[Entry], grid: Grid) -> Played:
    """What the game's clicks did, from everything that was seen and sent."""
    sent: Counter[Move] = Counter()
    outside = misplaced = 0
    seen = [entry for entry in entries if entry.board is not None and not entry.problem]
    for entry in seen:
        for move in entry.moves:
            outside += not grid.bounds.holds(grid.centre(move.x, move.y))
    for before, after in pairwise(seen):
        sent.update(before.moves)
        assert before.board is not None
        assert after.board is not None
        ended = after is seen[-1] and game.outcome is not None
        misplaced += _unexplained(before.board, after.board, sent, ended=ended)
    return Played(game, outside, misplaced, sum(count - 1 for count in sent.values()))


def _unexplained(before: Board, after: Board, sent: Counter[Move], *, ended: bool) -> int:
    """How many squares changed that no click explains."""
    wrong = 0
    for square, (old, new) in enumerate(zip(before.cells, after.cells, strict=True)):
        if old == new:
            continue
        x, y = before.xy(square)
        if new <= Cell.EIGHT:
            clicked = Move(Action.OPEN, x, y) in sent
            wrong += not clicked and not any(
                after.cells[other] == Cell.EMPTY or _is_chord(after, other, sent)
                for other in after.neighbours(square)
            )
        elif new == Cell.EXPLODED:
            wrong += Move(Action.OPEN, x, y) not in sent
        elif new == Cell.FLAG:
            wrong += Move(Action.FLAG, x, y) not in sent and not ended
        elif new == Cell.MINE:
            wrong += not ended
        else:
            wrong += Move(Action.UNFLAG, x, y) not in sent
    return wrong


def _is_chord(board: Board, square: int, sent: Counter[Move]) -> bool:
    """Whether a click on the square opens its neighbours, had another opened it before."""
    flags = sum(board.cells[other] == Cell.FLAG for other in board.neighbours(square))
    return Move(Action.OPEN, *board.xy(square)) in sent and flags == board.cells[square]


def _sentence(one: Played) -> str:
    game = one.game
    assert game.outcome is not None
    risks = ", ".join(f"{100 * guess.risk:.0f} %" for guess in game.guesses) or "none"
    wrong = f"outside {one.outside}, misplaced {one.misplaced}, again {one.again}"
    how = "" if one.honest else f" NOT ON A GUESS {game.reason}"
    return (
        f"{game.outcome.value}{how} in {game.seconds:.2f} s, {game.clicks} clicks, "
        f"guesses {risks}; {wrong}"
    )


def _table(program: str, board: str, desktop: str) -> Table:
    table = Table(title=f"minebot on {program}, {board}, {desktop}")
    headings = (
        "theme", "games", "won", "lost on a guess", "otherwise", "outside", "misplaced",
        "sent again", "median s", "of those won", "clicks",
    )  # fmt: skip
    for heading in headings:
        table.add_column(heading, justify="right")
    return table


def _add_row(table: Table, theme: str, count: int, played: list[Played]) -> None:
    won = [one for one in played if one.game.outcome is Outcome.WON]
    lost = [one for one in played if one.game.outcome is Outcome.LOST and one.honest]
    table.add_row(
        theme,
        str(count),
        str(len(won)),
        str(len(lost)),
        str(count - len(won) - len(lost)),
        str(sum(one.outside for one in played)),
        str(sum(one.misplaced for one in played)),
        str(sum(one.again for one in played)),
        f"{statistics.median(one.game.seconds for one in played):.2f}",
        f"{statistics.median(one.game.seconds for one in won):.2f}" if won else "",
        f"{statistics.median(one.game.clicks for one in played):.0f}",
    )


if __name__ == "__main__":
    try:
        sys.exit(main())
    except MinebotError as error:
        sys.exit(f"known_games: {error}")
