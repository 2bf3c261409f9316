"""Each click of a game gets the mark that it deserves, by what the player could see."""

from __future__ import annotations

from math import log10
from random import Random

import pytest

from minebot.analysis.move_rating import Rating
from minebot.analysis.review import review
from minebot.board import Action
from minebot.layout import Layout
from minebot.solver import solve
from tests.support.people import careful, played

FIELD = Layout.parse("""
*....
.....
...*.
.....
....*
""")


OPEN, FLAG, UNFLAG, CHORD = (
    Action.OPEN,
    Action.FLAG,
    Action.UNFLAG,
    Action.CHORD,
)


def marks(layout: Layout, *clicks: tuple[Action, int]) -> list[Rating]:
    timed = [(float(at), action, square) for at, (action, square) in enumerate(clicks)]
    return [one.mark for one in review(played(layout, timed)).marks]


def test_what_is_proven_is_certain_and_the_first_click_is_the_first() -> None:
    # Opening the lower left corner shows all but the upper left corner's neighbours.
    assert marks(FIELD, (OPEN, 20), (OPEN, 9)) == [Rating.FIRST, Rating.CERTAIN]


def test_flags_are_judged_by_what_proves_them() -> None:
    found = marks(FIELD, (OPEN, 20), (FLAG, 0), (UNFLAG, 0), (FLAG, 9), (UNFLAG, 9), (FLAG, 13))
    assert found == [
        Rating.FIRST, Rating.CERTAIN, Rating.UNDONE, Rating.WRONG, Rating.CERTAIN, Rating.CERTAIN
    ]  # fmt: skip


def test_a_click_of_which_nothing_comes_is_wasted() -> None:
    assert marks(FIELD, (OPEN, 20), (OPEN, 20), (CHORD, 6), (OPEN, 0))[1:] == [
        Rating.WASTED, Rating.WASTED, Rating.MINE
    ]  # fmt: skip


def test_a_guess_where_a_safe_cell_was_there() -> None:
    layout = Layout.scattered(9, 9, 10, Random(0), clear={0, 1, 9, 10})
    game = played(layout, [(0, OPEN, 0)])
    verdict = solve(game.final, risk=True)
    assert verdict.safe
    assert verdict.risk is not None
    unsure = next(
        at for at, risk in enumerate(verdict.risk) if risk and risk < 1 and at not in layout.mines
    )
    found = review(played(layout, [(0, OPEN, 0), (1, OPEN, unsure)]))
    assert found.marks[1].mark is Rating.NEEDLESS
    assert found.marks[1].avoidable == found.marks[1].risk == verdict.risk[unsure]
    assert found.costliest[0].kind.startswith("safe cell missed: ")


def test_a_toss_is_forced_and_lucky() -> None:
    layout = Layout.parse("*.\n..\n..")
    found = review(played(layout, [(0, OPEN, 4), (1, OPEN, 1)]))
    assert found.marks[1].mark is Rating.FORCED
    assert found.marks[1].risk == pytest.approx(0.5)
    assert found.luck == pytest.approx(log10(2))


def test_a_worse_guess_says_what_was_better() -> None:
    # The lone 2 in the corner: beside it two in three are mines, elsewhere far fewer.
    layout = Layout.parse(".*.....*..\n*.........\n....*.....")
    found = review(played(layout, [(0, OPEN, 0), (1, OPEN, 11)]))
    marked = found.marks[1]
    assert marked.mark is Rating.WORSE
    assert marked.compared is not None
    best, chosen = marked.compared.best, marked.compared.asked
    assert best is not None
    assert chosen is not None
    # So few layouts are left that the chances to win are known.
    assert best.win is not None
    assert chosen.win is not None
    assert marked.avoidable == pytest.approx(best.win - chosen.win)
    assert "best is" in found.costliest[0].text


def test_where_the_chance_to_win_is_not_known_a_guess_costs_its_risk() -> None:
    rows = [".*.....*....", "*...........", "....*.......", *["..*...*....*"] * 6]
    marked = review(played(Layout.parse("\n".join(rows)), [(0, OPEN, 0), (1, OPEN, 13)])).marks[1]
    assert marked.mark is Rating.WORSE
    assert marked.compared is not None
    best = marked.compared.best
    assert best is not None
    assert best.win is None
    assert marked.avoidable == pytest.approx(marked.risk - best.risk)


@pytest.mark.parametrize("seed", range(6))
def test_who_sees_everything_makes_no_mistake(seed: int) -> None:
    random = Random(seed)
    layout = Layout.scattered(9, 9, 10, random, clear={0, 1, 9, 10})
    game = careful(layout, 0, random)
    found = review(game)
    assert not found.counts[Rating.NEEDLESS]
    assert not found.counts[Rating.MINE]
    assert all(one.avoidable == 0 for one in found.marks if one.mark is not Rating.WORSE)
