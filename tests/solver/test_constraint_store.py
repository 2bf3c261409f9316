"""Rules shrink as cells are decided; alike cells and independent fronts are found."""

from __future__ import annotations

import pytest

from minebot.solver.constraint_store import (
    ComponentSignature,
    Conflict,
    ConstraintStore,
    apart,
    components,
    join,
    propagate,
)
from tests.support.brute import letters, state


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
