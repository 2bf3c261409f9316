"""The files of public repositories and packages, from which tiles and pages of games are made."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PureWindowsPath


def safe(text: str) -> str:
    """The text; ValueError where it is absolute, goes up, or is an option to a command."""
    path = PureWindowsPath(text)
    if path.anchor or ".." in path.parts or text.startswith("-"):
        raise ValueError(f"{text!r} leads elsewhere")
    return text


@contextmanager
def files_of(source: str) -> Iterator[Path]:
    """The files of a package, `name==version`, or repository, `owner/name commit`, for a while.

    Raises OSError or subprocess.CalledProcessError if they cannot be had.
    """
    name, *commit = map(safe, source.split())
    with tempfile.TemporaryDirectory() as place:
        root = (Path(place) / "files").resolve()

        def run(*command: str) -> bytes:
            return subprocess.run(command, cwd=place, check=True, capture_output=True).stdout

        def git(*command: str) -> bytes:
            return run("git", "--git-dir=git", *command)

        if commit:
            git("init", "--bare")
            address = f"https://github.com/{name}"
            git("-c", "core.askPass=true", "fetch", "--depth=1", address, *commit)
            root.mkdir()
            # Links become plain files, so that none leads elsewhere.
            git("-c", "core.symlinks=false", f"--work-tree={root}", "checkout", *commit, "--", ".")
        else:
            pip = (sys.executable, "-m", "pip")
            run(*pip, "download", "--no-deps", "--only-binary=:all:", name)
            with zipfile.ZipFile(next(Path(place).glob("*.whl"))) as wheel:
                wheel.extractall(root)
        yield root
