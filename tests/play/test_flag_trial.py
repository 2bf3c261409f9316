"""One flag is set and waited for before any other."""

from __future__ import annotations

from minebot.board import Action, Board, Move
from minebot.play.flag_trial import FlagTrial
from minebot.play.pending_clicks import PendingClicks
from minebot.play.timing import Timing

FLAGS = [Move(Action.FLAG, x, 0) for x in range(3)]
OPENS = [Move(Action.OPEN, x, 1) for x in range(2)]
HIDDEN = Board.hidden(4, 4)
FLAGGED = Board.parse("F???\n????\n????\n????")


def _sent() -> tuple[FlagTrial, PendingClicks]:
    trial, pending = FlagTrial(is_unknown=True), PendingClicks(Timing())
    trial.sent(FLAGS[0])
    pending.sent(FLAGS[0], 0.0, HIDDEN)
    return trial, pending


def test_without_a_trial_all_moves_are_made() -> None:
    assert FlagTrial(is_unknown=False).allowed([*FLAGS, *OPENS]) == [*FLAGS, *OPENS]


def test_the_first_flag_is_set_alone() -> None:
    assert FlagTrial(is_unknown=True).allowed([*FLAGS, *OPENS]) == [*OPENS, FLAGS[0]]


def test_no_other_flag_is_set_until_it_shows() -> None:
    trial, pending = _sent()
    assert trial.allowed([*FLAGS, *OPENS]) == OPENS
    assert not trial.has_failed(HIDDEN, pending)
    pending.seen(FLAGGED, 0.1)
    assert not trial.has_failed(FLAGGED, pending)
    assert trial.has_passed
    assert trial.allowed(FLAGS) == FLAGS


def test_a_flag_that_is_lost_has_failed() -> None:
    trial, pending = _sent()
    pending.seen(HIDDEN, 60.0)
    assert trial.has_failed(HIDDEN, pending)
    assert not trial.has_failed(HIDDEN, pending)


def test_a_flag_on_a_board_that_is_lost_tells_nothing() -> None:
    trial, pending = _sent()
    lost = Board.parse("*!??\n????\n????\n????")
    pending.seen(lost, 60.0)
    assert not trial.has_failed(lost, pending)


def test_a_flag_may_fail_after_others_have_shown() -> None:
    trial, pending = _sent()
    pending.seen(FLAGGED, 0.1)
    assert not trial.has_failed(FLAGGED, pending)
    trial.sent(FLAGS[1])
    pending.sent(FLAGS[1], 1.0, HIDDEN)
    pending.seen(FLAGGED, 60.0)
    assert trial.has_failed(FLAGGED, pending)
    assert trial.has_passed
