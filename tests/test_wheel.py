"""A wheel built from the sources works in an environment of its own, profiles included."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import sysconfig
import tarfile
import venv
import zipfile
from collections.abc import Iterable
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PICTURE = ROOT / "fixtures" / "screenshots" / "sgt-mines" / "9x9n10-t20-middle-flags.png"

PROFILES = sorted(path.parent.name for path in (ROOT / "calibration").glob("*/profile.toml"))
WEIGHTS = sorted((ROOT / "bot" / "minebot" / "vision" / "models").glob("*.onnx"))


def _build(kind: str, sources: Path, out: Path) -> None:
    command = [sys.executable, "-m", "hatchling", "build", "-t", kind, "-d", str(out)]
    subprocess.run(command, check=True, cwd=sources, capture_output=True, timeout=120)


def _new_environment(folder: Path, wheel: Path) -> Path:
    """Install the wheel into a new virtual environment; returns its programs' folder.

    It finds what the wheel depends on where these tests find it, but not the checkout: Python does
    not read the .pth files of a folder that a .pth file names.
    """
    venv.create(folder, symlinks=True)
    paths = {"base": str(folder), "platbase": str(folder)}
    packages = Path(sysconfig.get_path("purelib", "venv", paths))
    (packages / "dependencies.pth").write_text(sysconfig.get_path("platlib") + "\n")
    install = [sys.executable, "-m", "pip", "--python", str(folder), "install", "--no-deps"]
    command = [*install, "--quiet", "--no-index", str(wheel)]
    subprocess.run(command, check=True, capture_output=True, timeout=120)
    return Path(sysconfig.get_path("scripts", "venv", paths))


def _dist_info(names: Iterable[str]) -> set[str]:
    return {name.partition("/")[0] for name in names if ".dist-info/" in name}


@pytest.mark.parametrize("source", ["checkout", "sdist"])
def test_an_installed_wheel_reads_a_picture(source: str, tmp_path: Path) -> None:
    sources = ROOT
    if source == "sdist":
        _build("sdist", ROOT, tmp_path)
        (archive,) = tmp_path.glob("*.tar.gz")
        with tarfile.open(archive) as files:
            files.extractall(tmp_path / "sources", filter="data")
        (sources,) = (tmp_path / "sources").iterdir()
    _build("wheel", sources, tmp_path)
    (wheel,) = tmp_path.glob("*.whl")
    page = ROOT / "bot" / "minebot" / "study" / "web"
    with zipfile.ZipFile(wheel) as files:
        names = set(files.namelist())
        assert {f"minebot/study/web/{file.name}" for file in page.iterdir()} <= names
        assert {f"minebot/vision/models/{file.name}" for file in WEIGHTS} <= names
        assert "minebot/py.typed" in names
        assert {name.partition("/")[0] for name in names} == {"minebot", *_dist_info(names)}
    programs = _new_environment(tmp_path / "environment", wheel)

    def run(*command: str) -> str:
        """What a program of the new environment prints, away from the checkout."""
        return subprocess.run(
            [str(programs / command[0]), *command[1:]],
            capture_output=True,
            text=True,
            check=True,
            cwd=tmp_path,
            env={"PATH": os.defpath, "HOME": str(tmp_path)},
            timeout=60,
        ).stdout

    where = run("python", "-c", "import minebot; print(minebot.__file__)")
    assert Path(where).is_relative_to(tmp_path)
    assert run("minebot", "read", str(PICTURE)) == PICTURE.with_suffix(".txt").read_text()
    listed = run("minebot", "profiles", "--json").splitlines()
    assert sorted(json.loads(line)["name"] for line in listed) == PROFILES
