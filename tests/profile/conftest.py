"""What these tests share."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.profile.profile_texts import PATH


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user's own profile of the shipped game, under another title."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    file = tmp_path / "minebot" / "profiles" / "sgt-mines" / "profile.toml"
    file.parent.mkdir(parents=True)
    file.write_text(PATH.read_text().replace('title = "', 'title = "My own '))
    return file
