"""minebot sees a Minesweeper window, works out what is certain, and clicks it.

As a library it offers `read`, `solve`, `explain`, `recommend` and `play` (see `minebot.api`),
`Board`, `Cell`, `Style`, and the errors of `minebot.errors`. Each is loaded when it is first used.
"""

from __future__ import annotations

import os
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from minebot.api import explain, play, read, recommend, solve
    from minebot.board import Board, Cell
    from minebot.errors import Contradiction, MinebotError, VisionError
    from minebot.policy.style import Style

__version__ = "1.0.0"

__all__ = [
    "Board",
    "Cell",
    "Contradiction",
    "MinebotError",
    "Style",
    "VisionError",
    "explain",
    "play",
    "read",
    "recommend",
    "solve",
]

# A frame's matrices are small: sharing them out to threads that wait for each other takes
# longer than the work, five times as long on a busy machine. Must be said before numpy loads.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

_HOMES = {
    "minebot.board": ("Board", "Cell"),
    "minebot.errors": ("Contradiction", "MinebotError", "VisionError"),
    "minebot.policy.style": ("Style",),
}
"""Where the names are from that are not of `minebot.api`."""


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    home = next((home for home, names in _HOMES.items() if name in names), "minebot.api")
    return getattr(import_module(home), name)
