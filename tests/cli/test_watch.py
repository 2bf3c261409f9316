"""Games are reviewed whatever ends the watching; what a coach says becomes a notification."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from minebot.analysis.played_game import PlayedGame
from minebot.cli import main
from minebot.cli.watch import notify
from minebot.errors import CaptureError, MinebotError, WindowGone, WindowHidden
from minebot.study.watching import Watcher
from tests.support.fake_game import EASY, FakeGame
from tests.support.recorded_games import slow


def stand_in(folder: Path, script: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A notify-send of the test's own."""
    (folder / "notify-send").write_text(f"#!/bin/sh\n{script}\n")
    (folder / "notify-send").chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")


def test_each_line_is_shown_in_place_of_the_one_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    stand_in(
        tmp_path, f'printf "%s|" "$@" >> {tmp_path}/shown; echo >> {tmp_path}/shown', monkeypatch
    )
    notify("a safe move exists")
    notify("-1 <b>")
    same = "--app-name=minebot|--hint=string:x-canonical-private-synchronous:minebot|--|"
    shown = (tmp_path / "shown").read_text().splitlines()
    assert shown == [f"{same}a safe move exists|", f"{same}-1 <b>|"]
    assert capsys.readouterr() == ("", "")


def test_what_could_not_be_shown_is_said_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    stand_in(tmp_path, "echo 'no service\nat all' >&2; exit 1", monkeypatch)
    notify("a safe move exists")
    assert capsys.readouterr().err == "note: no notification: no service at all\n"


def test_a_missing_notify_send_is_named_with_what_brings_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert main(["watch", "--coach", "--notify"]) == 2
    said = "minebot: notifications need notify-send: apt install libnotify-bin\n"
    assert capsys.readouterr().err == said


@pytest.mark.parametrize("error", [WindowGone, WindowHidden, CaptureError])
def test_the_games_so_far_are_reviewed_whatever_becomes_of_the_window(
    error: type[MinebotError], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class OneGame(Watcher):
        def games(self) -> Iterator[PlayedGame]:
            yield slow(3.0)
            raise error("nothing can be seen any more")

    game = FakeGame(EASY)
    monkeypatch.setattr("minebot.cli.watch.native", lambda *_, **__: game.desk)
    monkeypatch.setattr("minebot.cli.watch.Watcher", OneGame)
    assert main(["watch", "--window", "Mines", "--games", "2", "--json"]) == 3
    out, said = capsys.readouterr()
    assert json.loads(out)["outcome"] == "won"
    assert said.endswith("minebot: nothing can be seen any more\n")
