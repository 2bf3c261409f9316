"""Reports games to people and programs: live line, outcomes, tables, JSON lines."""

from __future__ import annotations

import statistics
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from typing import TYPE_CHECKING, Self

from minebot.board import counted
from minebot.cli.console import console
from minebot.cli.console import table as made_table
from minebot.desktop.ports import StopWay
from minebot.play.player import Player
from minebot.play.result import GameResult, Outcome
from minebot.puzzle.texts import percent

if TYPE_CHECKING:
    from rich.live import Live
    from rich.table import Table
    from rich.text import Text


def facts(game: GameResult, window: str) -> dict[str, object]:
    """A game's line of JSON.

    `3bv` is the board's, `3bv_per_second` what was solved of it a second; null where its
    mines are not known. `risks` are those of the guesses; `hit_a_guess` is whether the mine
    that was hit lay under the last of them, null where none was hit.
    """
    board = game.board
    return {
        "outcome": game.outcome.value if game.outcome else "stuck",
        "seconds": round(game.seconds, 4),
        "clicks": game.clicks,
        "flags": game.flags,
        "guesses": len(game.guesses),
        "risks": [round(guess.risk, 6) for guess in game.guesses],
        "hit_a_guess": game.hit_a_guess,
        "rounds": game.rounds,
        "3bv": game.figures.bbbv,
        "3bv_per_second": None if (speed := game.figures.speed) is None else round(speed, 3),
        "width": board.width if board else None,
        "height": board.height if board else None,
        "mines": board.mines if board else None,
        "window": window,
    }


def sentence(game: GameResult) -> str:
    """A game in one line: outcome, time, clicks, guesses with their risks."""
    outcome = game.outcome.value if game.outcome else "unfinished"
    if game.outcome in {Outcome.WON, Outcome.LOST} and not game.clicks:
        return f"the game was {outcome} already: nothing was clicked"
    reason = f" ({game.reason})" if game.reason else ""
    guesses = "no guess"
    if game.guesses:
        risks = ", ".join(f"{percent(guess.risk)} %" for guess in game.guesses)
        guesses = f"{counted(len(game.guesses), 'guess', 'guesses')} at {risks}"
    return (
        f"{outcome}{reason} in {game.seconds:.2f} s: {counted(game.clicks, 'click')}"
        f" in {counted(game.rounds, 'round')}, {guesses}"
    )


def table(games: Sequence[GameResult]) -> Table:
    """Each game's figures; below, minimum, median and maximum of the times of those won."""
    won = [game for game in games if game.outcome is Outcome.WON]
    shown = made_table(
        ("game", "outcome", *_COLUMNS), words=2, title=f"{len(won)} of {len(games)} won"
    )
    for number, game in enumerate(games, 1):
        outcome = game.outcome.value if game.outcome else "unfinished"
        shown.add_row(str(number), outcome, *_picked([game], min))
    if won:
        shown.add_section()
        for name, pick in (("minimum", min), ("median", statistics.median), ("maximum", max)):
            shown.add_row(name, "won", *_picked(won, pick))
    return shown


_COLUMNS: Mapping[str, tuple[Callable[[GameResult], float | None], str]] = {
    "seconds": (lambda game: game.seconds, ".2f"),
    "clicks": (lambda game: game.clicks, ".0f"),
    "rounds": (lambda game: game.rounds, ".0f"),
    "guesses": (lambda game: len(game.guesses), ".0f"),
    "3BV": (lambda game: game.figures.bbbv, ".0f"),
    "3BV/s": (lambda game: game.figures.speed, ".1f"),
}


def _picked(games: Sequence[GameResult], pick: Callable[[Sequence[float]], float]) -> Iterator[str]:
    """One of the games' figures in each column, `?` where none of them has any."""
    for figure, form in _COLUMNS.values():
        values = [value for game in games if (value := figure(game)) is not None]
        yield format(pick(values), form) if values else "?"


def how_to_stop(stops: Set[StopWay]) -> str:
    """The shortest true sentence about stopping, given what the desktop reports."""
    heard = (way.value for way in StopWay if way in stops)
    return f"{next(heard, 'Ctrl-C')} stops"


class LiveLine:
    """On a terminal the line that shows the game under way; what is said comes above it."""

    def __init__(self, player: Player, stops: Set[StopWay]) -> None:
        """`stops` are the window session's."""
        self._player = player
        self._stops = how_to_stop(stops)
        self.label = ""
        """Stands in front of the line: which of how many games."""
        self._live: Live | None = None

    def __enter__(self) -> Self:
        if sys.stderr.isatty():
            from rich.live import Live  # noqa: PLC0415  # loads long: where it is shown only

            self._live = Live(console=console(), transient=True, get_renderable=self._line)
            self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._live is not None:
            self._live.stop()

    @contextmanager
    def away(self) -> Iterator[None]:
        """Without the line for a `with` block, in which the user is asked something."""
        self.__exit__()
        self._live = None
        try:
            yield
        finally:
            self.__enter__()

    def _line(self) -> Text:
        from rich.text import Text  # noqa: PLC0415

        game = self._player.game
        if (board := game.board) is None:
            return Text(f"{self.label}looking for the board ...")
        mines = "? mines" if board.mines is None else f"{board.mines} mines"
        return Text(
            f"{self.label}{board.width}x{board.height}, {mines}, {board.covered} covered | "
            f"round {game.rounds} | {game.clicks} clicks | {len(game.guesses)} guesses | "
            f"{self._stops}"
        )
