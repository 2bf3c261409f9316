"""Calibrates on a live window: finds the grid, plays, and draws the conclusions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence, Set
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass, field
from functools import partial
from random import Random

from bot.board import Cell
from bot.calibrate.evidence import Knowledge, Shot
from bot.calibrate.explore import explore
from bot.calibrate.grid import discover
from bot.calibrate.meaning import Evidence, Findings
from bot.calibrate.samples import Labelled
from bot.calibrate.window import SHARES, Sizes, Table, Timing
from bot.capture import Window
from bot.desktop.ports import Desktop
from bot.errors import Contradiction, WindowCovered, WindowError
from bot.profile.behaviour import Conduct, Dialog
from bot.profile.values import GridLook
from bot.stop import Clock, Stop, SystemClock

_STALE = 2
"""So many games that show nothing new end the calibration, once all looks are told."""
_FRESH_TRIES = 4
"""So often the key for a new board is pressed. Guessed."""
_ANSWER_ROOM = 1.5
"""By how much the longest answer seen is exceeded before a click counts as lost. Guessed."""


@dataclass(frozen=True, slots=True)
class Wishes:
    """What the user asks for."""

    key: str | None = None
    """The game's key for a new board of the same size; None if there is none."""
    games: int = 12
    """The most games to play."""
    mines: int | None = None
    """How many there are, where the user knows it."""


@dataclass(frozen=True, slots=True)
class User:
    """The user at the window, as far as the program needs them."""

    tell: Callable[[str], None]
    stop: Callable[[], AbstractContextManager[Stop]]
    """A new stop, for as long as the program plays; between games the user has the mouse."""
    open_board: Callable[[], bool]
    """Has the user open a new board of the same size; whether it was done."""


@dataclass(frozen=True, slots=True)
class Learnt:
    """What a window taught."""

    grid: GridLook
    pictures: list[Labelled]
    conduct: Conduct
    sure: Counter[Cell]
    """For each cell how many squares, or pictures of other cells, bear out how it looks."""


def calibrate_window(
    desktop: Desktop,
    window: Window,
    wishes: Wishes,
    user: User,
    random: Random,
    *,
    clock: Callable[[Stop], Clock] = SystemClock,
    timing: Timing = Timing(),  # noqa: B008  # frozen
    shares: Sequence[float] = SHARES,
) -> Learnt:
    """Play in the window until nothing new shows; `random` picks where nothing else does.

    `shares` are the other sizes of the window, as shares of its own. Raises Stopped,
    WindowError, CaptureError, VisionError, Contradiction.
    """
    knowledge = Knowledge(random, wishes.mines)
    visit = _Visit()
    sizes = Sizes(shares)
    games = stale = 0
    with ExitStack() as ends:
        table: Table | None = None
        while True:
            if table is None:
                stop = ends.enter_context(user.stop())
                seat = ends.enter_context(desktop.open(window, stop))
                seat.control.show()
                table = Table(seat, stop, clock(stop), timing)
                visit.find_grid(table, user)
            met = len(knowledge.met)
            assert visit.grid is not None
            outcome = explore(knowledge, table, partial(sizes.pictures, table, visit.grid))
            games += 1
            stale = 0 if len(knowledge.met) > met else stale + 1
            user.tell(_progress(games, outcome, knowledge))
            visit.note(table)
            untold = any(len(values) > 1 for values in knowledge.numbers.values())
            if games == wishes.games or (stale >= _STALE and not untold):
                break
            if wishes.key is not None:
                _new_board(table, wishes.key)
                visit.note(table)
                continue
            ends.close()
            table = None
            if not user.open_board():
                break
    return visit.learnt(knowledge, wishes.key)


