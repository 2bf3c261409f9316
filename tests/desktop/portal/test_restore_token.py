"""The permission that is kept."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from minebot.desktop.portal.restore_token import RestoreTokenFile


def test_it_comes_back_and_is_for_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "folder" / "token"
    file = RestoreTokenFile(path)
    assert file.read() is None
    for text in ("first", "second"):
        file.write(text)
        assert file.read() == text
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert list(path.parent.iterdir()) == [path], "nothing else is left"


def test_none_removes_it(tmp_path: Path) -> None:
    file = RestoreTokenFile(tmp_path / "token")
    file.write("spent")
    file.write(None)
    file.write(None)
    assert file.read() is None
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("content", [b"", b"\n", b"\xff\xfe", b"a\x00b", b"x" * 5000])
def test_what_is_no_token_is_none(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "token"
    path.write_bytes(content)
    assert RestoreTokenFile(path).read() is None


def test_where_nothing_can_be_kept_it_is_done_without(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    file = RestoreTokenFile(tmp_path / "file" / "token")
    file.write("lost")
    assert file.read() is None
