"""Positions that are asked again: one for all its twins, judged as a click is, and their notes."""

from __future__ import annotations

from html.parser import HTMLParser
from itertools import islice
from random import Random

import numpy as np
import pytest

from minebot.analysis.drills import (
    PATTERNS,
    Tally,
    canonical,
    mistakes,
    notes,
    passed_over,
    positions,
    question,
    reply,
    situation,
    tallies,
)
from minebot.analysis.explanation import family, why_certain
from minebot.analysis.move_rating import Rating
from minebot.analysis.recommendation import Recommendation
from minebot.analysis.review import Review, review
from minebot.board import Action, Board, Cell
from minebot.errors import UsageError
from minebot.layout import Layout
from minebot.solver import solve
from tests.support.people import played

WALL = Board.parse("????\n1221\n0000")
"""The two outer cells are safe, the two inner ones mines."""
WEEK = 7 * 86_400


GUESS = Board.parse("1??\n???\n???", 2)
"""Nothing is certain."""
LAYOUT = Layout.parse("*....\n.....\n.....\n.....\n...*.")
"""Opening any cell of its middle leaves the two mines and one safe cell, in a corner."""


def of_game(*clicks: tuple[Action, int]) -> Review:
    """A game with a click a second."""
    return review(played(LAYOUT, [(float(at), *click) for at, click in enumerate(clicks)]))


def test_twins_are_one_position_and_flags_do_not_matter() -> None:
    board = Board.parse("?F2?\n0012\n????", 4)
    grid = board.grid
    for turns in range(4):
        for way in (grid, grid.T):
            cells = np.rot90(way, turns)
            twin = Board(cells.shape[1], cells.shape[0], 4, cells.tobytes())
            assert canonical(twin) == canonical(board)
    found = canonical(board)
    assert (found.width, found.height, found.mines) == (4, 3, 4)
    assert sorted(found.cells) == sorted(board.cells.replace(b"\x0a", b"\x09"))
    assert canonical(board.with_mines(5)) != found
    assert canonical(Board.parse("?F2?\n0012\n???1", 4)) != found


@pytest.mark.parametrize(("square", "right"), [(0, True), (1, False), (3, True)])
def test_any_cell_that_is_proven_safe_is_right(square: int, *, right: bool) -> None:
    found = reply(WALL, square)
    assert found.right is right
    assert found.said == ("right" if right else "wrong: opened a certain mine")
    assert found.answers == {0, 3}
    said = [reason.text for reason in found.reasons()]
    assert said[0].startswith(f"row 1, column {square + 1} is {'safe' if right else 'a mine'} by")
    assert (len(said) == 1) is right
    if not right:
        assert " is safe by" in said[1]


def test_a_guess_is_wrong_where_a_cell_is_safe_and_the_easiest_is_shown() -> None:
    found = reply(Board.parse("????\n1???\n11??\n00??", 4), 3)
    assert found.marked.mark is Rating.NEEDLESS
    assert not found.right
    first, second = found.reasons()
    assert isinstance(first, Recommendation)
    assert "no guess is needed" in first.text
    assert " is safe by " in second.text


def test_where_nothing_is_certain_the_best_guesses_are_right_and_no_others() -> None:
    found = {at: reply(GUESS, at) for at in range(1, 9)}
    right = {at for at, one in found.items() if one.right}
    compared = found[1].marked.compared
    assert compared is not None
    assert compared.best is not None
    assert compared.best.square in right
    assert 1 not in right
    assert all(one.answers == right for one in found.values())
    assert found[1].said == "wrong: worse guess than needed"
    assert all("best is row" in one.reasons()[0].text for one in found.values() if not one.right)


def test_who_opens_a_mine_where_no_cell_is_safe_is_told_the_best_guess() -> None:
    board = Board.parse("????\n????\n122?", 3)
    found = reply(board, 6)
    assert found.said == "wrong: opened a certain mine"
    first, second = (reason.text for reason in found.reasons())
    assert first.startswith("row 2, column 3 is a mine by")
    assert second.startswith("best is row")
    right = {at for at in board.squares(Cell.HIDDEN) if reply(board, at).right}
    assert found.answers
    assert found.answers <= right


