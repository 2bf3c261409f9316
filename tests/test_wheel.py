"""A wheel built from the sources works wherever it is installed, profiles included."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from collections.abc import Iterable
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PICTURE = ROOT / "fixtures" / "screenshots" / "sgt-mines" / "9x9n10-t20-middle-flags.png"

WEIGHTS = sorted((ROOT / "bot" / "minebot" / "vision" / "models").glob("*.onnx"))
PROTOCOLS = sorted((ROOT / "bot" / "minebot" / "desktop" / "wayland" / "descriptions").iterdir())


def _build(kind: str, sources: Path, out: Path) -> None:
    command = [sys.executable, "-m", "hatchling", "build", "-t", kind, "-d", str(out)]
    subprocess.run(command, check=True, cwd=sources, capture_output=True, timeout=120)


def _dist_info(names: Iterable[str]) -> set[str]:
    """The folders beside the package: what pip is told, and the man page and completions."""
    told = (".dist-info/", ".data/data/share/")
    return {name.partition("/")[0] for name in names if any(one in name for one in told)}


@pytest.mark.parametrize("source", ["checkout", "sdist"])
def test_an_installed_wheel_reads_a_picture(source: str, tmp_path: Path) -> None:
    sources = ROOT
    if source == "sdist":
        _build("sdist", ROOT, tmp_path)
        (archive,) = tmp_path.glob("*.tar.gz")
        (tmp_path / "sources").mkdir()
        unpack = ["tar", "--extract", "--file", str(archive), "--directory"]
        subprocess.run([*unpack, str(tmp_path / "sources")], check=True)
        (sources,) = (tmp_path / "sources").iterdir()
    _build("wheel", sources, tmp_path)
    (wheel,) = tmp_path.glob("*.whl")
    elsewhere = tmp_path / "elsewhere"
    page = ROOT / "bot" / "minebot" / "study" / "web"
    with zipfile.ZipFile(wheel) as files:
        names = set(files.namelist())
        assert {f"minebot/study/web/{file.name}" for file in page.iterdir()} <= names
        assert "minebot/recording/palette.css" in names
        assert {f"minebot/vision/models/{file.name}" for file in WEIGHTS} <= names
        described = {f"minebot/desktop/wayland/descriptions/{file.name}" for file in PROTOCOLS}
        assert described
        assert described <= names
        assert "minebot/py.typed" in names
        assert any(name.endswith(".data/data/share/man/man1/minebot.1") for name in names)
        assert {name.partition("/")[0] for name in names} == {"minebot", *_dist_info(names)}
    install = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index"]
    command = [*install, "--target", str(elsewhere), str(wheel)]
    subprocess.run(command, check=True, capture_output=True, timeout=120)
    code = (
        "import sys, minebot; assert minebot.__file__.startswith(sys.argv[1]), minebot.__file__; "
        "from minebot.cli import main; sys.exit(main(sys.argv[2:]))"
    )
    run = subprocess.run(
        [sys.executable, "-c", code, str(elsewhere), "read", str(PICTURE)],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(elsewhere)},
        timeout=60,
    )
    assert run.returncode == 0, run.stderr
    assert run.stdout == PICTURE.with_suffix(".txt").read_text()
