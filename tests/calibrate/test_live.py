"""Calibrating by playing a game that nobody has described."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import count
from random import Random

import numpy as np
import pytest
from numpy.typing import NDArray

from bot.actuator import Button
from bot.board import Board, Cell
from bot.calibrate import sizes as sizes_module
from bot.calibrate import table as table_module
from bot.calibrate.conclude import conclude
from bot.calibrate.live import Learnt, Person, Wishes, calibrate_window
from bot.capture import Frame, Pixel
from bot.errors import Stopped, UsageError
from bot.layout import Layout
from bot.play.result import Outcome, Settings
from bot.play.session import open_session
from bot.profile import Profile, SampleLook, load
from bot.stop import Stop
from bot.vision.reader import Reader
from tests.calibrate.table_game import TableGame


@pytest.fixture(autouse=True)
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The make-believe game answers at once, shows no message at the end, and has three sizes."""
    monkeypatch.setattr(table_module, "_QUIET", 0.0)
    monkeypatch.setattr(sizes_module, "_SHARES", (0.7, 1.3))
    monkeypatch.setattr(table_module.Table, "pause", lambda _self, _seconds: None)


def _person(stop: Stop | None = None, boards: Iterator[bool] | None = None) -> Person:
    @contextmanager
    def stopping() -> Iterator[Stop]:
        yield stop or Stop()

    return Person(lambda _text: None, stopping, lambda: next(boards or iter(()), False))


def _calibrated(game: TableGame, wishes: Wishes, person: Person | None = None) -> Learnt:
    return calibrate_window(game.desk, game.desk.window, wishes, person or _person(), Random(7))


def _profile(learnt: Learnt) -> Profile:
    blank = replace(load("gnome-mines"), grid=learnt.grid, cells=SampleLook(()))
    made, found = conclude(learnt.pictures, blank)
    assert not found.wrong
    return made


def _numbers(layout: Layout) -> set[Cell]:
    safe = set(range(layout.width * layout.height)) - layout.mines
    return {Cell(layout.number(square)) for square in safe}


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_what_it_learnt_reads_boards_that_it_has_not_seen(seed: int) -> None:
    game = TableGame(9, 9, 10, seed)
    learnt = _calibrated(game, Wishes("n", 6))
    profile = _profile(learnt)
    assert {Cell.EMPTY, Cell.ONE, Cell.TWO, Cell.HIDDEN, Cell.FLAG} <= set(learnt.sure)
    met = {cell for cell in Cell if learnt.sure[cell]}
    other = TableGame(9, 9, 10, seed)  # draws alike
    layouts = (Layout.scattered(9, 9, 10, Random(number), {0}) for number in count())
    layout = next(each for each in layouts if _numbers(each) <= met)
    other.begin(layout)
    read = 0
    for square in range(81):
        if square in layout.mines:
            continue
        y, x = divmod(square, 9)
        other.click(Pixel(30 + 26 * x + 5, 44 + 26 * y + 5), Button.LEFT)
        shown = [other.cell(square) for square in range(81)]
        if set(shown) <= met:
            board = Reader(profile).read(Frame(other.picture()), patient=True)
            assert board == Board(9, 9, None, bytes(shown))  # type: ignore[arg-type]  # no question
            read += 1
    assert read > 3


def test_it_looks_at_each_board_in_windows_of_other_sizes_too() -> None:
    game = TableGame(9, 9, 10, 1)
    size = game.desk.window.rect[2:]
    learnt = _calibrated(game, Wishes("n", 4))
    assert game.desk.window.rect[2:] == size
    tiles = {picture.grid.tile for picture in learnt.pictures}
    assert tiles == {15, 22, 29}
    assert game.dot == 3
    for tile in tiles:
        shown = [picture.cells for picture in learnt.pictures if picture.grid.tile == tile]
        assert {Cell.EMPTY, Cell.ONE, Cell.TWO, Cell.FLAG} <= {c for cells in shown for c in cells}


