"""Learning a game from the command line: what is written, and when."""

from __future__ import annotations

from collections import Counter
from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random

import pytest

from bot import cli
from bot.actuator import Button
from bot.board import Cell
from bot.calibrate.journal import Journal
from bot.calibrate.run import Wishes, calibrate_window
from bot.calibrate.samples import Check
from bot.calibrate.window import Timing
from bot.capture import Pixel, Window
from bot.cli import learn
from bot.errors import Stopped, UsageError, VisionError
from bot.play.identify import game_of
from bot.profile import SampleLook, load, load_file
from bot.profile.schema import Heading
from bot.profile.values import Sample
from bot.profile.writing import write
from tests.calibrate.table_game import FakeClock, TableGame


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    at_once = partial(calibrate_window, clock=FakeClock, timing=Timing(quiet=0), shares=())
    monkeypatch.setattr(learn, "calibrate_window", at_once)
    monkeypatch.setattr(learn, "Random", lambda: Random(1))


def _met(path: Path) -> set[Cell]:
    profile = load_file(path)
    assert isinstance(profile.cells, SampleLook)
    return {sample.cell for sample in profile.cells.samples}


def test_a_profile_is_there_after_the_first_game_whatever_comes_then(tmp_path: Path) -> None:
    game, path = TableGame(9, 9, 10, 1), tmp_path / "mine" / "profile.toml"
    played = game.click

    def click(pixel: Pixel, button: Button) -> None:
        if game.played == 1:
            raise Stopped("stopped: Esc was pressed")
        played(pixel, button)

    game.desk.on_click = click
    with pytest.raises(Stopped):
        learn.learn(game.desk, game.desk.window, path, Wishes("n", 5))
    assert {Cell.ONE, Cell.HIDDEN, Cell.FLAG} <= _met(path)
    assert load_file(path).conduct.new_game_key == "n"


