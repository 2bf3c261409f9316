"""Reads one board in windows of many sizes: at which it is refused, or read otherwise.

    python -m benchmarks.sizes --game kmines --board 16x16n40
    python -m benchmarks.sizes --game gnome-mines --theme classic --board 30x16n99 --from 850x525

Plays a board in the largest window by what is certain, flags some mines, and looks at it in
smaller and smaller windows; then it opens a mine on purpose, and does the same again. All
sizes must show the board that the largest one shows. Windows that the game makes no smaller,
and boards that it cuts off, are not counted.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from rich.console import Console
from rich.table import Table

from fixtures.any_game import any_game
from fixtures.display_driver import Driver
from fixtures.known_games import KNOWN_GAMES
from fixtures.known_pictures import GameRecipe
from fixtures.running_game import RunningGame
from fixtures.seeded_random import compiled_library, seeded_environ
from minebot import solver
from minebot.actuator import ESCAPE, Button
from minebot.board import Board, Cell
from minebot.capture import Frame
from minebot.desktop.placement import Point
from minebot.errors import Clipped, Contradiction, VisionError
from minebot.profile import Profile, load
from minebot.recording import pictures
from minebot.sandbox.private_display import PrivateDisplay
from minebot.vision.known_game import reader_of

ROOM = (2600, 1600)
FLAGS = 12
"""So many mines are flagged."""
ANSWER_SECONDS, RESIZE_SECONDS, END_SECONDS = 0.3, 0.4, 7.0
"""What the games take to answer a click, to draw a board in another size, and to end one."""
OUTCOMES = "alike", "otherwise", "refused"
"""What a look at a board in another size may give."""
LEAST_SHARE = 0.25
"""A board of which less could be opened without a guess shows too little."""


class DrivenGame:
    """A game in its window, looked at and clicked."""

    def __init__(self, driver: Driver, game: RunningGame, profile: Profile) -> None:
        self._stage, self._game, self._profile = driver, game, profile

    def look(self, size: tuple[int, int] | None = None) -> Frame:
        """The window, given another size first if there is one."""
        if size is not None:
            self._stage.resize(self._game, *size)
        self._stage.point(Point(1, 1))
        time.sleep(RESIZE_SECONDS)
        return Frame(self._stage.settled(self._game.area()))

    def click(self, squares: Sequence[int], button: Button) -> Board:
        """Click these cells; the board after that, which no message may cover."""
        self.press(squares, button)
        return reader_of(self._profile).read(self.look()).board

    def press(self, squares: Sequence[int], button: Button) -> None:
        """Click these cells."""
        area, reading = self._game.area(), reader_of(self._profile).read(self.look())
        for square in squares:
            centre = reading.grid.centre(*reading.board.xy(square))
            self._stage.click(Point(area.left + centre.x, area.top + centre.y), button)
            time.sleep(ANSWER_SECONDS / 3)
        time.sleep(ANSWER_SECONDS)

    def dismiss(self) -> None:
        """Close what the game puts over a board that is lost."""
        time.sleep(ANSWER_SECONDS + RESIZE_SECONDS)
        self._stage.key(ESCAPE)

    def play(self, first: int) -> Board:
        """Open all that is certain from that cell on."""
        board = self.click([first], Button.LEFT)
        while safe := solver.solve(board, risk=False, every=True).safe:
            board = self.click(sorted(safe), Button.LEFT)
        return board


def main() -> int:
    """Print what was refused and what was read otherwise; returns 1 if anything was."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--game", choices=("gnome-mines", "kmines"), required=True)
    parser.add_argument("--theme", help="one theme only")
    parser.add_argument("--board", default="30x16n99")
    parser.add_argument("--from", dest="least", type=_size, default=(600, 400), metavar="WxH")
    parser.add_argument("--to", dest="most", type=_size, default=(1300, 780), metavar="WxH")
    parser.add_argument("--sizes", type=int, default=20, help="how many, evenly spaced")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--save", type=Path, help="keep what was not read alike, and its board")
    asked = parser.parse_args()
    table = Table("theme", "board", "looks", *OUTCOMES)
    bad = 0
    if asked.save is not None:
        asked.save.mkdir(parents=True, exist_ok=True)
    for theme in (asked.theme,) if asked.theme else KNOWN_GAMES[asked.game].themes:
        try:
            for state, truth, looks in _shown(asked, theme):
                counts = _compared(asked, theme, state, truth, looks)
                table.add_row(
                    theme, state, str(counts.total()), *(str(counts[one]) for one in OUTCOMES)
                )
                bad += counts["otherwise"] + counts["refused"]
        except (VisionError, Contradiction) as error:
            print(f"{theme}, in the largest window: {error}", file=sys.stderr)
            table.add_row(theme, "not shown", "1", "0", "0", "1")
            bad += 1
    Console().print(table)
    return min(1, bad)


