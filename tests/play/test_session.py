"""From one game to the next in the same window, and what is kept of a failure."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from minebot.board import Board
from minebot.capture import Frame, Window
from minebot.errors import Contradiction, GridNotFound, Stopped, UsageError, WindowError
from minebot.play.identify import NAME, profile_of
from minebot.play.result import PlaySettings
from minebot.play.session import Session, keep_evidence, open_session
from minebot.policy.style import Style
from minebot.profile import Profile, load
from minebot.recording import pictures, replay
from minebot.recording.recorder import Recorder
from minebot.stop import Stop
from tests.support.fake_clock import TimedDesk
from tests.support.fake_game import EASY, draw

pytestmark = pytest.mark.trained

SHOTS = Path(__file__).parents[2] / "fixtures" / "screenshots" / "kmines"
FADES = 0.4
"""Seconds."""
SEEN = EASY.seen(EASY.opened_by(0))
MISREAD = Board.parse("8??\n???\n???")


def picture(moment: str) -> NDArray[np.uint8]:
    return pictures.load(SHOTS / f"default-9x9n10-w560x400-{moment}.png").pixels


class Kmines(TimedDesk):
    """A finished game; the key brings a fresh board, on which the message of the end fades."""

    def __init__(self) -> None:
        super().__init__(picture("early"))
        self.pressed_at = -FADES
        self.on_key = self.press

    def press(self, key: str) -> None:
        if key == "ctrl+n" and not self.dialogs:
            self.pressed_at = self.clock.now()
            self.paint(picture("fresh"))

    def picture(self) -> NDArray[np.uint8]:
        shown = super().picture()
        left = 1 - (self.clock.now() - self.pressed_at) / FADES
        if left > 0:
            shown[150:200, 200:350, :3] += np.uint8(4 * left)
        return shown


class Falling(Kmines):
    """Something small falls over the fresh board for a while."""

    seconds = 3.0

    def picture(self) -> NDArray[np.uint8]:
        shown = TimedDesk.picture(self)
        since = self.clock.now() - self.pressed_at
        if since < self.seconds:
            top = 100 + int(100 * since) % 250
            shown[top : top + 8, 200:350, :3] += 4
        return shown


@contextmanager
def session_in(
    desk: TimedDesk, stop: Stop | None = None, profile: Profile | None = None
) -> Iterator[Session]:
    """A session in KMines."""
    with open_session(
        desk,
        desk.window,
        profile or load("kmines"),
        stop or Stop(),
        PlaySettings(),
    ) as session:
        yield session


def test_a_new_board_is_clicked_only_when_the_message_of_the_end_is_gone() -> None:
    desk = Kmines()
    with session_in(desk) as session:
        session.new_game()
        assert desk.clock.now() - desk.pressed_at > FADES
    assert desk.keys == ["ctrl+n"]


def test_a_game_that_is_busy_with_its_end_is_not_asked_for_another_yet() -> None:
    class Ending(Kmines):
        def picture(self) -> NDArray[np.uint8]:
            shown = super().picture()
            if self.clock.now() < 1:
                shown[150:200, 200:350, :3] += np.uint8(100 * self.clock.now())
            return shown

    desk = Ending()
    with session_in(desk) as session:
        session.new_game()
        assert 1 < desk.pressed_at < 2
    assert desk.keys == ["ctrl+n"]


@pytest.mark.parametrize(("seconds", "waits"), [(3, 3), (60, 10)])
def test_what_falls_over_a_new_board_is_waited_for(seconds: float, waits: float) -> None:
    desk, known = Falling(), load("kmines")
    desk.seconds = seconds
    # Its own messages fade, and are waited for in any case.
    profile = known.changed(behaviour=known.behaviour.changed(end_message_milliseconds=0))
    with session_in(desk, profile=profile) as session:
        session.new_game()
        assert waits < desk.clock.now() - desk.pressed_at < waits + 1
    assert desk.keys == ["ctrl+n"]


def test_a_window_that_is_taken_down_for_a_moment_is_waited_for() -> None:
    """Some games do so with each new board."""
    desk = Kmines()

    def away(key: str) -> None:
        desk.press(key)
        desk.minimise()
        desk.clock.after(0.5, lambda: setattr(desk, "window", shown))

    shown, desk.on_key = desk.window, away
    with session_in(desk) as session:
        session.new_game()
    assert desk.keys == ["ctrl+n"]


def test_a_session_opens_one_window_session() -> None:
    """On some desktops the user is asked for each."""
    desk = Kmines()
    desk.minimise()
    with open_session(desk, desk.window, load("kmines"), Stop(), PlaySettings()) as session:
        session.new_game()
    assert desk.opened == 1


@pytest.mark.parametrize("title", ["High Scores", "Preferences"])
def test_a_window_that_comes_as_the_new_board_is_asked_for(title: str) -> None:
    desk = Kmines()

    def late(_: str) -> None:
        desk.dialogs.append(Window("0x900000", title, ("kmines",), parent=desk.window.id))
        desk.on_key = desk.press

    desk.on_key = late
    with session_in(desk) as session:
        if title == "High Scores":  # KMines has shown it for the end of the last game
            session.new_game()
            assert desk.keys == ["ctrl+n", "Escape", "ctrl+n"]
        else:
            with pytest.raises(WindowError, match=f"{title}.*waits for an answer"):
                session.new_game()
            assert desk.keys == ["ctrl+n"]


@pytest.mark.parametrize("windows", [1, 2, 3])
def test_windows_that_keep_the_key_from_the_game_are_closed_first(windows: int) -> None:
    desk, came = Kmines(), 0

    def another(key: str) -> None:
        """The table of times has come after the question that was closed."""
        nonlocal came
        if key == "Escape":
            return desk.press(key)
        came += 1
        window = Window(f"0x90000{came}", "High Scores", ("kmines",), parent=desk.window.id)
        desk.dialogs.append(window)
        if came == windows:
            desk.on_key = desk.press
        raise WindowError("High Scores waits for an answer")

    desk.on_key = another
    with session_in(desk) as session:
        if windows == 3:  # no game is known to show so many
            with pytest.raises(WindowError, match="High Scores waits"):
                session.new_game()
        else:
            session.new_game()
    assert desk.keys == ["ctrl+n", "Escape"] * min(windows, 2) + ["ctrl+n"]


def test_what_it_saw_is_kept_where_no_new_board_comes(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    desk = Kmines()
    # Nothing that could be read.
    noise = np.random.default_rng(1).integers(0, 256, picture("early").shape).astype(np.uint8)
    desk.on_key = lambda _: desk.paint(noise)
    with (
        session_in(desk) as session,
        pytest.raises(WindowError, match="no new board comes when") as caught,
    ):
        session.new_game()
    (note,) = caught.value.__notes__
    assert f"what it saw is kept in {tmp_path}" in note
    assert list(tmp_path.rglob("*.png"))
    assert desk.keys == ["ctrl+n"] * 5
    assert 10 < desk.clock.seconds < 11


def test_a_stop_is_heard_while_a_new_board_is_waited_for() -> None:
    desk, stop = Kmines(), Stop()
    desk.on_key = lambda _: desk.paint(picture("early") // 2)
    desk.clock.at(1.0, lambda: stop.request("Esc was pressed"))
    with session_in(desk, stop) as session, pytest.raises(Stopped, match="Esc"):
        session.new_game()
    assert desk.keys == ["ctrl+n"]
    assert desk.clock.seconds <= 1.1


@pytest.mark.parametrize("named", [True, False], ids=["by-name", "by-looks"])
def test_a_stop_before_the_first_click_is_heard(named: bool) -> None:
    desk, stop = TimedDesk(picture("fresh")), Stop()
    stop.request("Esc was pressed")
    with (
        pytest.raises(Stopped, match="Esc"),
        open_session(
            desk,
            desk.window,
            load("kmines") if named else None,
            stop,
            PlaySettings(),
        ) as session,
    ):
        session.play()
    assert not desk.clicks
    assert not desk.keys
    assert desk.clock.seconds < 0.1


def test_what_fits_no_known_game_is_looked_at_for_a_while() -> None:
    desk = TimedDesk(np.full((200, 200, 4), 90, np.uint8))
    with (
        pytest.raises(GridNotFound, match="no game that is known"),
        open_session(desk, desk.window, None, Stop(), PlaySettings()),
    ):
        pass
    assert 2 < desk.clock.seconds < 2.2
    assert max(desk.waits) <= 0.1


@pytest.mark.parametrize(
    ("name", "style", "says"),
    [
        (NAME, Style.EFFICIENT, True),
        (NAME, Style.FAST, False),
        ("sgt-mines", Style.EFFICIENT, False),
    ],
)
def test_that_no_chords_are_made_at_first_sight_is_said(
    name: str, style: Style, *, says: bool
) -> None:
    desk, said = TimedDesk(picture("middle-1")), list[str]()
    profile = profile_of(desk.window, name)
    settings = PlaySettings(style=style, say=said.append)
    with open_session(desk, desk.window, profile, Stop(), settings, touch=False):
        pass
    assert any("no chords" in line for line in said) is says


@pytest.fixture
def state(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Where what was seen before failures is kept, in a user's state that is empty."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    return tmp_path / "minebot" / "failures"


def recorded() -> Recorder:
    """A recorder that has seen a board, and one that cannot be."""
    recorder = Recorder(itertools.count().__next__)
    recorder.looked(Frame(draw(SEEN)), SEEN)
    recorder.failed(Frame(draw(MISREAD)), Contradiction("makes no sense"), MISREAD)
    return recorder


def folders(root: Path) -> list[Path]:
    return sorted(path for path in root.iterdir() if path.is_dir())


def test_pictures_lie_there_with_their_boards_as_the_fixtures_do(state: Path) -> None:
    error = Contradiction("makes no sense")
    keep_evidence(recorded(), error)
    (folder,) = folders(state)
    assert error.__notes__ == [f"what it saw is kept in {folder}"]
    seen, misread = replay.cases(folder)
    assert seen.truth == SEEN.with_mines(None)
    assert misread.truth == MISREAD
    results = [replay.replay(case, [load("sgt-mines")]) for case in (seen, misread)]
    # What was misread can be no board: a single picture of it is refused.
    expected = [replay.Comparison.RIGHT, replay.Comparison.REFUSED]
    assert [result.verdict for result in results] == expected


def test_two_failures_in_one_second_lie_apart(state: Path) -> None:
    for _ in range(3):
        keep_evidence(recorded(), Contradiction("makes no sense"))
    assert [len(list(folder.glob("*.png"))) for folder in folders(state)] == [2, 2, 2]


def test_the_oldest_goes(state: Path) -> None:
    old = [state / f"20200101-0000{second:02}-x" for second in range(22)]
    for folder in old:
        folder.mkdir(parents=True)
        (folder / "000000.png").touch()
    (state / "0-of-the-user").mkdir()
    keep_evidence(recorded(), Contradiction("makes no sense"))
    (state / "0-of-the-user").rmdir()  # which is still there
    left = folders(state)
    assert len(left) == 20
    assert left[:-1] == old[-19:]
    assert (left[-1] / "000001.txt").is_file()


def test_a_folder_that_cannot_be_made_hides_nothing(state: Path) -> None:
    state.parent.touch()
    error = Contradiction("makes no sense")
    keep_evidence(recorded(), error)
    (note,) = error.__notes__
    assert note.startswith("what it saw could not be kept: ")


def test_a_full_disk_hides_nothing() -> None:
    class Full(Recorder):
        def write(self, folder: Path) -> None:
            raise UsageError(f"{folder}: No space left on device")

    error = Contradiction("makes no sense")
    keep_evidence(Full(itertools.count().__next__), error)
    (note,) = error.__notes__
    assert "could not be kept" in note
    assert "No space left on device" in note
