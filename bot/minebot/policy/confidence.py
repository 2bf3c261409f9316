"""How certain a share of games is that was counted."""

from __future__ import annotations

from math import sqrt

_Z = 1.959964
"""Standard deviations to each side of a 95 % interval. Specified by the normal distribution."""


def interval(wins: float, games: int) -> tuple[float, float]:
    """Return Wilson's 95 % interval of a share (E. B. Wilson 1927); (0, 1) for no game.

    `wins` may count a game by a part, from 0 to 1, where its own chance is known.
    """
    if not games:
        return 0.0, 1.0
    share, spread = wins / games, _Z * _Z / games
    middle = share + spread / 2
    wide = sqrt(share * (1 - share) * spread + spread * spread / 4)  # exactly spread / 2 for 0
    return max(0.0, (middle - wide) / (1 + spread)), min(1.0, (middle + wide) / (1 + spread))
