"""Plays games by others and keeps pictures of them with what they show.

    python -m benchmarks.unseen.capture --games FOLDER NAME ...

The pictures go to fixtures/others, or `--out`; with `--sheets` a sheet of each game's pictures,
with the truth drawn over them, goes to another folder, to be looked at.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

from benchmarks.unseen.check import PICTURES
from benchmarks.unseen.recipes import GAMES
from benchmarks.unseen.sessions import SCREEN, DesktopGame, PageGame, Session, session
from benchmarks.unseen.truth import Truth, lost
from minebot.board import Board, Cell, cell_name
from minebot.sandbox.private_display import PrivateDisplay
from minebot.solver import solve

_ATTEMPTS = 12
"""Games that are begun until one has shown all moments."""
_CLICKS = 400
"""Clicks until a game is given up."""
_FLAGGED = 0.6
"""Share of the certain mines that are flagged, after the first three."""
_LATE = 0.7
"""Share of the board that is open late in a game."""
_NUMBERS = tuple(map(Cell, range(9)))

Shots = dict[str, tuple[Image.Image, Truth]]
"""Each moment's picture with its truth."""


class Retry(Exception):
    """The game took another course than wanted."""


@dataclass
class Capture:
    """One game whose pictures are taken."""

    game: PageGame | DesktopGame
    shown: Session
    chance: random.Random
    taken: Shots = field(default_factory=dict)

    def shots(self) -> Shots:
        """The pictures of the game, or attempt, that showed most moments."""
        best: Shots = {}
        for _ in range(_ATTEMPTS):
            self.taken = {}
            try:
                self._attempt()
            except Retry as reason:
                print(f"  {self.game.name}: again: {reason}; has {sorted(self.taken)}")
            best = max(best, self.taken, key=len)
            if len(best) == len(self.game.moments):
                break
        print(f"{self.game.name}: {sorted(best)}; it said {self.shown.messages[:3]}")
        return best

    def _attempt(self) -> None:
        self.shown.start()
        board = self._board()
        if board.begun and not self.game.begun:
            raise Retry("not fresh")
        self._shoot("fresh")
        if not self.game.begun:
            self._open_first(board)
        self._shoot("early")
        self._explore(board.covered)
        if "middle" in self.game.moments and "middle" not in self.taken:
            raise Retry("lost too early")
        if "lost" in self.game.moments:
            wrong = 0 if lost(self._board()) else self._lose()
            self.shown.end()
            self._shoot("lost", wrong)

    def _board(self) -> Board:
        return self.shown.truth().board

    def _shoot(self, moment: str, wrong_flags: int = 0) -> None:
        if moment not in self.game.moments:
            return
        if moment != "lost":
            self.shown.rest()
        truth = self.shown.truth()
        faults = truth.faults(wrong_flags=wrong_flags, spills=self.game.spills)
        if faults and faults[0].startswith("uneven"):
            raise Retry(f"{moment}: {faults[0]}")
        if faults:
            raise ValueError(f"{moment}: {faults[:4]}\n{truth.board}")
        picture = self.shown.picture()
        if self.shown.truth() != truth:
            raise Retry(f"{moment}: it changed meanwhile")
        self.taken[moment] = picture, truth

    def _open_first(self, board: Board) -> None:
        """Open cells until there is an opening."""
        x, y = (side // 2 + self.chance.randint(-1, 1) for side in (board.width, board.height))
        square = board.square(x, y)
        for _ in range(3):
            self.shown.click(square)
            board = self._board()
            if lost(board):
                raise Retry("lost at the first click")
            if _opened(board) > 4:
                return
            square = self.chance.choice([*board.squares(Cell.HIDDEN)])
        if _opened(board) < 3:
            raise Retry("no opening")

    def _explore(self, covered: int) -> None:
        """Open and flag what is certain, and guess, until the moments are taken or it is over."""
        flags: set[int] = set()
        early, late = self._board(), None
        for _ in range(_CLICKS):
            board = self._board()
            if lost(board):
                return
            is_open = 1 - board.covered / covered
            verdict = solve(board, every=True)
            safe = [s for s in verdict.safe if board.cells[s] == Cell.HIDDEN]
            if self.game.flag != "none":
                self._flag({*verdict.mines} - flags, flags)
            if is_open > self.game.cover and "middle" not in self.taken and board != early:
                self._shoot("middle")
            if is_open > _LATE and "middle" in self.taken and late != board:
                late = board
                if len(safe) != 1:
                    self._shoot("late")
            if "late" in self.taken and len(safe) <= 1:
                return
            if not safe:
                risks = verdict.risk or ()
                unsure = [
                    (risk, s) for s, risk in enumerate(risks) if risk is not None and risk < 1
                ]
                if not unsure:
                    return
                safe = [min(unsure)[1]]
            self.shown.click(self.chance.choice(safe))

    def _flag(self, mines: set[int], flags: set[int]) -> None:
        """Flag most of the mines that are certain; all of them are in `flags` then."""
        for square in sorted(mines):
            if len(flags) < 3 or self.chance.random() < _FLAGGED:
                self.shown.click(square, flag=True)
                for _ in range(8):
                    if self._board().cells[square] != Cell.HIDDEN:
                        break
                    time.sleep(0.2)
                if self._board().cells[square] != Cell.FLAG:
                    raise Retry(f"no flag at {cell_name(*self._board().xy(square))}")
            flags.add(square)

    def _lose(self) -> int:
        """Open mines; returns how many wrong flags were set before."""
        board = self._board()
        verdict = solve(board, every=True)
        safe = [s for s in verdict.safe if board.cells[s] == Cell.HIDDEN]
        wrong = 0
        if self.game.wrong_flag and self.game.flag != "none" and safe:
            self.shown.click(safe[0], flag=True)
            wrong = 1
        hidden = [*self._board().squares(Cell.HIDDEN)]
        mines = [square for square in hidden if square in verdict.mines]
        rest = [square for square in hidden if square not in verdict.mines + verdict.safe]
        for square in mines[:1] + rest:
            self.shown.click(square)
            if lost(self._board()):
                return wrong
        raise Retry("did not lose")


def _opened(board: Board) -> int:
    return len([*board.squares(*_NUMBERS)])


def save(folder: Path, shots: Shots) -> None:
    """Put the pictures and their truth into the folder, in place of what is there."""
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.iterdir():
        old.unlink()
    for moment, (picture, truth) in shots.items():
        picture.save(folder / f"{moment}.png")
        (folder / f"{moment}.txt").write_text(f"{truth.board}\n")
        (folder / f"{moment}.json").write_text(json.dumps(truth.place()) + "\n")


def sheet(shots: Shots) -> Image.Image:
    """The pictures side by side, cut to their boards, with grid and truth drawn over them."""
    parts = [_marked(moment, *shot) for moment, shot in shots.items()]
    width, height = (max(sides) for sides in zip(*(part.size for part in parts), strict=True))
    page = Image.new("RGB", (width * 3, height * -(-len(parts) // 3)))
    for number, part in enumerate(parts):
        page.paste(part, (number % 3 * width, number // 3 * height))
    return page


def _marked(moment: str, picture: Image.Image, truth: Truth) -> Image.Image:
    board, dx, dy = truth.board, truth.step_x, truth.step_y
    left, top = truth.x - dx, truth.y - dy
    wide, high = dx * (board.width + 2), dy * (board.height + 2)
    zoom = min(760 / wide, 620 / high)
    part = picture.transform(
        (round(wide * zoom), round(high * zoom)),
        Image.Transform.EXTENT,
        (left, top, left + wide, top + high),
        Image.Resampling.BILINEAR,
    )
    draw = ImageDraw.Draw(part)
    font = ImageFont.load_default(max(9, round(dy * zoom * 0.36)))
    for y, row in enumerate(str(board).split("\n")):
        for x, cell in enumerate(row):
            at = dx * (x + 1) * zoom, dy * (y + 1) * zoom
            draw.rectangle((*at, at[0] + dx * zoom, at[1] + dy * zoom), outline="magenta")
            if cell != "?":
                draw.text((at[0] + 2, at[1]), cell, fill="magenta", font=font)
    draw.text((2, 2), moment, fill="red")
    return part


def main(given: Sequence[str] | None = None) -> int:
    """Capture the games that the arguments name; 1 where one fails."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("names", nargs="+", metavar="NAME")
    parser.add_argument("--games", type=Path, required=True, help="folder with the games' files")
    parser.add_argument("--python", default=sys.executable, help="runs the games that are programs")
    parser.add_argument("--out", type=Path, default=PICTURES, help="(default: %(default)s)")
    parser.add_argument("--sheets", type=Path, help="folder for the sheets")
    arguments = parser.parse_args(given)
    good = True
    with PrivateDisplay(SCREEN) as display:
        for game in (game for game in GAMES if game.name in arguments.names):
            with session(game, arguments.games, arguments.python, display, seen=False) as shown:
                shots = Capture(game, shown, random.Random(game.name)).shots()
            good &= len(shots) == len(game.moments)
            save(arguments.out / game.split / game.name, shots)
            if arguments.sheets is not None and shots:
                arguments.sheets.mkdir(parents=True, exist_ok=True)
                sheet(shots).save(arguments.sheets / f"{game.name}.png")
    return 0 if good else 1


if __name__ == "__main__":
    raise SystemExit(main())
