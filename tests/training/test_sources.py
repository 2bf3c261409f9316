"""The files of a repository are had as they were at a commit, and nothing else."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from training.sources import files_of, safe


def test_the_files_of_a_repository_are_those_of_the_commit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = {
        f"url.file://{tmp_path}/.insteadOf": "https://github.com/",
        "uploadpack.allowAnySHA1InWant": "true",
        "user.name": "A",
        "user.email": "a@b",
    }
    monkeypatch.setenv("GIT_CONFIG_COUNT", str(len(settings)))
    for number, (key, value) in enumerate(settings.items()):
        monkeypatch.setenv(f"GIT_CONFIG_KEY_{number}", key)
        monkeypatch.setenv(f"GIT_CONFIG_VALUE_{number}", value)
    made = tmp_path / "owner" / "game"
    made.mkdir(parents=True)

    def git(*command: str) -> str:
        done = subprocess.run(("git", *command), cwd=made, check=True, capture_output=True)
        return done.stdout.decode().strip()

    (made / "page.css").write_text("first")
    (made / ".gitattributes").write_text("page.css export-ignore")
    os.symlink("/etc/passwd", made / "link")
    git("init")
    git("add", ".")
    git("commit", "-m", "one")
    commit = git("rev-parse", "HEAD")
    (made / "page.css").write_text("second")
    git("commit", "-a", "-m", "two")
    with files_of(f"owner/game {commit}") as root:
        assert (root / "page.css").read_text() == "first"
        assert (root / "link").read_text() == "/etc/passwd"
        assert not (root / "link").is_symlink()
    assert not root.exists()


@pytest.mark.parametrize("source", ["--upload-pack=x", "../../other", "/etc"])
def test_a_source_that_leads_elsewhere_is_refused(source: str) -> None:
    with pytest.raises(ValueError, match="elsewhere"):
        safe(source)
