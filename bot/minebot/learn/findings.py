"""What is known about how a game behaves, reported as soon as it is found out."""

from __future__ import annotations

from collections.abc import Callable, Set
from dataclasses import dataclass, field
from typing import Any

from minebot.board import Board, Cell
from minebot.capture import Pixel
from minebot.play.observer import Observation
from minebot.profile.schema import Behaviour, CounterStyle, RelativePosition, StatusStyle

FLAG_WAYS = ("right", "ctrl", "shift", "alt", "button")
"""How games let flags be set: a right click, a left one while a key is held, or one after a button
beside the board was clicked. They are tried in this order."""
LONGEST = 60_000
"""Milliseconds. Specified: a profile holds no longer time."""
SIGNIFICANCE = 0.01
"""Probability of mere chance below which a rule of the game is believed. Specified: 1 %."""
USUAL_DENSITY = 10 / 81
"""Fraction of mines if the total is unknown. Specified: the beginners' board of Windows."""
PICTURES = 4
"""Pictures kept for each number of flags, to find the mine counter in. Specified: a counter and a
clock that agree in all of them cannot be distinguished."""


@dataclass(slots=True)
class Findings:
    """All findings about one game's behaviour."""

    behaviour: Behaviour = field(default_factory=Behaviour)
    status: StatusStyle | None = None
    counter: CounterStyle | None = None
    mines: int | None = None
    """The mine total, if the user gives it."""
    on_news: Callable[[Findings], None] = lambda _: None
    """Called with each new finding."""
    flag_ways: list[str] = field(default_factory=lambda: list(FLAG_WAYS))
    """Ways to set a flag that may still be tried."""
    flag_at: Pixel | None = None
    """Where the user says that a click in the window has the next ones flag."""
    flags_known: bool = False
    """Whether it is known what sets a flag, or that nothing does."""
    last_flags_tried: bool = False
    """Whether it is known if the last flag ends a game."""
    outcomes: set[str] = field(default_factory=set)
    """How games have ended so far: `won`, `lost`, `over` where that was not seen."""
    pictures: dict[int, list[Observation]] = field(default_factory=dict)
    """Pictures of games that go on, for each number of flags in them."""
    chance: dict[str, float] = field(default_factory=lambda: {"opening": 1.0, "safe": 1.0})
    """How likely chance alone would have let all first clicks open an area, or hit no mine."""
    leaves_corners: bool = False
    """Whether an opening has left covered cells around its empty ones."""
    games: int = 0
    """Games played to an end that were understood."""

    def __post_init__(self) -> None:
        # The way that an earlier run found is tried first.
        by_button = self.behaviour.flag_button is not None
        known = "button" if by_button else self.behaviour.flag_modifier or "right"
        self.flag_ways.sort(key=lambda way: way != known)

    def note(self, **changes: Any) -> None:
        """Record what was found out of the game's behaviour."""
        behaviour = self.behaviour.changed(**changes)
        if behaviour != self.behaviour:
            self.behaviour = behaviour
            self.on_news(self)

    def settle_flags(self, way: str) -> None:
        """Take the user's word for how flags are set: one of `FLAG_WAYS`, or `none`."""
        self.flag_ways = [] if way == "none" else [way]
        self.flags_known = way == "none"
        if way != "button":
            held = way if way in ("ctrl", "shift", "alt") else None
            self.note(flags=way != "none", flag_modifier=held, flag_button=None)

    def flag_by(self, **changes: Any) -> None:
        """Record what sets a flag: a right click, but for these changes of the behaviour."""
        self.flags_known = True
        self.note(**{"flags": True, "flag_modifier": None, "flag_button": None} | changes)

    def give_up(self, way: str) -> None:
        """Exclude a way that sets no flag; after the last one, flags are impossible."""
        self.flag_ways = [each for each in self.flag_ways if each != way]
        if not self.flag_ways and not self.flags_known:
            self.flag_by(flags=False, flags_to_win=False)

    @property
    def is_counted(self) -> bool:
        """Whether it is known where the game counts its mines."""
        return self.status is not None or self.counter is not None

    @property
    def can_flag(self) -> bool:
        """Whether it is known what sets a flag."""
        return self.flags_known and self.behaviour.flags

    @property
    def knows_new_board(self) -> bool:
        """Whether it is known what brings a new board."""
        behaviour = self.behaviour
        ways = behaviour.new_game_key, behaviour.new_game_button, behaviour.end_buttons
        return any(ways) or behaviour.auto_restart

    def answered_by(self, button: RelativePosition) -> None:
        """Record what was clicked on a message over a board that has ended."""
        if button not in self.behaviour.end_buttons:
            self.note(end_buttons=(*self.behaviour.end_buttons, button))

    def note_longest(self, name: str, seconds: float) -> None:
        """Record a time of the behaviour, unless a longer one was seen."""
        milliseconds = min(LONGEST, round(1000 * seconds))
        self.note(**{name: max(getattr(self.behaviour, name), milliseconds)})

    def first_click(self, board: Board, square: int, mines: int | None) -> None:
        """Weigh what the first click of a game has shown, `board` being what came of it."""
        if board.cells[square] > Cell.EIGHT:
            self.chance = {"opening": 1.0, "safe": 1.0}
            self.note(first_click_may_lose=True)
            return
        density = USUAL_DENSITY if mines is None else mines / len(board.cells)
        around = 1 + len(board.neighbours(square))
        is_opening = board.cells[square] == Cell.EMPTY
        self.chance["opening"] *= (1 - density) ** around if is_opening else float("inf")
        self.chance["safe"] *= 1 - density
        self.note(first_click_may_lose=min(self.chance.values()) >= SIGNIFICANCE)

    def opening(self, board: Board, known: Set[int]) -> None:
        """Weigh which neighbours empty cells open, when only the `known` had been open or clicked.

        Another cell beside empty ones that has none at its sides was opened by a corner.
        """
        empty = {board.xy(square) for square in board.squares(Cell.EMPTY)}
        around = board.around(board.squares(Cell.EMPTY))
        self.leaves_corners |= not around.isdisjoint(board.squares(Cell.HIDDEN))
        by_corner = any(
            empty.isdisjoint({(x, y), (x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)})
            for x, y in map(board.xy, around & board.opened - known)
        )
        if by_corner or self.leaves_corners:
            self.note(four_neighbour_flood=self.leaves_corners)

    @property
    def is_whole(self) -> bool:
        """Whether everything that is needed is known."""
        is_end_seen = bool(self.outcomes & {"lost", "over"})
        return self.flags_known and self.knows_new_board and is_end_seen
