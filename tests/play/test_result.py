"""What is known of a game that was played."""

from __future__ import annotations

import pytest

from minebot.board import Board
from minebot.play.result import GameResult
from minebot.policy.plan import Candidate


@pytest.mark.parametrize(
    ("drawing", "hit_a_guess"),
    [("1?\n!1", True), ("1!\n?1", False), ("1?\n?1", None), ("1?\n*1", None), ("1!\n!1", True)],
)
def test_it_tells_whether_a_guess_hit_the_mine(drawing: str, hit_a_guess: bool | None) -> None:
    game = GameResult(board=Board.parse(drawing), guesses=[Candidate(3, 0.2), Candidate(2, 0.5)])
    assert game.hit_a_guess is hit_a_guess


def test_before_the_first_look_it_cannot_tell() -> None:
    assert GameResult().hit_a_guess is None
