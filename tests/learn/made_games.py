"""Games of which a test says how they behave."""

from __future__ import annotations

from typing import Any

from tests.learn.drawn_game import DrawnGame


def drawn(seed: int = 4, **says: Any) -> DrawnGame:
    """A game that behaves so; the attributes are those of `DrawnGame`."""
    for name in says:
        assert hasattr(DrawnGame, name)
    return type("Game", (DrawnGame,), says)(seed)
