"""The memory of the endgame search has the room that the search relies on."""

from __future__ import annotations

import pytest

from minebot.policy.guessing.endgame_workspace import BEGIN, MAX_CELLS, PLACES, SETS, make_endgame


@pytest.mark.parametrize("layouts", [1, 200, 3000])
def test_there_is_room_for_each_layout_and_each_set(layouts: int) -> None:
    game = make_endgame(layouts)
    by_layout = (game.sign, game.rivals, game.head, game.next, game.following)
    for row in by_layout[:3]:
        assert len(row) == layouts
    assert game.shown.shape == (layouts, MAX_CELLS)
    assert game.words.shape == (layouts, MAX_CELLS // 4), "four cells a word"
    assert len(game.arena) >= layouts
    assert len(game.keys) == len(game.values) >= max(PLACES, SETS * layouts)


@pytest.mark.parametrize("layouts", [1, 127, 128, 129, 3000])
def test_places_for_sets_are_a_power_of_two(layouts: int) -> None:
    places = len(make_endgame(layouts).keys)
    assert places & (places - 1) == 0


def test_every_branch_has_its_columns() -> None:
    game = make_endgame(10)
    branches = len(game.branch)
    assert branches > MAX_CELLS, "each opens a cell more"
    assert game.branch.shape[1] == BEGIN + 11, "ten numbers, and where the last one ends"
    assert game.worth.shape == (branches, MAX_CELLS)
    assert all(len(row) == branches for row in (game.key, game.need, game.best, game.won))


def test_layouts_have_words_of_their_own_and_always_the_same() -> None:
    signs = make_endgame(3000).sign
    assert len(set(signs.tolist())) == 3000
    assert (signs == make_endgame(3000).sign).all()
