"""Playing on the real GNOME, through its real portal, with its dialog answered by a user."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from fixtures.desktops.gnome import HeadlessGnome
from fixtures.desktops.mutter_user import MutterUser
from fixtures.desktops.portal_dialog import cancel, share_screen, share_window
from fixtures.waiting import pass_time
from minebot.actuator import Button
from minebot.board import Cell
from minebot.capture import Pixel
from minebot.desktop.placement import locate
from minebot.desktop.portal.shared_picture import PortalScreen
from minebot.desktop.ports import WindowSession
from minebot.errors import CaptureError, Stopped, WindowGone, WindowMoved
from minebot.play.result import Outcome, PlaySettings
from minebot.play.session import open_session
from minebot.stop import Stop
from minebot.vision.grid import Grid
from tests.desktop.portal.gnome_table import Table, flagged, read, still
from tests.support.stopping import promised

pytestmark = pytest.mark.gnome

CONTROL = 0xFFE3
"""The keysym of the left Control key; X11's keysymdef.h."""
END_SHARING = (1203, 16)
"""Where the shell's orange sign has its x."""


@pytest.fixture(scope="module")
def gnome() -> Iterator[HeadlessGnome]:
    with HeadlessGnome() as gnome:
        yield gnome


@pytest.fixture
def table(gnome: HeadlessGnome, tmp_path: Path) -> Iterator[Table]:
    with gnome.game("sgt-mines 16x16n40#1"):
        table = Table(gnome, tmp_path / "token")
        yield table
        table.desktop.close()


@pytest.mark.parametrize("share", [share_screen, share_window])
def test_it_tells_the_game_by_its_looks_and_wins(
    table: Table, share: Callable[[MutterUser], None]
) -> None:
    table.share(share)
    with open_session(table.desktop, table.window, None, table.stop, PlaySettings()) as session:
        assert session.profile.name == "sgt-mines"
        assert session.window_session.stops == promised()["GNOME and KDE on Wayland"]
        first = session.play()
        session.new_game()
        second = session.play()
    assert first.outcome is second.outcome is Outcome.WON
    assert len(table.said) == 1, "it is asked once for all games"
    assert "Allow remote interaction" in table.said[0]


