"""Damaged pictures: read right or refused, whatever happened to them."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))

from damage import KINDS, Outcome, trial  # type: ignore[import-not-found]  # no package

SEED = 4


@pytest.mark.timeout(400)  # up to 20 s of processor time, on a machine that may be busy
@pytest.mark.parametrize("game", ["gnome-mines", "kmines", "sgt-mines", "xdemineur"])
def test_nothing_is_read_wrong_and_nothing_crashes(game: str) -> None:
    outcomes: list[Outcome] = [trial((number, SEED, game)) for number in range(len(KINDS))]
    assert [one for one in outcomes if one.verdict not in ("right", "refused")] == []


@pytest.mark.parametrize(
    ("number", "game"),
    [
        (432, "gnome-mines"),  # colours shifted until hidden tiles look opened
    ],
)
def test_what_was_read_wrong_once_is_not_again(number: int, game: str) -> None:
    assert trial((number, 1, game)).verdict != "wrong"
