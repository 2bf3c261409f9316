"""Frame after frame of a game without a profile: each different tile is labelled once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
import pytest

from minebot.board import Board, Cell
from minebot.capture import Frame, Window
from minebot.errors import Clipped, Contradiction, UnreadableTile, Unsettled
from minebot.play.identify import profile_at_first_sight
from minebot.profile import LatticeStyle
from minebot.vision import classification, first_sight_reader
from minebot.vision.classification import Classified, Label
from minebot.vision.detection import GridCandidate
from minebot.vision.first_sight_reader import FirstSightReader
from minebot.vision.grid import Grid

PITCH, CORNER = 16, 10
LEVELS = {Cell(number): 20 * number + 10 for number in range(13)}
"""How light each cell is drawn."""
IN_DOUBT = 4
"""Looks at a frame of which one leaves a tile in doubt."""


@dataclass
class Networks:
    """Networks that know what each level of grey shows, or are told otherwise."""

    doubts: dict[Cell, dict[Label, float]] = field(default_factory=dict)
    pitches: list[int] = field(default_factory=list)
    """To which pitch tiles were scaled, each time that they were described."""
    runs: int = 0

    def find(self, pixels: np.ndarray) -> Classified:
        columns = int(np.count_nonzero(pixels[CORNER + 3, :, 0] > 0)) // PITCH
        rows = int(np.count_nonzero(pixels[:, CORNER + 3, 0] > 0)) // PITCH
        x, y = (CORNER + PITCH * (np.arange(count) + 0.5) for count in (columns, rows))
        lattice = GridCandidate(x, y, (PITCH, PITCH), 1.0)
        return self.classify(self.describe(pixels, lattice))

    def describe(
        self, pixels: np.ndarray, lattice: GridCandidate, pitch: int = classification.PITCH
    ) -> tuple[GridCandidate, np.ndarray]:
        self.pitches.append(pitch)
        return lattice, pixels[np.ix_(lattice.y.astype(int), lattice.x.astype(int))][..., 0]

    def classify(self, described: tuple[GridCandidate, np.ndarray]) -> Classified:
        self.runs += 1
        lattice, levels = described
        shades, groups = np.unique(levels, return_inverse=True)
        chances = np.zeros((*levels.shape, len(Label)))
        for place, level in np.ndenumerate(levels):
            cell = min(LEVELS, key=lambda one: abs(LEVELS[one] - int(level)))
            for label, chance in self.doubts.get(cell, {Label(cell): 1.0}).items():
                chances[(*place, label)] = chance
        drawings = shades[:, None].repeat(108, 1)
        return Classified(lattice, chances, groups.reshape(levels.shape), drawings, 1.0)


def _frame(board: Board) -> Frame:
    grey = np.array([LEVELS[Cell(cell)] for cell in board.cells], np.uint8)
    tiles = grey.reshape(board.height, board.width).repeat(PITCH, 0).repeat(PITCH, 1)
    pixels = np.pad(tiles, CORNER)[..., None].repeat(4, 2)
    return Frame(np.ascontiguousarray(pixels))


@pytest.fixture
def networks(monkeypatch: pytest.MonkeyPatch) -> Networks:
    made = Networks()
    monkeypatch.setattr(first_sight_reader, "find", made.find)
    for module in (first_sight_reader, classification):
        monkeypatch.setattr(module, "describe", made.describe)
        again = lambda described: made.classify(described)  # noqa: E731, PLW0108  # a test replaces it
        monkeypatch.setattr(module, "classify", again)
    return made


@pytest.fixture
def reader() -> FirstSightReader:
    return FirstSightReader(profile_at_first_sight(Window("0x1", "some game")))


RUNNING = Board.parse("????\n1221\n0000\n0000")
FRESH = Board.parse("????\n????\n????\n????")
EARLY = Board.parse("????\n?1??\n????\n????")


def test_a_board_is_read_zeros_and_all(networks: Networks, reader: FirstSightReader) -> None:
    reading = reader.read(_frame(RUNNING))
    assert reading.board == RUNNING
    assert reading.grid == Grid((10, 26, 42, 58), (10, 26, 42, 58), PITCH, reading.grid.frame)
    assert networks.runs == 1


def test_tiles_that_were_labelled_are_not_classified_again(
    networks: Networks, reader: FirstSightReader
) -> None:
    reader.read(_frame(RUNNING))
    later = Board.parse("?1??\n1221\n0000\n0000")
    assert reader.read(_frame(later)).board == later
    assert networks.runs == 1


def test_a_tile_in_doubt_is_named_and_asked_again_with_each_new_frame(
    networks: Networks, reader: FirstSightReader
) -> None:
    networks.doubts[Cell.FOUR] = {Label.FOUR: 0.6, Label.THREE: 0.4}
    doubtful = Board.parse("????\n?4??\n????\n????")
    with pytest.raises(UnreadableTile) as caught:
        reader.read(_frame(doubtful))
    assert caught.value.square == (1, 1)
    assert caught.value.scores["four"] == pytest.approx(0.6, abs=0.02)
    networks.doubts.clear()
    later = Board.parse("????\n?4??\n????\n???1")
    assert reader.read(_frame(later)).board == later


def test_a_tile_in_doubt_is_read_where_two_more_looks_are_sure(
    networks: Networks, reader: FirstSightReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks = _looks(networks, monkeypatch, {Label.FOUR: 0.9, Label.FLAG: 0.1}, 0.9999, 0.9999)
    board = Board.parse("????\n?4??\n????\n????")
    assert reader.read(_frame(board)).board == board
    assert next(looks, None) is None


def test_a_label_is_kept_only_where_two_more_looks_are_as_sure(
    networks: Networks, reader: FirstSightReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    frame = _frame(Board.parse("????\n?5??\n????\n????"))
    _looks(networks, monkeypatch, {Label.FIVE: 0.95, Label.SIX: 0.05}, 0.6, 0.6, 0.6)
    with pytest.raises(UnreadableTile) as caught:
        reader.read(frame)
    assert caught.value.scores["six"] > 0.02
    # In a single picture none is kept.
    looks = _looks(networks, monkeypatch, {Label.FIVE: 0.95, Label.SIX: 0.05}, 0.6, 0.6)
    assert FirstSightReader(reader.profile, once=True).read(frame).board.cells[5] == Cell.FIVE
    assert len(list(looks)) == 2


def test_a_tile_that_stays_in_doubt_is_read_where_it_is_sure_enlarged(
    networks: Networks, reader: FirstSightReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    board = Board.parse("????\n?4??\n????\n????")
    looks = _looks(networks, monkeypatch, {Label.FOUR: 0.8, Label.FLAG: 0.2}, 0.8, 0.8, 1 - 1e-9)
    assert reader.read(_frame(board)).board == board
    assert next(looks, None) is None
    first, *again, last = networks.pitches
    assert again == [first, first]
    assert last > first


def test_enlarged_tiles_are_not_believed_where_one_of_them_is_in_doubt(
    networks: Networks, reader: FirstSightReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    networks.doubts[Cell.FIVE] = {Label.FIVE: 0.6, Label.SIX: 0.4}
    _looks(networks, monkeypatch, {Label.FOUR: 0.8, Label.FLAG: 0.2}, 0.8, 0.8, 1 - 1e-9)
    with pytest.raises(UnreadableTile) as caught:
        reader.read(_frame(Board.parse("????\n?4??\n??5?\n????")))
    assert caught.value.square == (1, 1)


def _looks(
    networks: Networks,
    monkeypatch: pytest.MonkeyPatch,
    first: dict[Label, float],
    *later: float,
) -> Iterator[float]:
    """How sure the networks are of a number at the first look and at later ones, as they come."""
    number, other = first
    looks = iter([first[number], *later])

    def classify(described: tuple[GridCandidate, np.ndarray]) -> Classified:
        sure = next(looks)
        networks.doubts[Cell(number)] = {number: sure, other: 1 - sure}
        return Networks.classify(networks, described)

    monkeypatch.setattr(networks, "classify", classify)
    return looks


def test_a_refused_frame_is_not_classified_again_while_it_stays(
    networks: Networks, reader: FirstSightReader
) -> None:
    networks.doubts[Cell.FOUR] = {Label.FOUR: 0.6, Label.FLAG: 0.4}
    for _ in range(3):
        with pytest.raises(UnreadableTile):
            reader.read(_frame(Board.parse("????\n?4??\n????\n????")))
        reader.forget()
    assert networks.runs == IN_DOUBT


def test_a_frame_that_was_refused_by_an_earlier_grid_is_looked_at_again_once_that_is_forgotten(
    networks: Networks, reader: FirstSightReader
) -> None:
    reader.read(_frame(RUNNING))
    networks.doubts[Cell.FOUR] = {Label.FOUR: 0.6, Label.FLAG: 0.4}
    doubtful = _frame(Board.parse("????\n?4??\n????\n????"))
    for _ in range(2):
        with pytest.raises(UnreadableTile):
            reader.read(doubtful)
    assert networks.runs == 1 + IN_DOUBT
    reader.forget()
    with pytest.raises(UnreadableTile):
        reader.read(doubtful)
    assert networks.runs == 1 + 2 * IN_DOUBT


def test_a_tile_that_is_overlooked_counts_as_hidden(
    networks: Networks, reader: FirstSightReader
) -> None:
    networks.doubts[Cell.FOUR] = {Label.FOUR: 0.6, Label.FLAG: 0.4}
    reader.overlook({5})
    reading = reader.read(_frame(Board.parse("????\n?4??\n????\n????")))
    assert reading.board == Board.hidden(4, 4)
    assert reading.unread == (5,)


def test_a_frame_in_doubt_is_read_in_part_without_being_classified_again(
    networks: Networks, reader: FirstSightReader
) -> None:
    networks.doubts[Cell.FOUR] = {Label.FOUR: 0.6, Label.FLAG: 0.4}
    frame = _frame(Board.parse("????\n?4??\n????\n????"))
    with pytest.raises(UnreadableTile) as caught:
        reader.read(frame)
    reading = reader.read(frame, partly=True)
    assert reading.problem is caught.value
    assert (reading.board, reading.unread) == (Board.hidden(4, 4), (5,))
    assert networks.runs == IN_DOUBT


def test_a_refused_frame_is_read_once_its_doubt_is_overlooked(
    networks: Networks, reader: FirstSightReader
) -> None:
    networks.doubts[Cell.FOUR] = {Label.FOUR: 0.6, Label.FLAG: 0.4}
    frame = _frame(Board.parse("????\n?4??\n????\n????"))
    with pytest.raises(UnreadableTile):
        reader.read(frame)
    reader.overlook({5})
    assert reader.read(frame).board == Board.hidden(4, 4)


def test_what_is_taught_outlasts_a_doubt(networks: Networks, reader: FirstSightReader) -> None:
    networks.doubts[Cell.FOUR] = {Label.FOUR: 0.6, Label.FLAG: 0.4}
    doubtful = Board.parse("????\n?4??\n????\n????")
    frame = _frame(doubtful)
    with pytest.raises(UnreadableTile):
        reader.read(frame)
    reader.teach(frame, reader.read(frame, partly=True).grid, 5, Cell.FOUR)
    assert reader.read(frame).board == doubtful


def test_a_cell_that_no_click_opens_is_not_hidden(
    networks: Networks, reader: FirstSightReader
) -> None:
    networks.doubts[Cell.EMPTY] = {Label.HIDDEN: 0.985, Label.EMPTY: 0.015}
    corner = Board.parse("???\n?21\n?10")
    frame = _frame(corner)
    reading = reader.read(frame)
    assert reading.board.cells[8] == Cell.HIDDEN
    assert reader.refute(frame, reading.grid, 8)
    assert reader.read(frame).board == corner
    assert not reader.refute(frame, reading.grid, 8)


SOME = Board.parse("????\n?4??\n????\n1??2")


def _keeping(reader: FirstSightReader, **signs: str) -> None:
    """Have the reader know the tiles of these names as what the signs say."""
    tiles: dict[str, tuple[bytes, ...]] = {}
    for name, sign in signs.items():
        tiles[sign] = (*tiles.get(sign, ()), bytes([LEVELS[Cell[name]]]) * 108)
    reader.learn(reader.profile.changed(grid=LatticeStyle(tiles=(tiles,))))


def test_a_tile_in_doubt_is_read_as_the_kept_one_that_is_drawn_like_it(
    networks: Networks, reader: FirstSightReader
) -> None:
    networks.doubts[Cell.FOUR] = {Label.FOUR: 0.4, Label.FLAG: 0.6}
    _keeping(reader, HIDDEN="?", ONE="1", TWO="2", FOUR="4")
    assert reader.read(_frame(SOME)).board == SOME


@pytest.mark.parametrize(
    "signs",
    [
        {"ONE": "1", "TWO": "2", "FOUR": "4"},  # too few tiles in common: another game's
        {"HIDDEN": "?", "ONE": "1", "TWO": "2", "FOUR": "8"},  # for which no mines can lie
        {"HIDDEN": "?", "ONE": "1", "TWO": "2", "SEVEN": "7", "THREE": "3"},
    ],
)
def test_a_tile_stays_in_doubt_where_no_kept_one_is_sure_to_be_the_same(
    networks: Networks, reader: FirstSightReader, signs: dict[str, str]
) -> None:
    networks.doubts[Cell.FOUR] = {Label.FOUR: 0.4, Label.FLAG: 0.6}
    _keeping(reader, **signs)
    assert reader.read(_frame(SOME), partly=True).unread == (5,)


def test_a_tile_that_was_kept_as_two_things_stays_in_doubt(
    networks: Networks, reader: FirstSightReader
) -> None:
    networks.doubts[Cell.FOUR] = {Label.FOUR: 0.4, Label.FLAG: 0.6}
    _keeping(reader, HIDDEN="?", ONE="1", TWO="2", FOUR="4")
    (tiles,) = reader.profile.kept
    other = {**tiles, "F": tiles["4"]}
    reader.learn(reader.profile.changed(grid=LatticeStyle(tiles=(other,))))
    assert reader.read(_frame(SOME), partly=True).unread == (5,)


def test_what_is_read_is_not_read_otherwise_for_a_kept_tile(
    networks: Networks, reader: FirstSightReader
) -> None:
    networks.doubts[Cell.FOUR] = {Label.FOUR: 0.4, Label.FLAG: 0.6}
    _keeping(reader, HIDDEN="?", ONE="1", TWO="3", FOUR="4")
    assert reader.read(_frame(SOME)).board == SOME


def test_a_kept_tile_is_not_believed_where_another_would_be_read_otherwise(
    networks: Networks, reader: FirstSightReader
) -> None:
    networks.doubts[Cell.ONE] = {Label.ONE: 0.99, Label.THREE: 0.01}
    networks.doubts[Cell.FOUR] = {Label.FOUR: 0.3, Label.FLAG: 0.35, Label.EIGHT: 0.35}
    _keeping(reader, HIDDEN="?", ONE="1", TWO="2", FOUR="8")
    reading = reader.read(_frame(SOME), partly=True)
    assert reading.unread == (5,)
    assert reading.board.cells[12] == Cell.ONE


def test_a_kept_tile_is_not_hidden_where_no_click_opens_it(
    networks: Networks, reader: FirstSightReader
) -> None:
    networks.doubts[Cell.FOUR] = {Label.HIDDEN: 0.4, Label.FOUR: 0.3, Label.FLAG: 0.3}
    _keeping(reader, HIDDEN="?", ONE="1", TWO="2", FOUR="?")
    frame = _frame(SOME)
    reading = reader.read(frame)
    assert reading.board.cells[5] == Cell.HIDDEN
    reader.refute(frame, reading.grid, 5)
    assert reader.read(frame, partly=True).unread == (5,)


def test_a_label_that_was_given_too_early_is_given_up_once_it_contradicts(
    networks: Networks, reader: FirstSightReader
) -> None:
    networks.doubts[Cell.ONE] = {Label.FIVE: 1.0}
    early = Board.parse("????\n?1??\n????\n????")
    assert reader.read(_frame(early)).board.cells[5] == Cell.FIVE
    networks.doubts.clear()
    later = Board.parse("1?2?\n112?\n0011\n0000")
    assert reader.read(_frame(later)).board == later


def test_a_label_of_a_frame_that_was_not_believed_is_given_up(
    networks: Networks, reader: FirstSightReader
) -> None:
    known = Board.parse("????\n????\n????\n????")
    assert reader.read(_frame(known)).board == known
    networks.doubts[Cell.ONE] = {Label.FIVE: 1.0}
    early = Board.parse("????\n?1??\n????\n????")
    assert reader.read(_frame(early)).board.cells[5] == Cell.FIVE
    reader.forget()
    networks.doubts.clear()
    later = Board.parse("????\n?1??\n????\n???2")
    assert reader.read(_frame(later)).board == later


def test_a_pressed_cell_is_covered_and_those_drawn_like_it_are_open(
    networks: Networks, reader: FirstSightReader
) -> None:
    networks.doubts[Cell.EMPTY] = {Label.EMPTY: 0.985, Label.HIDDEN: 0.015}
    pressed = Board.parse("0000\n1221\n?0??\n????")
    board = Board.parse("0000\n1221\n????\n????")
    assert reader.read(_frame(pressed)).board == board
    assert reader.read(_frame(board)).board == board, "the pressed cell's label is not kept"


def test_a_tile_that_has_changed_since_the_fresh_board_is_open(
    networks: Networks, reader: FirstSightReader
) -> None:
    networks.doubts[Cell.ONE] = {Label.ONE: 0.92, Label.HIDDEN: 0.08}
    with pytest.raises(UnreadableTile):
        FirstSightReader(reader.profile).read(_frame(EARLY))
    assert reader.read(_frame(FRESH)).board == FRESH
    assert reader.read(_frame(EARLY)).board == EARLY


def test_a_board_that_is_drawn_anew_has_not_changed(
    networks: Networks, reader: FirstSightReader
) -> None:
    networks.doubts[Cell.FLAG] = {Label.HIDDEN: 0.99, Label.EMPTY: 0.01}
    assert reader.read(_frame(FRESH)).board == FRESH
    dimmed = Board.parse("FFFF\nFFFF\nFFFF\nFFFF")
    assert reader.read(_frame(dimmed)).board == FRESH


@pytest.mark.parametrize(
    ("doubt", "clicked", "is_read"),
    [
        ((Label.FLAG, 0.2), (set(), {5}), True),
        ((Label.FLAG, 0.2), ({4, 6}, {5}), True),
        ((Label.FLAG, 0.2), ({4, 5}, set()), False),
        ((Label.EXPLODED, 0.5), ({5}, {4, 6}), True),
        ((Label.EXPLODED, 0.5), (set(), {5}), False),
    ],
)
def test_flags_and_hit_mines_are_expected_where_a_click_asked_for_them(
    networks: Networks,
    reader: FirstSightReader,
    doubt: tuple[Label, float],
    clicked: tuple[set[int], set[int]],
    is_read: bool,
) -> None:
    networks.doubts[Cell.ONE] = {Label.ONE: 1 - doubt[1], doubt[0]: doubt[1]}
    assert reader.read(_frame(FRESH)).board == FRESH
    flagged, opened = set[int](), set[int]()
    reader.expect(flagged=flagged, opened=opened)
    flagged |= clicked[0]
    opened |= clicked[1]
    if is_read:
        assert reader.read(_frame(EARLY)).board == EARLY
    else:
        with pytest.raises(UnreadableTile):
            reader.read(_frame(EARLY))


@pytest.mark.parametrize(("flagged", "is_read"), [({5}, True), ({5, 10}, False)])
def test_tiles_that_are_drawn_alike_are_no_flags_where_one_was_not_asked_for(
    networks: Networks, reader: FirstSightReader, flagged: set[int], *, is_read: bool
) -> None:
    networks.doubts[Cell.ONE] = {Label.ONE: 0.8, Label.FLAG: 0.2}
    assert reader.read(_frame(FRESH)).board == FRESH
    reader.expect(flagged=flagged, opened=set())
    board = Board.parse("????\n?1??\n??1?\n????")
    if is_read:
        assert reader.read(_frame(board)).board == board
    else:
        with pytest.raises(UnreadableTile):
            reader.read(_frame(board))


@pytest.mark.parametrize(
    ("flag", "flagged", "reads"),
    [(0.3, set(), "?"), (0.6, set(), "?"), (0.6, {6}, None), (0.995, set(), "F")],
)
def test_a_cover_that_nobody_has_flagged_is_covered_flag_or_not(
    networks: Networks,
    reader: FirstSightReader,
    flag: float,
    flagged: set[int],
    reads: str | None,
) -> None:
    networks.doubts[Cell.TWO] = {Label.HIDDEN: 1 - flag, Label.FLAG: flag}
    assert reader.read(_frame(FRESH)).board == FRESH
    reader.expect(flagged=flagged, opened={5})
    board = Board.parse("????\n?12?\n????\n????")
    if reads is None:
        with pytest.raises(UnreadableTile):
            reader.read(_frame(board))
    else:
        assert str(reader.read(_frame(board)).board) == str(board).replace("2", reads)


def test_a_board_that_shows_fewer_cells_than_were_clicked_is_read(
    networks: Networks, reader: FirstSightReader
) -> None:
    assert reader.read(_frame(FRESH)).board == FRESH
    reader.expect(flagged={15}, opened={5, 12})
    assert reader.read(_frame(EARLY)).board == EARLY
    reader.forget()
    smaller = Board.parse("??\n?1")
    assert reader.read(_frame(smaller)).board == smaller
    assert networks.runs == 3


def test_before_it_is_told_what_was_clicked_flags_may_be_anywhere(
    networks: Networks, reader: FirstSightReader
) -> None:
    networks.doubts[Cell.ONE] = {Label.ONE: 0.7, Label.FLAG: 0.3}
    assert reader.read(_frame(FRESH)).board == FRESH
    with pytest.raises(UnreadableTile):
        reader.read(_frame(EARLY))


def test_labels_that_were_believed_are_given_up_once_told(
    networks: Networks, reader: FirstSightReader
) -> None:
    networks.doubts[Cell.ONE] = {Label.TWO: 1.0}
    board = Board.parse("????\n?1??\n????\n????")
    assert reader.read(_frame(board)).board.cells[5] == Cell.TWO
    assert reader.read(_frame(board)).board.cells[5] == Cell.TWO
    networks.doubts.clear()
    more = Board.parse("????\n?1??\n????\n???2")
    assert reader.read(_frame(more)).board.cells[5] == Cell.TWO
    reader.relabel()
    assert reader.read(_frame(more)).board == more


def test_what_is_no_board_in_full_is_read_in_part_where_nothing_of_it_is_believed(
    networks: Networks, reader: FirstSightReader
) -> None:
    networks.doubts[Cell.ONE] = {Label.EIGHT: 0.99, Label.SEVEN: 0.01}  # a corner has no room
    networks.doubts[Cell.TWO] = {Label.MINE: 1.0}
    shown = _frame(Board.parse("1???\n????\n????\n??2?"))
    assert reader.read(_frame(FRESH)).board == FRESH
    with pytest.raises(Contradiction):
        reader.read(shown)
    cells = [tile.cell for tile in reader.tentative_tiles(shown)]
    expected = [None, *[Cell.HIDDEN] * 15]
    expected[14] = Cell.MINE
    assert cells == expected
    networks.doubts.clear()
    assert reader.read(_frame(EARLY)).board == EARLY


@pytest.mark.usefixtures("networks")
def test_a_window_of_another_size_is_looked_at_anew(reader: FirstSightReader) -> None:
    reader.read(_frame(RUNNING))
    larger = Board.hidden(6, 5)
    assert reader.read(_frame(larger)).board == larger
    assert reader.last_grid(_frame(RUNNING)) is None


def test_a_board_without_a_covered_cell_is_not_believed(
    networks: Networks, reader: FirstSightReader
) -> None:
    with pytest.raises(Unsettled):
        reader.read(_frame(Board.parse("0000\n0000\n0000\n0000")))
    assert networks.runs


@pytest.mark.usefixtures("networks")
def test_a_board_that_shows_its_mines_has_ended(reader: FirstSightReader) -> None:
    over = Board.parse("*210\n2*10\n1110\n0000")
    assert reader.read(_frame(over)).board == over


def test_a_board_that_is_flush_with_its_window_is_read_to_its_edge(
    networks: Networks, reader: FirstSightReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = _frame(RUNNING)
    flush = whole.pixels[CORNER + 1 : CORNER + 64, CORNER + 1 : CORNER + 64]
    middles = PITCH * (np.arange(4) + 0.5)
    lattice = GridCandidate(middles, middles, (PITCH, PITCH), 1.0)
    tiles = networks.classify(networks.describe(flush, lattice))
    monkeypatch.setattr(first_sight_reader, "find", lambda _: tiles)
    assert reader.read(Frame(np.ascontiguousarray(flush))).board == RUNNING
    assert networks.runs == 1


@pytest.mark.usefixtures("networks")
@pytest.mark.parametrize(("least", "is_cut"), [(PITCH, True), (PITCH - 1, False)])
def test_a_board_may_be_cut_off_between_two_tiles_where_they_stand_closest(
    reader: FirstSightReader, least: int, *, is_cut: bool
) -> None:
    reader.learn(reader.profile.changed(grid=LatticeStyle(least_step=least)))
    if is_cut:
        with pytest.raises(Clipped, match="make the window larger"):
            reader.read(_frame(RUNNING))
        assert reader.last_grid(_frame(RUNNING)) is None
    else:
        assert reader.read(_frame(RUNNING)).board == RUNNING
