"""What people are told."""

from __future__ import annotations

import pytest

from minebot.board import Board, Cell
from minebot.cli.console import console
from minebot.cli.report import facts, how_to_stop, sentence, table
from minebot.desktop.ports import StopWay
from minebot.layout import Layout
from minebot.play.result import GameResult, Outcome
from minebot.policy.plan import Candidate
from tests.support.stopping import promised


@pytest.mark.parametrize(
    ("stops", "says"),
    [
        ({StopWay.KEY, StopWay.POINTER}, "any key stops"),
        ({StopWay.ESC, StopWay.POINTER}, "Esc stops"),
        ({StopWay.ESC_IN_GAME}, "Esc in the game's window stops"),
        ({StopWay.POINTER}, "moving the mouse stops"),
        ({StopWay.SESSION}, "ending the session that the desktop shows stops"),
        (set(), "Ctrl-C stops"),
    ],
)
def test_only_what_is_heard_is_promised(stops: set[StopWay], says: str) -> None:
    assert how_to_stop(stops) == says


def test_the_page_on_stopping_has_every_way_and_no_other() -> None:
    assert {way for ways in promised().values() for way in ways} == set(StopWay)


LAYOUT = Layout.parse("*....\n.....\n...*.")
SAFE = set(range(15)) - LAYOUT.mines


@pytest.mark.parametrize("outcome", [Outcome.WON, Outcome.LOST])
def test_a_board_that_has_ended_before_is_said_to_have(outcome: Outcome) -> None:
    said = f"the game was {outcome.value} already: nothing was clicked"
    assert sentence(GameResult(outcome)) == said
    assert "already" not in sentence(GameResult(outcome, clicks=1))


def test_a_won_game_has_its_3bv_as_players_count_it() -> None:
    game = GameResult(Outcome.WON, seconds=0.5, board=LAYOUT.seen(SAFE))
    line = facts(game, "it")
    assert line["3bv"] == LAYOUT.bbbv
    assert line["3bv_per_second"] == LAYOUT.bbbv / 0.5
    shown = console()
    with shown.capture() as told:
        shown.print(table([game]))
    assert "3BV/s" in told.get()


def test_a_lost_game_counts_what_was_solved() -> None:
    cells = bytearray(LAYOUT.seen({4, 9}).cells)
    cells[0], cells[13] = Cell.EXPLODED, Cell.MINE
    game = GameResult(Outcome.LOST, seconds=2.0, board=Board(5, 3, 2, bytes(cells)))
    assert facts(game, "it")["3bv_per_second"] == game.figures.solved / 2.0  # type: ignore[operator]


def test_without_the_mines_there_is_no_3bv() -> None:
    game = GameResult(Outcome.LOST, seconds=2.0, board=Board.hidden(5, 3, 2))
    assert facts(game, "it")["3bv"] is None


def test_no_risk_is_rounded_to_certainty() -> None:
    game = GameResult(Outcome.WON, clicks=2, guesses=[Candidate(0, 0.9996), Candidate(0, 0.00001)])
    assert ">99.9 %, <0.1 %" in sentence(game)
