"""What looks empty and may be pressed is told from what is empty."""

from __future__ import annotations

import pytest

from minebot.board import Board
from minebot.errors import Unsettled
from minebot.vision.pressed import settled


def board(rows: str) -> Board:
    return Board.parse(rows.replace(" ", "\n"))


@pytest.mark.parametrize(
    ("shown", "patient"),
    [
        ("111 1F1 111", False),  # nothing is empty
        ("000 011 01?", False),
        ("F00 000 000", False),  # by itself, beside the user's wrong flag
        ("?00 000 000", True),  # by itself, where a flag was taken off
    ],
)
def test_what_may_be_open_is_believed_on_a_picture_by_itself(shown: str, patient: bool) -> None:
    assert settled(board(shown), patient=patient) == board(shown)


@pytest.mark.parametrize(
    ("shown", "where"),
    [
        ("?00 000 000", "row 1, column 2"),  # its neighbour would be open too
        ("000 010 000", "row 1, column 1"),  # the 1 lacks its mine
        ("??? ?0? ???", "row 2, column 2"),
    ],
)
def test_what_may_be_pressed_is_refused_on_a_picture_by_itself(shown: str, where: str) -> None:
    with pytest.raises(Unsettled, match="being pressed") as caught:
        settled(board(shown))
    assert where in str(caught.value)


@pytest.mark.parametrize("patient", [False, True])
@pytest.mark.parametrize(
    ("before", "shown", "proven"),
    [
        ("F00 000 000", "?00 000 000", ()),  # the flag was taken off
        ("??? ??? ???", "000 011 01?", ()),  # an opening that touches nothing covered
        ("?00 000 000", "?00 000 000", ()),
        ("F00 000 000", "F00 000 000", (0,)),  # was believed, whatever is said of the flag
    ],
)
def test_what_was_empty_before_or_opened_whole_is_believed(
    before: str, shown: str, proven: tuple[int, ...], patient: bool
) -> None:
    assert settled(board(shown), board(before), set(proven), patient=patient) == board(shown)


def test_beside_a_flag_it_takes_patience() -> None:
    before, shown = board("F?0 000 000"), board("F00 000 000")
    with pytest.raises(Unsettled):
        settled(shown, before)
    assert settled(shown, before, patient=True) == shown


@pytest.mark.parametrize(
    ("before", "shown", "proven"),
    [
        ("F?0 000 000", "F00 000 000", {0}),  # a flag that is known to be right
        ("??0 000 000", "?00 000 000", set()),  # a hidden cell
    ],
)
def test_beside_a_mine_or_a_hidden_cell_no_patience_helps(
    before: str, shown: str, proven: set[int]
) -> None:
    with pytest.raises(Unsettled):
        settled(board(shown), board(before), proven, patient=True)


def test_a_cell_that_the_game_forgot_to_open_takes_patience() -> None:
    before, shown = board("????? ????? ????? ?????"), board("??100 ??100 11100 0000?")
    with pytest.raises(Unsettled):
        settled(shown, before)
    assert settled(shown, before, patient=True) == shown
    # Nothing has opened these two; and what opened the one would have opened the mine as well.
    for alone, proven in ((board("????? ????? ???0? ?????"), set()), (shown, {19})):
        with pytest.raises(Unsettled):
            settled(alone, before, proven, patient=True)


def test_one_pressed_cell_does_not_excuse_another() -> None:
    before = board("0?1 111 000 111 ???")
    with pytest.raises(Unsettled, match="row 1, column 2"):
        settled(board("101 111 000 111 ???"), before)


def test_the_board_of_another_game_tells_nothing() -> None:
    before = board("111 1F1 111")
    assert settled(board("F00 000 000"), before, {0}, patient=True) == board("F00 000 000")
    assert settled(board("F0 00"), before, {0}, patient=True) == board("F0 00")


def test_on_a_lost_board_flags_mean_nothing() -> None:
    before, shown = board("F?0 000 ?00"), board("F00 000 !00")
    assert settled(shown, before) == shown


def test_where_corners_are_not_opened_they_may_stay_covered_after_a_while() -> None:
    before, after = board("????? ????? ????? ????? ?????"), board("????? ??1?? ?101? ??1?? ?????")
    for patient, four_neighbour_flood in ((False, True), (True, False), (False, False)):
        with pytest.raises(Unsettled):
            settled(after, before, patient=patient, four_neighbour_flood=four_neighbour_flood)
    assert settled(after, before, patient=True, four_neighbour_flood=True) == after
    with pytest.raises(Unsettled):  # a mine at its corner
        settled(after, before, {6}, patient=True, four_neighbour_flood=True)
    beside = board("????? ??1?? ?10?? ??1?? ?????")
    with pytest.raises(Unsettled):  # a hidden one at its side
        settled(beside, before, patient=True, four_neighbour_flood=True)


SPREAD = board("0?0? ???? ???? 0??0")


def test_where_zeros_may_open_less_no_more_cells_are_pressed_than_a_hand_presses() -> None:
    assert settled(SPREAD, four_neighbour_flood=True) == SPREAD
    with pytest.raises(Unsettled):
        settled(SPREAD)
    with pytest.raises(Unsettled):
        settled(board("0?0? ???? ???? ????"), four_neighbour_flood=True)


def test_in_a_game_that_takes_patience() -> None:
    fresh = board("???? ???? ???? ????")
    with pytest.raises(Unsettled):  # an animation may show it
        settled(SPREAD, fresh, four_neighbour_flood=True)
    assert settled(SPREAD, fresh, patient=True, four_neighbour_flood=True) == SPREAD
