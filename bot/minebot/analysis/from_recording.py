"""From the folder of a recording to the games that were played in it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Annotated, NamedTuple

import msgspec

from minebot.analysis.played_game import Click, PlayedGame, Seconds, Simulated, replayed
from minebot.board import Board, Cell, Move
from minebot.errors import UsageError
from minebot.files import read_text
from minebot.layout import Layout

JOURNAL = "journal.jsonl"
_LONGEST = 100_000_000
"""Largest journal that is read, in bytes. Specified: some ten thousand games."""
_LARGEST = 1_000_000
"""Largest text of a board that is read, in bytes. Specified: 1,000 x 1,000 cells."""


class _JournalLine(msgspec.Struct):
    """What is used of a line of the journal, as `minebot.recording.recorder` writes it."""

    picture: Annotated[str, msgspec.Meta(pattern=r"^[0-9]+\.png\Z")]
    seconds: Seconds
    problem: str
    moves: tuple[str, ...]
    times: tuple[Seconds, ...] = ()
    total: int | None = None
    ended: Seconds | None = None


class _JournalFrame(NamedTuple):
    line: _JournalLine
    board: Board
    clicks: list[Click]


def games(folder: Path) -> list[PlayedGame]:
    """The games of a recording in their order; raises UsageError if it is none, or has none."""
    journal = read_text(folder / JOURNAL, _LONGEST)
    return _games(str(folder), journal, lambda name: read_text(folder / name, _LARGEST))


def games_of(journal: str, boards: Mapping[str, str]) -> list[PlayedGame]:
    """Return the games of a recording, given its journal and its boards by file name."""
    return _games("a recording", journal, boards.get)


def _games(source: str, journal: str, text: Callable[[str], str | None]) -> list[PlayedGame]:
    frames: list[_JournalFrame] = []
    # A program that was killed may have left the last line unfinished.
    for number, line in enumerate(journal.split("\n")[:-1], 1):
        try:
            facts = msgspec.json.decode(line, type=_JournalLine)
            moves = [Move.parse(move) for move in facts.moves]
        except (ValueError, RecursionError, UsageError) as error:
            line_of = f"line {number} of {JOURNAL}"
            raise UsageError(f"{source}: {line_of} is not that of a recording") from error
        if not facts.problem:
            frames.append(_read_line(source, facts, moves, text))
        elif frames and facts.ended is not None:  # by what could not be read
            frames[-1].line.ended = facts.ended
    found: list[PlayedGame] = []
    while frames:
        boards = enumerate(pairwise(frame.board for frame in frames), 1)
        news = (at for at, (last, now) in boards if last.begun > now.begun or not now.follows(last))
        end = next(news, len(frames))
        if game := _game(f"{source} ({len(found) + 1})" if found else source, frames[:end]):
            found.append(game)
        frames = frames[end:]
    if not found:
        raise UsageError(f"{source}: no game is recorded there")
    return found


def _read_line(
    source: str, facts: _JournalLine, moves: Sequence[Move], text: Callable[[str], str | None]
) -> _JournalFrame:
    name = f"{facts.picture.removesuffix('.png')}.txt"
    shown = text(name)
    if shown is None:
        raise UsageError(f"{name} is missing")
    try:
        board = Board.parse(shown, facts.total)
    except UsageError as error:
        raise UsageError(f"{source}: {name}: {error}") from error
    times = facts.times if len(facts.times) == len(moves) else [facts.seconds] * len(moves)
    clicks = []
    for move, seconds in zip(moves, times, strict=True):
        if move.x >= board.width or move.y >= board.height:
            raise UsageError(f"a recorded click is not on the board: {move.said}")
        square = board.square(move.x, move.y)
        clicks.append(Click(seconds, move.action, square, board.cells[square] == Cell.HIDDEN))
    return _JournalFrame(facts, board, clicks)


def _game(source: str, frames: Sequence[_JournalFrame]) -> PlayedGame | None:
    clicks = [click for frame in frames for click in frame.clicks]
    if not clicks:
        return None
    final = frames[-1].board
    totals = (frame.board.mines for frame in reversed(frames))
    total = next((total for total in totals if total is not None), None)
    layout = Layout.below(final.with_mines(total))
    shows = list(final.cells)
    if layout is not None:
        total = len(layout.mines)  # where it was not read, every covered cell is one
        for mine in layout.mines:
            shows[mine] = max(shows[mine], Cell.MINE)
    first = next(frame.board for frame in frames if frame.clicks).with_mines(total)
    shown = next(frame.line.seconds for frame in frames if frame.board.cells == final.cells)
    ended = next((frame.line.ended for frame in frames if frame.line.ended is not None), shown)
    game = replayed(source, clicks, Simulated(first, shows), ended, late=True)
    if game.final.opened >= final.opened:
        return game
    return replayed(source, clicks, Simulated(first, shows), ended, late=True, chords=True)
