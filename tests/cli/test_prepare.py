"""`minebot prepare` compiles what guesses need, and says so."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from minebot.cli import main
from minebot.policy.guessing import prepare
from minebot.policy.guessing.cache import FOLDER, folder


def test_it_says_what_it_does_and_that_it_is_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(FOLDER, str(tmp_path))
    done = f"import pathlib; pathlib.Path({str(tmp_path)!r}, 'complete').touch()"
    monkeypatch.setattr(prepare, "_COMMAND", (sys.executable, "-c", done))
    folder.cache_clear()
    try:
        assert main(["prepare"]) == 0
        first = capsys.readouterr().err.splitlines()
        assert main(["prepare"]) == 0
        second = capsys.readouterr().err.splitlines()
    finally:
        folder.cache_clear()
    assert len(first) == 2
    assert "once" in first[0]
    assert first[1:] == second
