"""The compiled risks agree with the exact solver."""

from __future__ import annotations

import numpy as np
import pytest

from minebot.policy.guessing.compiler import address
from minebot.policy.guessing.compute_risk import compute_risk, live_clues
from minebot.policy.guessing.workspace import HIDDEN, MINED, make_memory
from tests.policy.stuck_boards import stuck_boards


@pytest.mark.parametrize(
    ("width", "height", "mines"), [(30, 16, 99), (16, 16, 40), (9, 9, 10), (9, 9, 35), (40, 3, 30)]
)
def test_floats_agree_with_the_exact_solver(width: int, height: int, mines: int) -> None:
    memory = make_memory(width, height, address(compute_risk))
    boards = stuck_boards(width, height, mines, count=12, seed=5, first=width + 1)
    for board, verdict in boards:
        state = np.frombuffer(board.cells, np.uint8).copy()
        state[list(verdict.mines)] = MINED
        clues = live_clues(state, memory)
        left = mines - len(verdict.mines)
        count, exponent = compute_risk(state, clues, left, memory)
        assert verdict.layouts is not None
        assert verdict.risk is not None
        assert count * 2.0**exponent == pytest.approx(verdict.layouts, rel=1e-12)
        for square in np.flatnonzero(state == HIDDEN).tolist():
            assert memory.sums.risk[square] == pytest.approx(verdict.risk[square], abs=1e-12)
