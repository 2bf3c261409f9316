"""A layout that nobody was told follows from the clicks and from which squares look alike."""

from __future__ import annotations

from collections import defaultdict
from random import Random

import numpy as np
import pytest

from bot.board import Action, Cell, Move
from bot.field import Layout
from fixtures.ledger import CROSSED, Ledger, Rules, Shown, Untold
from fixtures.likeness import Lattice, groups, looks

FLAGGING = Rules(flags_when_won=True)
LAYOUT = Layout.parse("*....\n.....\n..*..\n....*")


def alike(shown: Shown) -> list[list[int]]:
    """The squares of a picture that look alike, if the game draws each thing in one way."""
    found = defaultdict(list)
    for square in range(len(shown.board.cells)):
        found[shown.meaning(square)].append(square)
    return list(found.values())


def played(moves: str, layout: Layout = LAYOUT, rules: Rules = FLAGGING) -> Ledger:
    made = [Move.parse(move) for move in moves.split("; ")]
    return Ledger(layout.width, layout.height, len(layout.mines), rules, made)


@pytest.mark.parametrize(
    ("moves", "expected"),
    [
        ("open 4,0", "?1000\n?2110\n???21\n?????"),
        ("open 4,0; flag 0,0; open 1,1", "F1000\n?2110\n???21\n?????"),
        ("open 1,1; flag 0,0; open 0,0", "F????\n?2???\n?????\n?????"),
        ("open 4,2; flag 3,3; open 2,2", "*????\n?????\n??!?1\n???F*"),
        ("open 1,0; flag 0,0; open 1,0", "F1000\n12110\n???21\n?????"),
    ],
)
def test_the_record_says_what_was_shown(moves: str, expected: str) -> None:
    assert str(played(moves).shown(LAYOUT).board) == expected


def test_winning_flags_the_mines_where_the_game_does_so() -> None:
    layout = Layout.parse("*..\n...")
    for flags, expected in [(True, "F10\n110"), (False, "?10\n110")]:
        shown = played("open 2,0; open 0,1", layout, Rules(flags)).shown(layout)
        assert str(shown.board) == expected
        assert shown.outcome == "won"


def test_a_wrong_flag_is_crossed_out_when_the_game_is_lost() -> None:
    shown = played("flag 4,0; flag 0,0; open 2,2").shown(LAYOUT)
    assert shown.crossed == {4}
    assert shown.meaning(4) == CROSSED
    assert shown.board.cells[4] == Cell.FLAG
    assert shown.flags == 2


@pytest.mark.parametrize("seed", range(10))
def test_the_layout_follows_from_how_a_game_ended(seed: int) -> None:
    random = Random(seed)
    layout = Layout.scattered(8, 8, 12, random)
    squares = random.sample(range(64), 40)
    safe = [square for square in squares if square not in layout.mines]
    moves = [Move(Action.FLAG, square % 8, square // 8) for square in sorted(layout.mines)[:3]]
    moves += [Move(Action.OPEN, square % 8, square // 8) for square in safe[:10]]
    hit = sorted(layout.mines)[-1]
    moves.append(Move(Action.OPEN, hit % 8, hit // 8))
    ledger = Ledger(8, 8, 12, FLAGGING, moves)
    shown = ledger.shown(layout)
    assert shown.outcome == "lost"
    assert ledger.layout(alike(shown)) == layout


def test_a_game_that_has_not_ended_tells_no_layout() -> None:
    ledger = played("open 4,0")
    with pytest.raises(Untold):
        ledger.layout(alike(ledger.shown(LAYOUT)))


def test_squares_that_look_alike_must_show_the_same() -> None:
    ledger = played("open 4,0")
    shown = ledger.shown(LAYOUT)
    assert ledger.holds(alike(shown), shown)
    first, second, *others = alike(shown)
    assert not ledger.holds([first + second, *others], shown)
    assert not ledger.holds([[square] for square in range(20)], shown)


def test_tiles_are_found_by_their_colour_even_when_some_are_a_pixel_wider() -> None:
    picture = np.zeros((40, 60, 4), np.uint8)
    for left, right in ((5, 15), (18, 28), (31, 40)):
        for top, bottom in ((4, 14), (17, 26)):
            picture[top:bottom, left:right, :3] = (3, 2, 1)
    lattice = Lattice.of_colour(picture, (1, 2, 3))
    assert lattice.size == (3, 2)
    assert lattice.columns == ((5, 15), (18, 28), (31, 40))
    assert lattice.middle(5) == (35, 21)


def test_squares_are_grouped_by_what_they_look_like() -> None:
    picture = np.zeros((20, 40, 4), np.uint8)
    picture[:, 20:30, 0] = 200
    rows = looks(picture, Lattice.even(0, 0, 10, 4, 2))
    assert sorted(groups(rows, 5)) == [[0, 1, 3, 4, 5, 7], [2, 6]]
