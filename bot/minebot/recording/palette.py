"""The colours of boards in pictures and pages: a style sheet, which the study's page loads too."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

Colour = tuple[int, int, int]
"""Blue, green, red."""

SHEET = Path(__file__).with_suffix(".css")
"""Where the colours are, for pages and pictures alike."""
_SPAN = math.log(8)
"""Distance of log odds from the average's at the end of the scale; as in study/web/grid.js."""


@lru_cache(maxsize=1)
def colours() -> dict[str, Colour]:
    """Each colour for light grounds, by its name in the style sheet."""
    pairs = re.findall(
        r"--([a-z-]+): light-dark\(#(\w\w)(\w\w)(\w\w),", SHEET.read_text(encoding="utf-8")
    )
    return {name: (int(b, 16), int(g, 16), int(r, 16)) for name, r, g, b in pairs}


def hexadecimal(colour: Sequence[int]) -> str:
    """The blue, green and red of a colour, from 0 to 255, as style sheets write it: `#rrggbb`."""
    blue, green, red = (int(level) for level in colour[:3])
    return f"#{red:02x}{green:02x}{blue:02x}"


def risk_colour(chance: float, average: float) -> Colour:
    """The colour of a risk on a board whose uncertain cells have this average; both from 0 to 1."""
    if chance in (0.0, 1.0):
        return colours()["mine" if chance else "safe"]
    distance = (_logit(chance) - _logit(average)) / _SPAN
    end, even = colours()["above" if distance > 0 else "below"], colours()["even"]
    share = min(abs(distance), 1.0)
    blue, green, red = (round(a + share * (b - a)) for a, b in zip(even, end, strict=True))
    return blue, green, red


def average_risk(risks: list[float]) -> float:
    """The mean of those that are not certain, from 0 to 1; one half where all are."""
    uncertain = [chance for chance in risks if 0.0 < chance < 1.0]
    return sum(uncertain) / len(uncertain) if uncertain else 0.5


def _logit(chance: float) -> float:
    return math.log(chance / (1 - chance))
