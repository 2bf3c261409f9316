"""What was seen of a game while it was calibrated, and what is known of it."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random

import numpy as np

from bot.board import Cell
from bot.calibrate.looks import Lookbook
from bot.calibrate.meaning import Evidence, Findings, infer
from bot.calibrate.window import Table
from bot.capture import Frame
from bot.errors import WindowCovered
from bot.vision.grid import Grid

_CLOSES = "Escape"
"""What closes a browser's messages."""


def _packed(frame: Frame) -> Callable[[], Frame]:
    """What gives the frame again, which is kept small until then."""
    data, shape = zlib.compress(frame.pixels.tobytes(), 1), frame.pixels.shape
    return lambda: Frame(np.frombuffer(zlib.decompress(data), np.uint8).reshape(shape))


@dataclass(frozen=True, slots=True)
class Ending:
    """How a game ended; squares are row-major."""

    outcome: str
    """`won` or `lost`."""
    hit: int | None
    """The mine that was clicked."""
    covered: frozenset[int]
    """Squares that were covered before the last click."""
    strange: frozenset[int]
    """Those of them that look otherwise than any covered square did in play."""

    def cell(self, square: int, *, mine: bool) -> Cell | None:
        """What a square shows that was covered and not flagged by the player."""
        if square not in self.strange:
            return Cell.HIDDEN
        if self.outcome == "won":
            return Cell.FLAG if mine else None
        if square == self.hit:
            return Cell.EXPLODED
        return Cell.MINE if mine else Cell.HIDDEN


@dataclass(slots=True)
class Shot:
    """A frame, the game that it is of, and what it shows as far as that is known at once."""

    open: Callable[[], Frame]
    grid: Grid
    game: int
    looks: Sequence[int]
    """Of all squares, in row-major order."""
    shown: dict[int, Cell] = field(default_factory=dict)
    """What the squares show that are not open."""
    opened: frozenset[int] = frozenset()
    """Those that are, and hold no mine."""
    ending: Ending | None = None
    marks: frozenset[int] = frozenset()
    """Squares with a mark that is no flag; they are hidden all the same."""

    @property
    def phase(self) -> str:
        """`playing`, or `lost`; a game that was won looks as while it was played."""
        return "lost" if self.ending is not None and self.ending.outcome == "lost" else "playing"

    def cells(self, game: Evidence, findings: Findings) -> list[Cell | None]:
        """What each square shows, None where that did not become certain."""
        mines = findings.mines[self.game]
        return [self._cell(square, game, findings, mines) for square in range(len(self.looks))]

    def _cell(
        self, square: int, game: Evidence, findings: Findings, mines: Mapping[int, bool]
    ) -> Cell | None:
        if square in self.shown:
            return self.shown[square]
        if square in self.opened:
            # What looked open at first may have been lit by the pointer.
            look = game.opened.get(square)
            number = None if look is None else findings.number(look)
            return None if number is None else Cell(number)
        if self.ending is None or square not in self.ending.covered or square not in mines:
            return None
        if square in self.ending.strange and not mines[square] and self._opens_all(findings, mines):
            number = findings.number(self.looks[square])
            return None if number is None else Cell(number)
        return self.ending.cell(square, mine=mines[square])

    def _opens_all(self, findings: Findings, mines: Mapping[int, bool]) -> bool:
        """Whether the game has shown its numbers too, as some do once they are lost."""
        assert self.ending is not None
        safe = (square for square in self.ending.strange if mines.get(square) is False)
        return any(findings.number(self.looks[square]) is not None for square in safe)


Kind = tuple[str, str, int]
"""A phase, how the game ended if it did, and a cell, or -1 - its look for one untold."""


FLAG_WAYS = ("right", "ctrl", "shift")
"""How games let flags be set: a right click, or a left one while something is held."""


