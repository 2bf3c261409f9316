"""The numbers of a way to guess."""

from __future__ import annotations

import pytest

from minebot.policy.guessing.settings import GuessingSettings


@pytest.mark.parametrize(
    ("layouts", "small", "room"), [(0, 0, 1), (200, 0, 201), (200, 500, 501), (500, 200, 501)]
)
def test_there_is_room_for_one_layout_more_than_is_searched(
    layouts: int, small: int, room: int
) -> None:
    assert GuessingSettings(layouts=layouts, small=small).room == room


def test_each_is_a_number_and_together_they_are_a_key() -> None:
    settings = GuessingSettings()
    assert all(type(value) in (int, float, bool) for value in settings)
    assert {settings: 1}[GuessingSettings()] == 1
    assert GuessingSettings(worth=0.8) not in {settings: 1}
