"""What was seen of a game while it was calibrated, and what is known of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random

from bot.board import Cell
from bot.calibrate.looks import Lookbook
from bot.calibrate.meaning import Evidence, Findings, infer
from bot.capture import Frame, Pixel
from bot.profile.behaviour import FlagButton
from bot.vision.grid import Grid

_BATCH = 8
"""So many squares are clicked in one go, where the game keeps up. Guessed."""
_MANY = 3
"""So many squares at once come to look like one below the pointer only by being opened. Guessed."""


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


FLAG_WAYS = ("right", "ctrl", "shift", "button")
"""How games let flags be set: a right click, a left one while something is held, or one after a
button beside the board was clicked."""


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
    lit: set[int] = field(default_factory=set)
    """Those of squares below the pointer when a mark had been taken off."""
    marked: bool = False
    """Whether it is known what sets a flag, or that nothing does."""
    flags: bool = True
    """Whether something does, as far as that is known."""
    flag_modifier: str | None = None
    """What is held while a left click flags; None where a right click does."""
    flag_button: FlagButton | None = None
    """What is clicked before a left click flags; None where nothing is, or that is not known."""
    flag_button_at: Pixel | None = None
    """Where that is in a picture of the window, if the user says it."""
    flag_ways: list[str] = field(default_factory=lambda: list(FLAG_WAYS))
    """Those of `FLAG_WAYS` that are still to be tried."""
    flags_stay: bool = False
    """Whether nothing takes a flag off again."""
    by_sides: bool = False
    """Whether an empty square opens those at its four sides alone."""
    one_at_a_time: bool = False
    """Whether clicks that followed each other closely went astray."""
    press_seconds: float = 0.0
    """For how long a button is held down at each click, if shorter clicks were not answered."""
    spills: bool | None = None
    """Whether what lights the tile below the pointer changes others too; None while unknown."""
    outline: float = 0.0
    """How deep lines along what is open reach into covered squares, in tiles; 0 where there are
    none."""
    first_lost: bool = False
    """Whether the first click of a game has hit a mine."""
    flags_to_win: bool | None = None
    """Whether a game is won only once all mines are flagged; None while unknown."""
    lost_with_flags: bool = False
    """Whether a game was lost with a right and a wrong flag set."""
    waited: bool = False
    """Whether the message at the end has been waited for once."""
    begins_anew: bool = False
    """Whether another board came by itself when a game had ended."""
    covers: bool = False
    """Whether the game's own window has shown something over a board that had ended."""
    met: set[Kind] = field(default_factory=set)
    """All that was shown so far."""
    toured: set[Kind] = field(default_factory=set)
    """What was shown in windows of other sizes too."""

    def give_up(self, way: str) -> None:
        """That way flags nothing; after the last of them it is known that none does."""
        self.flag_ways = [each for each in self.flag_ways if each != way]
        self.flag_button = None
        if not self.flag_ways:
            self.marked, self.flags = True, False

    @property
    def batch(self) -> int:
        """So many squares that are certainly safe are clicked before the next look."""
        return 1 if self.one_at_a_time else _BATCH

    @property
    def lost(self) -> bool:
        """Whether it is known what a lost game looks like."""
        return any(shot.phase == "lost" for shot in self.shots)

    def unlight(self, before: Sequence[int], after: Sequence[int], pointer: int | None) -> None:
        """Take what many squares have come to look like, the pointer elsewhere, for open ones.

        Some games draw a covered square below the pointer as if it were open and empty.
        """
        came = Counter(
            look
            for square, (was, look) in enumerate(zip(before, after, strict=True))
            if look != was and square != pointer
        )
        opened = {look for look in self.lit if came[look] >= _MANY}
        if opened:
            self.lit -= opened
            self.covered -= opened
            # In these it is a covered square's.
            self.shots = [
                shot for shot in self.shots if all(shot.looks[s] not in opened for s in shot.shown)
            ]

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