@pytest.mark.parametrize("seed", [7, 9, 18])
@pytest.mark.parametrize(
    "otherwise",
    [
        (),
        ("shows_all_mines",),
        ("tells_the_hit",),
        ("first_is_safe",),
        ("shows_all_mines", "first_is_safe"),
    ],
)
def test_nothing_is_taken_for_what_it_is_not(otherwise: tuple[str, ...], seed: int) -> None:
    game = TableGame(9, 9, 10, seed)
    for trait in otherwise:
        setattr(game, trait, False)
    game.desk.on_resize = None
    shown: dict[bytes, list[Cell | str]] = {}

    def paint(pixels: NDArray[np.uint8]) -> None:
        shown[pixels.tobytes()] = [game.cell(square) for square in range(81)]
        show(pixels)

    show, game.desk.paint = game.desk.paint, paint  # type: ignore[method-assign]
    paint(game.picture())
    learnt = calibrate_window(game.desk, game.desk.window, Wishes("n", 8), _person(), Random(seed))
    assert any(Cell.EXPLODED in picture.cells for picture in learnt.pictures)
    for picture in learnt.pictures:
        truth = shown[picture.open().pixels.tobytes()]
        for told, cell in zip(picture.cells, truth, strict=True):
            if told is Cell.EXPLODED and not game.tells_the_hit:
                assert cell is Cell.MINE
            elif told is not None:
                assert told == (Cell.HIDDEN if cell == "question" else cell)


def test_a_message_that_stays_below_the_pointer_is_waited_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = TableGame(9, 9, 10, 1)
    game.tells_of_the_end = True
    monkeypatch.setattr(table_module.Table, "pause", lambda _self, _seconds: game.fade())
    learnt = _calibrated(game, Wishes("n", 3))
    assert learnt.conduct.message > 0
    assert all((picture.open().pixels != 250).all() for picture in learnt.pictures)


def test_a_window_that_has_one_size_only_is_left_alone() -> None:
    game = TableGame(9, 9, 10, 1)
    game.desk.on_resize = None
    learnt = _calibrated(game, Wishes("n", 1))
    assert {picture.grid.tile for picture in learnt.pictures} == {22}


def test_a_game_is_played_with_what_was_learnt() -> None:
    game = TableGame(9, 9, 10, 1)
    learnt = _calibrated(game, Wishes("n", 5))
    profile = replace(_profile(learnt), status=None, conduct=learnt.conduct)
    desk = game.desk
    with open_session(
        desk, desk.window, profile, Stop(), Settings(mines=10), keep=False
    ) as session:
        session.new_game()
        played = session.play()
    assert played.outcome in (Outcome.WON, Outcome.LOST)
    assert played.outcome is (Outcome.LOST if game.lost else Outcome.WON)
    assert game.over


def test_every_right_click_is_taken_off_again_before_it_plays() -> None:
    game = TableGame(9, 9, 10, 4)
    _calibrated(game, Wishes("n", 1))
    assert not game.marks


def test_without_a_key_the_person_is_asked_for_boards() -> None:
    game = TableGame(9, 9, 10, 5)

    def boards() -> Iterator[bool]:
        for _ in range(2):
            game.key("n")
            yield True
        yield False

    learnt = _calibrated(game, Wishes(None, 10), _person(boards=boards()))
    assert game.played == 2
    assert {picture.game for picture in learnt.pictures} == {0, 1, 2}
    assert game.desk.keys == []


@pytest.mark.parametrize("seed", [3, 4, 6])
def test_a_finished_board_is_not_taken_for_a_fresh_one(seed: int) -> None:
    game = TableGame(9, 9, 10, seed)
    with pytest.raises(UsageError, match="the board is not fresh"):
        _calibrated(game, Wishes(None, 10), _person(boards=iter([True])))
    assert game.played == 0


def test_it_stops_at_the_first_click_after_it_is_told_to() -> None:
    game, stop = TableGame(9, 9, 10, 6), Stop()
    played = game.click

    def click(pixel: Pixel, button: Button) -> None:
        if len(game.desk.clicks) == 9:
            stop.request("Esc was pressed")
        played(pixel, button)

    game.desk.on_click = click
    with pytest.raises(Stopped, match="Esc was pressed"):
        _calibrated(game, Wishes("n", 10), _person(stop))
    assert len(game.desk.clicks) == 9
