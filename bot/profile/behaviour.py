"""How a game behaves, as values: its keys, its other windows, how fast it answers."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

__all__ = ["Chooser", "Conduct", "Dialog"]


@dataclass(frozen=True, slots=True)
class Dialog:
    """A window that the game itself puts in front of its board."""

    title: re.Pattern[str]
    when: str
    """`ended`: at the end of a game; `new_game`: when a new one is asked for."""
    keys: tuple[str, ...]
    """What to press, one after the other, so that it goes away and playing goes on."""


@dataclass(frozen=True, slots=True)
class Chooser:
    """What a game shows in the place of a board, for the person to pick one."""

    entry: re.Pattern[str]
    """What a line of text on it reads that picks a board; has the groups `width`, `height`."""
    key: str | None = None
    """The key that comes back to it, None where there is none."""


@dataclass(frozen=True, slots=True)
class Conduct:
    """How a game is to be dealt with."""

    new_game_key: str | None = None
    """For a new board of the same size; None where there is no such key."""
    answer: float = 0.4
    """Seconds after which a click that has not shown is lost."""
    message: float = 0.0
    """Seconds for which a message lies over the board when a game has ended."""
    dialogs: tuple[Dialog, ...] = ()
    chooser: Chooser | None = None
    boards: Mapping[tuple[int, int], tuple[str, ...]] = field(default_factory=dict)
    """The keys that pick a board of so many columns and rows, as in its menus."""
    other_board: str = "start the game with it"
    """What a person does to have a board of a size that neither keys nor chooser pick."""
    flags_to_win: bool = False
    """Whether a game is won only when every mine is flagged."""
