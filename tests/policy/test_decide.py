"""What decides between cells that may be guessed."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import pytest

from minebot.board import Board, Cell
from minebot.policy.guessing import lookahead
from minebot.policy.guessing.decide import DEEPER, FIFTY, LOOKAHEAD, NOTHING
from minebot.policy.guessing.engine import ranked
from minebot.policy.guessing.settings import GuessingSettings
from tests.policy.stuck_boards import layouts_of, risks, stuck_boards


def test_no_layout_weighs_nothing() -> None:
    board = Board.parse("1?1\n???", 5)
    assert ranked(board, board.squares(Cell.HIDDEN), GuessingSettings())[0] == NOTHING


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


def test_ties_go_to_the_first_square_by_rows() -> None:
    ties = 0
    for board, verdict in stuck_boards(5, 4, 5, count=60, seed=2, first=7):
        what, rows = ranked(board, risks(verdict), GuessingSettings())
        assert what == LOOKAHEAD
        keys = [
            (-round(score, 9), square)
            for square, score in rows[:, [lookahead.SQUARE, lookahead.SCORE]].tolist()
        ]
        assert keys == sorted(keys)
        ties += len({score for score, _ in keys}) < len(keys)
    assert ties


def test_ties_one_move_deeper_keep_the_order_from_before() -> None:
    settings = GuessingSettings(progress=0.0, deeper=0.96)
    kept = 0
    for board, verdict in stuck_boards(6, 4, 7, count=240, seed=0, first=8):
        what, rows = ranked(board, risks(verdict), settings)
        if what != DEEPER or board.covered > 14:
            continue
        layouts = layouts_of(board)
        keys = []
        for square, score in rows[:, [lookahead.SQUARE, lookahead.SCORE]].tolist():
            before = two_moves(board, layouts, int(square), 1)
            keys.append((-round(score, 9), -round(before, 9), square))
        assert keys == sorted(keys)
        kept += any(
            one[0] == other[0] and one[1] < other[1] and one[2] > other[2]
            for one, other in pairwise(keys)
        )
    assert kept


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
