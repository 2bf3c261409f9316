"""The constraints of a board: reading, deductions, groups and components."""

from __future__ import annotations

import pytest

from minebot.board import Board
from minebot.solver.constraints import (
    BoardConstraints,
    ComponentSignature,
    Conflict,
    ConstraintStore,
    apart,
    components,
    join,
    propagate,
)
from tests.support.brute import letters, state


def read(board: Board) -> ConstraintStore:
    """The rules of one board, as they are read."""
    reading = BoardConstraints()
    reading.take(board)
    return reading.rules


def meaning(rules: ConstraintStore) -> tuple[object, ...]:
    """What rules say, whatever they are called."""
    said = {(rules.mines[rule], frozenset(cells)) for rule, cells in rules.cells.items()}
    return said, rules.safe, rules.mined, rules.undecided


def test_a_clue_is_a_rule_about_the_covered_cells_around_it() -> None:
    reading = BoardConstraints()
    reading.take(Board.parse("1?\n??"))
    assert reading.rules.cells == {0: {1, 2, 3}}
    assert reading.rules.mines == {0: 1}


def test_flags_are_opinions_and_shown_mines_are_counted_off() -> None:
    reading = BoardConstraints()
    reading.take(Board.parse("F*?\n?3?\n???", mines=4))
    assert reading.rules.cells == {4: {0, 2, 3, 5, 6, 7, 8}}
    assert reading.rules.mines == {4: 2}
    assert reading.mines_left() == 3


def test_clues_that_need_all_their_cells_are_done_with_at_a_glance() -> None:
    reading = BoardConstraints()
    reading.take(Board.parse("?2?\n121\n000", mines=2))
    assert reading.rules.mined == {0, 2}
    assert not reading.rules.cells
    assert reading.mines_left() == 0


@pytest.mark.parametrize("text", ["1", "00\n01", "10", "?0*", "8?", "*0"])
def test_clues_without_enough_around_them_clash(text: str) -> None:
    rules = read(Board.parse(text))
    with pytest.raises(Conflict):
        propagate(rules)


def test_a_later_board_of_the_game_adds_to_the_same_rules() -> None:
    reading = BoardConstraints()
    reading.take(Board.parse("????\n1???"))
    rules = reading.rules
    reading.take(Board.parse("?F??\n1?1?"))
    assert reading.rules is rules
    assert rules.cells == {4: {0, 1, 5}, 6: {1, 2, 3, 5, 7}}
    assert rules.mines == {4: 1, 6: 1}
    assert rules.undecided == {0, 1, 2, 3, 5, 7}


@pytest.mark.parametrize(
    "other",
    [
        Board.parse("2???", mines=2),
        Board.parse("1???", mines=3),
        Board.parse("1?\n??", mines=2),
        Board.parse("????", mines=2),
    ],
    ids=["another number", "another total", "another size", "a new game"],
)
def test_a_board_that_cannot_follow_starts_afresh(other: Board) -> None:
    reading = BoardConstraints()
    reading.take(Board.parse("1???", mines=2))
    rules = reading.rules
    reading.take(other)
    assert reading.rules is not rules
    assert meaning(reading.rules) == meaning(read(other))


def test_a_revealed_cell_that_was_certain_to_be_something_else_clashes() -> None:
    reading = BoardConstraints()
    reading.take(Board.parse("1?1"))
    propagate(reading.rules)
    assert reading.rules.mined == {1}
    with pytest.raises(Conflict):
        reading.take(Board.parse("101"))


def spelled(rules: ConstraintStore) -> str:
    """The open rules in letters."""
    open_rules = sorted(rules.cells)
    return " ".join(f"{rules.mines[rule]}:{letters(rules.cells[rule])}" for rule in open_rules)


@pytest.mark.parametrize(
    ("mine", "left"),
    [(True, "0:a 1:cd"), (False, "1:a 2:cd")],
)
def test_a_decided_cell_leaves_its_rules_and_a_mine_is_counted_off(mine: bool, left: str) -> None:
    rules = state("1:ab 2:bcd")
    rules.decide([ord("b")], mine=mine)
    assert spelled(rules) == left
    assert letters(rules.mined if mine else rules.safe) == "b"
    assert letters(rules.undecided) == "acd"


def test_a_rule_that_comes_later_knows_what_is_decided() -> None:
    rules = state("1:ab 2:bcd")
    rules.decide([ord("c")], mine=True)
    rules.decide([ord("a")], mine=False)
    rules.add(7, 2, [*map(ord, "acd")])
    assert spelled(rules) == "1:b 1:bd 1:d"


def test_a_revealed_cell_is_gone_and_must_be_what_was_certain() -> None:
    rules = state("1:ab 2:bcd")
    rules.decide([ord("a")], mine=False)
    rules.reveal(ord("a"), mine=False)
    rules.reveal(ord("d"), mine=True)
    assert spelled(rules) == "1:b 1:bc"
    assert (rules.safe, rules.mined, letters(rules.undecided)) == (set(), set(), "bc")
    rules.decide([ord("b")], mine=True)
    with pytest.raises(Conflict):
        rules.reveal(ord("b"), mine=False)


def test_a_rule_within_another_is_subtracted() -> None:
    rules = state("1:ab 2:abcd")
    rules.subtract(0, 1)
    assert spelled(rules) == "1:ab 1:cd"
    assert len(components(rules)) == 2


def test_undecided_cells_of_no_rule_are_untouched() -> None:
    rules = state("1:ab 2:abcd")
    rules.undecided |= set(map(ord, "xyz"))
    rules.decide([ord("y")], mine=True)
    assert letters(rules.untouched()) == "xz"


def test_fronts_are_independent_and_alike_cells_grouped() -> None:
    found = components(state("1:abc 2:bcd 1:xy"))
    by_letters = {
        frozenset(letters(set(group)) for group in component.groups): component
        for component in found
    }
    assert set(by_letters) == {frozenset({"a", "bc", "d"}), frozenset({"xy"})}
    assert by_letters[frozenset({"xy"})].shape == ComponentSignature((2,), ((1, (0,)),))


def test_clues_that_say_the_same_become_one_rule() -> None:
    (component,) = components(state("1:ab 1:ab"))
    assert component.shape == ComponentSignature((2,), ((1, (0,)),))


def test_like_fronts_have_equal_shapes_wherever_they_lie() -> None:
    one, other = components(state("1:abc 2:bcd 1:stu 2:tuv"))
    assert one.shape == other.shape
    assert one.groups != other.groups


def test_joined_fronts_keep_their_groups_and_rules() -> None:
    found = components(state("1:abc 2:bcd 1:xy"))
    whole = join(found)
    assert whole.groups == found[0].groups + found[1].groups
    assert sorted(mines for mines, _ in whole.shape.rules) == [1, 1, 2]
    assert max(group for _, about in whole.shape.rules for group in about) == 3
    assert join([]).shape == ComponentSignature((), ())


def test_rules_apart_share_no_cell_and_leave_what_is_between() -> None:
    shape = ComponentSignature((1, 1, 1, 1), ((1, (0, 1)), (1, (1, 2)), (1, (2, 3))))
    chosen, between = apart(shape)
    assert chosen in ([0, 2], [1])
    assert between == ([] if chosen == [0, 2] else [0, 3])


def test_rules_are_dropped_when_all_their_cells_are_decided() -> None:
    rules = state("1:ab 1:bc")
    rules.decide([ord("b")], mine=True)
    propagate(rules)
    assert spelled(rules) == ""
    assert letters(rules.safe) == "ac"
