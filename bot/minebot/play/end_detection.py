"""Tells how a game has ended where its last board alone does not."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence, Set
from functools import partial

import numpy as np

from minebot.board import Board, Cell, within_one
from minebot.capture import Frame
from minebot.errors import Contradiction, VisionError
from minebot.play.observer import Observation
from minebot.play.result import Outcome
from minebot.solver import solve
from minebot.vision.classification import Label
from minebot.vision.rules import DOUBT
from minebot.vision.text import Tesseract
from minebot.vision.tiles import TileReading, differ

_CHANGED = 3
"""Open cells that change at least below a message. Specified: a pointer lights one or two."""
_SHOWN = 2
"""Smallest number of other covered squares that change when a lost game shows its mines or opens
its cells. Specified: a mark on one square may be the pointer's."""
_MINES = (Cell.MINE, Cell.EXPLODED)
_HIT = frozenset({Label.MINE, Label.EXPLODED})
"""What a mine that is opened may be drawn as."""
_FLAGS = frozenset({Label.FLAG, Label.WRONG_FLAG})
_GOES_ON = frozenset({*map(Label, range(9)), Label.HIDDEN, Label.QUESTION})
"""What a cell may show in a game that goes on, if it is not flagged."""
_HALF = 0.5
"""Probability of a flag from which a click may have set one. Specified: more likely than not."""
_ENDED_DOUBT = 0.05
"""Largest probability of a number or a cover at which a tile counts as a mine where others show
mines, too. Specified: 95 %, for that alone tells that the game has ended."""
_LIKELY = 0.9
"""Probability of a number or a cover from which play goes on around a tile. Specified: nine of ten;
should the game have ended after all, the next click changes nothing."""
_WORDS = {
    Outcome.WON: re.compile(r"\b(congratulations|victory|well done|won|wins?|winner)\b", re.I),
    Outcome.LOST: re.compile(r"\b(game over|lost|lose|loser|boom|try again)\b", re.I),
}
"""What games say at their ends, in English."""


def shown_end(
    board: Board, opened: Set[int], total: int | None, *, flags_to_win: bool
) -> Outcome | None:
    """How the game ended by its board alone, where these squares were `opened`; None if it goes on.

    `total` is the number of mines, None if unknown; `flags_to_win`: all of them have to be flagged.
    """
    mines = {*board.shown_mines}
    if mines & opened:
        return Outcome.LOST  # Some games draw the mine that was hit as they draw the others.
    if mines and opened:  # Some games show their mines when they are won, too.
        left = board.count(Cell.HIDDEN) if total is None else board.covered + len(mines) - total
        if left == 0:
            return Outcome.WON
    if board.lost:
        return Outcome.LOST
    is_open = total is not None and board.begun and board.covered == total
    is_done = is_open and (board.count(Cell.FLAG) >= board.covered or not flags_to_win)
    return Outcome.WON if is_done else None


def ended_below(
    last: Observation,
    now: Frame,
    opening: Set[int],
    guessed: Set[int],
    proven: Set[int],
    *,
    tiles: Sequence[TileReading] = (),
    total: int | None = None,
    said: Outcome | None = None,
) -> Outcome | None:
    """How the game ended if something lies over its board now; None if that is not certain.

    It is by the clicks that it has ended, or as it `said`, see `ended_by_clicks`; but no safe click
    loses, and the first one does not win. Cells that `tiles`, what the board shows now, have as
    they were before have only changed their colours.
    """
    can_be = guessed if said is Outcome.LOST else last.board.begun
    said = said if can_be else None
    if not last.board.begun or not _is_covered(last, now, tiles):
        return said
    return ended_by_clicks(last.board, opening, guessed, proven, total=total, said=said)


