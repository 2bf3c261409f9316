"""A guess that nothing can help is made at once."""

from __future__ import annotations

from collections.abc import Iterator

from minebot.board import Board
from minebot.policy.guessing import lookahead
from minebot.policy.guessing.decide import FIFTY
from minebot.policy.guessing.engine import ranked
from minebot.policy.guessing.settings import GuessingSettings
from tests.policy.stuck_boards import layouts_of, risks, stuck_boards


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
