"""What minebot needs here, and what brings that which is missing."""

from __future__ import annotations

import json
import os
import shutil
import tomllib
from pathlib import Path

import pytest

from fixtures.known_games import KNOWN_GAMES
from minebot.cli import doctor
from minebot.cli.parser import parse
from minebot.desktop.choose import Way, native
from minebot.profile import profiles
from minebot.vision import text

PROJECT = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())["project"]


def parts(capsys: pytest.CaptureFixture[str]) -> dict[str, str]:
    """What would bring each part, empty where it is there."""
    run, arguments = parse(["doctor", "--json"])
    run(arguments)
    told = json.loads(capsys.readouterr().out)["parts"]
    assert all(part["there"] == (not part["mend"]) for part in told)
    return {part["name"]: part["mend"] for part in told}


def test_everything_is_there_that_the_tests_need(capsys: pytest.CaptureFixture[str]) -> None:
    found = parts(capsys)
    extras = {name.removeprefix("extra ") for name in found if name.startswith("extra ")}
    assert extras == PROJECT["optional-dependencies"].keys()
    assert not found["text recognition"]
    assert not found["extra study"]


def test_nothing_is_to_be_brought_where_all_is_there(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(shutil, "which", lambda name, **_: f"/usr/games/{name}")
    monkeypatch.setattr(doctor, "missing", lambda _: [])
    monkeypatch.setattr(doctor, "is_complete", lambda: True)
    found = parts(capsys)
    assert not any(found.values()), found
    games = {name.removeprefix("game ") for name in found if name.startswith("game ")}
    assert {"sgt-mines", *KNOWN_GAMES} <= games <= profiles().keys()


@pytest.mark.parametrize(("works", "status"), [(True, 0), (False, 3)])
def test_the_ways_are_told_and_whether_one_works(
    works: bool, status: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    found = [
        Way("wayland", "the compositor has gone", None),
        Way("x11", "display :7", (lambda: native(":7")) if works else None),
    ]
    monkeypatch.setattr(doctor, "ways", lambda _: found)
    for name in os.environ:
        monkeypatch.delenv(name)
    monkeypatch.setenv("DISPLAY", ":7")
    run, arguments = parse(["doctor", "--json"])
    assert run(arguments) == status
    told = json.loads(capsys.readouterr().out)
    assert told["environment"] == {"DISPLAY": ":7"}
    assert told["taken"] == (["x11"] if works else [])
    assert told["ways"] == [
        {"name": "wayland", "works": False, "finding": "the compositor has gone"},
        {"name": "x11", "works": works, "finding": "display :7"},
    ]
    run, arguments = parse(["doctor"])
    assert run(arguments) == status
    said = capsys.readouterr().out
    assert "DISPLAY=:7" in said
    assert ("yes, taken" in said) == works
    assert ("no way works here" in said) != works


def test_what_is_missing_is_told_with_what_brings_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr(shutil, "which", lambda *_, **__: None)
    monkeypatch.setattr(doctor, "missing", lambda extra: ["mcp"] if extra == "mcp" else [])
    monkeypatch.setattr(doctor, "is_complete", lambda: False)
    # No folder of language data is there.
    monkeypatch.setattr(text.Tesseract.__init__, "__defaults__", ((str(tmp_path / "none"),),))
    monkeypatch.delenv("TESSDATA_PREFIX", raising=False)
    found = parts(capsys)
    assert found["game sgt-mines"] == "apt install sgt-puzzles"
    assert found["game kmines"] == "apt install kmines"
    assert found["extra mcp"] == "pip install '.[mcp]'"
    assert found["text recognition"] == "apt install tesseract-ocr-eng"
    assert found["compiled guessing"].endswith("-m minebot.policy.guessing.prepare")
    run, arguments = parse(["doctor"])
    run(arguments)
    assert "apt install sgt-puzzles" in capsys.readouterr().out
