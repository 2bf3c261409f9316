"""From the folder of a recording to the games that were played in it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Annotated

import msgspec

from minebot.analysis.played_game import Click, PlayedGame, Seconds, replayed
from minebot.board import Board, Cell, Move
from minebot.errors import UsageError
from minebot.files import read_text
from minebot.layout import Layout

JOURNAL = "journal.jsonl"
_LONGEST = 100_000_000
"""Largest journal that is read, in bytes. Specified: some ten thousand games."""
_LARGEST = 1_000_000
"""Largest text of a board that is read, in bytes. Specified: 1,000 x 1,000 cells."""


class _JournalLine(msgspec.Struct, frozen=True):
    """What is used of a line of the journal, as `minebot.recording.recorder` writes it."""

    picture: Annotated[str, msgspec.Meta(pattern=r"^[0-9]+\.png\Z")]
    seconds: Seconds
    problem: str
    moves: tuple[str, ...]
    times: tuple[Seconds, ...] = ()
    total: int | None = None
    ended: Seconds | None = None


@dataclass(frozen=True, slots=True)
class _JournalFrame:
    seconds: float
    board: Board
    clicks: tuple[Click, ...]
    total: int | None
    ended: float | None


def games(folder: Path) -> list[PlayedGame]:
    """The games of a recording in their order; raises UsageError if it is none, or has none."""
    journal = read_text(folder / JOURNAL, _LONGEST)
    return _games(str(folder), journal, lambda name: read_text(folder / name, _LARGEST))


def games_of(journal: str, boards: Mapping[str, str]) -> list[PlayedGame]:
    """Return the games of a recording, given its journal and its boards by file name."""

    def board(name: str) -> str:
        if name not in boards:
            raise UsageError(f"{name} is missing")
        return boards[name]

    return _games("a recording", journal, board)


def _games(source: str, journal: str, board: Callable[[str], str]) -> list[PlayedGame]:
    looks = _looks(source, journal, board)
    found: list[PlayedGame] = []
    while looks:
        boards = enumerate(pairwise(look.board for look in looks), 1)
        news = (at for at, (last, now) in boards if last.begun > now.begun or not now.follows(last))
        end = next(news, len(looks))
        game = _game(f"{source} ({len(found) + 1})" if found else source, looks[:end])
        looks = looks[end:]
        if game is not None:
            found.append(game)
    if not found:
        raise UsageError(f"{source}: no game is recorded there")
    return found


def _looks(source: str, journal: str, text: Callable[[str], str]) -> list[_JournalFrame]:
    looks: list[_JournalFrame] = []
    # A program that was killed may have left the last line unfinished.
    for number, line in enumerate(journal.split("\n")[:-1], 1):
        try:
            facts = msgspec.json.decode(line, type=_JournalLine)
            moves = [Move.parse(move) for move in facts.moves]
        except (ValueError, RecursionError, UsageError) as error:
            line_of = f"line {number} of {JOURNAL}"
            raise UsageError(f"{source}: {line_of} is not that of a recording") from error
        if facts.problem:
            if looks and facts.ended is not None:  # by what could not be read
                looks[-1] = replace(looks[-1], ended=facts.ended)
            continue
        seconds, total = facts.seconds, facts.total
        name = facts.picture.removesuffix(".png")
        shown = text(f"{name}.txt")
        try:
            board = Board.parse(shown)
            if total is not None:
                board.with_mines(total)  # complains of one that does not fit
        except UsageError as error:
            raise UsageError(f"{source}: {name}.txt: {error}") from error
        times = facts.times if len(facts.times) == len(moves) else [seconds] * len(moves)
        clicks = tuple(_click(board, move, at) for move, at in zip(moves, times, strict=True))
        looks.append(_JournalFrame(seconds, board, clicks, total, facts.ended))
    return looks


def _click(board: Board, move: Move, seconds: float) -> Click:
    if move.x >= board.width or move.y >= board.height:
        raise UsageError(f"a recorded click is not on the board: {move.said}")
    square = board.square(move.x, move.y)
    return Click(seconds, move.action, square, board.cells[square] == Cell.HIDDEN)


def _game(source: str, looks: list[_JournalFrame]) -> PlayedGame | None:
    clicks = [click for look in looks for click in look.clicks]
    if not clicks:
        return None
    final = looks[-1].board
    total = next((look.total for look in reversed(looks) if look.total is not None), None)
    layout = Layout.below(final.with_mines(total))
    if total is None and layout is not None:
        total = len(layout.mines)  # every covered cell is one
    first = next(look.board for look in looks if look.clicks)
    shows = list(final.cells)
    if layout is not None:
        for mine in layout.mines:
            shows[mine] = shows[mine] if shows[mine] > Cell.FLAG else Cell.MINE
    shown = next(look.seconds for look in looks if look.board.cells == final.cells)
    ended = next((look.ended for look in looks if look.ended is not None), shown)
    start = first.with_mines(total)
    game = replayed(source, clicks, start, shows, ended, late=True)
    if game.final.opened >= final.opened:
        return game
    return replayed(source, clicks, start, shows, ended, late=True, chords=True)
