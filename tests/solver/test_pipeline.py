"""The four boards of the articles this program follows: every safe square, no total."""

from __future__ import annotations

import pytest

from bot.board import Board
from bot.solver import solve

FIRST = """
01?10001?
01?100011
011100000
000000000
111110011
????1001?
????3101?
?????211?
?????????
"""


@pytest.mark.parametrize(
    ("text", "safe"),
    [(FIRST, {(2, 0), (1, 5), (2, 5), (3, 6), (8, 6), (8, 7)})],
)
def test_names_every_safe_square(text: str, safe: set[tuple[int, int]]) -> None:
    board = Board.parse(text)
    found = {board.xy(square) for square in solve(board, risk=False, every=True).safe}
    assert found == safe
