"""What all models agree on, with and without the total, and which clues clash."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from minebot.solver.constraints import ComponentSignature, Conflict
from minebot.solver.pipeline import backbone
from tests.support.brute import layouts_of, shapes, steady


def agreement(found: Sequence[tuple[int, ...]], sizes: Sequence[int]) -> list[bool | None]:
    """For each group whether it is all mines or all safe in all of `found`."""
    agreed: list[bool | None] = []
    for group, size in enumerate(sizes):
        seen = {mines[group] for mines in found}
        agreed.append(True if seen == {size} else False if seen == {0} else None)
    return agreed


@steady(200)
@given(shapes())
def test_the_backbone_is_what_all_layouts_agree_on(shape: ComponentSignature) -> None:
    assert backbone(shape) == agreement(layouts_of(shape), shape.sizes)


def test_a_front_without_a_layout_clashes() -> None:
    with pytest.raises(Conflict):
        backbone(ComponentSignature((1, 1, 1), ((1, (0, 1)), (1, (1, 2)), (1, (0, 2)))))


@steady(200)
@given(shapes(), st.integers(0, 4), st.integers(0, 12))
def test_with_the_total_only_layouts_of_so_many_mines_count(
    shape: ComponentSignature, untouched: int, mines: int
) -> None:
    fitting = [one for one in layouts_of(shape) if 0 <= mines - sum(one) <= untouched]
    if not fitting:
        with pytest.raises(Conflict):
            backbone(shape, mines, untouched)
        return
    found = backbone(shape, mines, untouched)
    assert found is not None
    assert found[:-1] == agreement(fitting, shape.sizes)
    if untouched:
        left = {mines - sum(one) for one in fitting}
        assert found[-1] is (False if left == {0} else True if left == {untouched} else None)


@pytest.mark.parametrize(
    ("mines", "untouched", "elsewhere"), [(0, 3, False), (3, 3, True), (2, 3, None)]
)
def test_a_total_without_fronts_decides_the_untouched_cells(
    mines: int, untouched: int, elsewhere: bool | None
) -> None:
    assert backbone(ComponentSignature((), ()), mines, untouched) == [elsewhere]


def test_a_search_that_would_not_end_is_given_up() -> None:
    """Sums over a long front, whose two ends know nothing of each other, are hard for it."""
    columns = 100
    rules = tuple((2, (at, at + 1, at + 2)) for at in range(columns - 2))
    chain = ComponentSignature((2,) * columns, rules)
    assert backbone(chain, 2 * columns // 3, 0) is None
