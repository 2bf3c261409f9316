"""A make-believe game in a make-believe window: the rules from a layout, the looks from
pictures of the real one. What the user or a slow computer may do to it, a test sets.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from minebot.actuator import Button
from minebot.board import Board, Cell, Move
from minebot.capture import Frame, Pixel
from minebot.errors import Contradiction, VisionError
from minebot.layout import Layout
from minebot.play.clicker import Clicker
from minebot.play.dialogs import Dialogs
from minebot.play.mine_total import MineTotal
from minebot.play.observer import BoardObserver
from minebot.play.player import Player
from minebot.play.result import GameResult, PlaySettings
from minebot.play.timing import Timing
from minebot.policy.plan import Plan
from minebot.profile import Behaviour, load
from minebot.recording import pictures
from minebot.recording.recorder import Recorder
from minebot.solver import Verdict
from minebot.stop import Stop
from minebot.vision.framed import trace
from minebot.vision.grid import Grid
from minebot.vision.known_game import KnownGameReader
from minebot.vision.status import Status, StatusReader
from tests.support.fake_clock import TimedDesk

SHOTS = Path(__file__).parents[2] / "fixtures" / "screenshots" / "sgt-mines"
ODD = ("x2", "flash", "held", "wrong", "cursor", "repainted")
"""In the names of pictures whose tiles do not look as usual."""
TILE = 20

EASY = Layout.parse("""
    .........
    ..*......
    .........
    .......*.
    .........
    *........
    .........
    ......*..
    .........
""")
"""Solvable from (3, 3) without a guess."""


@cache
def _tiles() -> dict[Cell, NDArray[np.uint8]]:
    """Each cell's tile, cut out of real pictures of 20-pixel tiles."""
    profile = load("sgt-mines")
    tiles: dict[Cell, NDArray[np.uint8]] = {}
    for path in sorted(SHOTS.glob("*-t20-*.txt")):
        if len(tiles) == len(Cell):
            break
        if any(odd in path.stem for odd in ODD):
            continue
        frame = pictures.load(path.with_suffix(".png"))
        board = Board.parse(path.read_text())
        grid = trace(frame, profile.grid)
        for square, value in enumerate(board.cells):
            rect = grid.rect(*board.xy(square))
            tile = frame.pixels[rect.top : rect.bottom, rect.left : rect.right]
            tiles.setdefault(Cell(value), tile)
    return tiles


def draw(board: Board, *, flash: bool = False) -> NDArray[np.uint8]:
    """A window that shows the board."""
    tiles, white = _tiles(), np.full((TILE, TILE, 4), 255, np.uint8)
    margin, border = 24, 3
    width, height = board.width * TILE, board.height * TILE
    pixels = np.full((height + 2 * margin, width + 2 * margin, 4), 230, np.uint8)
    outer = slice(margin - border, margin + border + height)
    across = slice(margin - border, margin + border + width)
    pixels[outer, across] = 153
    pixels[margin : margin + height + border, margin + width : margin + width + border] = 255
    pixels[margin + height : margin + height + border, margin : margin + width + border] = 255
    for square, value in enumerate(board.cells):
        x, y = board.xy(square)
        top, left = margin + y * TILE, margin + x * TILE
        tile = white if flash else tiles[Cell(value)]
        pixels[top : top + TILE, left : left + TILE] = tile
    return pixels


class FakeGame:
    """The rules of Simon Tatham's Mines on a `TimedDesk`.

    `mangle` may replace each click by others, or by none, before the game sees it; with
    None the game has not come to it yet and does not even paint.
    """

    def __init__(self, layout: Layout, start: Board | None = None) -> None:
        self.layout = layout
        self.board = start or Board.hidden(layout.width, layout.height)
        self.desk = TimedDesk(draw(self.board))
        self.clock = self.desk.clock
        self.desk.on_click = self._clicked
        self.mangle: Callable[[int, Button], list[tuple[int, Button]] | None] | None = None
        self.mines_become: Cell | None = Cell.FLAG
        """What mines are drawn as once the game is won; as before where it is None."""
        self.opened: list[int] = []
        """The squares on which the left button was pressed, in order."""

    def _clicked(self, pixel: Pixel, button: Button) -> None:
        x, y = (pixel.x - 24) // TILE, (pixel.y - 24) // TILE
        assert 0 <= x < self.board.width, "a click outside the grid"
        assert 0 <= y < self.board.height, "a click outside the grid"
        square = self.board.square(x, y)
        clicks = [(square, button)]
        if self.mangle is not None:
            mangled = self.mangle(square, button)
            if mangled is None:
                return
            clicks = mangled
        for there, what in clicks:
            self.apply(there, what)
        self.paint()

    def paint(self) -> None:
        """Show the board."""
        self.desk.paint(draw(self.board))

    def apply(self, square: int, button: Button) -> None:
        """What the game does on a click: open, chord, flag."""
        cells = bytearray(self.board.cells)
        shown = cells[square]
        if button is Button.RIGHT:
            other = {Cell.HIDDEN: Cell.FLAG, Cell.FLAG: Cell.HIDDEN}
            cells[square] = other.get(Cell(shown), Cell(shown))
        elif shown == Cell.HIDDEN:
            self.opened.append(square)
            self._open(cells, square)
        elif shown <= Cell.EIGHT:
            around = self.board.neighbours(square)
            if sum(cells[other] == Cell.FLAG for other in around) == shown:
                for near in around:
                    if cells[near] == Cell.HIDDEN:
                        self.opened.append(near)
                        self._open(cells, near)
        if self.mines_become is not None and all(
            cells[square] <= Cell.EIGHT or square in self.layout.mines
            for square in range(len(cells))
        ):
            for mine in self.layout.mines:
                cells[mine] = self.mines_become
        self.board = Board(self.board.width, self.board.height, None, bytes(cells))

    def _open(self, cells: bytearray, square: int) -> None:
        if square in self.layout.mines:
            cells[square] = Cell.EXPLODED
            return
        for other in self.layout.opened_by(square):
            if cells[other] == Cell.HIDDEN:
                cells[other] = self.layout.numbers[other]


