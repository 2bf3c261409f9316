"""Calibrates real games that it is told nothing about, and tries what came of it.

    python benchmarks/calibrating.py                     each theme of each game once
    python benchmarks/calibrating.py kmines --theme green --games 6

Each game is started on a private display and calibrated as a person does it, without the
shipped profile. Then the fixtures of that theme are read with the new profile alone.
`right`, `wrong` and `refused` count the pictures that show nothing but what it met,
`unmet` those that show a number or the like that it never saw: all of them are refused,
or they count as wrong. Of the cells in all pictures `met cells` says which share of those
met were read. With `--file` nothing is played: the pictures are read with that profile.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from unittest import mock

from rich.console import Console
from rich.table import Table

from bot.board import SYMBOLS, Board, Cell
from bot.cli import main as minebot
from bot.errors import VisionError
from bot.profile import Profile, SampleLook, load_file
from bot.recording import pictures
from bot.sandbox.display import Game, PrivateDisplay
from bot.vision.reader import Reader
from fixtures.any_game import any_game

SHOTS = Path(__file__).parents[1] / "fixtures" / "screenshots"


@dataclass(frozen=True, slots=True)
class Setting:
    """A game in one theme, on a board."""

    game: str
    theme: str
    board: str | None
    settings: dict[str, str]
    key: str | None
    window: tuple[int, int] | None


def _gnome(theme: str) -> Setting:
    return Setting("gnome-mines", theme, "--medium", {"theme": f"'{theme}'"}, "ctrl+r", (800, 700))


def _kmines(theme: str) -> Setting:
    settings = {"KgTheme/Theme": f"themes/{theme}.desktop", "KgDifficulty/Level": "Medium"}
    return Setting("kmines", theme, None, settings, "ctrl+n", (640, 560))


SETTINGS = [
    *map(_gnome, ("default", "classic", "bgcolors")),
    *map(_kmines, ("default", "classic", "green", "graveyard-mayhem")),
    Setting("sgt-mines", "light", "16x16n40", {}, "n", (520, 560)),
    Setting("xdemineur", "plain", "-geometry 16x16 -m 40", {}, None, None),
]


@dataclass(slots=True)
class Tried:
    """How a profile reads the fixtures of its theme, in pictures."""

    pictures: int = 0
    right: int = 0
    wrong: int = 0
    unmet: int = 0
    refused: int = 0
    cells: int = 0
    """Cells of kinds that it met, in all pictures whose grid was found."""
    read: int = 0
    """Those of them that were read, each by itself."""
    faults: list[str] = field(default_factory=list)
    """The pictures refused or wrong though all they show was met."""


def main() -> int:
    """Print a row for each game and theme; 1 when a cell was read wrong."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("game", nargs="?", choices=sorted({one.game for one in SETTINGS}))
    parser.add_argument("--theme")
    parser.add_argument("--games", type=int, default=6, help="the most games to play")
    parser.add_argument("--out", type=Path, help="where to leave the profiles")
    parser.add_argument("--file", type=Path, help="a profile.toml to read the pictures with")
    arguments = parser.parse_args()
    table = Table()
    headings = ("game", "theme", "s", "met", "pictures", "right", "wrong", "refused")
    for heading in (*headings, "unmet", "met cells"):
        table.add_column(heading, overflow="fold")
    wrong = 0
    faults: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        for one in SETTINGS:
            if arguments.game not in (None, one.game) or arguments.theme not in (None, one.theme):
                continue
            began = time.monotonic()
            path = arguments.file or _calibrate(one, arguments.out or Path(folder), arguments.games)
            seconds = f"{time.monotonic() - began:.0f}"
            if path is None:
                table.add_row(one.game, one.theme, seconds, "no profile")
                wrong += 1
                continue
            profile = load_file(path)
            tried = _try(profile, one)
            wrong += tried.wrong
            faults += tried.faults
            counts = (tried.pictures, tried.right, tried.wrong, tried.refused, tried.unmet)
            share = f"{tried.read / max(1, tried.cells):.2%}"
            table.add_row(one.game, one.theme, seconds, _met(profile), *map(str, counts), share)
    console = Console(width=120)
    console.print(table)
    for fault in faults:
        console.print(fault, soft_wrap=True, markup=False)
    return int(wrong > 0)


def _calibrate(one: Setting, out: Path, games: int) -> Path | None:
    """The profile's file; None where none was made."""
    name = f"{one.game}-{one.theme}"
    with (
        PrivateDisplay((1400, 1000)) as display,
        any_game(display, one.board, program=one.game, settings=one.settings) as game,
        _person(display, game),
    ):
        environ = display.environ()
        if one.window is not None:
            size = map(str, one.window)
            subprocess.run(["xdotool", "windowsize", game.window, *size], env=environ, check=True)
            time.sleep(1)
        key = ["--new-game-key", one.key] if one.key else []
        window = ["--window", game.window, "--display", display.name]
        limits = ["--games", str(games), "--out", str(out), "--force"]
        status = minebot(["calibrate", "--name", name, *window, *key, *limits])
    return out / name / "profile.toml" if status == 0 else None


@contextmanager
def _person(display: PrivateDisplay, game: Game) -> Iterator[None]:
    """Whoever is asked for a new board clicks the face above it, and presses Enter."""

    def line() -> str:
        area = game.area()
        place = [str(area.left + area.width // 2), str(area.top + 37)]
        command = ["xdotool", "mousemove", *place, "click", "1"]
        subprocess.run(command, env=display.environ(), check=True)
        time.sleep(1)
        return "\n"

    with mock.patch.object(sys, "stdin", mock.Mock(readline=line)):
        yield


def _met(profile: Profile) -> str:
    assert isinstance(profile.cells, SampleLook)
    return "".join(SYMBOLS[cell] for cell in sorted({one.cell for one in profile.cells.samples}))


def _try(profile: Profile, one: Setting) -> Tried:
    """Read the fixtures of the theme with the profile alone."""
    assert isinstance(profile.cells, SampleLook)
    met = {sample.cell for sample in profile.cells.samples}
    folder = SHOTS / one.game
    tried = Tried()
    index = json.loads((folder / "index.json").read_text())
    for name, facts in index.items():
        if facts["expect"] == "read" and facts["theme"] == one.theme and not facts.get("colours"):
            board = Board.parse((folder / f"{name}.txt").read_text())
            tried.pictures += 1
            _read(Reader(profile), folder / f"{name}.png", board, met, tried)
    return tried


def _read(reader: Reader, path: Path, board: Board, met: set[Cell], tried: Tried) -> None:
    frame = pictures.load(path)
    try:
        looks = reader.readings(frame)
        reader.forget()
        if len(looks) == len(board.cells):
            both = zip(looks, board.cells, strict=True)
            pairs = [(look.cell, cell) for look, cell in both if cell in met]
            tried.cells += len(pairs)
            tried.read += sum(look == cell for look, cell in pairs)
        cells = reader.read(frame).cells
    except VisionError as error:
        if {Cell(cell) for cell in board.cells} <= met:
            tried.refused += 1
            tried.faults.append(f"refused: {path.stem}: {error}")
        else:
            tried.unmet += 1
        return
    if cells == board.cells:
        tried.right += 1
        return
    tried.wrong += 1
    tried.faults.append(f"wrong: {path.stem}")


if __name__ == "__main__":
    sys.exit(main())
