"""`minebot calibrate`: what is refused as it is typed; what is written, and when."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from minebot.actuator import Button
from minebot.capture import Pixel, Window
from minebot.cli import calibrate, main
from minebot.errors import Stopped, UnknownGame, UsageError
from minebot.learn.run import LearnOptions
from minebot.play.identify import game_of
from minebot.profile import LatticeStyle, file_of, load, load_file
from minebot.profile.files import write
from minebot.profile.schema import NO_WINDOW
from tests.learn.drawn_game import DrawnGame


def test_what_its_options_take_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for words, complaint in (
        (("--new-game-at", "12"), "'12' is not a column and a row of pixels, as 120,34"),
        (("--new-game-at", "1,2", "--new-game-key", "n"), "not allowed with argument"),
        (("--flag-at", "1;2"), "'1;2' is not a column and a row of pixels, as 120,34"),
        (("--flag-at", "1,2", "--flag-by", "shift"), "not allowed with argument"),
        (("--flag-by", "middle"), "--flag-by: invalid choice: 'middle'"),
    ):
        with pytest.raises(SystemExit) as ended:
            main(["calibrate", "--name", "mine", "--out", str(tmp_path), *words])
        assert ended.value.code == 2
        assert complaint in capsys.readouterr().err.splitlines()[-1]


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--name", "../escape", "--window", "x"], "cannot be a profile's name"),
        (["--window", "x", "--new-game-key", "ctrl+"], "not a key"),
    ],
)
def test_what_cannot_be_is_said_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], complaint: str
) -> None:
    assert main(["calibrate", "--name", "mine", "--out", str(tmp_path), *arguments]) == 2
    said = capsys.readouterr().err
    assert complaint in said
    assert said.count("\n") == 1
    assert not list(tmp_path.iterdir())


CALIBRATION = Path(__file__).parents[2] / "calibration"


def _learn(game: DrawnGame, path: Path, games: int, *, force: bool = False) -> None:
    calibrate.learn(game.desk, game.desk.window, path, LearnOptions(games=games), force=force)


@pytest.mark.thorough
def test_what_was_found_is_written_whatever_comes_then(tmp_path: Path) -> None:
    game, path = DrawnGame(1), tmp_path / "mine" / "profile.toml"
    played = game.click

    def click(pixel: Pixel, button: Button) -> None:
        if game.played == 1:
            raise Stopped("stopped: Esc was pressed")
        played(pixel, button)

    game.desk.on_click = click
    with pytest.raises(Stopped):
        _learn(game, path, 5)
    profile = load_file(path)
    assert profile.behaviour.new_game_key == "n"
    assert isinstance(profile.grid, LatticeStyle)
    assert not list(path.parent.glob("*.png"))
    assert len(path.read_text().splitlines()) <= 80


@pytest.mark.thorough
def test_the_same_name_builds_upon_what_is_known(tmp_path: Path) -> None:
    path = tmp_path / "mine" / "profile.toml"
    game = DrawnGame(1)
    _learn(game, path, 2)
    assert "F2" in game.desk.keys
    again = DrawnGame(2)
    _learn(again, path, 2)
    assert set(again.desk.keys) == {"n"}
    anew = DrawnGame(3)
    _learn(anew, path, 2, force=True)
    assert "F2" in anew.desk.keys


@pytest.mark.thorough
def test_kept_tiles_are_built_upon_with_the_window_that_is_learnt(tmp_path: Path) -> None:
    path, tiles = tmp_path / "mine" / "profile.toml", {"?": (bytes(108),)}
    seen = load("kmines").changed(name="mine", app_ids=NO_WINDOW, grid=LatticeStyle(tiles=(tiles,)))
    write(seen, path)
    game = DrawnGame(1)
    _learn(game, path, 1)
    profile = load_file(path)
    assert profile.kept == (tiles,)
    assert profile.app_ids == game.desk.window.app_ids
    assert profile.behaviour.new_game_key != seen.behaviour.new_game_key


@pytest.mark.thorough
def test_a_profile_that_reads_its_game_otherwise_is_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "mine" / "profile.toml"
    shutil.copytree(CALIBRATION / "sgt-mines", path.parent)
    before, game = path.read_bytes(), DrawnGame(1)
    with pytest.raises(UsageError, match="--force"):
        _learn(game, path, 1)
    assert path.read_bytes() == before
    assert not game.desk.clicks


@pytest.mark.thorough
def test_a_game_to_be_played_is_learnt_among_the_users_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setattr(calibrate, "LearnOptions", lambda: LearnOptions(games=2))
    game = DrawnGame(1)
    profile = calibrate.learn_first(game.desk, game.desk.window, None)
    assert profile.name == "sgt-mines"
    assert file_of("sgt-mines").is_file()
    assert file_of("sgt-mines").is_relative_to(tmp_path)
    assert not game.over


@pytest.mark.thorough
def test_a_program_that_does_not_say_what_it_is_called_is_named_by_its_window(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setattr(calibrate, "LearnOptions", lambda: LearnOptions(games=1))
    game = DrawnGame(1)
    game.desk.window = replace(game.desk.window, title="Mine Field V2.2b", app_ids=())
    profile = calibrate.learn_first(game.desk, game.desk.window, None)
    assert (profile.name, profile.title) == ("mine-field-v2-2b", "Mine Field")


@pytest.mark.thorough
def test_a_page_is_told_from_others_in_the_same_browser(monkeypatch: pytest.MonkeyPatch) -> None:
    flat = load("sgt-mines").changed(app_ids=("chromium",), page="Flat mines")
    monkeypatch.setattr("minebot.play.identify.profiles", lambda: {"flat": flat})
    assert game_of(Window("1", "Flat mines - Chromium", ("chromium", "Chromium"))) == "flat"
    assert game_of(Window("2", "News - Chromium", ("chromium", "Chromium"))) is None


@pytest.fixture
def unknown(monkeypatch: pytest.MonkeyPatch) -> DrawnGame:
    """A game on the desktop that no profile knows."""
    game = DrawnGame(1)
    game.desk.window = replace(game.desk.window, title="Table", app_ids=("table",))
    monkeypatch.setattr("minebot.cli.options.native", lambda *_, **__: game.desk)
    monkeypatch.setattr("minebot.play.identify.profiles", dict)
    return game


@pytest.mark.thorough
@pytest.mark.usefixtures("unknown")
def test_a_game_is_learnt_and_then_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setattr(calibrate, "LearnOptions", lambda: LearnOptions(games=2))
    recording = tmp_path / "recording"
    words = ["--window", "Table", "--mines", "10", "--record", str(recording), "--learn"]
    assert main(words) in (0, 1)
    assert "learnt as table: now it is played" in capsys.readouterr().err
    assert list(recording.glob("*.png"))


@pytest.mark.thorough
def test_an_unknown_game_is_played_only_if_the_user_wants_it(
    unknown: DrawnGame, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--window", "Table"]) == UnknownGame.exit_status
    assert "it shows a board of 9x9, fresh: --yes plays it" in capsys.readouterr().err
    assert not unknown.desk.clicks


@pytest.mark.thorough
def test_an_unknown_game_is_played_board_after_board(
    unknown: DrawnGame, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--window", "Table", "--mines", "10", "--games", "3", "--yes"]
    assert main(words) in (0, 1)
    assert unknown.played == 2
    assert unknown.desk.keys == ["F2", "n", "n"]
    assert capsys.readouterr().err.count("a new board comes by the key n") == 1
