"""The guessing engine is compiled before anything is clicked."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from minebot.cli.engine import have_engine
from minebot.errors import Stopped
from minebot.policy.guessing import cache
from minebot.stop import Stop
from tests.support.compiler import compiler_is


@pytest.fixture
def caches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's caches, empty."""
    monkeypatch.delenv(cache.FOLDER, raising=False)
    monkeypatch.setattr("minebot.policy.guessing.cache.user_cache_path", tmp_path.joinpath)
    cache.folder.cache_clear()
    return tmp_path


def test_it_is_compiled_once_and_said_so(
    caches: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    done = f"import pathlib, os; (pathlib.Path(os.environ[{cache.FOLDER!r}]) / 'complete').touch()"
    compiler_is(monkeypatch, caches, done)
    try:
        have_engine(Stop())
        assert "compiling what guesses need, once" in caplog.text
        caplog.clear()
        have_engine(Stop())
        assert not caplog.text
        # Sources that are newer than what was compiled of them are asked about again.
        (mark,) = caches.rglob("complete")
        os.utime(mark, (0, 0))
        assert not cache.seems_complete()
    finally:
        cache.folder.cache_clear()


def test_a_stop_ends_the_waiting(caches: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    compiler_is(monkeypatch, caches, "import signal; signal.pause()")
    stop = Stop()
    stop.request("enough")
    began = time.monotonic()
    try:
        with pytest.raises(Stopped):
            have_engine(stop)
    finally:
        cache.folder.cache_clear()
    assert time.monotonic() - began < 10
