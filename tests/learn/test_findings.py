"""What is known of a game's behaviour, by the user's word or by what was seen."""

from __future__ import annotations

import pytest

from minebot.board import Board
from minebot.learn.findings import Findings
from minebot.profile import Behaviour


@pytest.mark.parametrize(
    ("way", "flags", "held"),
    [("shift", True, "shift"), ("none", False, None), ("right", True, None)],
)
def test_the_users_word_for_how_flags_are_set_is_taken(
    way: str, flags: bool, held: str | None
) -> None:
    findings = Findings(Behaviour(flag_modifier="ctrl"))
    findings.settle_flags(way)
    assert (findings.behaviour.flags, findings.behaviour.flag_modifier) == (flags, held)
    assert findings.flags_known == (way == "none")


ALL, AT_SIDES = "001? 001? 111? ????", "001? 001? 11?? ????"
"""Openings by a click of the first cell: with the cell at the corner of the empty ones, without."""


@pytest.mark.parametrize(
    ("openings", "at_sides_alone"),
    [
        ([ALL], False),
        ([AT_SIDES], True),
        ([ALL, AT_SIDES], True),
        ([AT_SIDES, ALL], True),
        (["1?? ??? ???"], True),
        (["00 00"], True),
        (["1?? ??1 ???"], True),
    ],
    ids=[
        "all",
        "sides",
        "all-then-sides",
        "sides-then-all",
        "no-opening",
        "no-corner",
        "stray-click",
    ],
)
def test_how_far_empty_cells_open_their_neighbours_is_told_by_openings(
    openings: list[str], at_sides_alone: bool
) -> None:
    findings = Findings(Behaviour(four_neighbour_flood=True))
    for opening in openings:
        findings.opening(Board.parse(opening.replace(" ", "\n")), {0})
    assert findings.behaviour.four_neighbour_flood == at_sides_alone