@dataclass(slots=True)
class Knowledge:
    """All that was seen and found out while games were played on boards of one size."""

    random: Random
    total: int | None = None
    """The number of mines, where the user says it."""
    book: Lookbook = field(default_factory=Lookbook)
    games: list[Evidence] = field(default_factory=list)
    shots: list[Shot] = field(default_factory=list)
    end_key: str | None = None
    """What has closed a message that lay over the whole of a page."""
    message_seconds: float = 0.0
    """For how long a message lay over the board when a game had ended."""
    numbers: Mapping[int, frozenset[int]] = field(default_factory=dict)
    """What the looks of opened squares may stand for."""
    covered: set[int] = field(default_factory=set)
    """Looks of squares that are not open, flags and marks among them."""
    flagged: set[int] = field(default_factory=set)
    """Those of flags."""
    marked: bool = False
    """Whether it is known what sets a flag, or that nothing does."""
    flags: bool = True
    """Whether something does, as far as that is known."""
    flag_modifier: str | None = None
    """What is held while a left click flags; None where a right click does."""
    flag_ways: list[str] = field(default_factory=lambda: list(FLAG_WAYS))
    """Those that are still to be tried: `right`, or what to hold while the left button clicks."""
    by_sides: bool = False
    """Whether an empty square opens those at its four sides alone."""
    first_lost: bool = False
    """Whether the first click of a game has hit a mine."""
    lost_with_flags: bool = False
    """Whether a game was lost with a right and a wrong flag set."""
    waited: bool = False
    """Whether the message at the end has been waited for once."""
    met: set[Kind] = field(default_factory=set)
    """All that was shown so far."""
    toured: set[Kind] = field(default_factory=set)
    """What was shown in windows of other sizes too."""

    @property
    def lost(self) -> bool:
        """Whether it is known what a lost game looks like."""
        return any(shot.phase == "lost" for shot in self.shots)

    def kinds(self, shot: Shot) -> set[Kind]:
        """What the shot shows, numbers as far as they are told."""
        opened = self.games[shot.game].opened
        ending = shot.ending.outcome if shot.ending is not None else ""
        shown = {-1 - opened[square] for square in shot.opened & opened.keys()}
        return self._told((shot.phase, ending, each) for each in {*shown, *shot.shown.values()})

    def learn(self) -> None:
        """Draw the conclusions from a game that has ended. Raises Contradiction."""
        self.numbers = self.findings().numbers
        self.toured = self._told(self.toured)
        last = len(self.games) - 1
        self.met = self._told(self.met).union(
            *(self.kinds(shot) for shot in self.shots if shot.game == last)
        )

    def _told(self, kinds: Iterable[Kind]) -> set[Kind]:
        """The same, with numbers instead of looks where it is known which they are."""
        found = set()
        for phase, ending, shown in kinds:
            values = self.numbers.get(self.book.same(-1 - shown), ()) if shown < 0 else ()
            found.add((phase, ending, next(iter(values)) if len(values) == 1 else shown))
        return found

    def findings(self) -> Findings:
        """What follows from all games together. Raises Contradiction."""
        for game in self.games:
            game.opened = {s: self.book.same(look) for s, look in game.opened.items()}
            game.revealed = {s: self.book.same(look) for s, look in game.revealed.items()}
        return infer(self.games, self.numbers)


Elsewhere = Callable[[], Iterable[tuple[Frame, Grid]]]
"""The board on the table in windows of other sizes, each with its grid there."""


class Observer:
    """Looks at one game, and keeps what it shows."""

    def __init__(
        self, knowledge: Knowledge, table: Table, game: Evidence, elsewhere: Elsewhere
    ) -> None:
        self._all = knowledge
        self._table = table
        self._game = game
        self._elsewhere = elsewhere
        self._number = len(knowledge.games)
        self.squares = game.width * game.height
        """How many there are."""
        self.looks: list[int] = []
        """Of all squares, in row-major order, when it was looked at last."""
        self.flags: set[int] = set()
        """The squares that were flagged."""

    def last_look(self) -> Frame:
        """The board, dialogs closed and messages gone.

        Raises WindowCovered where another window stays over it.
        """

        def look() -> Frame:
            self._table.close_dialogs("ended")
            frame = self.look()
            if not self._all.waited or self._all.message_seconds:
                looks, seconds = self.looks, self._table.timing.message
                self._table.step_aside()
                self._table.pause(seconds)
                frame = self.look()
                if looks != self.looks:
                    self._all.message_seconds = seconds
                self._all.waited = True
            return frame

        return self.uncovered(look)

    def uncovered(self, look: Callable[[], Frame]) -> Frame:
        """What `look` returns once it raises WindowCovered no longer; that, if it goes on."""
        timing = self._table.timing
        end = self._table.clock.now() + timing.covered
        while True:
            try:
                return look()
            except WindowCovered:
                if self._table.clock.now() > end:
                    raise
            self._table.pause(timing.pause)

    def look(self) -> Frame:
        """The board at rest; raises what the table does."""
        before, frame = self._table.frame, self._table.look()
        assert self._table.grid is not None
        if before is not None and self._table.in_browser and self._table.is_veiled(before):
            self._table.press(_CLOSES)
            frame = self._table.look()
            if not self._table.is_veiled(before):
                self._all.end_key = _CLOSES
        self.looks = self._all.book.looks(frame, self._table.grid)
        return frame

    def tour(self) -> None:
        """Keep what was shot last in windows of other sizes too, if there is something new."""
        shot = self._all.shots[-1]
        kinds = self._all.kinds(shot)
        if kinds <= self._all.toured:
            return
        self._all.toured |= kinds
        for frame, grid in self._elsewhere():
            self._all.shots.append(replace(shot, open=_packed(frame), grid=grid))
        # The pointer was over other squares meanwhile.
        self.look()

    def note_opened(self, squares: Iterable[int]) -> None:
        """Take down that these squares are open."""
        for square in squares:
            self._game.opened[square] = self.looks[square]

    def shot(self, frame: Frame) -> Shot:
        """The frame with what is open in it."""
        opened = frozenset(self._game.opened)
        assert self._table.grid is not None
        return Shot(_packed(frame), self._table.grid, self._number, list(self.looks), {}, opened)

    def shoot(self, frame: Frame, marks: Iterable[int] = ()) -> None:
        """Keep the frame; on the squares `marks` there is a mark that is no flag."""
        shot = self.shot(frame)
        shot.marks = frozenset(marks)
        hidden = set(range(self.squares)) - shot.opened
        shot.shown = {s: Cell.FLAG if s in self.flags else Cell.HIDDEN for s in hidden}
        self._all.shots.append(shot)
