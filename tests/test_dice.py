"""Loaded dice: a game that can be told no layout lays its mines the same way again."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from bot.board import Action
from bot.desk import PrivateDisplay
from fixtures.dice import loaded, loader
from fixtures.match import Match, Plan
from fixtures.others import Party, seated
from fixtures.stage import Picture, Stage

LINES = {
    "gnome-mines": "default 16x16n40 @700x600",
    "kmines": "classic 16x16n40 @560x500",
    "xdemineur": "plain 16x16n40 @400x480",
}


@pytest.fixture(scope="module")
def library() -> Iterator[Path]:
    with loader() as path:
        yield path


def first_opening(game: str, dice: str, desk: PrivateDisplay, library: Path) -> Picture:
    """The board after the first click in the middle of it, without what lies around."""
    party = Party.parse(game, LINES[game])
    with Stage(desk) as stage, seated(party, desk, stage, loaded(library, dice)) as table:
        match = Match(table, Random(0), Plan(), first=16 * 8 + 8)
        if not table.rules.begun:
            match.click(match.first, Action.OPEN)
        picture = match.shoot("early")
        (left, _), (_, right) = table.lattice.columns[0], table.lattice.columns[-1]
        (top, _), (_, bottom) = table.lattice.rows[0], table.lattice.rows[-1]
        return picture[top:bottom, left:right]


@pytest.mark.parametrize("game", LINES)
def test_the_same_dice_lay_the_same_mines(game: str, desk: PrivateDisplay, library: Path) -> None:
    one, again, other = (
        first_opening(game, dice, desk, library) for dice in ("one", "one", "other")
    )
    assert (one == again).all()
    assert (one != other).any()
