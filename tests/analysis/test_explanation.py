"""Why a cell is certain: the pattern's name, the steps, and that they lead where they say."""

from __future__ import annotations

import pytest

from minebot.analysis.explanation import why_certain
from minebot.board import Board


def test_the_sentence_names_the_clues_and_the_total() -> None:
    board = Board.parse("1???", 1)
    assert why_certain(board, 3, mine=False).text == (
        "row 1, column 4 is safe by the 1 at row 1, column 1 and the mine total (mine count)"
    )
    steps = why_certain(board, 3, mine=False).steps
    assert [step.text for step in steps][-1].endswith("so row 1, column 4 is safe")
    with pytest.raises(ValueError, match="not certain"):
        why_certain(Board.parse("?1?"), 0, mine=True)