@dataclass(slots=True)
class _Visit:
    """What was noted beside the looks."""

    grid: GridLook | None = None
    answer: float = 0.0
    dialogs: dict[str, Dialog] = field(default_factory=dict)

    def find_grid(self, table: Table, user: User) -> None:
        """Give the table its grid; raises GridNotFound."""
        first = self.grid is None
        self.grid, table.grid = discover(table.look())
        if first:
            size = f"{table.grid.width}x{table.grid.height}"
            user.tell(f"a board of {size} tiles of {table.grid.tile} pixels")

    def note(self, table: Table) -> None:
        """Take over what the table has seen of the game's conduct."""
        self.answer = max(self.answer, table.answer)
        self.dialogs |= table.dialogs

    def learnt(self, knowledge: Knowledge, key: str | None) -> Learnt:
        """The conclusions; raises Contradiction."""
        assert self.grid is not None
        findings = knowledge.findings()
        hits = _hit_looks(knowledge)
        pictures = [
            Labelled(
                shot.open,
                shot.grid,
                _cells(shot, knowledge, findings, hits),
                shot.phase,
                shot.game,
                shot.marks,
            )
            for shot in knowledge.shots
        ]
        _check_looks(knowledge, pictures)
        conduct = Conduct(
            new_game_key=key,
            answer_milliseconds=max(
                Conduct().answer_milliseconds, _milliseconds(_ANSWER_ROOM * self.answer)
            ),
            end_message_milliseconds=_milliseconds(knowledge.message_seconds),
            dialogs=tuple(self.dialogs.values()),
        )
        sure = _borne_out(knowledge.games, findings, pictures)
        return Learnt(self.grid, pictures, conduct, sure)


def _milliseconds(seconds: float) -> int:
    """As a profile takes them: a minute at most."""
    return min(60_000, round(1000 * seconds))


def _hit_looks(knowledge: Knowledge) -> set[int]:
    """The looks of the mines that were hit."""
    ends = ((shot.looks, shot.ending) for shot in knowledge.shots if shot.ending is not None)
    return {
        knowledge.book.same(looks[ending.hit]) for looks, ending in ends if ending.hit is not None
    }


def _cells(
    shot: Shot, knowledge: Knowledge, findings: Findings, hits: Set[int]
) -> list[Cell | None]:
    """What the shot shows. Some games draw all mines as the one that was hit; all are hit then."""
    cells = shot.cells(knowledge.games[shot.game], findings)
    return [
        Cell.EXPLODED if cell is Cell.MINE and knowledge.book.same(look) in hits else cell
        for look, cell in zip(shot.looks, cells, strict=True)
    ]


def _check_looks(knowledge: Knowledge, pictures: Sequence[Labelled]) -> None:
    """Raise Contradiction where one look came to stand for two things in one phase."""
    meanings: dict[tuple[str, int], Cell] = {}
    for shot, picture in zip(knowledge.shots, pictures, strict=True):
        for look, cell in zip(shot.looks, picture.cells, strict=True):
            if cell is None:
                continue
            known = meanings.setdefault((shot.phase, knowledge.book.same(look)), cell)
            if known != cell:
                raise Contradiction(
                    f"what looks alike was taken for {known.name.lower()} and for "
                    f"{cell.name.lower()}: calibrate again, hands off the window"
                )


def _new_board(table: Table, key: str) -> None:
    """Press the key, answering what the game asks; raises WindowError when it goes on asking."""
    table.close_dialogs("ended")
    for _ in range(_FRESH_TRIES):
        table.press(key)
        try:
            table.look()
        except WindowCovered:
            table.close_dialogs("new_game")
            continue
        return
    raise WindowError(f"no new board comes when {key!r} is pressed")


def _progress(number: int, outcome: str, knowledge: Knowledge) -> str:
    told = {values for values in knowledge.numbers.values() if len(values) == 1}
    known = " ".join(str(value) for value in sorted(min(values) for values in told))
    unsure = sum(len(values) > 1 for values in knowledge.numbers.values())
    return f"game {number}: {outcome}; numbers told: {known or 'none'}; looks untold: {unsure}"


def _borne_out(
    games: Iterable[Evidence], findings: Findings, pictures: Iterable[Labelled]
) -> Counter[Cell]:
    """How many squares show each number with all mines around them known; see `Learnt`."""
    sure: Counter[Cell] = Counter()
    for game, mines in zip(games, findings.mines, strict=True):
        for square, look in game.opened.items():
            number = findings.number(look)
            if number is not None and all(other in mines for other in game.around(square)):
                sure[Cell(number)] += 1
    for picture in pictures:
        sure.update({cell for cell in picture.cells if cell is not None and cell > Cell.EIGHT})
    return sure
