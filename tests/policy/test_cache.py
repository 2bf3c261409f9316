"""Where the compiled engine is kept."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from minebot.policy.guessing.cache import FOLDER, folder

ROOT = Path(__file__).parents[2]


def test_the_same_sources_in_another_place_are_compiled_anew(tmp_path: Path) -> None:
    # What the compiler keeps it finds again by where the sources lie, and how old they are.
    shutil.copytree(
        ROOT / "bot" / "minebot", tmp_path / "minebot", ignore=shutil.ignore_patterns("__pycache__")
    )
    say = "from minebot.policy.guessing.cache import folder; print(folder())"
    where = {
        subprocess.run(
            [sys.executable, "-c", say], cwd=place, env={**os.environ, "PYTHONPATH": str(place)},
            capture_output=True, text=True, check=True,
        ).stdout
        for place in (ROOT, tmp_path)
    }  # fmt: skip
    assert len(where) == 2


def test_a_cache_that_cannot_be_written_is_done_without(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.delenv(FOLDER, raising=False)
    monkeypatch.setattr(
        "minebot.policy.guessing.cache.user_cache_path", (tmp_path / "file").joinpath
    )
    folder.cache_clear()
    try:
        place = folder()
        assert place.is_dir()
        assert tmp_path not in place.parents
        assert os.access(place, os.W_OK)
    finally:
        folder.cache_clear()
