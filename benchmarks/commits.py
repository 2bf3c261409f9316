"""Games as another commit of this project plays them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from minebot.simulate.games import Record, SimulationSettings

_ROOT = Path(__file__).parents[1]


def revision(name: str) -> str:
    """The whole name of a commit; raises ValueError where there is none of that name."""
    result = _git("rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}")
    if result.returncode:
        raise ValueError(f"{name} is no commit")
    return result.stdout.strip()


def played_by(
    commit: str, settings: SimulationSettings, games: int, workers: int, results: Path
) -> list[Record]:
    """The first `games` games of these settings, as that commit plays them.

    It deals them as this one does, for it is told the same seed. All are appended to
    `results`, from where a run that was stopped goes on. Raises CalledProcessError.
    """
    with _checkout(commit) as folder:
        # Commits before the package was named `minebot`.
        package = "minebot" if (folder / "bot" / "minebot").is_dir() else "bot"
        command = [
            *(sys.executable, "-m", package, "simulate", "--json"),
            *("--size", f"{settings.width}x{settings.height}", "--mines", str(settings.mines)),
            *("--first", settings.first.value, "--seed", str(settings.seed)),
            *("--policy", settings.strategy.value, "--games", str(games)),
            *("--workers", str(workers), "--resume", str(results.absolute())),
        ]
        environ = {**os.environ, "PYTHONPATH": f"{folder / 'bot'}{os.pathsep}{folder}"}
        subprocess.run(command, cwd=folder, env=environ, stdout=subprocess.DEVNULL, check=True)
    lines = results.read_text().splitlines()[1:]
    facts = sorted(map(json.loads, lines), key=lambda one: int(one["game"]))
    return [
        Record(one["game"], one["won"], one["opened"], tuple(one["risks"]), _times(one))
        for one in facts
        if one["game"] < games
    ]


def _times(facts: dict[str, list[float]]) -> tuple[float, ...]:
    return tuple(facts["milliseconds"])


@contextmanager
def _checkout(commit: str) -> Iterator[Path]:
    """A folder with the files of that commit, for a `with` block."""
    with tempfile.TemporaryDirectory(prefix="minebot-commit-") as folder:
        files = subprocess.run(
            ["git", "archive", commit], cwd=_ROOT, stdout=subprocess.PIPE, check=True
        )
        subprocess.run(["tar", "-x"], cwd=folder, input=files.stdout, check=True)
        yield Path(folder)


def _git(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["git", *arguments], cwd=_ROOT, capture_output=True, text=True, check=False
    )
