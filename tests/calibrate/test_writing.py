"""A profile as text is the same profile again."""

from __future__ import annotations

import tomllib

import pytest

from bot.board import Cell
from bot.calibrate.writing import profile_text
from bot.profile import ApartLook, FramedLook, Profile, SampleLook, TouchingLook, parse
from bot.profile.behaviour import Conduct
from bot.profile.values import GridLook, Sample

SAMPLES = SampleLook((Sample(Cell.EMPTY, ((1, 2, 3),)),))


@pytest.mark.parametrize(
    "grid",
    [
        FramedLook((153, 153, 153), (255, 255, 255), 8, 0.1, 8),
        ApartLook(((9, 8, 7),), 8, 12),
        TouchingLook(1, 12),
    ],
)
def test_each_kind_of_grid_comes_back_and_no_counter_with_it(grid: GridLook) -> None:
    made = Profile("mine", "Mines", "as seen", ("mines",), grid, SAMPLES, None, Conduct())
    again = parse(tomllib.loads(profile_text(made)), "mine")
    assert again == made
    assert again.status is None