def test_as_little_risk_is_not_enough_where_the_prospects_are_worse() -> None:
    board = Board.parse("001?????\n001?????\n0014????\n122?????\n????????\n????????", 9)
    best, twin, other = (reply(board, at) for at in (3, 27, 35))
    assert not any(one.marked.mark.mistake for one in (best, twin, other))
    assert best.marked.risk == pytest.approx(other.marked.risk)
    assert (best.right, twin.right, other.right) == (True, True, False)
    # Here the player has compared both: 0.733 and 0.692.
    board = Board.parse("01????\n12????\n??3???\n??????\n??????", 7)
    best, other = reply(board, 5), reply(board, 4)
    assert other.marked.mark is Rating.GOOD
    assert (best.right, other.right) == (True, False)


def test_where_a_guess_is_forced_it_may_wait_for_the_least_risk() -> None:
    board = Board.parse("01?2????\n012?????\n002?????\n013?????\n13??????\n????????", 9)
    forced, twin, least, other = (reply(board, at) for at in (40, 41, 5, 4))
    assert forced.marked.risk == twin.marked.risk == pytest.approx(0.5)
    assert least.marked.risk < other.marked.risk < 0.5
    assert not other.marked.mark.mistake
    assert [one.right for one in (forced, twin, least, other)] == [True, True, True, False]


