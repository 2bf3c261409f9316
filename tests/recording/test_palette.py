"""The colours of boards: contrast, and how they look to people who cannot tell red from green."""

from __future__ import annotations

import re
from itertools import combinations

import numpy as np
import pytest
from numpy.typing import NDArray

from minebot.recording import palette
from minebot.recording.palette import colours, hexadecimal, risk_colour

SHEET = palette.SHEET.read_text()
WRITTEN = (
    ("risk-ink", "below"), ("risk-ink", "even"), ("risk-ink", "above"), ("risk-ink", "covered"),
    ("safe-ink", "safe"), ("mine-ink", "mine"), ("best-ink", "best"),
)  # fmt: skip
SEEN = {
    "as most people": np.eye(3),
    # Machado, Oliveira and Fernandes 2009, table 1, severity 1.0; on linear RGB
    "protanopia": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216],
         [-0.003882, -0.048116, 1.051998]]
    ),
    "deuteranopia": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413],
         [-0.011820, 0.042940, 0.968881]]
    ),
}  # fmt: skip
APART = 10.0
"""CIE 1976 colour difference: several times what is just noticeable (2.3)."""


def _theme(dark: bool) -> dict[str, NDArray[np.float64]]:
    """Linear red, green and blue of each colour."""
    pairs = re.findall(r"--([a-z-]+): light-dark\(#(\w{6}), #(\w{6})\)", SHEET)
    found = {}
    for name, *both in pairs:
        value = np.array([int(both[dark][at : at + 2], 16) / 255 for at in (0, 2, 4)])
        found[name] = np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4)
    return found


def _lab(linear: NDArray[np.float64]) -> NDArray[np.float64]:
    to_xyz = [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]
    x, y, z = np.cbrt(np.array(to_xyz) @ linear.clip(0, 1) / [0.9505, 1.0, 1.089])
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize(("ink", "ground"), WRITTEN)
def test_what_is_written_has_contrast(dark: bool, ink: str, ground: str) -> None:
    theme = _theme(dark)
    lightness = sorted(float(theme[name] @ [0.2126, 0.7152, 0.0722]) for name in (ink, ground))
    assert (lightness[1] + 0.05) / (lightness[0] + 0.05) >= 4.5  # WCAG 2.2, AA


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("eyes", SEEN)
def test_kinds_of_cells_are_told_apart(dark: bool, eyes: str) -> None:
    theme = _theme(dark)
    names = ("open", "below", "even", "above", "safe", "mine", "best")
    seen = {name: _lab(SEEN[eyes] @ theme[name]) for name in names}
    near = {
        (one, other): round(float(np.linalg.norm(seen[one] - seen[other])), 1)
        for one, other in combinations(names, 2)
    }
    assert {pair: far for pair, far in near.items() if far < APART} == {}


def test_risks_are_coloured_by_how_far_they_are_from_the_average() -> None:
    named = colours()
    assert risk_colour(0.2, 0.2) == named["even"]
    assert risk_colour(0.01, 0.2) == named["below"]
    assert risk_colour(0.9, 0.2) == named["above"]
    assert risk_colour(0.2, 0.5) != named["even"]
    assert risk_colour(0.0, 0.2) == named["safe"]
    assert risk_colour(1.0, 0.2) == named["mine"]


def test_style_sheets_write_red_first() -> None:
    assert hexadecimal((1, 2, 255)) == "#ff0201"
