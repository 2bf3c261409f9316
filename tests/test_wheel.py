"""A wheel built from the sources works wherever it is installed, profiles included."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
PICTURE = ROOT / "fixtures" / "screenshots" / "sgt-mines" / "9x9n10-t20-middle-flags.png"

WEIGHTS = sorted((ROOT / "bot" / "minebot" / "vision" / "models").glob("*.onnx"))


def test_an_installed_wheel_reads_a_picture(tmp_path: Path) -> None:
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(build, check=True, cwd=ROOT, capture_output=True, timeout=120)
    (wheel,) = tmp_path.glob("*.whl")
    elsewhere = tmp_path / "elsewhere"
    page = ROOT / "bot" / "minebot" / "study" / "web"
    with zipfile.ZipFile(wheel) as files:
        names = set(files.namelist())
        assert {f"minebot/study/web/{file.name}" for file in page.iterdir()} <= names
        assert {f"minebot/vision/models/{file.name}" for file in WEIGHTS} <= names
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