Looks = list[tuple[tuple[int, int], Frame]]


def _compared(
    asked: argparse.Namespace, theme: str, state: str, truth: Board, looks: Looks
) -> Counter[str]:
    """How many looks show the same board, another one, or none that can be read."""
    counts: Counter[str] = Counter()
    for (width, height), frame in looks:
        try:
            is_same = reader_of(load(asked.game)).read(frame).board.cells == truth.cells
            how = "alike" if is_same else "otherwise"
        except Clipped:
            continue
        except (VisionError, Contradiction) as error:
            how = "refused"
            print(f"{theme}, {state}, {width}x{height}: {error}", file=sys.stderr)
        counts[how] += 1
        if how != "alike" and asked.save is not None:
            name = f"{theme}-{asked.board}-{width}x{height}-{state}.png"
            (asked.save / name).write_bytes(pictures.png(frame))
            (asked.save / name).with_suffix(".txt").write_text(f"{truth}\n")
    return counts


def _shown(asked: argparse.Namespace, theme: str) -> Iterator[tuple[str, Board, Looks]]:
    """The board half played, and lost: as the largest window shows it, and all its looks."""
    kind, profile = KNOWN_GAMES[asked.game], load(asked.game)
    width, height = asked.most
    recipe = GameRecipe.parse(asked.game, f"{theme} {asked.board} @{width}x{height}")
    settings = kind.settings(theme, recipe.board, recipe.window)
    columns, rows, _ = recipe.board
    with (
        PrivateDisplay(ROOM) as display,
        Driver(display) as driver,
        compiled_library() as library,
    ):
        for attempt in range(10):
            chance = seeded_environ(library, f"{asked.seed} {attempt}")
            arguments = kind.arguments(recipe.board)
            with any_game(display, arguments, chance, kind.program, settings) as game:
                driven = DrivenGame(driver, game, profile)
                driven.look(asked.most)
                board = driven.play(rows // 2 * columns + columns // 2)
                opened = sum(cell != Cell.HIDDEN for cell in board.cells)
                mines = sorted(solver.solve(board, risk=False, every=True).mines)
                if opened < LEAST_SHARE * columns * rows or len(mines) <= FLAGS:
                    continue
                yield (
                    "playing",
                    driven.click(mines[:FLAGS], Button.RIGHT),
                    _looks(driven, asked),
                )
                driven.look(asked.most)
                driven.press(mines[FLAGS : FLAGS + 1], Button.LEFT)
                driven.dismiss()
                time.sleep(END_SECONDS)
                yield (
                    "lost",
                    reader_of(profile).read(driven.look()).board,
                    _looks(driven, asked),
                )
                return
    raise SystemExit(f"{theme}: no board could be opened far enough without a guess")


def _looks(driven: DrivenGame, asked: argparse.Namespace) -> Looks:
    """The window in each size, the largest first; those that the game refuses come once."""
    found: dict[tuple[int, int], Frame] = {}
    for number in range(asked.sizes, -1, -1):
        share = number / max(1, asked.sizes)
        width, height = (
            round(least + share * (most - least))
            for least, most in zip(asked.least, asked.most, strict=True)
        )
        frame = driven.look((width, height))
        found.setdefault((frame.width, frame.height), frame)
    return list(found.items())


def _size(text: str) -> tuple[int, int]:
    width, _, height = text.partition("x")
    return int(width), int(height)


if __name__ == "__main__":
    sys.exit(main())
