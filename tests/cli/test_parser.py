"""What can be typed, and what is said about what cannot."""

from __future__ import annotations

import pytest

from minebot.cli import play, solve
from minebot.cli.parser import parse


def _said(words: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    with pytest.raises(SystemExit) as ended:
        parse(words)
    assert ended.value.code == 2
    (line,) = capsys.readouterr().err.splitlines()
    return line


@pytest.mark.parametrize("words", [[], ["play"]])
def test_play_is_what_is_done_without_a_command(words: list[str]) -> None:
    run, typed = parse([*words, "--window", "Mines", "--games", "3"])
    assert run is play.run
    assert (typed.window, typed.games) == ("Mines", 3)


def test_what_stands_before_a_command_holds_for_it() -> None:
    run, typed = parse(["--window", "Mines", "play", "--games", "3"])
    assert run is play.run
    assert (typed.window, typed.games) == ("Mines", 3)
    run, typed = parse(["--json", "solve", "board.txt"])
    assert run is solve.run
    assert typed.json


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["sovle"], "there is no 'sovle'; did you mean solve?; see minebot --help"),
        (["qqq"], "there is no 'qqq'; see minebot --help"),
        (["--gmaes", "3"], "there is no option --gmaes; did you mean --games?"),
        (["--gmaes=3"], "there is no option --gmaes; did you mean --games?"),
        (["solve", "--jsno"], "there is no option --jsno; did you mean --json?; see minebot solve"),
        (["play", "play"], "unrecognized arguments: play"),
    ],
)
def test_what_is_mistyped_is_told_with_what_was_meant(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert said in _said(words, capsys)
