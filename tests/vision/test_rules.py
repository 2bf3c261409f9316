"""The rules of the game decide what doubtful tiles show."""

from __future__ import annotations

import tracemalloc
from itertools import product

import numpy as np
import pytest

from minebot.errors import Contradiction
from minebot.profile.schema import TILE_BYTES
from minebot.vision.classification import Classified, Label
from minebot.vision.detection import GridCandidate
from minebot.vision.rules import decide as decide_drawn
from minebot.vision.rules import decide_partly, label_board, label_in_part


def _chances(*tiles: dict[Label, float]) -> np.ndarray:
    chances = np.zeros((len(tiles), len(Label)))
    for number, tile in enumerate(tiles):
        for label, chance in tile.items():
            chances[number, label] = chance
    return chances


def decide(chances: np.ndarray, tiles: np.ndarray) -> np.ndarray:
    """The labels by what the network says alone: all tiles are drawn unlike, in one colour."""
    return _decided(chances, tiles)[0]


def _decided(chances: np.ndarray, tiles: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    levels = np.tile(np.repeat(np.array([50, 200], np.uint8), TILE_BYTES // 2), (len(chances), 1))
    return decide_drawn(chances, tiles, np.random.default_rng(1).permuted(levels, axis=1))


def _labels(labels: np.ndarray) -> tuple[Label | None, ...]:
    return tuple(None if one < 0 else Label(one) for one in labels.tolist())


HIDDEN, EMPTY, ONE, FLAG, MINE = Label.HIDDEN, Label.EMPTY, Label.ONE, Label.FLAG, Label.MINE


def test_what_the_network_is_sure_of_is_read() -> None:
    tiles = np.array([[0, 1], [1, 1]])
    read = decide(_chances({HIDDEN: 1}, {ONE: 1}), tiles)
    assert _labels(read) == (HIDDEN, ONE)


def test_of_two_numbers_the_one_is_read_for_which_mines_can_lie() -> None:
    # A cell with one hidden neighbour cannot be a 3.
    tiles = np.array([[0, 1, 3], [4, 1, 3], [3, 3, 3]])
    chances = _chances({HIDDEN: 1}, {Label.THREE: 0.6, ONE: 0.4}, {EMPTY: 1}, {EMPTY: 1}, {ONE: 1})
    assert _labels(decide(chances, tiles))[1] == ONE


def test_a_tile_that_the_rules_leave_open_stays_unread() -> None:
    tiles = np.array([[0, 0, 0], [0, 1, 0], [0, 0, 0]])
    read, chances = _decided(_chances({HIDDEN: 1}, {Label.THREE: 0.6, Label.FOUR: 0.4}), tiles)
    assert _labels(read) == (HIDDEN, None)
    assert chances[1, Label.FOUR] == pytest.approx(0.4, abs=0.01)


def test_what_is_rarely_seen_in_games_is_hardly_in_doubt_beside_a_likely_label() -> None:
    tiles = np.array([[0, 0, 0], [0, 1, 0], [0, 0, 0]])
    chances = _chances({HIDDEN: 1}, {Label.TWO: 0.93, Label.SEVEN: 0.05, Label.QUESTION: 0.02})
    assert _labels(decide(chances, tiles)) == (HIDDEN, Label.TWO)


def test_a_rare_label_that_the_network_takes_for_the_likeliest_keeps_its_doubt() -> None:
    tiles = np.array([[0, 0, 0], [0, 1, 0], [0, 0, 0]])
    for chance, read in ((0.99, Label.SEVEN), (0.93, None)):
        chances = _chances({HIDDEN: 1}, {Label.SEVEN: chance, Label.TWO: 1 - chance})
        assert _labels(decide(chances, tiles)) == (HIDDEN, read)


def test_what_is_no_cell_stays_unread() -> None:
    tiles = np.array([[0, 1], [0, 0]])
    assert _labels(decide(_chances({HIDDEN: 1}, {Label.OTHER: 1}), tiles)) == (HIDDEN, None)


def test_numbers_that_no_mines_can_explain_are_a_contradiction() -> None:
    tiles = np.array([[0, 1], [1, 1]])
    with pytest.raises(Contradiction):
        decide(_chances({HIDDEN: 1}, {Label.FIVE: 1}), tiles)


def test_a_likely_label_is_not_given_up_for_one_that_is_hardly_possible() -> None:
    # Only a label of one in ten thousand would fit: something else is wrong.
    tiles = np.array([[0, 1], [1, 1]])
    with pytest.raises(Contradiction):
        decide(_chances({HIDDEN: 1}, {Label.FIVE: 0.9999, ONE: 0.0001}), tiles)


def test_on_a_running_board_what_might_be_a_mine_is_a_flag() -> None:
    # Where a game shows one mine it shows them all, but here a 2 has only one.
    tiles = np.array([[0, 1, 0], [2, 4, 2], [3, 3, 3]])
    chances = _chances(
        {HIDDEN: 1}, {MINE: 0.7, FLAG: 0.3}, {Label.TWO: 1}, {EMPTY: 1}, {Label.THREE: 1}
    )
    assert _labels(decide(chances, tiles))[1] == FLAG


def test_a_zero_may_leave_corners_closed_where_the_network_is_sure() -> None:
    tiles = np.array([[0, 0, 0, 0], [0, 0, 1, 1], [0, 1, 2, 2], [0, 1, 2, 2]])
    sure = decide(_chances({HIDDEN: 1}, {ONE: 1}, {EMPTY: 1}), tiles)
    assert _labels(sure) == (HIDDEN, ONE, EMPTY)


def test_of_tiles_that_can_be_no_board_the_least_certain_are_left_out() -> None:
    # Cells at the edge of 3x3 have five neighbours, of which three are numbers here.
    tiles = np.array([[0, 1, 0], [1, 2, 1], [0, 1, 0]])
    chances = _chances({HIDDEN: 1}, {Label.FIVE: 0.99, MINE: 0.01}, {Label.FOUR: 1})
    read = decide_partly(chances, tiles)
    assert _labels(read) == (HIDDEN, None, Label.FOUR)


def test_tiles_in_doubt_are_left_out_where_the_others_make_a_board() -> None:
    tiles = np.array([[0, 1], [2, 2]])
    chances = _chances({HIDDEN: 1}, {FLAG: 0.6, MINE: 0.4}, {Label.TWO: 1})
    assert _labels(decide_partly(chances, tiles)) == (HIDDEN, None, Label.TWO)


def test_of_two_looks_that_may_be_the_mine_that_was_hit_one_is_it() -> None:
    # A 3 with three mines beside it, of which two look otherwise than the third.
    tiles = np.array([[0, 1, 2], [3, 4, 3], [3, 3, 3]])
    hit = {Label.EXPLODED: 0.99, MINE: 0.01}
    chances = _chances({MINE: 1}, hit, {Label.EXPLODED: 1}, {Label.OTHER: 1}, {Label.THREE: 1})
    assert _labels(decide(chances, tiles))[1] is None


def test_what_is_hardly_likelier_than_the_alternative_is_not_read() -> None:
    # With two covered neighbours it is no 3, which leaves little: 1 or 2.
    tiles = np.array([[0, 1, 0]])
    number = {Label.THREE: 0.99, ONE: 0.0055, Label.TWO: 0.0045}
    assert _labels(decide(_chances({HIDDEN: 1}, number), tiles))[1] is None


def test_where_too_many_labellings_are_as_likely_only_what_the_network_says_is_read() -> None:
    # A 2 beside three covered cells; which of the other tiles are flags is left open.
    tiles = np.arange(36).reshape(6, 6)
    doubtful = {HIDDEN: 0.6, FLAG: 0.4}
    read = decide(_chances({HIDDEN: 1}, {Label.TWO: 0.9, Label.FOUR: 0.1}, *[doubtful] * 34), tiles)
    assert _labels(read) == (HIDDEN, *[None] * 35)


def test_a_lone_mine_that_was_hit_is_doubted_where_others_must_be_covered() -> None:
    shown = {Label.EXPLODED: 0.999, FLAG: 0.001}
    alone = np.array([[1, 2], [2, 2]])
    assert _labels(decide(_chances({HIDDEN: 1}, shown, {ONE: 1}), alone))[1] == Label.EXPLODED
    # Nearly all games would show the other mine of the 2, too.
    tiles = np.array([[0, 1, 0], [2, 4, 2], [3, 3, 3]])
    chances = _chances({HIDDEN: 1}, shown, {Label.TWO: 1}, {EMPTY: 1}, {Label.THREE: 1})
    assert _labels(decide(chances, tiles))[1] is None


@pytest.mark.parametrize(("between", "read"), [(1, None), (2, MINE)])
def test_mines_that_no_chord_hits_at_once_were_not_hit(between: int, read: Label | None) -> None:
    row = [0, *[1] * between, 0]
    tiles = np.array([[2] * len(row), row, [2] * len(row)])
    chances = _chances({Label.EXPLODED: 0.99, MINE: 0.01}, {Label.OTHER: 1}, {Label.OTHER: 1})
    assert _labels(decide(chances, tiles))[0] == read


def test_a_wrong_flag_is_shown_at_the_end_of_a_game_alone() -> None:
    # A game that has ended shows the mine that was hit, too: a flag alone is just a flag.
    tiles = np.array([[0, 1, 0], [2, 2, 2]])
    shown = {Label.EXPLODED: 0.98, Label.WRONG_FLAG: 0.02}
    chances = _chances({FLAG: 1}, shown, {Label.OTHER: 1})
    assert _labels(decide(chances, tiles))[1] == Label.EXPLODED


@pytest.mark.parametrize(("row", "read"), [([0, 1, 2, 0, 0], FLAG), ([1, 0, 0, 2, 0], None)])
def test_what_may_be_a_flag_is_doubted_far_from_all_opened_cells(
    row: list[int], read: Label | None
) -> None:
    tiles = np.array([[0] * len(row), row])
    chances = _chances({HIDDEN: 1}, {FLAG: 0.99, HIDDEN: 0.01}, {ONE: 1})
    assert _labels(decide(chances, tiles))[1] == read


@pytest.mark.parametrize("wrong", list(product([False, True], repeat=4)))
def test_the_one_labelling_that_obeys_the_rules_is_found_wherever_the_network_errs(
    wrong: tuple[bool, ...],
) -> None:
    # 0 is covered, 1 empty, 2 a sure 1; from 3 on, numbers beside one covered cell or two.
    tiles, chances = [], [{HIDDEN: 1.0}, {EMPTY: 1.0}, {ONE: 1.0}]
    for share, errs in zip((0.4, 0.1, 0.3, 0.2), wrong, strict=True):
        number = len(chances)
        tiles += [1, 2, 0, number, 1] if errs else [1, 2, 0, number, 0, 2, 1]
        chances.append({Label.TWO: 1 - share, ONE if errs else Label.THREE: share})
    expected = [ONE if errs else Label.TWO for errs in wrong]
    assert list(_labels(decide(_chances(*chances), np.array([tiles])))[3:]) == expected


def test_hundreds_of_different_tiles_in_doubt_need_little_memory() -> None:
    tiles = np.arange(900).reshape(30, 30)
    chances = _chances(*[{HIDDEN: 0.9, FLAG: 0.1}] * 900)
    tracemalloc.start()
    try:
        read = decide(chances, tiles)
        assert tracemalloc.get_traced_memory()[1] < 5_000_000
    finally:
        tracemalloc.stop()
    assert _labels(read) == (None,) * 900


def _drawn(*levels: int) -> np.ndarray:
    return np.repeat(np.array(levels, np.uint8)[:, None], TILE_BYTES, axis=1)


@pytest.mark.parametrize(
    ("other", "read"), [(100, HIDDEN), (120, HIDDEN), (121, None), (79, None), (200, None)]
)
@pytest.mark.parametrize("flag", [0.0005, 0.000005])
def test_covered_cells_of_two_colours_are_in_doubt(
    flag: float, other: int, read: Label | None
) -> None:
    tiles = np.array([[0, 1, 1], [0, 2, 1], [0, 0, 0]])
    chances = _chances({HIDDEN: 1}, {HIDDEN: 1 - flag, FLAG: flag}, {Label.THREE: 1})
    assert _labels(decide_drawn(chances, tiles, _drawn(100, other, 150))[0])[1] == read


def test_nothing_tells_which_of_two_colours_is_that_of_covered_cells() -> None:
    tiles = np.array([[0, 1, 1], [0, 2, 1], [0, 0, 0]])
    covered = {HIDDEN: 0.999999, FLAG: 0.000001}
    chances = _chances(covered, covered, {Label.THREE: 1})
    assert _labels(decide_drawn(chances, tiles, _drawn(100, 150, 200))[0]) == (None, None, 3)


@pytest.mark.parametrize(("named", "read"), [(HIDDEN, HIDDEN), (Label.THREE, None)])
def test_where_two_colours_were_named_as_covered_other_tiles_may_have_both(
    named: Label, read: Label | None
) -> None:
    tiles = np.array([[0, 0, 2], [0, 1, 2], [0, 0, 0]])
    chances = _chances({HIDDEN: 1}, {named: 1}, {HIDDEN: 0.995, FLAG: 0.005})
    if named == HIDDEN:
        tiles[2] = 1
    assert _labels(decide_drawn(chances, tiles, _drawn(100, 150, 150))[0])[2] == read


def test_one_covered_cell_may_be_lit_up_below_the_pointer() -> None:
    tiles = np.array([[0, 0, 1], [0, 2, 0], [0, 0, 0]])
    chances = _chances({HIDDEN: 1}, {HIDDEN: 0.9995, FLAG: 0.0005}, {Label.THREE: 1})
    assert _labels(decide_drawn(chances, tiles, _drawn(100, 150, 200))[0])[1] == HIDDEN


def test_the_two_shades_of_a_chequered_board_are_both_covered() -> None:
    tiles = np.add(*np.indices((4, 4))) % 2
    chances = _chances({HIDDEN: 1}, {HIDDEN: 0.9995, FLAG: 0.0005})
    assert _labels(decide_drawn(chances, tiles, _drawn(100, 150))[0]) == (HIDDEN, HIDDEN)


@pytest.mark.parametrize(("other", "read"), [(100, MINE), (150, None)])
def test_a_mine_of_another_colour_may_be_the_one_that_was_hit(
    other: int, read: Label | None
) -> None:
    tiles = np.array([[0, 1, 3, 1, 2], [1, 1, 3, 1, 1], [3, 3, 3, 3, 3]])
    chances = _chances({MINE: 1}, {ONE: 1}, {MINE: 0.999, Label.EXPLODED: 0.001}, {EMPTY: 1})
    assert _labels(decide_drawn(chances, tiles, _drawn(100, 150, other, 200))[0])[2] == read


@pytest.mark.parametrize(("levels", "read"), [(7, HIDDEN), (9, None)])
def test_what_hardly_differs_from_a_cover_is_no_flag(levels: int, read: Label | None) -> None:
    tiles = np.array([[0, 0, 0], [0, 2, 1], [0, 0, 0]])
    chances = _chances({HIDDEN: 1}, {HIDDEN: 0.8, FLAG: 0.2}, {Label.THREE: 1})
    drawn = _drawn(100, 100 + levels, 150)
    assert _labels(decide_drawn(chances, tiles, drawn)[0]) == (HIDDEN, read, Label.THREE)


@pytest.mark.parametrize(("levels", "read"), [(7, MINE), (9, None)])
@pytest.mark.parametrize(("other", "chance"), [(Label.EXPLODED, 0.05), (FLAG, 0.3)])
def test_what_hardly_differs_from_a_mine_was_not_hit_and_is_no_flag(
    other: Label, chance: float, levels: int, read: Label | None
) -> None:
    tiles = np.array([[0, 2, 1, 3], [4, 4, 4, 2]])
    chances = _chances(
        *({MINE: 1}, {MINE: 1 - chance, other: chance}, {Label.OTHER: 1}),
        *({Label.EXPLODED: 1} if other == FLAG else {Label.OTHER: 1}, {Label.OTHER: 1}),
    )
    drawn = _drawn(100, 100 + levels, 150, 200, 220)
    assert _labels(decide_drawn(chances, tiles, drawn)[0])[1] == read


def test_a_faint_drawing_that_is_there_thrice_may_be_a_flag() -> None:
    tiles = np.array([[0, 0, 0], [1, 2, 1], [0, 1, 0]])
    chances = _chances({HIDDEN: 1}, {HIDDEN: 0.8, FLAG: 0.2}, {Label.THREE: 1})
    assert _labels(decide_drawn(chances, tiles, _drawn(100, 105, 150))[0])[1] is None


def test_a_flag_that_the_network_is_sure_of_may_be_faint() -> None:
    tiles = np.array([[0, 0, 0], [0, 2, 1], [0, 0, 0]])
    chances = _chances({HIDDEN: 1}, {HIDDEN: 0.0002, FLAG: 0.9998}, {Label.THREE: 1})
    assert _labels(decide_drawn(chances, tiles, _drawn(100, 105, 150))[0])[1] == FLAG


@pytest.mark.parametrize(
    ("empty", "kept", "read"), [(0.97, False, HIDDEN), (0.99, False, None), (0.99, True, HIDDEN)]
)
def test_tiles_drawn_alike_of_which_some_are_certainly_covered_and_others_empty_are_in_doubt(
    empty: float, kept: bool, read: Label | None
) -> None:
    tiles = np.where(np.arange(10) == 9, 1, 0).reshape(2, 5)
    chances = _chances(*[{HIDDEN: 0.99, ONE: 0.01}] * 9, {FLAG: 1.0})
    chances[0] = _chances({EMPTY: empty, HIDDEN: 1 - empty})
    line = GridCandidate(np.arange(5.0), np.arange(2.0), (1.0, 1.0), 1.0)
    drawings = np.stack([np.full(TILE_BYTES, level, np.uint8) for level in (50, 200)])
    classified = Classified(line, chances.reshape(2, 5, -1), tiles, drawings, 1.0)
    likely = classified.pooled()
    if kept:
        likely[0] = np.arange(len(Label)) == HIDDEN
    for seen in (label_board(classified, likely), label_in_part(classified, likely)):
        assert set(_labels(seen.labels.ravel()[:9])) == {read}
        assert Label(seen.labels[1, 4]) == FLAG