@pytest.mark.parametrize("rows", ["1?\n1?", "1?2?1\n1?2?1"])
def test_of_a_toss_either_side_is_right(rows: str) -> None:
    board = Board.parse(rows, rows.count("?") // 2)
    assert {reply(board, at).right for at in board.squares(Cell.HIDDEN)} == {True}


@pytest.mark.parametrize(
    ("mines", "said"), [(None, "Which"), (1, "1 mine in all. Which"), (9, "9 mines in all. Which")]
)
def test_the_question_names_the_mine_total_where_it_is_known(mines: int | None, said: str) -> None:
    assert question(WALL.with_mines(mines)).startswith(said)


def test_an_open_cell_is_refused() -> None:
    with pytest.raises(UsageError, match="the cell at row 2, column 1 is open"):
        reply(WALL, 4)


def test_mistakes_are_the_boards_before_them() -> None:
    game = of_game((Action.OPEN, 2), (Action.OPEN, 0))
    assert mistakes(game) == [game.marks[1].act.before]
    assert mistakes(of_game((Action.OPEN, 2), (Action.OPEN, 24))) == []
    # A flag on a fresh board asks nothing.
    early = of_game((Action.FLAG, 0))
    assert early.marks[0].mark.mistake
    assert mistakes(early) == []


def test_what_a_click_met_is_called_as_its_proof_is() -> None:
    first, flag, hit = of_game((Action.OPEN, 2), (Action.FLAG, 23), (Action.OPEN, 0)).marks
    assert situation(first) is None
    assert (flag.mark, situation(flag)) == (Rating.CERTAIN, "flag")
    assert (hit.mark, situation(hit)) == (Rating.MINE, "full clue in the corner")
    wrong = of_game((Action.OPEN, 2), (Action.FLAG, 24)).marks[1]
    assert (wrong.mark, situation(wrong)) == (Rating.WRONG, "flag")
    chord = of_game((Action.OPEN, 2), (Action.FLAG, 23), (Action.CHORD, 19)).marks[2]
    assert (chord.mark, situation(chord)) == (Rating.CERTAIN, "satisfied clue in the corner")
    assert situation(reply(WALL, 0).marked) == "1-2-2-1 in the corner"
    assert situation(reply(GUESS, 1).marked) == "guess"
    assert (
        situation(reply(Board.parse("1??", 2).with_mines(1), 1).marked) == "full clue at the edge"
    )


def test_a_safe_cell_passed_over_for_one_farther_away_was_missed_once() -> None:
    layout = Layout.parse(".**..**.\n........\n........")

    def found(*squares: int) -> list[str]:
        clicks = [(float(at), Action.OPEN, square) for at, square in enumerate((16, *squares))]
        return list(passed_over(review(played(layout, clicks)).marks))

    assert found(0, 3, 4, 7) == []
    board = played(layout, [(0.0, Action.OPEN, 16)]).final
    kinds = [situation(reply(board, at).marked) for at in (0, 3, 4)]
    assert found(7, 0, 3, 4) == kinds
    assert found(7, 0, 4, 3) == kinds
    # Who opens a mine has looked nowhere.
    assert found(1, 0) == []


def test_kinds_are_sorted_by_the_share_missed_that_is_certain() -> None:
    met = [(0.0, "once", False), *((1.0, "often", at % 2 == 0) for at in range(20))]
    met += [(2.0, "hardly", at > 0) for at in range(100)]
    assert [one.kind for one in tallies(met)] == ["often", "once", "hardly"]


def test_a_tally_tells_all_times_the_last_ten_and_each_week() -> None:
    now = 10.0 * WEEK
    times = [(now - 2.5 * WEEK, False)] * 4 + [(now - 0.5 * WEEK, True)] * 8 + [(now - 1, False)]
    tally = Tally("1-2-1 at the edge", tuple(times))
    assert tally.text == "missed 1-2-1 at the edge 5 times, 2 of the last 10"
    assert [tally.week(ago, now) for ago in range(4)] == [(1, 9), (0, 0), (4, 4), (0, 0)]


@pytest.mark.thorough
@pytest.mark.parametrize("name", PATTERNS)
def test_the_pattern_alone_opens_a_cell(name: str) -> None:
    (board,) = islice(positions(name, Random(5)), 1)
    assert board.mines is not None
    safe = solve(board, every=True).safe
    assert safe
    for square in safe:
        assert family(why_certain(board, square, mine=False).pattern) == name
    assert board.count(Cell.HIDDEN) > board.mines


SAFE = Board.parse("????\n1221\n0000", 2)
GUESS = Board.parse("1??\n???\n???", 2)


class _Cells(HTMLParser):
    """The class of each cell of a table, and its text."""

    def __init__(self) -> None:
        super().__init__()
        self.cells: list[tuple[str, str]] = []
        self.rows = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.rows += tag == "tr"
        if tag == "td":
            self.cells.append((dict(attrs).get("class") or "", ""))

    def handle_data(self, data: str) -> None:
        if self.cells and len(data) == 1:
            self.cells[-1] = (self.cells[-1][0], data)


def _table(html: str) -> _Cells:
    cells = _Cells()
    cells.feed(html)
    return cells


def test_each_drill_is_a_line_of_two_fields_below_anki_s_header() -> None:
    lines = notes([SAFE, GUESS]).splitlines()
    header = [line for line in lines if line.startswith("#")]
    assert header[:2] == ["#separator:tab", "#html:true"]
    rest = lines[len(header) :]
    assert [line.count("\t") for line in rest] == [1, 1]


def test_the_front_draws_the_board_and_the_back_fills_the_answers() -> None:
    front, back = notes([SAFE]).splitlines()[-1].split("\t")
    drawn = _table(front)
    assert drawn.rows == 3
    assert drawn.cells[:5] == [("c", "")] * 4 + [("", "1")]
    assert [kind for kind, _ in _table(back).cells[:4]] == ["a", "c", "c", "a"]
    assert "2 mines in all" in front
    assert "safe: row 1, columns 1 and 4" in back
    assert "safe" not in front.partition("<p>")[2].replace("Which cell is safe", "")


def test_of_a_guess_all_that_are_as_good_as_the_best_are_filled() -> None:
    _, back = notes([GUESS]).splitlines()[-1].split("\t")
    assert [at for at, (kind, _) in enumerate(_table(back).cells) if kind == "a"] == [2, 5, 6, 7]
    assert "best is row" in back
