"""Single rules and pairs of rules: what they decide, and that they decide no more."""

from __future__ import annotations

import pytest
from hypothesis import given

from minebot.board import Board
from minebot.solver.constraints import BoardConstraints, Conflict, propagate
from tests.support.brute import boards, certain, letters, state, steady

DECIDED = [
    ("a rule without mines", "0:ab", "ab", ""),
    ("a rule of nothing but mines", "2:ab", "", "ab"),
    ("neither", "1:ab", "", ""),
    ("one decides the next", "1:a 1:ab 2:bcd", "b", "acd"),
    ("a rule within another", "1:ab 1:abc", "c", ""),
    ("and the rest are mines", "1:ab 2:abc", "", "c"),
    ("1-2 at a wall", "1:ab 2:abc 2:bcde", "", "c"),
    ("an overlap with a rest on both sides", "2:abc 1:cde", "", ""),
    ("all that one has to itself", "3:abcd 1:cd", "", "ab"),
    ("an overlap: mines here, safe there", "1:cde 3:abcd", "e", "ab"),
    ("the same twice", "1:ab 1:ab", "", ""),
    ("pairs too where a cell is safe", "0:x 1:ab 1:abc", "cx", ""),
    ("a difference decides a third", "1:ab 2:abcd 1:cde", "e", ""),
]


@pytest.mark.parametrize(
    ("rules", "safe", "mines"), [row[1:] for row in DECIDED], ids=[row[0] for row in DECIDED]
)
def test_decides(rules: str, safe: str, mines: str) -> None:
    found = state(rules)
    propagate(found)
    assert (letters(found.safe), letters(found.mined)) == (safe, mines)


@pytest.mark.parametrize("rules", ["3:ab", "1:ab 0:abc", "0:ab 1:ab", "2:ab 1:abc", "1:ab 3:abc"])
def test_a_rule_that_cannot_be_kept_clashes(rules: str) -> None:
    with pytest.raises(Conflict):
        propagate(state(rules))


def test_in_a_hurry_pairs_wait_until_nothing_is_safe() -> None:
    rules = state("0:x 1:ab 1:abc")
    propagate(rules, hurry=True)
    assert letters(rules.safe) == "x"
    rules.reveal(ord("x"), mine=False)
    propagate(rules, hurry=True)
    assert letters(rules.safe) == "c"


def test_a_pair_is_compared_when_the_rule_with_fewer_mines_has_changed() -> None:
    rules = state("3:abcd 2:cdef")
    propagate(rules)
    assert (rules.safe, rules.mined) == (set(), set())
    rules.reveal(ord("f"), mine=True)
    propagate(rules)
    assert (letters(rules.safe), letters(rules.mined)) == ("e", "ab")


@steady(200)
@given(boards())
def test_nothing_is_decided_that_is_not_certain(board: Board) -> None:
    reading = BoardConstraints()
    reading.take(board)
    propagate(reading.rules)
    safe, mines = certain(board)
    assert reading.rules.safe <= safe
    assert reading.rules.mined <= mines
