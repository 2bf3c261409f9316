"""Guessing: the floats agree with the exact solver, the searches with brute force."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import combinations
from random import Random

import numpy as np
import pytest

from benchmarks.exact import OPTIMA, deals, won_of
from minebot.board import Board, Cell, neighbourhood
from minebot.layout import First, Layout
from minebot.policy.guessing import lookahead
from minebot.policy.guessing.compiled_board import ranked
from minebot.policy.guessing.compiler import address
from minebot.policy.guessing.compute_risk import compute_risk, live_clues
from minebot.policy.guessing.decide import DEEPER, FIFTY, LOOKAHEAD, NOTHING
from minebot.policy.guessing.recommend import SETTINGS, Reason, Strategy, choose
from minebot.policy.guessing.settings import GuessingSettings
from minebot.policy.guessing.workspace import HIDDEN, MINED, make_memory
from minebot.solver import Verdict, solve


def stuck_boards(
    width: int, height: int, mines: int, *, count: int, seed: int, first: int
) -> Iterator[tuple[Board, Verdict]]:
    """Boards on which nothing is certain, from games that guess right by peeping."""
    random = Random(seed)
    while count:
        layout = Layout.scattered(width, height, mines, random, {first})
        opened = set(layout.opened_by(first))
        while len(opened) < width * height - mines:
            board = layout.seen(opened)
            verdict = solve(board, risk=True)
            if not verdict.safe:
                yield board, verdict
                count -= 1
                if not count:
                    return
                free = [s for s in board.squares(Cell.HIDDEN) if s not in layout.mines]
                opened |= layout.opened_by(random.choice(free))
            for square in verdict.safe:
                opened |= layout.opened_by(square)


def risks(verdict: Verdict) -> dict[int, float]:
    assert verdict.risk is not None
    return {
        square: risk for square, risk in enumerate(verdict.risk) if risk is not None and risk < 1
    }


def layouts_of(board: Board) -> list[frozenset[int]]:
    """Every mine layout that fits, by trying all."""
    covered = [square for square, cell in enumerate(board.cells) if cell >= Cell.HIDDEN]
    clues = [(square, board.cells[square]) for square in range(len(board.cells))]
    around = neighbourhood(board.width, board.height)
    return [
        frozenset(mines)
        for mines in combinations(covered, board.mines or 0)
        if all(
            len(set(around[square]) & set(mines)) == number
            for square, number in clues
            if number <= Cell.EIGHT
        )
    ]


def best_by_brute_force(board: Board) -> tuple[int, dict[int, int]]:
    """How many layouts the best strategy wins, and how many after each cell; no pruning."""
    around = neighbourhood(board.width, board.height)

    @cache
    def after(layouts: frozenset[frozenset[int]], opened: frozenset[int], cell: int) -> int:
        alive: dict[int, set[frozenset[int]]] = {}
        for mines in layouts:
            if cell not in mines:
                alive.setdefault(len(mines & set(around[cell])), set()).add(mines)
        return sum(won(frozenset(some), opened | {cell}) for some in alive.values())

    @cache
    def won(layouts: frozenset[frozenset[int]], opened: frozenset[int]) -> int:
        cells = [cell for cell in covered if cell not in opened]
        done = sum(1 for mines in layouts if len(cells) == len(mines))
        if done:
            return done
        return max(
            after(layouts, opened, cell)
            for cell in cells
            if any(cell not in mines for mines in layouts)
        )

    covered = [square for square, cell in enumerate(board.cells) if cell >= Cell.HIDDEN]
    every = frozenset(layouts_of(board))
    values = {cell: after(every, frozenset(), cell) for cell in covered}
    return max(values.values()), values


@pytest.mark.parametrize(
    ("width", "height", "mines"), [(30, 16, 99), (16, 16, 40), (9, 9, 10), (9, 9, 35), (40, 3, 30)]
)
def test_floats_agree_with_the_exact_solver(width: int, height: int, mines: int) -> None:
    memory = make_memory(width, height, address(compute_risk))
    live = np.zeros(width * height, np.int64)
    boards = stuck_boards(width, height, mines, count=12, seed=5, first=width + 1)
    for board, verdict in boards:
        state = np.frombuffer(board.cells, np.uint8).copy()
        state[list(verdict.mines)] = MINED
        clues = live_clues(state, memory.geometry.around, live)
        left = mines - len(verdict.mines)
        count, exponent = compute_risk(state, live, clues, left, memory)
        assert verdict.layouts is not None
        assert verdict.risk is not None
        assert count * 2.0**exponent == pytest.approx(verdict.layouts, rel=1e-12)
        for square in np.flatnonzero(state == HIDDEN).tolist():
            assert memory.sums.risk[square] == pytest.approx(verdict.risk[square], abs=1e-12)


def test_no_layout_weighs_nothing() -> None:
    board = Board.parse("1?1\n???", 5)
    assert ranked(board, board.squares(Cell.HIDDEN), GuessingSettings())[0] == NOTHING


@pytest.mark.parametrize("seed", range(6))
def test_endgame_is_the_best_strategy(seed: int) -> None:
    boards = stuck_boards(4, 4, 5, count=60, seed=seed, first=0)
    checked = 0
    for board, verdict in boards:
        if (verdict.layouts or 0) > 24 or board.covered > 11:
            continue
        checked += 1
        best, values = best_by_brute_force(board)
        choice = choose(board, verdict.risk or (), set(verdict.mines), Strategy.ENDGAME)
        assert choice.reason is Reason.ENDGAME
        chosen = choice.best
        assert verdict.layouts is not None
        assert chosen.score is not None
        assert chosen.score * verdict.layouts == pytest.approx(best)
        assert values[board.square(chosen.x, chosen.y)] == best
    assert checked >= 3


@pytest.mark.parametrize("board", ["4x4n4", "4x4n6", "4x4n8", "5x4n5"])
def test_every_layout_of_a_small_board_is_played_as_well_as_can_be(board: str) -> None:
    optimum, cell = OPTIMA[board][First.SAFE]
    won = won_of(list(deals(board, First.SAFE, cell)), SETTINGS[Strategy.FULL])
    assert won == optimum


def test_endgame_gives_up_by_work_and_not_by_time(monkeypatch: pytest.MonkeyPatch) -> None:
    board, verdict = next(stuck_boards(4, 4, 5, count=1, seed=1, first=0))
    monkeypatch.setitem(SETTINGS, Strategy.ENDGAME, SETTINGS[Strategy.ENDGAME]._replace(work=0))
    choice = choose(board, verdict.risk or (), set(verdict.mines), Strategy.ENDGAME)
    assert choice.reason is Reason.LOOKAHEAD


def test_looking_ahead_ends_by_work_and_not_by_time() -> None:
    deeper = 0
    for board, verdict in stuck_boards(6, 5, 7, count=12, seed=4, first=8):
        settings = GuessingSettings(worth=0.0, deeper=0.5)
        what, rows = ranked(board, risks(verdict), settings)
        assert len(rows) > 1
        deeper += what == DEEPER
        what, rows = ranked(board, risks(verdict), settings._replace(weighing=0))
        assert (what, len(rows)) == (LOOKAHEAD, 1)
    assert deeper


def test_look_ahead_finds_what_every_number_leads_to() -> None:
    for board, verdict in stuck_boards(5, 4, 5, count=8, seed=2, first=7):
        layouts = layouts_of(board)
        assert len(layouts) == verdict.layouts
        _, rows = ranked(board, risks(verdict), GuessingSettings(worth=0.0, pseq=True))
        assert {int(row[lookahead.SQUARE]) for row in rows} == set(risks(verdict))
        for row in rows:
            cell = int(row[lookahead.SQUARE])
            near = set(board.neighbours(cell))
            numbers: dict[int, list[frozenset[int]]] = {}
            for mines in layouts:
                if cell not in mines:
                    numbers.setdefault(len(near & mines), []).append(mines)
            shares = {number: len(some) / len(layouts) for number, some in numbers.items()}
            assert row[lookahead.OPENING] == pytest.approx(shares.get(0, 0.0))
            assert 1 - row[lookahead.SURPRISE] == pytest.approx(sum(p * p for p in shares.values()))
            progress = best = 0.0
            for number, some in numbers.items():
                safety = {
                    other: sum(other not in mines for mines in some) / len(some)
                    for other in risks(verdict)
                    if other != cell
                }
                open_ = {other for other in safety if 0 < safety[other] < 1}
                living = [safety[other] for other in safety if open_ & set(board.neighbours(other))]
                progress += shares[number] * (1.0 in living)
                best += shares[number] * max(living, default=0.0 if open_ else 1.0)
            assert row[lookahead.PROGRESS] == pytest.approx(progress)
            assert row[lookahead.BEST] == pytest.approx(best)


FIFTY_FIFTY = """\
?????1001?
?????2013?
?????201??
?????20122
?????20000
?????20000
?????20000
?????10000"""
"""In the upper right corner two cells share one mine, whatever lies on the left: two mines
below them keep every clue away that would touch only one of them."""


def test_a_front_that_nothing_can_explain_is_played_at_once() -> None:
    board = Board.parse(FIFTY_FIFTY, 11)
    verdict = solve(board, risk=True)
    choice = choose(board, verdict.risk or (), set(verdict.mines), Strategy.FULL)
    assert choice.reason is Reason.FORCED
    assert (choice.best.x, choice.best.y) in ((9, 0), (9, 1))
    assert choice.best.risk == choice.best.score == 0.5
    other = choose(board, verdict.risk or (), set(verdict.mines), Strategy.ENDGAME)
    assert (other.best.x, other.best.y) not in ((9, 0), (9, 1))


def test_a_choice_does_not_depend_on_those_before_it() -> None:
    boards = list(stuck_boards(16, 16, 40, count=10, seed=3, first=51))

    def chosen(order: list[tuple[Board, Verdict]]) -> dict[Board, object]:
        return {
            board: choose(board, verdict.risk or (), set(verdict.mines), Strategy.FULL)
            for board, verdict in order
        }

    assert chosen(boards) == chosen(boards[::-1])


@pytest.mark.parametrize("strategy", list(Strategy))
def test_every_strategy_says_what_it_compared(strategy: Strategy) -> None:
    for board, verdict in stuck_boards(9, 9, 14, count=6, seed=4, first=40):
        choice = choose(board, verdict.risk or (), set(verdict.mines), strategy)
        assert choice.best == choice.candidates[0]
        for candidate in choice.candidates:
            square = board.square(candidate.x, candidate.y)
            assert candidate.risk == risks(verdict)[square]
        scores = [candidate.score for candidate in choice.candidates if candidate.score is not None]
        assert scores == sorted(scores, reverse=True)
        if strategy in (Strategy.LEAST_RISK, Strategy.PROGRESS):
            assert choice.best.risk == pytest.approx(min(risks(verdict).values()), abs=1e-8)


def test_without_a_total_the_least_risk_decides() -> None:
    board = Board.parse("??????\n?1????\n??????\n??????")
    verdict = solve(board, risk=True)
    choice = choose(board, verdict.risk or (), set(), Strategy.FULL)
    assert choice.reason is Reason.LEAST_RISK


def test_a_large_board_is_guessed_on_too() -> None:
    board, verdict = next(stuck_boards(60, 60, 700, count=1, seed=6, first=1830))
    choice = choose(board, verdict.risk or (), set(verdict.mines), Strategy.FULL)
    assert choice.best.risk < 0.5


def test_nothing_to_choose_from_is_an_error() -> None:
    with pytest.raises(ValueError, match="no cell"):
        choose(Board.parse("1?", 1), (None, 1.0), {1}, Strategy.FULL)


def shapes_with(board: Board, cell: int) -> Iterator[tuple[set[int], set[int]]]:
    """The pairs and boxes that hold `cell`, as the two halves that a toss decides between."""
    x, y = board.xy(cell)
    for left, top in ((x - 1, y - 1), (x - 1, y), (x, y - 1), (x, y)):
        for wide, high in ((2, 1), (1, 2), (2, 2)):
            columns, rows = range(left, left + wide), range(top, top + high)
            if x not in columns or y not in rows or left < 0 or top < 0:
                continue
            if columns[-1] >= board.width or rows[-1] >= board.height:
                continue
            halves: tuple[set[int], set[int]] = (set(), set())
            for row in rows:
                for column in columns:
                    halves[(column - left + row - top) % 2].add(board.square(column, row))
            yield halves


def test_a_toss_played_at_once_is_even_whenever_its_cell_is_a_mine() -> None:
    settings = GuessingSettings(fifty=True)
    found = 0
    for board, verdict in stuck_boards(5, 4, 6, count=120, seed=11, first=7):
        what, rows = ranked(board, risks(verdict), settings)
        if what != FIFTY or board.covered > 15:
            continue
        layouts = set(layouts_of(board))
        for row in rows:
            cell = int(row[lookahead.SQUARE])
            found += 1
            for mines in (layout for layout in layouts if cell in layout):
                turned = [
                    (mines - one) | other
                    for one, other in shapes_with(board, cell)
                    if cell in one and one <= mines and not other & mines
                ] + [
                    (mines - other) | one
                    for one, other in shapes_with(board, cell)
                    if cell in other and other <= mines and not one & mines
                ]
                assert layouts.intersection(turned)
    assert found > 10


def two_moves(board: Board, layouts: list[frozenset[int]], cell: int, depth: int) -> float:
    """The chance to survive `cell`, with depth 2 the best of the safest next ones, and a third."""
    covered = [square for square, value in enumerate(board.cells) if value >= Cell.HIDDEN]
    numbers: dict[int, list[frozenset[int]]] = {}
    for mines in layouts:
        if cell not in mines:
            numbers.setdefault(len(mines & set(board.neighbours(cell))), []).append(mines)
    value = 0.0
    for some in numbers.values():
        safety = {
            other: sum(other not in mines for mines in some) / len(some)
            for other in covered
            if other != cell
        }
        undecided = {other for other in safety if 0 < safety[other] < 1}
        living = sorted(
            (
                (-safety[other], other)
                for other in safety
                if safety[other] and undecided & set(board.neighbours(other))
            ),
        )
        best, second = ([-safe for safe, _ in living] + [0.0, 0.0])[:2]
        certain = sum(safe == -1.0 for safe, _ in living)
        ahead = 0.8 * best + 0.2 * second if undecided else 1.0
        if depth == 2 and undecided and certain < 2:
            shown = bytearray(board.cells)
            shown[cell] = 0
            next_board = Board(board.width, board.height, board.mines, bytes(shown))
            tried = living[: certain or 5]
            ahead = max(
                (
                    two_moves(next_board, some, other, 1)
                    for safe, other in tried
                    if -safe >= 0.93 * best
                ),
                default=0.0,
            )
        value += len(some) / len(layouts) * ahead
    return value


def test_near_ties_are_judged_by_one_move_more() -> None:
    settings = GuessingSettings(progress=0.0, deeper=0.96)
    checked = 0
    for board, verdict in stuck_boards(6, 4, 7, count=240, seed=12, first=8):
        what, rows = ranked(board, risks(verdict), settings)
        if what != DEEPER or board.covered > 15:
            continue
        layouts = layouts_of(board)
        for row in rows:
            cell = int(row[lookahead.SQUARE])
            checked += 1
            assert row[lookahead.SCORE] == pytest.approx(two_moves(board, layouts, cell, 2))
    assert checked > 10
