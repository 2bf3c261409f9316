"""Playing the real game, in a real window, with clicks that land."""

from __future__ import annotations

import json
import os
import random
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import xcffib.xinput

from fixtures import tatham
from fixtures.running_game import RunningGame
from fixtures.waiting import is_asleep, stays, wait_until
from minebot.actuator import Button
from minebot.board import Board, Cell
from minebot.desktop.choose import native
from minebot.desktop.ports import find
from minebot.desktop.x11.display import Display
from minebot.errors import WindowError
from minebot.layout import Layout
from minebot.play.result import Outcome, PlaySettings
from minebot.play.session import Session, open_session
from minebot.policy.style import Style
from minebot.profile import load
from minebot.sandbox.private_display import PrivateDisplay
from minebot.stop import Stop

ROOT = Path(__file__).parents[2]

pytestmark = pytest.mark.game


@contextmanager
def session(
    display: PrivateDisplay,
    game_id: str,
    settings: PlaySettings | None = None,
    extra: dict[str, str] | None = None,
) -> Iterator[Session]:
    """A session at a fresh game."""
    desktop = native(display.name)
    with RunningGame(display, game_id, extra) as game:
        window = find(game.window, desktop.windows())
        stop = Stop()
        profile = load("sgt-mines")
        with open_session(desktop, window, profile, stop, settings or PlaySettings()) as one:
            one.recorder.entries = deque()  # each look, not the last few
            yield one


def _check_moves(one: Session, layout: Layout | None = None) -> None:
    """No click went outside the grid, or to a mine that was opened."""
    assert one.player.last_seen is not None
    grid = one.player.last_seen.grid
    for entry in one.recorder.entries:
        for move in entry.moves:
            assert 0 <= move.x < grid.width
            assert 0 <= move.y < grid.height
            if layout is not None and move.action.value == "open":
                assert layout.square(move.x, move.y) not in layout.mines


@pytest.mark.parametrize("style", list(Style), ids=lambda style: style.value)
@pytest.mark.parametrize(
    "preset", ["9x9n10", "9x9n35", "16x16n40", "16x16n99", "30x16n99", "30x16n170"]
)
def test_a_board_that_logic_can_solve_is_won(
    desk: PrivateDisplay, preset: str, style: Style
) -> None:
    with session(desk, f"{preset}#5", PlaySettings(style=style)) as one:
        game = one.play()
        assert game.outcome is Outcome.WON, game.reason
        assert not game.guesses
        assert game.board is not None
        assert game.board.mines == int(preset.split("n")[1])
        assert style is not Style.NO_FLAGS or not game.flags
        _check_moves(one)


def test_games_follow_each_other_at_the_press_of_a_key(desk: PrivateDisplay) -> None:
    with session(desk, "9x9n10") as one:
        boards = set()
        for number in range(4):
            if number:
                one.new_game()
            assert one.play().outcome is Outcome.WON
            boards.add(one.player.game.board)
        assert len(boards) == 4
        assert len(one.games) == 4


@pytest.mark.parametrize("tile", [9, 13, 31])
def test_small_and_large_tiles_are_clicked_where_they_are(desk: PrivateDisplay, tile: int) -> None:
    # The smallest window cuts its own status line off, so the total is given.
    settings = PlaySettings(mines=40)
    with session(desk, "16x16n40#3", settings, {"MINES_TILESIZE": str(tile)}) as one:
        assert one.play().outcome is Outcome.WON
        _check_moves(one)


def test_a_doubled_scale_and_a_dark_theme_are_played(desk: PrivateDisplay) -> None:
    extra = {"GDK_SCALE": "2", "GTK_THEME": "Adwaita:dark"}
    with session(desk, "9x9n10#4", extra=extra) as one:
        game = one.play()
        assert game.outcome is Outcome.WON
        assert game.board is not None
        assert game.board.mines == 10


def _layout(seed: int) -> Layout:
    chance = random.Random(seed)
    while True:
        layout = Layout.scattered(12, 9, 12, chance, clear=[0, 1, 2, 12, 13, 14, 24, 25, 26])
        if len(layout.opened_by(0)) > 12:
            return layout


def _right_click(one: Session, board: Board, square: int) -> None:
    grid, frame = one.observer.read().grid, one.window_session.screen.grab()
    one.window_session.mouse.click(frame, grid.centre(*board.xy(square)), Button.RIGHT)


