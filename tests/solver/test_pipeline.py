"""Verdicts: the ways to certainty agree with each other and with every layout tried."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from minebot.board import Board, Cell
from minebot.errors import Contradiction
from minebot.layout import Layout
from minebot.solver import Solver, solve
from minebot.solver.counting import ODDS
from tests.solver.games import play
from tests.support.articles import NOTEBOOK, NOTEBOOK_ANSWER, SAFE, SUCCESSIVE
from tests.support.brute import boards, certain, covered, layouts, spoilt_boards, steady


@pytest.mark.parametrize(("text", "safe"), [*zip(SUCCESSIVE, SAFE, strict=True)])
def test_every_safe_square_of_the_articles_boards_is_named(
    text: str, safe: tuple[tuple[int, int], ...]
) -> None:
    board = Board.parse(text)
    expected = tuple(board.square(column - 1, row - 1) for row, column in sorted(safe))
    assert solve(board, risk=False, every=True).safe == expected
    assert set(solve(board).safe) <= set(expected)


def test_the_notebook_board_has_one_layout_given_the_total() -> None:
    board = Board.parse(NOTEBOOK, mines=10)
    mines = tuple(
        square for square, sign in enumerate(NOTEBOOK_ANSWER.replace("\n", "")) if sign == "X"
    )
    for verdict in (solve(board, risk=True), solve(board, risk=False, every=True)):
        assert verdict.mines == mines
        assert verdict.safe == tuple(set(covered(board)) - set(mines))
    assert solve(board, risk=True).layouts == 1


@steady(300)
@given(boards())
def test_probes_and_counts_name_all_that_every_layout_has(board: Board) -> None:
    safe, mines = certain(board)
    probed = solve(board, risk=False, every=True)
    counted = solve(board, risk=True)
    assert (set(probed.safe), set(probed.mines)) == (safe, mines)
    assert (set(counted.safe), set(counted.mines)) == (safe, mines)


@steady(200)
@given(boards())
def test_a_quick_answer_is_right_and_comes_if_there_is_one(board: Board) -> None:
    safe, mines = certain(board)
    for verdict in (solve(board), solve(board, risk=False)):
        assert set(verdict.safe) <= safe
        assert set(verdict.mines) <= mines
        assert bool(verdict.safe) is bool(safe)


@steady(200)
@given(boards())
def test_risk_is_the_share_of_layouts_with_a_mine_there(board: Board) -> None:
    verdict = solve(board, risk=True)
    assert verdict.risk is not None
    found = layouts(board)
    if board.mines is None:
        weights = [ODDS ** -(layout.bit_count()) for layout in found]
        assert verdict.layouts is None
    else:
        weights = [1 for _ in found]
        assert verdict.layouts == len(found)
    squares = covered(board)
    expected: list[float | None] = [None] * len(board.cells)
    for at, square in enumerate(squares):
        mined = sum(weight for one, weight in zip(found, weights, strict=True) if one >> at & 1)
        expected[square] = mined / sum(weights)
    assert verdict.risk == pytest.approx(tuple(expected), abs=1e-12)


@steady(300)
@given(spoilt_boards())
def test_a_board_that_cannot_be_is_a_contradiction_and_no_other(board: Board) -> None:
    possible = bool(layouts(board))
    for risk, every in ((True, False), (False, True)):
        if possible:
            solve(board, risk=risk, every=every)
        else:
            with pytest.raises(Contradiction):
                solve(board, risk=risk, every=every)
    if possible:
        solve(board)


@steady(200)
@given(boards(), st.data())
def test_a_solver_that_has_seen_the_game_says_the_same(board: Board, data: st.DataObject) -> None:
    solver = Solver()
    opened = [square for square, cell in enumerate(board.cells) if cell <= Cell.EIGHT]
    order = data.draw(st.permutations(opened))
    for left in sorted(data.draw(st.sets(st.integers(0, len(order)), max_size=3)), reverse=True):
        cells = bytearray(board.cells)
        for square in order[:left]:
            cells[square] = Cell.HIDDEN
        solver.solve(replace(board, cells=bytes(cells)))
    assert solver.solve(board, risk=True) == solve(board, risk=True)
    assert solver.solve(board, risk=False, every=True) == solve(board, risk=False, every=True)


@pytest.mark.parametrize(
    ("text", "mines", "safe", "found"),
    [
        ("1?\n??", 1, (), ()),
        ("??\n??", 0, (0, 1, 2, 3), ()),
        ("??\n??", 4, (), (0, 1, 2, 3)),
        ("?1?\n???", 1, (), ()),
        ("?1?????", 1, (3, 4, 5, 6), ()),
        ("?1?????", 5, (), (3, 4, 5, 6)),
        ("F1?????", 1, (3, 4, 5, 6), ()),
        ("01*", 1, (), ()),
        ("!1?", 1, (2,), ()),
        ("111\n1F1\n111", 1, (), (4,)),
        ("0", 0, (), ()),
    ],
    ids=[
        "nothing", "no mines", "all mines", "the total helps nothing", "none left elsewhere",
        "only mines elsewhere", "a flag is an opinion", "all is shown", "a mine was hit", "won",
        "nothing covered",
    ],
)  # fmt: skip
def test_the_total_counts(
    text: str, mines: int, safe: tuple[int, ...], found: tuple[int, ...]
) -> None:
    board = Board.parse(text, mines=mines)
    for verdict in (solve(board, risk=True), solve(board, risk=False, every=True)):
        assert (verdict.safe, verdict.mines) == (safe, found)


@pytest.mark.parametrize(
    ("risk", "nothing_safe", "something_safe"),
    [(True, True, True), (False, False, False), ("auto", True, False)],
)
def test_risk_is_worked_out_when_it_is_asked_for(
    risk: bool | str, nothing_safe: bool, something_safe: bool
) -> None:
    verdicts = [solve(Board.parse(text, mines=1), risk=risk) for text in ("?1?\n???", "0?1?")]
    assert [verdict.risk is not None for verdict in verdicts] == [nothing_safe, something_safe]
    assert [verdict.layouts is not None for verdict in verdicts] == [nothing_safe, something_safe]


def test_a_new_board_is_as_risky_as_it_is_full() -> None:
    verdict = solve(Board.hidden(30, 16, 99))
    assert verdict.risk == (99 / 480,) * 480


def test_a_solver_goes_on_after_a_contradiction_and_says_it_as_often_as_asked() -> None:
    solver = Solver()
    for _ in range(2):
        with pytest.raises(Contradiction):
            solver.solve(Board.parse("1?2?3", mines=2))
    assert solver.solve(Board.parse("1?2?1", mines=2), risk=True).mines == (1, 3)


@pytest.mark.parametrize(("mines", "safe", "mined"), [(52, 62, 0), (54, 0, 0), (60, 104, 56)])
def test_sums_over_a_long_front_are_left_to_counting(mines: int, safe: int, mined: int) -> None:
    """Three rows, 81 wide, whose clues fit 52 to 60 mines: the search alone would not end."""
    cells = bytearray([Cell.HIDDEN]) * 243
    cells[81 + 2 : 162 - 2] = bytes([Cell.TWO]) * 77
    board = Board(81, 3, mines, bytes(cells))
    probed, counted = solve(board, risk=False, every=True), solve(board, risk=True)
    assert (probed.safe, probed.mines) == (counted.safe, counted.mines)
    assert (len(probed.safe), len(probed.mines)) == (safe, mined)
    assert probed.risk is None, "nobody asked"
    assert (solve(board, every=True).risk is None) is (safe > 0)


@pytest.mark.parametrize(
    ("width", "height", "mines", "seed"),
    [(30, 16, 99, 1), (30, 16, 99, 2), (30, 16, 170, 3), (100, 100, 2000, 4)],
)
def test_in_long_games_all_ways_agree(width: int, height: int, mines: int, seed: int) -> None:
    middle = height // 2 * width + width // 2
    clear = [middle + dy * width + dx for dy in (-1, 0, 1) for dx in (-1, 0, 1)]
    layout = Layout.scattered(width, height, mines, Random(seed), clear)
    solver = Solver()
    boards = 0
    for step, (board, verdict) in enumerate(play(layout, middle, solver)):
        assert layout.mines.isdisjoint(verdict.safe)
        assert layout.mines.issuperset(verdict.mines)
        if step % (5 if width < 100 else 40) == 0:
            counted = solve(board, risk=True)
            probed = solve(board, risk=False, every=True)
            assert (counted.safe, counted.mines) == (probed.safe, probed.mines)
            assert solver.solve(board, risk=True) == counted
            boards += 1
    assert boards > 3