def ended_by_clicks(
    board: Board,
    opening: Set[int],
    guessed: Set[int],
    proven: Set[int],
    *,
    total: int | None = None,
    said: Outcome | None = None,
) -> Outcome | None:
    """How a game ended by the clicks that have not shown on its last board; None if untold.

    `opening` are the squares of these clicks. A guess among them has lost, unless it may have been
    the last safe square; a certain click on the last safe square has won. Otherwise it is what the
    game has `said`. `proven` are the certain mines, `total` is the number of all mines.
    """
    is_last = board.covered - len(opening) <= len(proven)
    if len(proven) == total and not guessed:
        # Where all mines are known, a safe square may have opened all that was left.
        is_last = {*board.squares(Cell.HIDDEN)} - proven <= _reached(board, opening, proven)
    if guessed:
        return said if is_last or _may_win(board, opening) else Outcome.LOST
    return Outcome.WON if is_last else said


def is_won_below(
    board: Board, tiles: Sequence[TileReading], opening: Set[int], mines: Set[int]
) -> bool:
    """Whether all squares but mines are open, and something lies over cells that were.

    What lies there is the news that it is won, unless the game is known to need its flags too.
    `tiles` are what is seen of the `board` that was read last. `mines` are those that were certain
    before; the numbers that have come may prove others. Beside a click, the pointer may have
    changed cells.
    """
    if len(tiles) != len(board.cells):
        return False
    if all(tiles[at].cell is not None for at in board.opened - board.around(opening)):
        return False
    shown = {s: tiles[s].cell for s in {*range(len(tiles))} - board.opened - mines}
    came = {s: cell for s, cell in shown.items() if cell is not None and cell <= Cell.EIGHT}
    left = shown.keys() - came.keys()
    try:
        return not left or left <= {*solve(board.showing(came), risk=False, every=True).mines}
    except Contradiction:
        return False


def _may_win(board: Board, opening: Set[int]) -> bool:
    """Whether all covered squares may be mines but those that are being opened."""
    mines = {*board.squares(Cell.HIDDEN, Cell.FLAG)} - opening
    return all(
        board.cells[square] == len(mines.intersection(board.neighbours(square)))
        for square in board.opened
    )


def told(before: Frame, now: Frame) -> Outcome | None:
    """How the game ended by the words that are new in the picture; None if they do not say."""
    try:
        ocr = Tesseract()
        old, words = (ocr.words(frame, frame.bounds, 1) for frame in (before, now))
    except VisionError:
        return None
    more = Counter(word.text for word in words) - Counter(word.text for word in old)
    # A word that has not changed may have been misread before.
    new = (w for w in words if not np.array_equal(before.part(w.rect), now.part(w.rect)))
    said = " ".join(word.text for word in new if word.text in more)
    found = [how for how, saying in _WORDS.items() if saying.search(said)]
    return found[0] if len(found) == 1 else None


def _reached(board: Board, opening: Set[int], mines: Set[int]) -> set[int]:
    """The covered squares that may be opened together with these."""
    safe, reached = {*board.squares(Cell.HIDDEN)} - mines, set(opening)
    while fresh := board.around(reached) & safe - reached:
        reached |= fresh
    return reached


def is_revealed(board: Board, first: Board | None, opened: Set[int]) -> bool:
    """Whether the game has opened cells by itself, as some do once a game is lost.

    A cell opens by a click on one of the squares `opened`, or beside an empty cell; those that are
    open on the `first` board are older.
    """
    if first is None:
        return False
    beside_empty = within_one(board.grid == Cell.EMPTY) > 0
    unexplained = {*np.flatnonzero((board.grid <= Cell.EIGHT) & ~beside_empty).tolist()}
    return len(unexplained - opened - first.opened) >= _SHOWN


def finished(board: Board, outcome: Outcome, opening: Set[int], mines: Set[int]) -> Board:
    """The board at the end of a game, as it may not have been seen any more.

    Won, its mines are flagged and their total is known, unless squares that were `opening` when it
    was seen last may have opened others. Lost, these `mines` are hit.
    """
    if outcome is Outcome.LOST:
        return board.showing(dict.fromkeys(mines, Cell.EXPLODED))
    if outcome is not Outcome.WON:
        return board
    board = board.showing(dict.fromkeys(board.shown_mines, Cell.FLAG))
    # What is covered is the mines, should the total never have been read.
    return board if opening else board.with_mines(board.covered)