def test_the_same_name_goes_on_and_adds(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "mine" / "profile.toml"
    for _ in range(2):
        game = TableGame(9, 9, 10, 1)
        learn.learn(game.desk, game.desk.window, path, Wishes("n", 2))
    said = capsys.readouterr().err
    assert "going on after 2 games" in said
    assert said.count("not met: ") == 2
    before = _met(path)
    game = TableGame(9, 9, 10, 1)
    learn.learn(game.desk, game.desk.window, path, Wishes("n", 1), force=True)
    assert "going on after 4" not in capsys.readouterr().err
    assert before >= {Cell.ONE, Cell.TWO}


@pytest.mark.parametrize(("level", "missing"), [(157, "no number is told"), (166, "")])
def test_where_opened_tiles_hardly_differ_from_covered_ones_it_says_what_is_missing(
    tmp_path: Path, level: int, missing: str
) -> None:
    path = tmp_path / "mine" / "profile.toml"
    game = TableGame(9, 9, 10, 1)
    game.open_level = level
    with pytest.raises(VisionError, match=missing) if missing else nullcontext():
        learn.learn(game.desk, game.desk.window, path, Wishes("n", 3))
    # What no board can be played by is no profile yet.
    assert path.exists() == (not missing)
    assert Journal(path.parent / "learning").exists
    assert missing or Cell.ONE in _met(path)


def test_a_profile_by_which_most_covered_squares_cannot_be_read_is_not_called_done() -> None:
    one, empty = Sample(Cell.ONE, ((192, 192, 192),)), Sample(Cell.EMPTY, ((160, 160, 160),))
    made = replace(load("gnome-mines"), cells=SampleLook((one, empty)))
    read = Counter({Cell.HIDDEN: 40, Cell.ONE: 9})
    few, many = Counter({Cell.HIDDEN: 39, Cell.MINE: 9}), Counter({Cell.HIDDEN: 41})
    learn.check_playable(Check(3, read, few, ()), made)
    flags = Check(3, read, Counter({Cell.FLAG: 2}), ())
    learn.check_playable(flags, made)
    assert not learn.without_flags(made, flags).conduct.flags
    assert learn.without_flags(made, Check(3, read, few, ())) is made
    with pytest.raises(VisionError, match=r"hidden \(\?\)"):
        learn.check_playable(Check(3, read, many, ()), made)


@pytest.mark.parametrize(
    ("met", "missing"),
    [(Cell.ONE, "no empty square is told"), (Cell.EMPTY, "no number is told from others")],
)
def test_a_profile_that_knows_numbers_or_empty_squares_alone_is_not_called_done(
    met: Cell, missing: str
) -> None:
    look = SampleLook((Sample(met, ((192, 192, 192),)),))
    made = replace(load("gnome-mines"), cells=look)
    with pytest.raises(VisionError, match=missing):
        learn.check_playable(Check(3, Counter({met: 40}), Counter(), ()), made)


def test_what_a_look_was_once_taken_for_does_not_keep_another_from_being_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "mine" / "profile.toml"
    game = TableGame(9, 9, 10, 1)
    learn.learn(game.desk, game.desk.window, path, Wishes("n", 2))
    profile = load_file(path)
    assert isinstance(profile.cells, SampleLook)
    flags = [sample for sample in profile.cells.samples if sample.cell is Cell.FLAG]
    # Flags that were taken for question marks, and a number that the user has named.
    phases = ("", "playing", "lost")
    taken = [replace(one, cell=Cell.HIDDEN, phase=phase) for one in flags for phase in phases]
    named = [replace(flags[0], cell=Cell.EIGHT, ink=(1, 200, 90))]
    samples = (*profile.cells.samples, *taken, *named)
    write(replace(profile, cells=replace(profile.cells, samples=samples)), path)
    game = TableGame(9, 9, 10, 1)
    learn.learn(game.desk, game.desk.window, path, Wishes("n", 1))
    assert "they look like two things" not in capsys.readouterr().err
    assert {Cell.EIGHT, Cell.FLAG} <= _met(path)


def test_a_profile_that_was_made_otherwise_is_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "mine" / "profile.toml"
    path.parent.mkdir()
    path.write_text("name = 'mine'\n")
    game = TableGame(9, 9, 10, 1)
    with pytest.raises(UsageError, match="--force"):
        learn.learn(game.desk, game.desk.window, path, Wishes("n", 1))
    assert path.read_text() == "name = 'mine'\n"
    assert not game.desk.clicks


def test_a_game_to_be_played_is_learnt_among_the_users_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(learn, "own_folder", lambda: tmp_path)
    monkeypatch.setattr(learn, "Wishes", lambda: Wishes("n", 2))
    game = TableGame(9, 9, 10, 1)
    profile = learn.learn_first(game.desk, game.desk.window, None)
    assert profile.name == "sgt-mines"
    assert (tmp_path / "sgt-mines" / "profile.toml").is_file()
    assert not game.over


def test_a_program_that_does_not_say_what_it_is_called_is_named_by_its_window(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(learn, "own_folder", lambda: tmp_path)
    monkeypatch.setattr(learn, "Wishes", lambda: Wishes("n", 2))
    game = TableGame(9, 9, 10, 1)
    game.desk.window = replace(game.desk.window, title="Mine Field", app_ids=())
    assert learn.learn_first(game.desk, game.desk.window, None).name == "mine-field"


def test_a_page_is_told_from_others_in_the_same_browser(monkeypatch: pytest.MonkeyPatch) -> None:
    known = {"flat": Heading("flat", "Flat", "", ("chromium",), "Flat mines")}
    monkeypatch.setattr("bot.play.identify.headings", lambda: known)
    assert game_of(Window("1", "Flat mines - Chromium", ("chromium", "Chromium"))) == "flat"
    assert game_of(Window("2", "News - Chromium", ("chromium", "Chromium"))) is None


@pytest.mark.parametrize("learns", [True, False])
def test_a_game_that_is_not_known_is_learnt_and_then_played(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    *,
    learns: bool,
) -> None:
    monkeypatch.setattr(learn, "own_folder", lambda: tmp_path / "profiles")
    monkeypatch.setattr(learn, "Wishes", lambda: Wishes("n", 4))
    game = TableGame(9, 9, 10, 1)
    game.desk.window = replace(game.desk.window, title="Table", app_ids=("table",))
    monkeypatch.setattr("bot.cli.desktops.native", lambda *_, **__: game.desk)
    recording = tmp_path / "recording"
    words = ["--window", "Table", "--mines", "10", "--record", str(recording)]
    status = cli.main([*words, "--learn"] if learns else words)
    said = capsys.readouterr().err
    if learns:
        assert status in (0, 1)
        assert "learnt as table: now it is played" in said
        assert list(recording.glob("*.png"))
    else:
        assert status == 4
        assert "is no game that is known" in said
        assert said.count("\n") == 1
        assert not game.desk.clicks
