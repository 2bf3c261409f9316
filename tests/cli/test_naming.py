"""Naming a look that was never met, and playing on."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from bot.board import Cell
from bot.calibrate.course import Course
from bot.calibrate.evidence import Knowledge
from bot.calibrate.run import User, Wishes, calibrate_window
from bot.calibrate.samples import conclude
from bot.calibrate.window import Timing
from bot.cli import naming
from bot.errors import UnreadableTile, UsageError
from bot.play.result import Outcome, Settings
from bot.play.session import open_session
from bot.profile import Profile, SampleLook, load, load_file
from bot.recording import pictures
from bot.stop import Stop
from bot.vision.locate import locate
from bot.vision.reader import Reader
from tests.calibrate.learner import _stop
from tests.calibrate.table_game import FakeClock, TableGame

SHOT = Path(__file__).parents[2] / "fixtures/screenshots/gnome-mines"
MIDDLE = "default-8x8n10-w600x450-middle-2.png"


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(naming, "own_folder", lambda: tmp_path)
    return tmp_path


def _without(profile: Profile, cell: Cell) -> Profile:
    assert isinstance(profile.cells, SampleLook)
    kept = tuple(sample for sample in profile.cells.samples if sample.cell != cell)
    return replace(profile, cells=SampleLook(kept))  # type: ignore[arg-type]  # all of one kind


def test_a_look_that_is_named_is_read_from_then_on(own: Path) -> None:
    profile = _without(load("gnome-mines"), Cell.TWO)
    frame = pictures.load(SHOT / MIDDLE)
    grid = locate(frame, profile.grid)
    with pytest.raises(UnreadableTile) as caught:
        Reader(profile).read(frame)
    x, y = caught.value.square
    made = naming.with_look(profile, frame, grid, y * grid.width + x, Cell.TWO)
    board = Reader(made).read(frame)
    assert board.cells[board.square(x, y)] == Cell.TWO
    written = load_file(own / "gnome-mines" / "profile.toml")
    assert Reader(written).read(frame) == board


def test_inks_cannot_be_added_to(own: Path) -> None:
    profile = load("sgt-mines")
    frame = pictures.load(SHOT / MIDDLE)
    grid = locate(frame, load("gnome-mines").grid)
    with pytest.raises(UsageError, match="by inks"):
        naming.with_look(profile, frame, grid, 0, Cell.TWO)
    assert not list(own.iterdir())


@pytest.mark.parametrize(("key", "cell"), [("2", Cell.TWO), ("f", Cell.FLAG), ("x", None)])
def test_one_key_names_it(
    own: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    key: str,
    cell: Cell | None,
) -> None:
    monkeypatch.setattr(naming, "_key", lambda: key)
    profile = load("gnome-mines")
    frame = pictures.load(SHOT / MIDDLE)
    grid = locate(frame, profile.grid)
    made = naming.named(frame, grid, UnreadableTile((2, 1), {}), profile)
    said = capsys.readouterr().err
    assert "▀" in said
    assert "column 3, row 2" in said
    assert (made is None) is (cell is None)
    assert bool(list(own.iterdir())) is (cell is not None)


@pytest.mark.usefixtures("own")
def test_the_game_goes_on_where_it_was() -> None:
    game = TableGame(9, 9, 10, 1)
    course = Course(Knowledge(Random(7)))
    calibrate_window(
        game.desk,
        game.desk.window,
        Wishes("n", 9),
        User(lambda _: None, _stop, lambda _: False),
        course,
        clock=FakeClock,
        timing=Timing(quiet=0),
        shares=(),
    )
    learnt = course.learnt()
    blank = replace(load("gnome-mines"), grid=learnt.grid, cells=SampleLook(()), status=None)
    whole, _ = conclude(learnt.pictures, replace(blank, conduct=learnt.conduct))
    desk, stop = game.desk, Stop()
    poor = _without(whole, Cell.ONE)
    with open_session(desk, desk.window, poor, stop, Settings(mines=10)) as session:
        session.new_game()
        with pytest.raises(UnreadableTile) as caught:
            session.play()
        clicks = session.player.game.clicks
        assert clicks
        grid = session.reader.grid
        assert grid is not None
        x, y = caught.value.square
        square = y * grid.width + x
        shown = game.cell(square)
        assert isinstance(shown, Cell)
        frame = session.recorder.entries[-1].frame
        session.learn(naming.with_look(poor, frame, grid, square, shown))
        assert session.play(on=True).outcome in (Outcome.WON, Outcome.LOST)
        assert session.player.game.clicks > clicks
    assert game.over