class FakeStatus(StatusReader):
    """A status line that says what a test wants it to say."""

    latest = Status()
    problem: str | None = None

    def __init__(self, mines: int | None) -> None:
        super().__init__(None)
        self.says = mines
        """The mine total that is read from the next frame, None for none."""
        self.ended: str | None = None
        """How it says that the game has ended."""
        self.reads = False
        """Whether it is at it, for as long as the test wants."""
        self.on_reset: Callable[[], None] | None = None
        self.resets = 0

    @property
    def busy(self) -> bool:
        """Whether it is still to be read."""
        return self.reads

    def submit(self, frame: Frame, grid: Grid, flags: int) -> None:  # noqa: ARG002
        """Read at once."""
        self.latest = Status(flags, self.says, self.ended)

    def reset(self) -> None:
        """Another game, or the total is in doubt."""
        self.resets += 1
        self.latest = Status()
        if self.on_reset is not None:
            self.on_reset()


class Notes(Recorder):
    """A recorder that keeps what it is told as text."""

    def __init__(self) -> None:
        self.boards: list[Board] = []
        self.moves: list[str] = []
        self.problems: list[str] = []
        self.proven: set[int] = set()
        """All squares that were ever taken for mines."""
        self.on_thought: Callable[[], None] | None = None

    def looked(self, frame: Frame, board: Board) -> None:  # noqa: ARG002
        self.boards.append(board)

    def thought(self, verdict: Verdict, plan: Plan, total: int | None = None) -> None:  # noqa: ARG002
        self.proven.update(verdict.mines)
        if self.on_thought is not None:
            self.on_thought()

    def clicked(self, move: Move, _: float) -> None:
        self.moves.append(str(move))

    def ended(self, _: float) -> None:
        pass

    def failed(
        self,
        frame: Frame,  # noqa: ARG002
        error: VisionError | Contradiction,
        board: Board | None = None,  # noqa: ARG002
    ) -> None:
        self.problems.append(str(error))


class Table:
    """A player at a make-believe game."""

    def __init__(
        self,
        game: FakeGame,
        settings: PlaySettings | None = None,
        *,
        mines: int | None = -1,
        behaviour: Behaviour | None = None,
        timing: Timing | None = None,
        reader: KnownGameReader | None = None,
        flags_on_trial: bool = False,
    ) -> None:
        """With `mines` the status line says so many, by default what is true, None nothing."""
        self.reader = reader or KnownGameReader(load("sgt-mines"))
        if behaviour is not None:
            self.reader.learn(self.reader.profile.changed(behaviour=behaviour))
        behaviour = self.reader.profile.behaviour
        settings = settings or PlaySettings()
        timing = timing or Timing.of(behaviour)
        self.game = game
        self.stop = Stop()
        self.clock = game.desk.clock
        self.notes = Notes()
        self.status = FakeStatus(len(game.layout.mines) if mines == -1 else mines)
        self._open = game.desk.open(game.desk.window, self.stop)
        window_session = self._open.__enter__()
        self.dialogs = Dialogs(window_session, behaviour)
        self.observer = BoardObserver(window_session, self.reader, self.dialogs, self.notes, timing)
        self.total = MineTotal(self.status, settings.mines, self.clock, timing)
        self.player = Player(
            observer=self.observer,
            total=self.total,
            clicker=Clicker(
                window_session.mouse, self.clock, settings.say, behaviour, flags_on_trial
            ),
            settings=settings,
        )

    def play(self) -> GameResult:
        """Play to the end."""
        return self.player.play()


def easy_table(**options: object) -> Table:
    """The easy board on a table."""
    return Table(FakeGame(EASY), **options)