def _shown(one: Session, square: int, cell: Cell) -> Board:
    end = time.monotonic() + 10
    while time.monotonic() < end:
        board = one.observer.read().board
        if board.cells[square] == cell:
            return board
        one.window_session.screen.wait(0.05)
    raise AssertionError(f"{square} never shows {cell!r}")


def test_flags_that_a_person_set_wrongly_do_no_harm(desk: PrivateDisplay) -> None:
    for seed in range(3):
        layout = _layout(seed)
        with session(desk, tatham.encode(layout, (0, 0)), PlaySettings(mines=12)) as one:
            board = one.observer.read().board
            chance = random.Random(seed)
            for square in chance.sample(sorted(board.squares(Cell.HIDDEN)), 6):
                _right_click(one, board, square)
                board = _shown(one, square, Cell.FLAG)
            game = one.play()
            hit = game.outcome is Outcome.LOST
            assert not hit or game.guesses, "a mine was hit that logic could have avoided"
            if not game.guesses:
                assert game.outcome is Outcome.WON
                _check_moves(one, layout)


def test_a_lost_game_is_told_from_a_won_one(desk: PrivateDisplay) -> None:
    layout = _layout(1)
    with session(desk, tatham.encode(layout, (0, 0)), PlaySettings(mines=12)) as one:
        grid = one.observer.read().grid
        mine = min(layout.mines)
        frame = one.window_session.screen.grab()
        one.window_session.mouse.click(frame, grid.centre(mine % 12, mine // 12), Button.LEFT)
        _shown(one, mine, Cell.EXPLODED)
        game = one.play()
        assert game.outcome is Outcome.LOST
        assert game.clicks == 0


def test_a_window_closed_in_the_middle_is_an_error_and_nothing_more(desk: PrivateDisplay) -> None:
    desktop = native(desk.name)
    with RunningGame(desk, "30x16n99#8") as game:
        window = find(game.window, desktop.windows())
        profile = load("sgt-mines")
        with open_session(desktop, window, profile, Stop(), PlaySettings()) as one:
            grab = one.window_session.screen.grab
            looks = 0

            def closing():  # type: ignore[no-untyped-def]
                nonlocal looks
                looks += 1
                if looks == 5:
                    game.__exit__(None, None, None)
                return grab()

            one.window_session.screen.grab = closing  # type: ignore[method-assign]
            with pytest.raises(WindowError):
                one.play()


# -- the command, as a person runs it


def _environ(display: PrivateDisplay) -> dict[str, str]:
    return {**os.environ, "DISPLAY": display.name}


def _minebot(display: PrivateDisplay, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "minebot", *arguments],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        cwd=ROOT,
        env=_environ(display),
    )


def test_the_command_plays_the_only_game_there_is(desk: PrivateDisplay) -> None:
    with RunningGame(desk, "9x9n10"):
        run = _minebot(desk, "--games", "2", "--json")
    assert run.returncode == 0, run.stderr
    facts = [json.loads(line) for line in run.stdout.splitlines()]
    assert [fact["outcome"] for fact in facts] == ["won", "won"]
    expected = {
        *("outcome", "seconds", "clicks", "flags", "guesses", "rounds"),
        *("width", "height", "mines", "window"),
    }
    assert expected <= set(facts[0])
    assert (facts[0]["width"], facts[0]["height"], facts[0]["mines"]) == (9, 9, 10)
    assert "median" in run.stderr


def test_the_command_clicks_through_pyautogui_when_told_to(desk: PrivateDisplay) -> None:
    with RunningGame(desk, "9x9n10"):
        run = _minebot(desk, "--mouse", "pyautogui", "--json")
    assert run.returncode == 0, run.stderr
    assert json.loads(run.stdout)["outcome"] == "won"


def test_a_dry_run_touches_nothing(desk: PrivateDisplay) -> None:
    layout = _layout(2)
    with RunningGame(desk, tatham.encode(layout, (0, 0))) as game:
        window = game.window
        before = _minebot(desk, "--window", window, "--dry-run")
        after = _minebot(desk, "--window", window, "--dry-run")
    assert before.returncode == 0, before.stderr
    assert before.stdout == after.stdout
    for line in before.stdout.splitlines():
        action, pair = line.split()
        x, y = map(int, pair.split(","))
        if "guess" not in before.stderr:
            assert ((y * 12 + x) in layout.mines) == (action == "flag")


def test_the_wrong_windows_are_named(desk: PrivateDisplay) -> None:
    with RunningGame(desk, "9x9n10"), RunningGame(desk, "9x9n10"):
        run = _minebot(desk, "--window", "Mines")
        assert run.returncode == 3
        assert run.stderr.count("\n") == 1
        assert run.stderr.count("'Mines' (0x") == 2
        run = _minebot(desk, "--window", "Nothing")
        assert run.returncode == 3
        assert "no window matches 'Nothing'" in run.stderr
        assert _minebot(desk).returncode == 3


def test_another_game_is_no_board(desk: PrivateDisplay) -> None:
    with RunningGame(desk, program="sgt-net") as game:
        run = _minebot(desk, "--window", game.window)
    assert run.returncode == 4
    assert run.stderr.count("\n") == 1
    assert "Traceback" not in run.stderr


def test_more_mines_than_cells_is_a_bad_argument(desk: PrivateDisplay) -> None:
    with RunningGame(desk, "9x9n10"):
        run = _minebot(desk, "--mines", "99")
    assert run.returncode == 2
    assert run.stderr.count("\n") == 1
    assert "99 mines do not fit" in run.stderr


class _Presses:
    """Counts the presses of mouse buttons on a display, whatever window they go to."""

    def __init__(self, display: Display) -> None:
        self._display = display
        self._seen = 0
        all_masters = 1
        mask = struct.pack("=HHI", all_masters, 1, xcffib.xinput.XIEventMask.RawButtonPress)
        display.xinput.XISelectEventsChecked(display.root, 1, [mask]).check()

    def count(self) -> int:
        """All that the server has handled by now."""
        self._display.core.GetInputFocus().reply()
        for event in self._display.pending():
            self._seen += isinstance(event, xcffib.xinput.RawButtonPressEvent)
        return self._seen


@pytest.mark.parametrize("how", ["Escape", "mouse", "Ctrl-C"])
def test_it_stops_at_once(desk: PrivateDisplay, how: str) -> None:
    """No click follows but one that was under way, though the board is far from done."""
    with RunningGame(desk, "30x16n99"), Display(desk.name) as display:
        presses = _Presses(display)
        process = subprocess.Popen(
            [sys.executable, "-m", "minebot", "--games", "500", "--json"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=ROOT,
            env=_environ(desk),
        )
        killer = threading.Timer(90, process.kill)
        killer.start()
        assert process.stdout is not None
        process.stdout.readline()  # one game is over, the next is under way
        over = presses.count()
        assert over
        while presses.count() < over + 10:
            assert process.poll() is None
        if how == "Ctrl-C":
            process.send_signal(signal.SIGINT)
        else:
            act = ["key", "Escape"] if how == "Escape" else ["mousemove", "5", "5"]
            subprocess.run(["xdotool", *act], check=True, env=_environ(desk))
        asked = presses.count()
        out, err = process.communicate()
        killer.cancel()
        assert presses.count() - asked <= 1
    assert process.returncode == 130, err
    last = json.loads(out.splitlines()[-1])
    assert last["outcome"] == "stopped"
    # Stopped in the middle: at the end of a game there would have been nothing left to click.
    assert last["clicks"] + last["flags"] < 150
    reason = {"Escape": "Esc", "mouse": "mouse was moved", "Ctrl-C": "Ctrl-C"}[how]
    assert reason in err.splitlines()[-1]


@pytest.mark.thorough
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_stop_is_heard_where_the_display_hangs(number: int) -> None:
    with PrivateDisplay((1280, 1024)) as display, RunningGame(display, "30x16n99"):
        server = _server_of(display.name)
        process = subprocess.Popen(
            [sys.executable, "-m", "minebot", "--games", "500", "--json"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=ROOT,
            env=_environ(display),
        )
        assert process.stdout is not None
        process.stdout.readline()  # one game is over, the next is under way
        os.kill(server, signal.SIGSTOP)
        try:
            wait_until(lambda: stays(lambda: is_asleep(process.pid), 0.3))
            process.send_signal(number)
            _, said = process.communicate(timeout=20)
        finally:
            process.kill()
            os.kill(server, signal.SIGCONT)
    assert process.returncode == 130
    assert said.splitlines()[-1].startswith("minebot: stopped: ")
    assert "what hangs was not waited for" in said


def _server_of(name: str) -> int:
    """The number of the X server's process."""
    with Display(name) as display, socket.socket(fileno=os.dup(display.fileno())) as connection:
        credentials = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12)
        return int(struct.unpack("3i", credentials)[0])