def shows_mines(
    tiles: Sequence[TileReading],
    board: Board,
    guessed: Set[int],
    clicked: Set[int],
    *,
    at_first_sight: bool,
) -> bool:
    """Whether a guess and other squares show mines or unknown tiles: the game is lost.

    `tiles` are what is seen of the `board` that was read last. An unknown number appears only on
    the square that was opened. At first sight every tile is new: there only mines count, even if
    they might be flags. If all other mines are flagged, or not shown, the guess alone shows one. It
    may be in doubt how: as long as all else can be read, it is one if neither covered nor a number,
    and likely no flag.
    """
    if len(tiles) != len(board.cells):
        return False
    opened = board.opened
    unread = {square for square, tile in enumerate(tiles) if tile.cell is None}
    mines = {square for square, tile in enumerate(tiles) if _is_mine(tile)}
    strange = mines if at_first_sight else mines | unread
    if 2 * len(opened & strange) > len(opened):
        return False  # another picture, or something lies over the board
    shown = strange - opened - guessed - {*board.squares(Cell.FLAG)}
    are_shown = len(shown) >= _SHOWN
    if not at_first_sight:
        return are_shown and not guessed.isdisjoint(strange)
    is_clear, opens = unread <= strange | guessed, are_shown or not clicked.isdisjoint(opened)
    hit = partial(_is_hit, is_clear=is_clear, are_shown=are_shown, opens=opens)
    return any(hit(tiles[square]) for square in guessed)


def goes_on(tile: TileReading) -> bool:
    """Whether a tile most likely shows a number or a cover, though it is in doubt which."""
    return _chance(tile, _GOES_ON) >= _LIKELY


def _is_hit(tile: TileReading, *, is_clear: bool, are_shown: bool, opens: bool) -> bool:
    """Whether a tile that was opened shows a mine, as read at first sight.

    `is_clear`: all else can be read, or is likely a mine; `are_shown`: other squares show mines;
    `opens`: the click cannot have set a flag.
    """
    if tile.cell is not None:
        return tile.cell in _MINES
    if _chance(tile, _HIT | _FLAGS if opens else _HIT) >= 1 - DOUBT:
        return True
    doubt = _ENDED_DOUBT if are_shown else DOUBT
    is_likely_flag = _chance(tile, _FLAGS) >= _HALF and not opens
    return is_clear and not is_likely_flag and _chance(tile, _GOES_ON) <= doubt


def _is_mine(tile: TileReading) -> bool:
    """Whether a tile that nobody flagged shows a mine; in doubt, by its probabilities."""
    if tile.cell is not None:
        return tile.cell in _MINES
    return _chance(tile, _HIT | _FLAGS) >= 1 - _ENDED_DOUBT


def _chance(tile: TileReading, labels: Set[Label]) -> float:
    """How likely a tile shows one of the labels, as read at first sight."""
    names = {label.name.lower() for label in labels}
    return sum(share for name, share in tile.scores if name in names)


def _is_covered(last: Observation, now: Frame, tiles: Sequence[TileReading]) -> bool:
    """Whether something covers the board: cells that were open in the last frame have changed.

    An unknown number leaves the open cells as they are; what fades in changes its colours alone.
    """
    if now.pixels.shape != last.frame.pixels.shape:
        return False
    opened = last.board.opened
    changed = {*np.flatnonzero(differ(last.frame, now, last.grid)).tolist()} & opened
    if len(tiles) == len(last.board.cells):
        changed = {square for square in changed if tiles[square].cell != last.board.cells[square]}
    return bool(opened) and len(changed) >= min(_CHANGED, len(opened))