def test_each_click_lands_on_its_cell(table: Table) -> None:
    table.share()
    with table.window_session() as window_session:
        frame = window_session.screen.grab()
        board, grid = read(frame)
        cells = set(np.random.default_rng(1).permutation(len(board.cells))[:150].tolist())
        for cell in cells:
            window_session.mouse.click(frame, grid.centre(cell % 16, cell // 16), Button.RIGHT)
        board = flagged(window_session, len(cells))
    assert {square for square, cell in enumerate(board.cells) if cell == Cell.FLAG} == cells


def test_pictures_come_when_something_changes(table: Table) -> None:
    table.share()
    with table.window_session() as window_session:
        frame = still(window_session)
        left = 60 - time.time() % 60
        if left < 1:  # the shell's clock is about to change the picture
            pass_time(left)
            frame = still(window_session)
        assert not window_session.screen.wait(0.3)
        _, grid = read(frame)
        before = window_session.clock.now()
        window_session.mouse.click(frame, grid.centre(3, 4), Button.RIGHT)
        after = window_session.screen.grab()
        assert before < after.taken <= window_session.clock.now()
        board = flagged(window_session, 1)
        assert board.cells[board.square(3, 4)] == Cell.FLAG


@pytest.mark.parametrize("share", [share_screen, share_window])
def test_received_anew_a_still_picture_comes_once_more(
    table: Table, share: Callable[[MutterUser], None]
) -> None:
    table.share(share)
    with table.window_session() as window_session:
        screen = window_session.screen
        assert isinstance(screen, PortalScreen)
        before = still(window_session)
        for _ in range(10):
            screen.note_input()  # the next picture is to be newer
            after = screen.grab()
            was, now = (locate(frame, Pixel(9, 9))[0].turn for frame in (before, after))
            assert now > was
            assert read(after) == read(before)
            before = after


def test_a_window_that_was_moved_is_not_clicked_until_looked_at_again(table: Table) -> None:
    table.share()
    # A user may move it before the first click.
    with table.window_session() as window_session:
        frame = still(window_session)
        _, grid = read(frame)
        title = grid.frame.left + 150, grid.frame.top - 75
        drag(table.user, title, (title[0] + 133, title[1] + 117))
        moved = still(window_session)
        with pytest.raises(WindowMoved):
            window_session.mouse.click(frame, grid.centre(0, 0), Button.RIGHT)
        _, there = read(moved)
        assert there == grid.moved(133, 117)
        window_session.mouse.click(moved, there.centre(0, 0), Button.RIGHT)
        board = flagged(window_session, 1)
    assert board.count(Cell.FLAG) == 1
    assert board.cells[0] == Cell.FLAG


def drag(user: MutterUser, start: tuple[int, int], end: tuple[int, int]) -> None:
    user.point(*start)
    pass_time(0.2)
    user.hold(pressed=True)
    for step in range(1, 11):
        x, y = (a + (b - a) * step / 10 for a, b in zip(start, end, strict=True))
        user.point(x, y)
        pass_time(0.03)
    user.hold(pressed=False)
    pass_time(0.3)


@pytest.mark.parametrize(
    ("how", "says"),
    [
        (cancel, "dialog was cancelled: run minebot again"),
        (
            lambda user: share_screen(user, interact=False),
            '"Allow remote interaction" was left off',
        ),
    ],
    ids=["cancelled", "not allowed to click"],
)
def test_a_refusal_is_one_line_that_says_what_to_do(
    table: Table, how: Callable[[MutterUser], None], says: str
) -> None:
    with pytest.raises(CaptureError, match=says):
        table.share(how)
    table.share()
    assert len(table.said) == 2, "the next time it asks anew"


def move_the_mouse(user: MutterUser) -> None:
    for _ in range(50):
        user.push(2, 1)
        pass_time(0.01)


def press_keys(user: MutterUser) -> None:
    # A tap between two clicks can be missed: of 45 times it took one to six, and two usually.
    for pressed in 25 * (True, False):
        user.key(CONTROL, pressed=pressed)
        pass_time(0.1)


@pytest.mark.parametrize("hand", [move_the_mouse, press_keys])
def test_the_user_stops_it_and_nothing_is_clicked_after(
    table: Table, hand: Callable[[MutterUser], None]
) -> None:
    table.share()
    thread = threading.Timer(1.5, hand, (table.user,))
    with table.window_session() as window_session:
        frame = still(window_session)
        _, grid = read(frame)
        thread.start()
        with pytest.raises(Stopped, match="the mouse was moved or a key was pressed"):
            click_away(window_session, grid, table.stop)
        thread.join()


def click_away(window_session: WindowSession, grid: Grid, stop: Stop) -> None:
    """Click now and then, as a game does that there is something to see to."""
    for number in range(400):
        stopped = stop.reason
        window_session.mouse.click(
            window_session.screen.grab(), grid.centre(number % 16, 0), Button.RIGHT
        )
        assert stopped is None, "clicked after the stop"
        window_session.clock.sleep(0.05)


def test_after_the_window_is_closed_nothing_is_clicked(
    gnome: HeadlessGnome, tmp_path: Path
) -> None:
    """Where the end of a window is told it is a stop; else it is the screen that is shared."""
    is_told = gnome.user.shell_version < 45
    with gnome.game("sgt-mines 9x9n10#1"):
        table = Table(gnome, tmp_path / "token")
        table.share(share_window)
        with table.window_session() as window_session:
            frame = still(window_session)
            gnome.end_games()
            assert table.stop.wait(10 if is_told else 1) == is_told
            if is_told:
                assert table.stop.reason is not None
                assert "the shared window was closed" in table.stop.reason
            with pytest.raises((WindowGone, Stopped) if is_told else WindowMoved):
                window_session.mouse.click(frame, read(frame)[1].centre(4, 4), Button.LEFT)
    table.desktop.close()


def test_the_shells_own_button_ends_it(table: Table) -> None:
    table.share()
    with table.window_session() as window_session:
        still(window_session)
        # It ends all sharing, this user's own eyes and hands too.
        table.user.click_last(*END_SHARING)
        table.gnome.replace_user()
        assert table.stop.wait(10)
        assert table.stop.reason is not None
        assert "the desktop has ended the sharing" in table.stop.reason
        with pytest.raises(Stopped):
            window_session.mouse.click(window_session.screen.grab(), Pixel(40, 40), Button.LEFT)
