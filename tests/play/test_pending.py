"""Which clicks are still to be waited for, and which are lost."""

from __future__ import annotations

from bot.board import Board, Move
from bot.play.pending import Pending

A, B, C = (Move.parse(f"open {x},0") for x in range(3))
FLAG = Move.parse("flag 3,0")


def _sent(*moves: Move) -> Pending:
    pending = Pending()
    for second, move in enumerate(moves):
        pending.sent(move, float(second) / 100)
    return pending


def _row(text: str) -> Board:
    return Board.parse(text)


def test_what_shows_is_done_with() -> None:
    pending = _sent(A, FLAG)
    pending.seen(_row("1??F"), 0.1, 1.0)
    assert not pending


def test_what_does_not_show_is_waited_for() -> None:
    pending = _sent(A, B)
    pending.seen(_row("????"), 0.5, 1.0)
    assert A in pending
    assert B in pending


def test_a_click_is_lost_when_a_later_one_shows() -> None:
    pending = _sent(A, B)
    pending.seen(_row("?1??"), 0.02, 1.0)
    assert A in pending, "the game may still paint it"
    pending.seen(_row("?1??"), 0.24, 1.0)
    assert A in pending
    pending.seen(_row("?1??"), 0.26, 1.0)
    assert not pending


def test_a_click_that_is_painted_after_a_later_one_is_not_lost() -> None:
    pending = _sent(A, B)
    pending.seen(_row("?1??"), 0.02, 1.0)
    pending.seen(_row("11??"), 0.2, 1.0)
    assert not pending
    assert pending.hopeless is None


def test_what_an_opening_may_have_opened_says_nothing_of_an_earlier_click() -> None:
    pending = _sent(A, B)
    pending.seen(_row("?10?"), 0.02, 1.0)
    assert A in pending
    assert B not in pending


def test_an_earlier_one_that_shows_says_nothing_of_a_later_one() -> None:
    pending = _sent(A, B)
    pending.seen(_row("1???"), 0.02, 1.0)
    assert B in pending


def test_a_flag_is_not_lost_because_a_cell_was_opened_by_another() -> None:
    pending = _sent(FLAG, B)
    pending.seen(_row("?1??"), 0.02, 1.0)
    assert FLAG in pending


def test_what_does_not_show_in_time_is_lost_a_toggling_click_later() -> None:
    pending = _sent(A, FLAG)
    pending.seen(_row("????"), 1.5, 1.0)
    assert A not in pending
    assert FLAG in pending
    pending.seen(_row("????"), 4.5, 1.0)
    assert FLAG not in pending


def test_a_flag_taken_off_shows() -> None:
    pending = _sent(Move.parse("unflag 0,0"))
    pending.seen(_row("F???"), 0.1, 1.0)
    assert pending
    pending.seen(_row("????"), 0.2, 1.0)
    assert not pending


def test_a_move_that_never_shows_is_hopeless_after_five_tries() -> None:
    pending = Pending()
    for attempt in range(5):
        assert pending.hopeless is None
        pending.sent(A, float(attempt))
        assert pending.hopeless is None, "the last try is still under way"
        pending.seen(_row("????"), attempt + 0.9, 0.5)
    assert pending.hopeless == A


def test_a_move_that_shows_in_the_end_is_not_hopeless() -> None:
    pending = Pending()
    for attempt in range(5):
        pending.sent(A, float(attempt))
        pending.seen(_row("????"), attempt + 0.9, 0.5)
    pending.seen(_row("????"), 9.0, 0.5)
    pending.sent(A, 10.0)
    pending.seen(_row("1???"), 10.1, 0.5)
    assert pending.hopeless is None
