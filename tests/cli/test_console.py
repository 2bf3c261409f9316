"""What comes from outside is shown as text, whatever it looks like."""

from __future__ import annotations

import io
import json
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from minebot import cli
from minebot.cli.console import ask, printable, say
from minebot.errors import WindowError
from minebot.play.result import GameResult, Outcome
from minebot.profile import load
from tests.support.fake_desktop import FakeDesk

SHOTS = Path(__file__).parents[2] / "fixtures" / "screenshots" / "sgt-mines"
PICTURE = SHOTS / "9x9n10-t20-early.png"

MARKUP = ("vim [/etc/fstab]", "[draft] letter", ":bomb: [bold red]x[/]", "[link=file:///]y[/link]")
CONTROLS = ("\x1b[2Jgone", "\x1b]0;title\x07", "\x9b31mred", "a\rb", "a\nb", "\u202etxt.exe")

Captured = pytest.CaptureFixture[str]


def unseen(text: str) -> set[str]:
    return {each for each in text if not each.isprintable()} - {"\n"}


class Titled(FakeDesk):
    """A desktop whose one window has the title of somebody else's choosing."""

    def __init__(self, title: str) -> None:
        super().__init__(np.full((200, 300, 4), 90, np.uint8))
        self.window = replace(self.window, title=title)


@pytest.fixture(autouse=True)
def _wide(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "400")


@pytest.mark.parametrize("title", MARKUP)
def test_windows_shows_a_title_as_it_is(
    title: str, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    monkeypatch.setattr("minebot.cli.windows.native", lambda *_, **__: Titled(title))
    assert cli.main(["windows"]) == 0
    assert title in capsys.readouterr().out


@pytest.mark.parametrize("title", CONTROLS)
def test_windows_lets_no_control_character_through(
    title: str, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    monkeypatch.setattr("minebot.cli.windows.native", lambda *_, **__: Titled(title))
    assert cli.main(["windows"]) == 0
    out = capsys.readouterr().out
    assert printable(title) in out
    assert not unseen(out)
    assert cli.main(["windows", "--json"]) == 0
    line = capsys.readouterr().out
    assert json.loads(line)["title"] == title
    assert not unseen(line)


@pytest.mark.parametrize("title", [*MARKUP, *CONTROLS])
def test_an_error_is_one_line_with_the_title_in_it(
    title: str, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    class Broken(Titled):
        def windows(self, *_: object) -> list[object]:  # type: ignore[override]  # it never returns
            raise WindowError(f"the window {title} is gone")

        pick = windows  # type: ignore[assignment]

    monkeypatch.setattr("minebot.cli.options.native", lambda *_, **__: Broken(title))
    assert cli.main([]) == 3
    said = capsys.readouterr().err
    assert said == f"minebot: the window {printable(title)} is gone\n"
    assert not unseen(said)


@pytest.mark.parametrize("name", [*MARKUP, *CONTROLS])
def test_replay_and_read_show_a_path_as_it_is(name: str, tmp_path: Path, capsys: Captured) -> None:
    folder = tmp_path / name.replace("/", "_")
    folder.mkdir()
    for suffix in (".png", ".txt"):
        shutil.copy(PICTURE.with_suffix(suffix), folder / f"{folder.name}{suffix}")
    assert cli.main(["replay", str(folder)]) == 0
    said = capsys.readouterr().err
    assert printable(str(folder)) in said
    assert not unseen(said)
    assert cli.main(["read", str(folder / "none.png")]) == 2
    said = capsys.readouterr().err
    assert said == f"minebot: {printable(str(folder))}/none.png: No such file or directory\n"
    assert cli.main(["read", f"--overlay={folder / 'seen.png'}", str(PICTURE)]) == 0
    said = capsys.readouterr().err
    path = printable(str(folder), keep="\n")
    assert said == f"{path}/seen.png: what it sees\n"


@pytest.mark.parametrize("text", [*MARKUP, *CONTROLS])
def test_profiles_shows_what_stands_in_a_profile_as_it_is(
    text: str, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    profile = load("sgt-mines").changed(title=text, looks=text)
    located = {profile.name: (Path("profile.toml"), profile)}
    monkeypatch.setattr("minebot.cli.profiles.located", lambda: located)
    assert cli.main(["profiles"]) == 0
    out = capsys.readouterr().out
    assert out.count(printable(text)) == 2
    assert not unseen(out)


@pytest.mark.parametrize("word", CONTROLS)
def test_a_mistyped_word_is_one_line(word: str, capsys: Captured) -> None:
    with pytest.raises(SystemExit) as ended:
        cli.main(["windows", word])
    assert ended.value.code == 2
    said = capsys.readouterr().err
    assert printable(word) in said
    assert not unseen(said)
    assert said.count("\n") == 1


def test_what_is_told_in_several_lines_stays_so(capsys: Captured) -> None:
    say("one [bold]\ntwo\x1b[0m")
    assert capsys.readouterr().err == "one [bold]\ntwo\\x1b[0m\n"


def test_a_question_shows_no_control_character(
    monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("yes\n"))
    assert [ask("Mines\x1b[2J?\n"), ask("again? ")] == ["yes\n", None]
    assert capsys.readouterr().err == "Mines\\x1b[2J?\nagain? "


def test_a_reason_why_a_game_is_stuck_is_text(capsys: Captured) -> None:
    from minebot.cli.report import sentence  # noqa: PLC0415

    say(sentence(GameResult(outcome=Outcome.STUCK, reason="[/] \x1b[2J")))
    assert "stuck ([/] \\x1b[2J)" in capsys.readouterr().err
