"""ZiNi as other programs count it, and the clicks that a game could have done without."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from minebot.analysis.efficiency import zini
from minebot.analysis.review import review
from minebot.board import Action
from minebot.layout import Layout
from tests.support.people import played

OPEN, FLAG, UNFLAG, CHORD = Action.OPEN, Action.FLAG, Action.UNFLAG, Action.CHORD
WALL = Layout.parse("...*.\n..*..\n...*.")
"""Once its left side is open, the mine and the safe cells of column 3 are certain."""


@pytest.mark.parametrize(
    ("text", "bbbv", "greedy", "human"),
    [
        ("...\n...", 1, 1, 1),
        ("*.*\n...", 4, 4, 4),  # flags would cost what the chord saves
        ("*..*\n....", 6, 4, 5),  # two flags, an opened number, a chord; a human opens another one
        ("...\n.*.\n...", 8, 5, 6),
    ],
)
def test_zini_counts_flags_and_chords(text: str, bbbv: int, greedy: int, human: int) -> None:
    layout = Layout.parse(text)
    assert (layout.bbbv, zini(layout), zini(layout, human=True)) == (bbbv, greedy, human)


@pytest.mark.parametrize(("width", "height", "mines"), [(9, 9, 10), (9, 9, 35), (30, 16, 99)])
def test_zini_is_that_of_ms_toollib(width: int, height: int, mines: int) -> None:
    toollib = pytest.importorskip("ms_toollib")
    random = Random(mines)
    for _ in range(20):
        layout = Layout.scattered(width, height, mines, random)
        cells = [-1 if at in layout.mines else n for at, n in enumerate(layout.numbers)]
        rows = [cells[at : at + width] for at in range(0, len(cells), width)]
        assert zini(layout) == toollib.cal_zini(rows)
        assert zini(layout, human=True) == toollib.cal_hzini(rows)


def _lost(layout: Layout, *clicks: tuple[Action, int]) -> list[tuple[int, int, str]]:
    game = played(layout, [(float(at), *click) for at, click in enumerate(clicks)])
    lost = review(replace(game, known=layout)).lost_clicks
    return [(one.at, one.clicks, one.text) for one in lost]


def test_each_lost_click_is_told_with_its_reason() -> None:
    row = Layout.parse("..*.....")
    assert _lost(row, (OPEN, 3), (OPEN, 3), (FLAG, 2), (OPEN, 5)) == [
        (0, 1, "row 1, column 4: an opening opens it without a click"),
        (1, 1, "row 1, column 4: wasted click"),
        (2, 1, "row 1, column 3: no chord used the flag"),
    ]
    assert _lost(row, (OPEN, 5), (FLAG, 2), (UNFLAG, 2))[1] == (
        2,
        1,
        "row 1, column 3: took a right flag off",
    )


def test_a_chord_that_was_to_be_seen_is_missed_once() -> None:
    clicks = (OPEN, 0), (FLAG, 7), (OPEN, 2), (OPEN, 12)
    assert _lost(WALL, *clicks) == [
        (1, 1, "row 2, column 3: no chord used the flag"),
        (2, 1, "row 1, column 3: a chord on row 2, column 2 opens more"),
    ]


def test_nothing_is_lost_by_flags_that_a_chord_needs() -> None:
    assert _lost(WALL, (OPEN, 0), (FLAG, 7), (CHORD, 6)) == []


def test_a_mine_that_was_hit_is_no_lost_click() -> None:
    assert _lost(WALL, (OPEN, 0), (OPEN, 7)) == []
