"""Playing the other real games, past their choosers and what they show at the end."""

from __future__ import annotations

from collections import deque

import pytest

from fixtures.any_game import any_game
from minebot.board import Cell
from minebot.desktop.choose import native
from minebot.desktop.ports import find
from minebot.errors import WindowError
from minebot.play.identify import profile_at_first_sight
from minebot.play.result import GameResult, Outcome, PlaySettings
from minebot.play.session import open_session
from minebot.profile import load
from minebot.sandbox.private_display import PrivateDisplay
from minebot.stop import Stop

pytestmark = [pytest.mark.game, pytest.mark.trained]


def _is_honest(game: GameResult) -> bool:
    """Whether it was won, or lost on a cell that was reported as a guess."""
    if game.outcome is Outcome.WON:
        return True
    board, last = game.board, game.guesses[-1]
    assert board is not None
    return board.cells[last.square] == Cell.EXPLODED


def test_gnome_mines_is_played_from_its_chooser(desk: PrivateDisplay) -> None:
    desktop, profile = native(desk.name), load("gnome-mines")
    with any_game(desk, program="gnome-mines") as game:
        window = find(game.window, desktop.windows())
        with (
            pytest.raises(WindowError, match="8x8, 16x16, 30x16"),
            open_session(desktop, window, profile, Stop(), PlaySettings()),
        ):
            raise AssertionError
        with open_session(desktop, window, profile, Stop(), PlaySettings(), size=(8, 8)) as session:
            assert _is_honest(session.play())
            session.new_game()  # past the window that asks a winner's name
            assert _is_honest(session.play())
            assert session.player.last_seen is not None
            grid = session.player.last_seen.grid
            assert (grid.width, grid.height) == (8, 8)


@pytest.mark.parametrize("known", [True, False], ids=["by its profile", "at first sight"])
def test_the_window_of_gnome_mines_is_enlarged_until_the_board_is_whole(
    desk: PrivateDisplay, *, known: bool
) -> None:
    desktop = native(desk.name)
    with any_game(desk, "--big", program="gnome-mines") as game:
        window = find(game.window, desktop.windows())
        profile = load("gnome-mines") if known else profile_at_first_sight(window)
        before = game.area()
        with open_session(
            desktop, window, profile, Stop(), PlaySettings(), size=(30, 16)
        ) as session:
            grid = session.observer.read().grid
            assert (grid.width, grid.height) == (30, 16)
        # GNOME 43 opens it in a window that is too small, GNOME 48 does not.
        assert game.area().width >= max(before.width, grid.bounds.width)


def test_a_board_is_picked_in_the_menu_of_simon_tathams_mines(desk: PrivateDisplay) -> None:
    desktop, profile = native(desk.name), load("sgt-mines")
    with any_game(desk, "9x9n10") as game:
        window = find(game.window, desktop.windows())
        with open_session(
            desktop, window, profile, Stop(), PlaySettings(), size=(16, 16)
        ) as session:
            assert session.play().outcome is Outcome.WON


def test_kmines_is_played_past_its_windows_at_the_end(desk: PrivateDisplay) -> None:
    desktop, profile = native(desk.name), load("kmines")
    theme = {"KgTheme/Theme": "themes/classic.desktop", "KgDifficulty/Level": "Easy"}
    with any_game(desk, program="kmines", settings=theme) as game:
        window = find(game.window, desktop.windows())
        with open_session(desktop, window, profile, Stop(), PlaySettings()) as session:
            for number in range(4):
                if number:
                    session.new_game()
                session.recorder.entries = deque()  # each look, not the last few
                assert _is_honest(session.play())
                sent = [move for entry in session.recorder.entries for move in entry.moves]
                # The message of the last game's end would have taken the first, and nothing else
                # is clicked until that has been answered.
                assert sent[1:2] != sent[:1]
