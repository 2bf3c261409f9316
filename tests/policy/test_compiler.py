"""Functions are compiled once, for the types of their annotations, and kept on disk."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from minebot.policy.guessing.cache import FOLDER

ROOT = Path(__file__).parents[2]
CODE = """
import sys
import numpy as np
from minebot.policy.guessing import compiler
from minebot.policy.guessing.compiler import Numbers, address, by_address, compiled, entry


@compiled
def doubled(number: int) -> int:
    return 2 * number


@entry
def total(numbers: Numbers, factor: float) -> float:
    result = 0.0
    for number in numbers:
        result += doubled(number) * factor
    return result


_call = by_address(total)


@entry
def through(place: int, numbers: Numbers) -> float:
    return _call(place, (numbers, 3))


@entry
def halves(number: float, by: float) -> tuple[float, bool]:
    return number / by, by == 0.0


if __name__ == "__main__":
    getattr(compiler, sys.argv[1])()
    three = np.array([1, 2, 3])
    print(total(three, 0.5), total(np.array([7]), 2))
    print(address(total) == address(total) != 0)
    print(through(address(total), three))
    print(halves(1.0, 0.0), halves(-1.0, 4.0))
    print([len(one.signatures) for one in (total, through, halves)])
"""
SAID = ["6.0 28.0", "True", "36.0", "(inf, True) (-0.25, False)", "[1, 1, 1]"]


def _run(folder: Path, prepare: str) -> tuple[list[str], dict[str, int]]:
    """What the program says, and when each file of machine code was written."""
    file = folder / "program.py"
    if not file.exists():  # what is kept goes by its time
        file.write_text(CODE)
    kept = folder / "kept"
    kept.mkdir(exist_ok=True)
    run = subprocess.run(
        [sys.executable, str(file), prepare],
        cwd=ROOT,
        env={**os.environ, FOLDER: str(kept), "PYTHONPATH": f"{ROOT}:{ROOT / 'bot'}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    return run.stdout.splitlines(), {
        path.name: path.stat().st_mtime_ns for path in kept.rglob("*.nbc")
    }


def test_entries_are_called_from_python_and_by_address_and_loaded_from_disk(tmp_path: Path) -> None:
    said, written = _run(tmp_path, "compile_all")
    assert said == SAID
    assert sorted(name.split(".")[1].split("-")[0] for name in written) == [
        "halves",
        "through",
        "total",
    ], "what only compiled functions call is part of them"
    again, kept = _run(tmp_path, "load")
    assert (again, kept) == (said, written)
