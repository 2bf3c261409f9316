"""Where the mine total comes from, and for how long it is waited for."""

from __future__ import annotations

import pytest

from minebot.board import Board
from minebot.capture import Frame
from minebot.play.mine_total import MineTotal
from minebot.play.observer import Observation
from minebot.play.result import Outcome
from minebot.play.timing import Timing
from minebot.profile import load
from minebot.vision.framed import trace
from minebot.vision.reading import Reading
from minebot.vision.status import Status
from tests.support.fake_clock import FakeClock
from tests.support.fake_game import FakeStatus, draw


def observation(rows: str = "??\n?1\n??") -> Observation:
    board = Board.parse(rows)
    frame = Frame(draw(board))
    reading = Reading(board, trace(frame, load("sgt-mines").grid), (), None)
    return Observation(frame, reading, 0.0, None)


def total(status: FakeStatus, said: int | None = None, clock: FakeClock | None = None) -> MineTotal:
    return MineTotal(status, said, clock or FakeClock(), Timing(total_seconds=2.0))


def test_what_the_user_says_is_never_read() -> None:
    status = FakeStatus(5)
    mines = total(status, said=3)
    mines.note(observation())
    mines.note(observation())
    assert mines.mines == 3
    assert status.latest == Status()


def test_it_is_known_from_the_frame_after_the_one_handed_in() -> None:
    mines = total(FakeStatus(2))
    mines.note(observation())
    assert mines.mines is None
    mines.note(observation())
    assert mines.mines == 2


@pytest.mark.parametrize("read", [0, 6, 7])
def test_a_total_that_no_board_of_that_size_has_is_not_taken(read: int) -> None:
    mines = total(FakeStatus(read))
    mines.note(observation())
    mines.note(observation())
    assert mines.mines is None


def test_in_doubt_it_is_read_anew() -> None:
    status = FakeStatus(2)
    mines = total(status)
    mines.note(observation())
    mines.note(observation())
    status.says = 3
    mines.doubt()
    assert mines.mines is None
    mines.note(observation())
    mines.note(observation())
    assert mines.mines == 3


def test_it_is_waited_for_while_it_is_being_read_but_not_for_long() -> None:
    status, clock = FakeStatus(None), FakeClock()
    mines = total(status, clock=clock)
    assert not mines.may_come()
    status.reads = True
    assert mines.may_come()
    clock.sleep(1.9)
    assert mines.may_come()
    clock.sleep(0.2)
    assert not mines.may_come()
    mines.restart()
    assert mines.may_come(), "each game waits anew"


def test_one_that_was_read_since_the_last_frame_is_waited_for() -> None:
    status, clock = FakeStatus(2), FakeClock()
    mines = total(status, clock=clock)
    mines.note(observation())  # read at once, but taken over from the next frame only
    assert mines.mines is None
    assert mines.may_come()
    mines.note(observation())
    assert mines.mines == 2


def test_the_warning_says_why_it_is_not_known() -> None:
    status = FakeStatus(None)
    assert "could not be read" in total(status).warning
    status.problem = "no status line here"
    assert total(status).warning.startswith("no status line here; ")


@pytest.mark.parametrize(
    ("says", "end"),
    [
        (None, None),
        ("won", (Outcome.WON, "")),
        ("lost", (Outcome.LOST, "")),
        ("solved", (Outcome.STUCK, "the game has solved itself")),
    ],
)
def test_the_status_line_may_say_that_the_game_is_over(
    says: str | None, end: tuple[Outcome, str] | None
) -> None:
    status = FakeStatus(None)
    status.latest = Status(ended=says)
    assert total(status).end() == end


def test_before_a_first_click_that_may_lose_it_is_read() -> None:
    status, clock = FakeStatus(2), FakeClock()
    mines = total(status, clock=clock)
    status.reads = True
    assert mines.is_awaited(observation("??\n??"))
    clock.sleep(2.1)
    assert not mines.is_awaited(observation("??\n??"))
    status.reads = False
    assert not mines.is_awaited(observation("??\n??"))
    assert mines.mines == 2


def test_the_next_game_begins_with_the_total_of_the_one_before() -> None:
    status = FakeStatus(2)
    mines = total(status)
    assert not mines.is_awaited(observation("??\n??"))
    mines.restart()
    status.reads = True
    assert not mines.is_awaited(observation("??\n??"))
    assert (mines.mines, mines.before) == (None, 2)
