"""Calibrating by playing a game that nobody has described."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from itertools import count
from random import Random
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from bot.actuator import Button, Key
from bot.board import Board, Cell
from bot.calibrate import run
from bot.calibrate.course import Course, Learnt
from bot.calibrate.evidence import Knowledge
from bot.calibrate.renewal import Renewal
from bot.calibrate.run import User, Wishes, calibrate_window
from bot.calibrate.samples import conclude
from bot.calibrate.window import Table, Timing
from bot.capture import Frame, Pixel, Rect, State, Window
from bot.desktop.place import Point, Spot
from bot.errors import (
    Contradiction,
    GridNotFound,
    NotTurnedBack,
    Stopped,
    UnreadableTile,
    UsageError,
    WindowCovered,
    WindowError,
    WindowMoved,
)
from bot.layout import Layout
from bot.play.result import Outcome, Settings
from bot.play.session import open_session
from bot.profile import GridLook, Profile, SampleLook, load
from bot.stop import Stop
from bot.vision.grid import Grid
from bot.vision.reader import Reader
from tests.calibrate.table_game import GAP, LEFT, TOP, FakeClock, TableGame
from tests.fake_desktop import FakeKeyboard


def _user(stop: Stop | None = None, boards: Iterator[bool] | None = None) -> User:
    @contextmanager
    def stopping() -> Iterator[Stop]:
        yield stop or Stop()

    return User(lambda _text: None, stopping, lambda _: next(boards or iter(()), False))


def _calibrated(
    game: TableGame,
    wishes: Wishes,
    user: User | None = None,
    *,
    on_sleep: Callable[[], None] = lambda: None,
    seed: int = 7,
    course: Course | None = None,
) -> Learnt:
    """Calibrate on a game that answers at once, its window having three sizes."""
    course = course or Course(Knowledge(Random(seed)))
    calibrate_window(
        game.desk,
        game.desk.window,
        wishes,
        user or _user(),
        course,
        clock=lambda stop: FakeClock(stop, on_sleep),
        timing=Timing(quiet=0),
        shares=(0.7, 1.3),
    )
    return course.learnt()


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
            board = Reader(profile).read(Frame(other.picture()))
            assert board == Board(9, 9, None, bytes(shown))  # type: ignore[arg-type]  # no question
            read += 1
    assert read > 3


def test_it_looks_at_each_board_in_windows_of_other_sizes_too() -> None:
    game = TableGame(9, 9, 10, 1)
    size = game.desk.rect[2:]
    learnt = _calibrated(game, Wishes("n", 4))
    assert game.desk.rect[2:] == size
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
        ("keeps_flags",),
        ("keeps_flags", "shows_all_mines"),
    ],
)
def test_nothing_is_taken_for_what_it_is_not(otherwise: tuple[str, ...], seed: int) -> None:
    game = TableGame(9, 9, 10, seed)
    for trait in otherwise:
        setattr(game, trait, False)
    shown = _watched(game)
    learnt = _calibrated(game, Wishes("n", 8), seed=seed)
    assert any(Cell.EXPLODED in picture.cells for picture in learnt.pictures)
    _is_true(game, learnt, shown)


def _watched(game: TableGame) -> dict[bytes, list[Cell | str]]:
    """What the cells of each picture are that the game will have shown."""
    game.desk.on_resize = None
    shown: dict[bytes, list[Cell | str]] = {}

    def paint(pixels: NDArray[np.uint8]) -> None:
        squares = range(game.size[0] * game.size[1])
        shown[pixels.tobytes()] = [game.cell(square) for square in squares]
        show(pixels)

    show, game.desk.paint = game.desk.paint, paint  # type: ignore[method-assign]
    paint(game.picture())
    return shown


def _is_true(game: TableGame, learnt: Learnt, shown: dict[bytes, list[Cell | str]]) -> None:
    """Whether what was learnt of each picture is what the game showed."""
    for picture in learnt.pictures:
        truth = shown[picture.open().pixels.tobytes()]
        for told, cell in zip(picture.cells, truth, strict=True):
            if told is Cell.EXPLODED and not game.tells_the_hit:
                assert cell is Cell.MINE
            elif told is not None:
                assert told == (Cell.HIDDEN if cell == "question" else cell)


@pytest.mark.parametrize("seed", [1, 2, 3, 4, 5, 6])
def test_words_over_squares_that_are_covered_are_taken_for_no_mines(seed: int) -> None:
    game = TableGame(9, 9, 14, seed)
    game.first_is_safe, game.tells_in_words = False, True
    shown = _watched(game)
    learnt = _calibrated(game, Wishes("n", 8), seed=seed)
    assert Cell.ONE in learnt.sure
    _is_true(game, learnt, shown)


def test_a_message_that_stays_below_the_pointer_is_waited_for() -> None:
    game = TableGame(9, 9, 10, 1)
    game.tells_of_the_end = True
    learnt = _calibrated(game, Wishes("n", 3), on_sleep=game.fade)
    assert learnt.conduct.end_message_milliseconds > 0
    assert all((picture.open().pixels != 250).all() for picture in learnt.pictures)


def test_a_message_that_dims_a_page_is_closed_and_learnt() -> None:
    game = TableGame(9, 9, 10, 1)
    game.dims = True
    game.desk.window = replace(game.desk.window, app_ids=("chromium",))
    learnt = _calibrated(game, Wishes("n", 9))
    assert learnt.conduct.end_message_key == "Escape"
    assert all((picture.open().pixels.max() > 200) for picture in learnt.pictures)
    profile = replace(_profile(learnt), status=None, conduct=learnt.conduct)
    desk = game.desk
    with open_session(desk, desk.window, profile, Stop(), Settings(mines=10)) as session:
        for _ in range(2):
            session.new_game()
            assert session.play().outcome in (Outcome.WON, Outcome.LOST)


def test_a_game_that_is_no_page_gets_no_escape() -> None:
    game = TableGame(9, 9, 10, 1)
    _calibrated(game, Wishes("n", 2))
    assert "Escape" not in game.desk.keys


def test_a_window_that_has_one_size_only_is_left_alone() -> None:
    game = TableGame(9, 9, 10, 1)
    game.desk.on_resize = None
    learnt = _calibrated(game, Wishes("n", 1))
    assert {picture.grid.tile for picture in learnt.pictures} == {22}


def test_a_game_is_played_with_what_was_learnt() -> None:
    game = TableGame(9, 9, 10, 1)
    learnt = _calibrated(game, Wishes("n", 9))
    profile = replace(_profile(learnt), status=None, conduct=learnt.conduct)
    desk = game.desk
    with open_session(desk, desk.window, profile, Stop(), Settings(mines=10)) as session:
        session.new_game()
        played = session.play()
    assert played.outcome in (Outcome.WON, Outcome.LOST)
    assert played.outcome is (Outcome.LOST if game.lost else Outcome.WON)
    assert game.over


def test_every_right_click_is_taken_off_again_before_it_plays() -> None:
    game = TableGame(9, 9, 10, 4)
    _calibrated(game, Wishes("n", 1))
    assert not game.marks


def test_without_a_key_the_user_is_asked_for_boards() -> None:
    game = TableGame(9, 9, 10, 5)

    def boards() -> Iterator[bool]:
        for _ in range(2):
            game.key("n")
            yield True
        yield False

    learnt = _calibrated(game, Wishes(None, 10, finds=False), _user(boards=boards()))
    assert game.played == 2
    assert {picture.game for picture in learnt.pictures} == {0, 1, 2}
    assert game.desk.keys == []


@pytest.mark.parametrize("seed", [3, 4, 6])
def test_a_game_that_has_begun_is_understood(seed: int) -> None:
    game = TableGame(9, 9, 10, seed)
    game.click(Pixel(LEFT + 5, TOP + 5), Button.LEFT)
    assert game.game is not None
    safe = [s for s in range(81) if s not in game.game.layout.mines]
    for square in Random(seed).sample(safe, len(safe)):
        if 3 * len(game.game.opened) < 2 * len(safe):
            game._open(square)
    game.desk.paint(game.picture())
    assert 2 * len(game.game.opened) > 81
    told: list[str] = []
    learnt = _calibrated(game, Wishes("n", 3), replace(_user(), tell=told.append))
    assert not any("not understood" in line for line in told)
    assert {Cell.ONE, Cell.TWO, Cell.HIDDEN, Cell.FLAG} <= set(learnt.sure)
    _profile(learnt)


@pytest.mark.parametrize("seed", [3, 4, 6])
def test_a_board_that_was_lost_before_is_not_taken_for_one_that_goes_on(seed: int) -> None:
    game = TableGame(9, 9, 10, seed)
    game.shows_all_mines = False
    game.click(Pixel(LEFT + 5, TOP + 5), Button.LEFT)
    assert game.game is not None
    safe = [s for s in range(81) if s not in game.game.layout.mines]
    for square in (*safe[::2], min(game.game.layout.mines)):
        game._open(square)
    assert game.lost
    game.desk.paint(game.picture())
    with pytest.raises(UsageError, match="the board is not fresh"):
        _calibrated(game, Wishes(None, 10, finds=False))


@pytest.mark.parametrize("seed", [3, 8, 10])
def test_a_lost_board_of_which_little_is_open_tells_nothing_of_flags(seed: int) -> None:
    game = TableGame(9, 9, 14, seed)
    game.shows_all_mines = False
    game.click(Pixel(LEFT + 5, TOP + 5), Button.LEFT)
    assert game.game is not None
    game._open(min(game.game.layout.mines))
    game.desk.paint(game.picture())
    told: list[str] = []
    learnt = _calibrated(game, Wishes("n", 4), replace(_user(), tell=told.append))
    assert "not understood" in told[1]
    assert learnt.conduct.flags
    assert learnt.sure[Cell.FLAG]
    _profile(learnt)


def test_a_fresh_board_is_left_after_a_last_game_that_was_not_understood(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = TableGame(9, 9, 10, 6)
    explore, begun = run.explore, []

    def explored(*arguments: Any) -> str:
        begun.append(game.played)
        outcome = explore(*arguments)
        if len(begun) == 3:
            raise Contradiction("no meaning of the looks fits what the game showed")
        return outcome

    monkeypatch.setattr(run, "explore", explored)
    told: list[str] = []
    _calibrated(game, Wishes("n", 3), replace(_user(), tell=told.append))
    assert "not understood" in told[-1]
    assert game.game is None


@pytest.mark.parametrize("seed", [3, 4, 6])
def test_a_finished_board_is_not_taken_for_a_fresh_one(seed: int) -> None:
    game = TableGame(9, 9, 10, seed)
    with pytest.raises(UsageError, match="the board is not fresh"):
        _calibrated(game, Wishes(None, 10, finds=False), _user(boards=iter([True])))
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
        _calibrated(game, Wishes("n", 10), _user(stop))
    assert len(game.desk.clicks) == 9


@pytest.mark.parametrize("seed", [1, 5])
def test_a_key_for_a_new_board_is_found_out(seed: int) -> None:
    game = TableGame(9, 9, 10, seed)
    learnt = _calibrated(game, Wishes(None, 3))
    assert game.played == 4
    assert not game.over
    assert learnt.conduct.new_game_key == "n"
    assert learnt.conduct.new_game_button is None


@pytest.mark.parametrize("seed", [1, 5])
def test_a_face_that_brings_a_new_board_is_found_and_played_with(seed: int) -> None:
    game = TableGame(9, 9, 10, seed)
    game.key_for_new, game.has_face = "", True
    learnt = _calibrated(game, Wishes(None, 4))
    assert game.played == 5
    button = learnt.conduct.new_game_button
    assert button is not None
    assert button.side == "above"
    assert learnt.conduct.new_game_key is None
    profile = replace(_profile(learnt), status=None, conduct=learnt.conduct)
    desk = game.desk
    with open_session(desk, desk.window, profile, Stop(), Settings(mines=10)) as session:
        session.new_game()
        assert game.played == 6
        assert session.play().outcome in (Outcome.WON, Outcome.LOST)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_face_that_gives_up_a_game_first_is_clicked_twice(seed: int) -> None:
    game = TableGame(9, 9, 10, seed)
    game.key_for_new, game.has_face, game.gives_up_first = "", True, True
    # The first board is spoilt by flags, and given up.
    game.flags_stay = True
    learnt = _calibrated(game, Wishes(None, 10))
    assert learnt.conduct.new_game_button is not None
    _plays(game, learnt)


def test_a_page_without_a_button_is_loaded_anew() -> None:
    game = TableGame(9, 9, 10, 1)
    game.key_for_new = "F5"
    game.desk.window = replace(game.desk.window, app_ids=("firefox-esr", "Navigator"))
    learnt = _calibrated(game, Wishes(None, 3))
    assert game.played == 3
    assert learnt.conduct.new_game_key == "F5"
    # What is the browser's own is left alone.
    assert not {"ctrl+n", "ctrl+r"} & set(game.desk.keys)


def test_drawn_zeros_are_empty_squares() -> None:
    game = TableGame(9, 9, 10, 2)
    game.drawings[Cell.EMPTY] = np.eye(5, dtype=np.uint8)
    learnt = _calibrated(game, Wishes("n", 4))
    assert learnt.sure[Cell.EMPTY] > 20
    profile = replace(_profile(learnt), status=None, conduct=learnt.conduct)
    desk = game.desk
    with open_session(desk, desk.window, profile, Stop(), Settings(mines=10)) as session:
        session.new_game()
        assert session.play().outcome in (Outcome.WON, Outcome.LOST)


class _Unmarked(TableGame):
    """Has no sign where a click brings a new board."""

    def click(self, pixel: Pixel, button: Button) -> None:
        if pixel.x < LEFT and pixel.y < TOP:
            self._again()
        elif pixel.y >= TOP:
            super().click(pixel, button)


@pytest.mark.parametrize("said", [True, False])
def test_the_user_may_say_where_a_click_brings_a_new_board(*, said: bool) -> None:
    game = _Unmarked(9, 9, 10, 5)
    game.key_for_new = ""
    learnt = _calibrated(game, Wishes(None, 4, button=Pixel(12, 9) if said else None))
    assert game.played == (5 if said else 0)
    if said:
        button = learnt.conduct.new_game_button
        assert button is not None
        assert button.pixel(Rect(LEFT, TOP, 9 * 26 - GAP, 9 * 26 - GAP), game.tile) == Pixel(12, 9)


def test_a_place_that_brings_no_new_board_is_said_to_be_none() -> None:
    game = _Unmarked(9, 9, 10, 5)
    game.key_for_new = ""
    with pytest.raises(WindowError, match="no new board comes by its button"):
        _calibrated(game, Wishes(None, 4, button=Pixel(LEFT + 60, 9)))
    assert game.played == 0


def test_what_brings_no_new_board_is_not_learnt() -> None:
    game = TableGame(9, 9, 10, 5)
    game.key_for_new = ""
    asked = []

    def ask(request: str) -> bool:
        asked.append(request)
        return False

    user = replace(_user(), ask=ask)
    learnt = _calibrated(game, Wishes(None, 4), user)
    assert asked == [
        "open a new board of the same size in the game "
        "(--new-game-at X,Y tells where to click for one)"
    ]
    assert learnt.conduct.new_game_key is None
    assert learnt.conduct.new_game_button is None
    assert {picture.game for picture in learnt.pictures} == {0}


def test_a_game_without_flags_is_learnt_and_played_without_them() -> None:
    game = TableGame(9, 9, 10, 3)
    game.takes_flags = False
    learnt = _calibrated(game, Wishes("n", 4))
    assert not learnt.conduct.flags
    assert not learnt.sure[Cell.FLAG] or game.played  # a game that is won shows flags
    profile = replace(_profile(learnt), status=None, conduct=learnt.conduct)
    desk = game.desk
    desk.clicks.clear()
    with open_session(desk, desk.window, profile, Stop(), Settings(mines=10)) as session:
        session.new_game()
        assert session.play().flags == 0
    assert all(button is Button.LEFT for _, button in desk.clicks)


class _Menus(TableGame):
    """Where a right click flags nothing, a menu comes in the window itself, over the board."""

    menu: Pixel | None = None
    menus = 0

    def click(self, pixel: Pixel, button: Button) -> None:
        self.menu = None
        if button is Button.RIGHT:
            self.menu, self.menus = pixel, self.menus + 1
            self.desk.paint(self.picture())
        else:
            super().click(pixel, button)

    def key(self, key: str) -> None:
        self.menu = self.menu if key != "Escape" else None
        super().key(key)
        self.desk.paint(self.picture())

    def picture(self) -> NDArray[np.uint8]:
        pixels = super().picture()
        if self.menu is not None:
            x, y = self.menu
            pixels[y : y + 90, x : x + 70] = 250
            pixels[y + 4 : y + 90 : 12, x + 6 : x + 50] = 30
        return pixels


@pytest.mark.parametrize("held", ["ctrl", ""])
def test_a_menu_that_comes_over_the_board_is_closed_and_no_flag(held: str) -> None:
    game = _Menus(9, 9, 10, 3)
    game.flags_with, game.takes_flags = held, False
    told: list[str] = []
    learnt = _calibrated(game, Wishes("n", 6), replace(_user(), tell=told.append))
    assert not any("not understood" in line for line in told)
    assert game.menus == 1
    assert game.menu is None
    assert (learnt.conduct.flags, learnt.conduct.flag_modifier) == (bool(held), held or None)
    _plays(game, learnt)


def _played_by_button(game: TableGame, learnt: Learnt) -> int:
    """Play ten games with what was learnt; how many flags were set, none by a right click."""
    profile = replace(_profile(learnt), status=None, conduct=learnt.conduct)
    desk, flags, ends = game.desk, 0, 0
    desk.clicks.clear()
    with open_session(desk, desk.window, profile, Stop(), Settings(mines=18)) as session:
        for _ in range(10):
            session.new_game()
            with suppress(UnreadableTile):  # of a number that was not met
                result = session.play()
                ends += 1
                assert result.outcome in (Outcome.WON, Outcome.LOST)
                assert result.outcome is Outcome.WON or result.guesses
            flags += session.player.game.flags
    assert ends
    assert all(button is Button.LEFT for _, button in desk.clicks)
    return flags


@pytest.mark.parametrize("back", ["", "Dig"])
@pytest.mark.parametrize("beside", [False, True])
def test_a_button_that_has_clicks_flag_is_found_by_its_word_and_used(
    back: str, *, beside: bool
) -> None:
    game = TableGame(9, 9, 18, 4)
    game.takes_flags, game.flag_button, game.open_button = False, "Flag", back
    game.counts_beside = beside
    game.desk.paint(game.picture())
    learnt = _calibrated(game, Wishes("n", 5))
    button = learnt.conduct.flag_button
    assert button is not None
    assert (button.back is not None) == bool(back)
    assert learnt.conduct.flags
    assert learnt.sure[Cell.FLAG]
    assert _played_by_button(game, learnt)


def test_a_button_that_says_nothing_of_flags_may_be_pointed_at() -> None:
    game = TableGame(9, 9, 18, 4)
    game.takes_flags, game.flag_button = False, "Ooh"
    game.desk.paint(game.picture())
    assert _calibrated(game, Wishes("n", 3)).conduct.flag_button is None
    said = game.flag_buttons[0].middle
    learnt = _calibrated(game, Wishes("n", 5, flag_button=said))
    assert learnt.conduct.flag_button is not None
    assert _played_by_button(game, learnt)


def test_a_button_that_has_one_click_flag_alone_is_left_alone() -> None:
    game = TableGame(9, 9, 18, 4)
    game.takes_flags, game.flag_button, game.flags_once = False, "Flag", True
    game.desk.paint(game.picture())
    learnt = _calibrated(game, Wishes("n", 5))
    assert not learnt.conduct.flags
    assert learnt.conduct.flag_button is None
    assert not game.flagging
    assert not _played_by_button(game, learnt)


def test_a_button_that_does_not_go_back_ends_it_with_what_was_learnt() -> None:
    game = TableGame(9, 9, 18, 4)
    game.takes_flags, game.flag_button, game.open_button = False, "Flag", "Dig"
    game.desk.on_click = _only_forth(game)
    game.desk.paint(game.picture())
    course = Course(Knowledge(Random(7)))
    with pytest.raises(NotTurnedBack, match="change it back by hand; --flag-at says"):
        _calibrated(game, Wishes("n", 5), course=course)
    assert game.flagging
    assert len(course.knowledge.games) == course.games


def _only_forth(game: TableGame) -> Callable[[Pixel, Button], None]:
    """A click of the game, but for its button that has clicks open."""

    def click(pixel: Pixel, button: Button) -> None:
        if not game.flag_buttons[1].holds(pixel):
            game.click(pixel, button)

    return click


@pytest.mark.parametrize("seed", [4, 5])
def test_a_button_without_any_effect_is_none_for_flags(seed: int) -> None:
    game = TableGame(9, 9, 18, seed)
    game.takes_flags, game.flag_button = False, "Flag"

    def nothing(pixel: Pixel, button: Button) -> None:
        if pixel.y >= TOP:
            game.click(pixel, button)

    game.desk.on_click = nothing
    game.desk.paint(game.picture())
    learnt = _calibrated(game, Wishes("n", 4))
    assert not learnt.conduct.flags
    assert not _played_by_button(game, learnt)


@pytest.mark.parametrize("held", ["ctrl", "shift"])
@pytest.mark.parametrize("seed", [4, 5])
def test_flags_that_are_set_with_a_key_held_are_found_out_and_used(held: str, seed: int) -> None:
    game = TableGame(9, 9, 18, seed)
    game.flags_with = held
    learnt = _calibrated(game, Wishes("n", 4))
    assert learnt.conduct.flags
    assert learnt.conduct.flag_modifier == held
    assert learnt.sure[Cell.FLAG]
    profile = replace(_profile(learnt), status=None, conduct=learnt.conduct)
    desk = game.desk
    desk.clicks.clear()
    desk.holds.clear()
    with open_session(desk, desk.window, profile, Stop(), Settings(mines=18)) as session:
        session.new_game()
        played = session.play()
    assert played.flags == desk.holds.count(held) > 0
    assert played.outcome in (Outcome.WON, Outcome.LOST)
    assert all(button is Button.LEFT for _, button in desk.clicks)


def test_a_first_click_that_may_lose_is_a_guess() -> None:
    game = TableGame(9, 9, 30, 2)
    game.first_is_safe = False
    learnt = _calibrated(game, Wishes("n", 8))
    assert learnt.conduct.first_click_may_lose
    profile = replace(_profile(learnt), status=None, conduct=learnt.conduct)
    desk = game.desk
    with open_session(desk, desk.window, profile, Stop(), Settings(mines=30)) as session:
        session.new_game()
        played = session.play()
    assert played.guesses[0].risk == pytest.approx(30 / 81)


def test_a_game_that_is_not_understood_leaves_what_was_known() -> None:
    game = TableGame(9, 9, 10, 6)
    told: list[str] = []
    kept: list[int] = []

    def blink(pixel: Pixel, button: Button) -> None:
        """In the second game that is played another one begins by itself."""
        played(pixel, button)
        if game.played == 2 and len(game.desk.clicks) % 6 == 0:
            game.restart()
            game.desk.paint(game.picture())

    played, game.desk.on_click = game.click, blink
    user = replace(_user(), tell=told.append, keep=lambda course: kept.append(course.games))
    learnt = _calibrated(game, Wishes("n", 4), user)
    assert any("nothing of it is kept" in line for line in told)
    assert kept[-1] == 3
    met = {cell for picture in learnt.pictures for cell in picture.cells}
    assert {Cell.ONE, Cell.HIDDEN, Cell.FLAG} <= met
    _profile(learnt)


def _ends(game: TableGame, then: Callable[[], None]) -> None:
    """Have something happen at the click that ends the first game."""
    played = game.click

    def click(pixel: Pixel, button: Button) -> None:
        before = game.over
        played(pixel, button)
        if game.over and not before and not game.played:
            then()

    game.desk.on_click = click


def test_a_window_that_stays_over_a_game_that_has_ended_is_not_waited_for_for_ever() -> None:
    game = TableGame(9, 9, 10, 6)

    def cover() -> None:
        game.desk.covered = Rect(0, 0, 2000, 2000)

    _ends(game, cover)
    with pytest.raises(WindowCovered):
        _calibrated(game, Wishes("n", 10))


def test_a_stop_is_heard_while_a_window_lies_over_the_game() -> None:
    game, stop = TableGame(9, 9, 10, 6), Stop()

    def cover() -> None:
        game.desk.covered = Rect(0, 0, 2000, 2000)
        stop.request("Esc was pressed")

    _ends(game, cover)
    with pytest.raises(Stopped, match="Esc was pressed"):
        _calibrated(game, Wishes("n", 10), _user(stop))


def test_a_window_that_passes_over_the_game_tells_nothing_of_it() -> None:
    plain, game = TableGame(9, 9, 10, 1), TableGame(9, 9, 10, 1)
    played = game.click

    def click(pixel: Pixel, button: Button) -> None:
        played(pixel, button)
        if len(game.desk.clicks) % 7 == 0:
            game.desk.covered = Rect(0, 0, 2000, 2000)

    def uncover() -> None:
        game.desk.covered = None

    game.desk.on_click = click
    learnt = _calibrated(game, Wishes("n", 3), on_sleep=uncover)
    assert learnt.sure == _calibrated(plain, Wishes("n", 3)).sure


@pytest.mark.parametrize("end", ["stop", "gone"])
def test_the_window_has_its_size_again_however_it_ends(end: str) -> None:
    game, stop = TableGame(9, 9, 10, 1), Stop()
    own = game.desk.window.rect[2:]
    sized = []
    resize = game.resize

    def resized(width: int, height: int) -> None:
        resize(width, height)
        sized.append((width, height))
        if end == "stop":
            stop.request("Esc was pressed")
        elif len(sized) == 1:
            game.desk.covered = Rect(0, 0, 2000, 2000)

    game.desk.on_resize = resized
    with pytest.raises(Stopped if end == "stop" else WindowCovered):
        _calibrated(game, Wishes("n", 4), _user(stop))
    assert len(sized) == 2
    assert game.desk.window.rect[2:] == own


def test_a_size_in_which_the_window_leaves_the_screen_is_not_looked_at() -> None:
    game = TableGame(9, 9, 10, 1)
    left, top, width, height = own = game.desk.rect
    game.desk.screen = Rect(0, 0, left + width + 10, top + height + 10)
    learnt = _calibrated(game, Wishes("n", 4))
    assert {picture.grid.tile for picture in learnt.pictures} == {15, 22}
    assert game.desk.rect == own


def test_a_window_that_is_painted_without_end_is_clicked_some_seconds_after_it_was_resized() -> (
    None
):
    game = TableGame(9, 9, 10, 1)
    resized, guard, resize = [-10.0], game.desk.guard, game.resize
    clocks: list[FakeClock] = []

    def clock(stop: Stop) -> FakeClock:
        clocks.append(FakeClock(stop))
        return clocks[-1]

    def resizing(width: int, height: int) -> None:
        resize(width, height)
        resized[0] = clocks[-1].now()

    def guarding(spot: Spot, point: Point) -> None:
        guard(spot, point)
        if clocks[-1].now() < resized[0] + 2:
            raise WindowMoved("it may not be painted yet")

    game.desk.on_resize, game.desk.guard = resizing, guarding  # type: ignore[method-assign]
    course = Course(Knowledge(Random(7)))
    window, wishes, timing = game.desk.window, Wishes("n", 2), Timing(quiet=0)
    calibrate_window(
        game.desk, window, wishes, _user(), course, clock=clock, timing=timing, shares=(0.7,)
    )
    assert course.games == 2


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_tile_that_is_drawn_larger_below_the_pointer_is_left_before_each_look(seed: int) -> None:
    game = TableGame(9, 9, 10, seed)
    game.grows, game.desk.on_resize = True, None
    game.desk.picture = game.picture  # type: ignore[method-assign]  # as the pointer lies
    learnt = _calibrated(game, Wishes("n", 8), seed=seed)
    assert learnt.conduct.steps_aside
    assert not _calibrated(TableGame(9, 9, 10, seed), Wishes("n", 1)).conduct.steps_aside
    _plays(game, learnt)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_game_that_misses_short_clicks_is_given_longer_ones(seed: int) -> None:
    game = TableGame(9, 9, 10, seed)
    game.asks_for_buttons = True
    learnt = _calibrated(game, Wishes("n", 6))
    assert learnt.conduct.press_milliseconds == 100
    assert learnt.sure[Cell.FLAG]
    _plays(game, learnt)
    assert not _calibrated(TableGame(9, 9, 10, seed), Wishes("n", 2)).conduct.press_milliseconds


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_game_that_takes_clicks_to_be_where_the_pointer_was_is_given_longer_ones(
    seed: int,
) -> None:
    game = TableGame(9, 9, 10, seed)
    game.pointer_before = Pixel(LEFT + 30, TOP + 5)
    learnt = _calibrated(game, Wishes("n", 6))
    assert learnt.conduct.press_milliseconds == 100
    assert learnt.sure[Cell.FLAG]
    _plays(game, learnt)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_covered_square_that_looks_open_below_the_pointer_is_not_taken_for_how_they_look(
    seed: int,
) -> None:
    game = TableGame(9, 9, 10, seed)
    game.opens_below_pointer, game.desk.on_resize = True, None
    game.desk.picture = game.picture  # type: ignore[method-assign]  # as the pointer lies
    learnt = _calibrated(game, Wishes("n", 6))
    assert {Cell.EMPTY, Cell.ONE, Cell.TWO, Cell.FLAG} <= set(learnt.sure)
    _plays(game, learnt)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_flags_that_are_drawn_late_are_told_from_what_is_covered(seed: int) -> None:
    game = TableGame(9, 9, 10, seed)
    played, late = game.click, []
    paint = game.desk.paint

    def click(pixel: Pixel, button: Button) -> None:
        # The first flag of all.
        if button is Button.RIGHT and not late:
            late.append(button)
            game.desk.paint = lambda _: None  # type: ignore[method-assign]
        played(pixel, button)

    def pass_time() -> None:
        if late and game.desk.paint is not paint:
            game.desk.paint = paint  # type: ignore[method-assign]
            paint(game.picture())

    game.desk.on_click = click
    learnt = _calibrated(game, Wishes("n", 4), on_sleep=pass_time)
    assert learnt.sure[Cell.FLAG]
    _plays(game, learnt)


@pytest.mark.parametrize("seed", range(1, 7))
def test_flags_that_are_never_taken_off_are_learnt_and_left_on_mines(seed: int) -> None:
    game = TableGame(9, 9, 10, seed)
    game.flags_stay = True
    learnt = _calibrated(game, Wishes("n", 10))
    assert learnt.conduct.flags
    assert learnt.sure[Cell.FLAG]
    assert {Cell.EMPTY, Cell.ONE, Cell.TWO} <= set(learnt.sure)
    _plays(game, learnt)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_text_that_a_page_marks_between_two_clicks_is_no_flag(seed: int) -> None:
    game = TableGame(9, 9, 10, seed)
    game.takes_flags, game.marks_text = False, True
    shown = _watched(game)
    learnt = _calibrated(game, Wishes("n", 6))
    assert "shift" in game.desk.holds
    assert not learnt.conduct.flags
    _is_true(game, learnt, shown)
    _plays(game, learnt)


@pytest.mark.parametrize("seed", [1, 3, 6])
def test_flags_are_set_by_clicks_that_mark_the_text_between_them(seed: int) -> None:
    game = TableGame(8, 8, 15, seed)
    game.first_is_safe, game.flags_with, game.marks_text = False, "shift", True
    course = Course(Knowledge(Random(seed)))
    learnt = _calibrated(game, Wishes("n", 6), course=course)
    assert learnt.conduct.flag_modifier == "shift"
    assert course.knowledge.lost_with_flags


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_click_of_the_board_that_has_ended_may_bring_the_next(seed: int) -> None:
    game = TableGame(9, 9, 10, seed)
    game.key_for_new, game.again_by_board = "", True
    learnt = _calibrated(game, Wishes(None, 6), seed=seed)
    assert game.played > 3
    button = learnt.conduct.new_game_button
    assert button is not None
    assert button.away < 0
    _plays(game, learnt)


def test_no_board_that_goes_on_is_clicked_for_another() -> None:
    game = TableGame(9, 9, 10, 1)
    game.key_for_new, game.again_by_board = "", True
    learnt = _calibrated(game, Wishes(None, 6))
    desk = game.desk
    game.restart()
    game.begin(Layout.scattered(9, 9, 10, Random(1), {30}))
    desk.paint(game.picture())
    desk.on_click = None
    profile = replace(_profile(learnt), status=None, conduct=learnt.conduct)
    with open_session(desk, desk.window, profile, Stop(), Settings(mines=10)) as session:
        assert session.play().outcome is Outcome.STUCK
        game._open(30)
        desk.paint(game.picture())
        clicks = len(desk.clicks)
        with pytest.raises(WindowError, match="has not ended"):
            session.new_game()
    assert len(desk.clicks) == clicks


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_new_board_that_comes_by_itself_is_the_next(seed: int) -> None:
    game = TableGame(9, 9, 10, seed)
    game.key_for_new, game.again_at_once = "", True
    shown = _watched(game)
    learnt = _calibrated(game, Wishes(None, 6), seed=seed)
    assert game.played == 6
    assert learnt.conduct.begins_anew
    assert not learnt.sure[Cell.MINE]
    _is_true(game, learnt, shown)
    _plays(game, learnt, begins=False)


@pytest.mark.parametrize("seed", range(1, 7))
def test_a_new_board_that_comes_by_itself_after_a_click_or_two_is_noticed(seed: int) -> None:
    game = TableGame(9, 9, 16, seed)
    game.key_for_new, game.again_at_once, game.first_is_safe = "", True, False
    shown, told = _watched(game), []
    user = replace(_user(), tell=told.append)
    learnt = _calibrated(game, Wishes(None, 6), user, seed=seed)
    assert learnt.conduct.begins_anew
    _is_true(game, learnt, shown)
    assert not any("not understood" in line for line in told)


@pytest.mark.parametrize("seed", range(1, 7))
def test_a_board_of_which_hardly_anything_is_open_is_followed_when_it_goes_down(seed: int) -> None:
    game = TableGame(9, 9, 24, seed)
    game.first_is_safe, game.goes_down = False, 13
    shown = _watched(game)
    told: list[str] = []
    learnt = _calibrated(game, Wishes("n", 8), replace(_user(), tell=told.append), seed=seed)
    assert not any("not understood" in line for line in told)
    _is_true(game, learnt, shown)


@pytest.mark.parametrize("down", [12, 26])  # a part of a step, and all of one
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_board_that_goes_down_by_its_first_click_is_followed(seed: int, down: int) -> None:
    game = TableGame(9, 9, 10, seed)
    game.goes_down, game.goes_down_at_once = down, True
    shown, told = _watched(game), []
    learnt = _calibrated(game, Wishes("n", 6), replace(_user(), tell=told.append), seed=seed)
    assert not any("not understood" in line for line in told)
    _is_true(game, learnt, shown)
    _plays(game, learnt)


@pytest.mark.parametrize(("seed", "is_seen"), [(1, True), (2, True), (3, True), (4, False)])
def test_a_board_whose_rows_become_smaller_is_followed(seed: int, *, is_seen: bool) -> None:
    game = TableGame(12, 12, 24, seed)
    game.shrinks = 2
    shown, told = _watched(game), []
    learnt = _calibrated(game, Wishes("n", 8), replace(_user(), tell=told.append), seed=seed)
    assert len({picture.grid.rows for picture in learnt.pictures}) > 1
    refused = [line for line in told if "not understood" in line]
    # Of a row that one click has opened and moved nothing tells where it is.
    assert len(refused) == (0 if is_seen else 1)
    assert all("where some are is not to be seen" in line for line in refused)
    _is_true(game, learnt, shown)
    _plays(game, learnt)


@pytest.mark.parametrize("seed", [1, 2])
def test_an_alert_that_comes_with_a_new_board_is_closed(seed: int) -> None:
    game = TableGame(9, 9, 10, seed)
    game.key_for_new, game.has_face, game.alerts = "", True, True
    game.desk.window = replace(game.desk.window, app_ids=("firefox-esr", "Navigator"))
    learnt = _calibrated(game, Wishes(None, 5), seed=seed)
    assert game.played > 3
    assert learnt.conduct.end_message_key == "Escape"
    _plays(game, learnt)


def test_what_hides_all_of_a_board_is_no_new_one() -> None:
    game = TableGame(9, 9, 10, 1)
    game.key_for_new, game.has_face, hides = "", True, False

    def key(pressed: str) -> None:
        nonlocal hides
        hides = pressed == "F2" and game.over
        pixels = game.picture()
        pixels[TOP - 4 : -16, LEFT - 4 : -26] = (
            250 if hides else pixels[TOP - 4 : -16, LEFT - 4 : -26]
        )
        game.desk.paint(pixels)

    game.desk.on_key = key
    learnt = _calibrated(game, Wishes(None, 4), seed=1)
    assert learnt.conduct.new_game_key is None
    assert learnt.conduct.new_game_button is not None


def test_a_window_that_is_taken_down_for_a_moment_is_waited_for() -> None:
    """Some games do so with each new board."""
    game, asleep = TableGame(9, 9, 10, 2), 0

    def away(key: str) -> None:
        game.key(key)
        game.desk.minimise()

    def back() -> None:
        nonlocal asleep
        asleep += game.desk.window.state is not State.SHOWN
        if asleep % 5 == 4:
            game.desk.window = replace(game.desk.window, state=State.SHOWN)
            asleep += 1

    game.desk.on_key = away
    _calibrated(game, Wishes(None, 4), on_sleep=back, seed=2)
    assert game.played > 2


def test_a_new_board_is_found_after_a_first_game_that_was_not_understood(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game, explore = TableGame(9, 9, 30, 1), run.explore
    game.first_is_safe = False

    def explored(*arguments: Any) -> str:
        outcome = explore(*arguments)
        if not game.played:
            assert not arguments[0].games[-1].opened
            raise Contradiction("no meaning of the looks fits what the game showed")
        return outcome

    monkeypatch.setattr(run, "explore", explored)
    told: list[str] = []
    _calibrated(game, Wishes(None, 6), replace(_user(), tell=told.append), seed=1)
    assert "not understood" in told[1]
    assert game.played > 1


@pytest.mark.parametrize("loses_first", [False, True])
@pytest.mark.parametrize("asks", ["Play again?", "Would you like to? Try again!"])
def test_a_window_that_asks_whether_to_play_again_is_told_yes(
    asks: str, *, loses_first: bool
) -> None:
    game = TableGame(9, 9, 10, 6)
    desk, question = game.desk, Window("0x600097", asks, ("sgt-mines", "Sgt-mines"))

    class Asked(list[Window]):
        def remove(self, window: Window) -> None:
            super().remove(window)
            if desk.keys[-1] == "Escape":
                desk.close()  # No ends the game.
            else:
                game.key("n")

    def click(pixel: Pixel, button: Button) -> None:
        if loses_first and not game.played and game.game is None and button is Button.LEFT:
            game.begin(Layout(9, 9, frozenset(range(81)) - {0}))
        TableGame.click(game, pixel, button)
        if game.over:
            desk.dialogs.append(question)

    game.desk.dialogs, game.desk.on_click = Asked(), click
    learnt = _calibrated(game, Wishes(None, 3))
    assert game.played == 3
    assert learnt.conduct.begins_anew
    (dialog,) = learnt.conduct.dialogs
    assert dialog.keys == ("Return",)
    _plays(game, learnt, begins=False)


def test_a_window_that_offers_a_new_game_is_closed_for_the_board_below_it() -> None:
    game = TableGame(9, 9, 10, 6)
    question = Window("0x600097", "Reset the Game?", ("sgt-mines", "Sgt-mines"))
    _ends(game, lambda: game.desk.dialogs.append(question))
    (dialog,) = _calibrated(game, Wishes("n", 2)).conduct.dialogs
    assert dialog.keys == ("Escape",)


def test_a_window_that_escape_does_not_close_is_closed_by_its_button() -> None:
    game = TableGame(9, 9, 10, 6)
    desk = game.desk

    class Stays(list[Window]):
        def remove(self, window: Window) -> None:
            """Only `press` below takes it away."""

    press = FakeKeyboard.press

    def pressed(board: FakeKeyboard, key: Key, window: Window | None = None) -> None:
        press(board, key, window)
        if desk.keys[-4:] == ["Tab", "space", "Tab", "space"]:
            desk.dialogs.clear()

    desk.dialogs = Stays()
    _ends(game, lambda: desk.dialogs.append(SCORES))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(FakeKeyboard, "press", pressed)
        learnt = _calibrated(game, Wishes("n", 2))
    (dialog,) = learnt.conduct.dialogs
    assert dialog.keys == ("Escape", "Return", "Tab", "space", "Tab", "space")


SCORES = Window(0x600099, "High Scores", "sgt-mines", "Sgt-mines")


def test_what_the_game_shows_at_its_end_is_closed_and_learnt() -> None:
    game = TableGame(9, 9, 10, 6)
    _ends(game, lambda: game.desk.dialogs.append(SCORES))
    learnt = _calibrated(game, Wishes("n", 2))
    (dialog,) = learnt.conduct.dialogs
    assert dialog.title.search("High Scores")
    assert dialog.when == "ended"
    assert not game.desk.dialogs


def test_a_window_that_comes_in_answer_to_another_is_closed_as_well() -> None:
    game = TableGame(9, 9, 10, 6)
    desk = game.desk
    name = Window("0x600098", "Your name?", ("sgt-mines",), parent=desk.window.id)
    press = FakeKeyboard.press

    def pressed(board: FakeKeyboard, key: Key, window: Window | None = None) -> None:
        asked = name in desk.dialogs
        press(board, key, window)
        if asked and name not in desk.dialogs:
            desk.dialogs.append(SCORES)

    _ends(game, lambda: desk.dialogs.append(name))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(FakeKeyboard, "press", pressed)
        told: list[str] = []
        learnt = _calibrated(game, Wishes("n", 2), replace(_user(), tell=told.append))
    assert not any("not understood" in line for line in told)
    assert {dialog.title.pattern for dialog in learnt.conduct.dialogs} == {
        r"^Your\ name\?$",
        r"^High\ Scores$",
    }
    assert not desk.dialogs


@pytest.mark.parametrize("seed", [4, 6])
def test_a_new_board_may_come_once_the_window_at_the_end_is_closed(seed: int) -> None:
    game = TableGame(9, 9, 10, seed)
    game.key_for_new = ""
    desk, press, renew = game.desk, FakeKeyboard.press, Renewal.renew

    def late(renewal: Renewal, table: Table, course: Course) -> bool:
        if game.over:
            table.press("x")  # what comes after it is the game's answer
            desk.dialogs.append(SCORES)
        return renew(renewal, table, course)

    def pressed(board: FakeKeyboard, key: Key, window: Window | None = None) -> None:
        asked = SCORES in desk.dialogs
        press(board, key, window)
        if asked and SCORES not in desk.dialogs:
            game._again()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(FakeKeyboard, "press", pressed)
        patch.setattr(Renewal, "renew", late)
        learnt = _calibrated(game, Wishes(None, 5))
        assert learnt.conduct.begins_anew
        assert learnt.conduct.new_game_key is None
        assert game.played >= 3


def test_the_question_whether_to_give_a_game_up_is_answered_and_learnt() -> None:
    game = TableGame(9, 9, 10, 6)
    desk, pressed = game.desk, game.key
    question = Window("0x600097", "", ("sgt-mines", "Sgt-mines"))

    class Asked(list[Window]):
        def remove(self, window: Window) -> None:
            super().remove(window)
            if desk.keys[-2:] == ["Tab", "Return"]:
                pressed("n")

    def key(name: str) -> None:
        if name == "n" and game.game is not None and not game.over:
            desk.dialogs.append(question)
        else:
            pressed(name)

    desk.dialogs, desk.on_key = Asked(), key
    learnt = _calibrated(game, Wishes("n", 4))
    (dialog,) = learnt.conduct.dialogs
    assert dialog.when == "new_game"
    assert dialog.keys == ("Tab", "Return")
    profile = replace(_profile(learnt), status=None, conduct=learnt.conduct)
    game.restart()
    game.click(Pixel(LEFT + 5, TOP + 5), Button.LEFT)
    played = game.played
    with open_session(desk, desk.window, profile, Stop(), Settings(mines=10)) as session:
        session.new_game()
    assert game.played == played + 1


def test_a_second_window_that_comes_late_is_closed_before_the_key_for_a_new_board() -> None:
    game = TableGame(9, 9, 10, 6)
    pressed = game.key

    def key(name: str) -> None:
        if name == "n" and game.played == 1 and not late:
            late.append(name)
            game.desk.dialogs.append(SCORES)
            raise WindowError("High Scores waits for an answer")
        pressed(name)

    late: list[str] = []
    game.desk.on_key = key
    learnt = _calibrated(game, Wishes("n", 3))
    assert [dialog.when for dialog in learnt.conduct.dialogs] == ["ended"]
    assert game.played == 4
    assert not game.desk.dialogs


def test_a_window_that_comes_as_late_as_the_next_game_is_closed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = TableGame(9, 9, 10, 6)
    explore, begun = run.explore, []

    def explored(*arguments: Any) -> str:
        begun.append(game.played)
        if len(begun) == 2:
            game.desk.dialogs.append(SCORES)
        return explore(*arguments)

    monkeypatch.setattr(run, "explore", explored)
    told: list[str] = []
    learnt = _calibrated(game, Wishes("n", 4), replace(_user(), tell=told.append))
    assert len(begun) == 4
    assert ["not understood" in line for line in told[1:]] == [False, True, False, False]
    assert [dialog.when for dialog in learnt.conduct.dialogs] == ["new_game"]
    assert not game.desk.dialogs


def test_a_window_that_the_user_has_opened_is_neither_closed_nor_learnt() -> None:
    game = TableGame(9, 9, 10, 6)
    preferences = Window(0x600098, "Preferences", "sgt-mines", "Sgt-mines")

    slept = count()

    def on_sleep() -> None:
        # The game has ended, and nothing has been clicked for more than 3 seconds.
        if next(slept) == 15:
            game.desk.dialogs.append(preferences)

    with pytest.raises(WindowError, match=r"Preferences.*waits for an answer"):
        _calibrated(game, Wishes("n", 2), on_sleep=on_sleep)
    assert game.desk.dialogs == [preferences]
    assert "Escape" not in game.desk.keys


def test_a_window_that_was_open_before_it_began_is_left_alone() -> None:
    game = TableGame(9, 9, 10, 6)
    game.desk.dialogs.append(SCORES)
    with pytest.raises(WindowError):
        _calibrated(game, Wishes("n", 2))
    assert game.desk.dialogs == [SCORES]
    assert not game.desk.keys


def test_a_known_grid_that_is_not_found_again_is_where_it_was(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game, course = TableGame(9, 9, 10, 1), Course(Knowledge(Random(7)))
    _calibrated(game, Wishes("n", 2), course=course)
    known = course.grid

    def lost(*_: object) -> Grid:
        raise GridNotFound("hardly a tile is covered")

    def other(*_: object) -> tuple[GridLook, Grid]:
        raise AssertionError("a grid was made up")

    monkeypatch.setattr("bot.calibrate.run.locate", lost)
    monkeypatch.setattr("bot.calibrate.run.discover", other)
    _calibrated(game, Wishes("n", 1), course=course)
    assert course.games == 3
    assert course.grid == known


@pytest.mark.parametrize("way", ["right", "ctrl", "alt", "none"])
def test_how_flags_are_set_may_be_said_and_nothing_else_is_tried(way: str) -> None:
    game = TableGame(9, 9, 18, 4)
    game.flags_with = way if way in ("ctrl", "alt") else ""
    learnt = _calibrated(game, Wishes("n", 4, flag_way=way))
    assert learnt.conduct.flags == (way != "none")
    assert learnt.conduct.flag_modifier == (game.flags_with or None)
    buttons = {button for _, button in game.desk.clicks}
    assert buttons == ({Button.LEFT, Button.RIGHT} if way == "right" else {Button.LEFT})
    assert set(game.desk.holds) - {None} == ({way} if game.flags_with else set())
    if way != "none":
        assert learnt.sure[Cell.FLAG]


def test_what_is_said_of_flags_later_counts() -> None:
    course = Course(Knowledge(Random(7)))
    game = TableGame(9, 9, 18, 4)
    game.flags_with = "shift"
    for way, flags, held in (
        ("none", False, None),
        ("shift", True, "shift"),
        ("none", False, None),
    ):
        learnt = _calibrated(game, Wishes("n", 3, flag_way=way), course=course)
        assert (learnt.conduct.flags, learnt.conduct.flag_modifier) == (flags, held)
    assert learnt.sure[Cell.FLAG]


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("otherwise", ["", "opens_all", "edge_differs"])
def test_a_game_in_which_empty_squares_do_not_open_their_corners(seed: int, otherwise: str) -> None:
    game = TableGame(9, 9, 10, seed)
    game.opens_corners = False
    if otherwise:
        setattr(game, otherwise, True)
        game.desk.paint(game.picture())
    course = Course(Knowledge(Random(7)))
    learnt = _calibrated(game, Wishes("n", 6), course=course)
    assert course.knowledge.by_sides
    assert {Cell.EMPTY, Cell.ONE, Cell.TWO, Cell.HIDDEN, Cell.FLAG} <= set(learnt.sure)
    _plays(game, learnt)


@pytest.mark.parametrize("seed", range(1, 7))
def test_an_opening_that_fits_no_known_rule_is_not_taken_for_a_loss(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.calibrate.meaning._opens_by_sides", lambda *_: False)
    game = TableGame(9, 9, 10, seed)
    game.opens_corners = False
    shown = _watched(game)
    course = Course(Knowledge(Random(seed)))
    with suppress(Contradiction):
        _calibrated(game, Wishes("n", 8), course=course)
    for picture in course.learnt().pictures:
        truth = shown[picture.open().pixels.tobytes()]
        mines = [
            cell for told, cell in zip(picture.cells, truth, strict=True) if told is Cell.EXPLODED
        ]
        assert not {Cell.EMPTY, Cell.ONE, Cell.TWO, Cell.THREE} & set(mines)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_game_that_takes_clicks_to_be_where_the_pointer_is_now(seed: int) -> None:
    game = TableGame(9, 9, 10, seed)
    desk, click, picture = game.desk, game.click, game.desk.picture
    waiting: list[Button] = []
    desk.on_click = lambda _, button: waiting.append(button)
    desk.on_resize = None

    def shown() -> NDArray[np.uint8]:
        here = Pixel(desk.pointer.x - desk.rect.left, desk.pointer.y - desk.rect.top)
        while waiting:
            click(here, waiting.pop(0))
        return picture()

    desk.picture = shown  # type: ignore[method-assign]
    learnt = _calibrated(game, Wishes("n", 6))
    assert learnt.conduct.one_at_a_time
    _plays(game, learnt)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_game_that_opens_all_of_its_board_when_it_is_lost(seed: int) -> None:
    game = TableGame(9, 9, 10, seed)
    game.opens_all = True
    course = Course(Knowledge(Random(7)))
    learnt = _calibrated(game, Wishes("n", 8), course=course)
    assert not course.knowledge.by_sides
    assert course.knowledge.lost
    _plays(game, learnt)


def _plays(game: TableGame, learnt: Learnt, *, begins: bool = True) -> None:
    """Whether games are played to their ends with what was learnt; `begins` them by the profile."""
    profile = replace(_profile(learnt), status=None, conduct=learnt.conduct)
    desk, ends = game.desk, []
    with open_session(desk, desk.window, profile, Stop(), Settings(mines=game.size[2])) as session:
        for number in range(4):
            if begins or number:
                session.new_game()
            try:
                ends.append(session.play())
            except UnreadableTile:  # a number that was not met
                game.restart()
                game.desk.paint(game.picture())
                continue
            assert ends[-1].outcome is Outcome.WON or ends[-1].hit_a_guess
    assert ends
