"""Which clicks are still to be waited for, and which are lost."""

from __future__ import annotations

from minebot.board import Board, Move
from minebot.play.clicker import PendingClicks
from minebot.play.timing import Timing

A, B, C = (Move.parse(f"open {x},0") for x in range(3))
FLAG = Move.parse("flag 3,0")
HIDDEN = Board.parse("????")
TIMING = Timing(answer_seconds=1.0, first_answer_seconds=1.0)


def _sent(*moves: Move) -> PendingClicks:
    pending = PendingClicks(TIMING)
    for second, move in enumerate(moves):
        pending.sent(move, float(second) / 100, HIDDEN)
    return pending


def _row(text: str) -> Board:
    return Board.parse(text)


def test_what_shows_is_done_with() -> None:
    pending = _sent(A, FLAG)
    pending.seen(_row("1??F"), 0.1)
    assert not pending


def test_what_was_flagged_and_opened_is_known_for_good() -> None:
    pending = _sent(A, FLAG, Move.parse("unflag 2,0"))
    pending.seen(_row("1??F"), 0.1)
    assert pending.flagged == {3}
    assert pending.opened == {0}


def test_what_does_not_show_is_waited_for() -> None:
    pending = _sent(A, B)
    pending.seen(_row("????"), 0.5)
    assert A in pending
    assert B in pending


def test_a_click_is_lost_when_a_later_one_shows() -> None:
    pending = _sent(A, B)
    pending.seen(_row("?1??"), 0.02)
    assert A in pending, "the game may still paint it"
    pending.seen(_row("?1??"), 0.24)
    assert A in pending
    pending.seen(_row("?1??"), 0.26)
    assert not pending


def test_a_click_that_is_painted_after_a_later_one_is_not_lost() -> None:
    pending = _sent(A, B)
    pending.seen(_row("?1??"), 0.02)
    pending.seen(_row("11??"), 0.2)
    assert not pending
    assert not pending.given_up(A)


def test_what_an_opening_may_have_opened_says_nothing_of_an_earlier_click() -> None:
    pending = _sent(A, B)
    pending.seen(_row("?10?"), 0.02)
    assert A in pending
    assert B not in pending


def test_an_earlier_one_that_shows_says_nothing_of_a_later_one() -> None:
    pending = _sent(A, B)
    pending.seen(_row("1???"), 0.02)
    assert B in pending


def test_a_flag_is_not_lost_because_a_cell_was_opened_by_another() -> None:
    pending = _sent(FLAG, B)
    pending.seen(_row("?1??"), 0.02)
    assert FLAG in pending


def test_what_does_not_show_in_time_is_lost_a_toggling_click_later() -> None:
    pending = _sent(A, FLAG)
    pending.seen(_row("????"), 1.5)
    assert A not in pending
    assert FLAG in pending
    pending.seen(_row("????"), 4.5)
    assert FLAG not in pending


def test_a_flag_taken_off_shows() -> None:
    pending = _sent(Move.parse("unflag 0,0"))
    pending.seen(_row("F???"), 0.1)
    assert pending
    pending.seen(_row("????"), 0.2)
    assert not pending


def test_a_move_that_never_shows_is_given_up_after_five_tries() -> None:
    pending = PendingClicks(TIMING)
    for attempt in range(5):
        assert not pending.given_up(A)
        pending.sent(A, 3.0 * attempt, HIDDEN)
        assert not pending.given_up(A), "the last try is still under way"
        pending.seen(_row("????"), 3 * attempt + 2.1)
    assert pending.given_up(A)
    assert not pending.given_up(B)


def test_a_game_that_is_busy_gets_longer_for_each_further_try() -> None:
    pending = PendingClicks(Timing(answer_seconds=0.4))
    pending.seen(_row("1???"), 0.0)
    now, waited = 0.0, []
    while not pending.given_up(B):
        pending.sent(B, now, HIDDEN)
        sent = now
        while B in pending:
            now += 0.01
            pending.seen(_row("1???"), now)
        waited.append(round(now - sent, 1))
    assert waited == [0.4, 0.8, 1.6, 2.0, 2.0]


def test_a_game_that_answers_at_last_is_hurried_again() -> None:
    pending = PendingClicks(Timing(answer_seconds=0.4))
    for now in (0.0, 1.0, 2.0):
        pending.sent(B, now, HIDDEN)
        pending.sent(C, now, HIDDEN)
        pending.seen(_row("1???"), now + 0.9)
    pending.seen(_row("11??"), 3.0)
    pending.sent(C, 4.0, HIDDEN)
    pending.seen(_row("11??"), 4.7)
    pending.seen(_row("11??"), 4.9)
    assert C not in pending


def test_a_move_that_shows_in_the_end_is_not_given_up() -> None:
    pending = PendingClicks(TIMING)
    for attempt in range(5):
        pending.sent(A, 2.0 * attempt, HIDDEN)
        pending.seen(_row("????"), 2 * attempt + 1.1)
    pending.seen(_row("????"), 19.0)
    pending.sent(A, 20.0, HIDDEN)
    pending.seen(_row("1???"), 20.1)
    assert not pending.given_up(A)


def test_the_first_click_is_waited_for_longer() -> None:
    pending = PendingClicks(Timing(answer_seconds=0.5, first_answer_seconds=3.0))
    pending.sent(A, 0.0, HIDDEN)
    pending.seen(_row("????"), 2.9)
    assert A in pending
    pending.seen(_row("????"), 3.1)
    assert not pending


def test_nothing_is_given_up_while_the_game_answers_other_clicks() -> None:
    pending = PendingClicks(TIMING)
    for attempt in range(4):
        pending.sent(A, 2.0 * attempt, HIDDEN)
        pending.seen(_row("????"), 2 * attempt + 1.1)
    pending.sent(B, 7.5, HIDDEN)
    pending.seen(_row("?1??"), 7.6)
    pending.sent(A, 8.0, HIDDEN)
    pending.seen(_row("?1??"), 9.1)
    assert not pending.given_up(A), "it has answered since the first tries"


def test_a_chord_opens_what_is_hidden_around_its_number_and_shows_once_all_of_it_is_open() -> None:
    chord, before = Move.parse("chord 1,0"), Board.parse("F1?\n?1?")
    pending = PendingClicks(TIMING)
    pending.sent(chord, 0.0, before)
    assert pending.opened == pending.opening == {2, 3, 5}
    pending.seen(Board.parse("F1?\n111"), 0.1)
    assert chord in pending
    assert pending.opening == {2}
    pending.seen(Board.parse("F11\n111"), 0.2)
    assert not pending
    assert pending.opened == {2, 3, 5}
