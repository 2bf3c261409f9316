"""The library: what `import minebot` offers.

Cells are squares counted row by row from 0, as `Board.square(x, y)` gives them.
"""

from __future__ import annotations

from collections.abc import Callable
from os import PathLike
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from minebot.analysis.explanation import Why
from minebot.analysis.recommendation import Recommendation
from minebot.analysis.recommendation import explain as explain_square
from minebot.board import Board
from minebot.capture import Frame
from minebot.desktop.choose import native
from minebot.play.identify import pick_game
from minebot.play.result import GameResult, PlaySettings
from minebot.play.session import open_session
from minebot.policy.plan import Plan, next_moves
from minebot.policy.style import Style
from minebot.profile import profiles
from minebot.recording.pictures import load
from minebot.solver import Verdict
from minebot.solver import solve as solve_board
from minebot.stop import Stop, interrupts_stop
from minebot.vision.any_game import read_any
from minebot.vision.reading import Reading


def read(picture: str | PathLike[str] | NDArray[np.uint8]) -> Reading:
    """Read the board in a picture of any game.

    `picture` is a file, or pixels of shape (height, width, 4), blue-green-red first. The answer
    holds the `board`, its `grid`, the `profile` of the game (None if it was read at first sight),
    the `unread` squares, whose tiles are in doubt and count as covered, and as `problem` why they
    are. Raises UsageError, GridNotFound, Contradiction.
    """
    if isinstance(picture, np.ndarray):
        frame = Frame(np.ascontiguousarray(picture))
    else:
        frame = load(Path(picture))
    return read_any(frame, list(profiles().values()))


def solve(board: Board) -> Verdict:
    """Find certain cells and all mine probabilities; raises Contradiction if no layout fits."""
    return solve_board(board, risk=True, every=True)


def explain(board: Board, square: int) -> Why | Recommendation:
    """Explain why a covered cell is certain, or how it compares with the best guess.

    `text` says it in words. The logger `minebot` tells if the guessing engine has to be compiled
    first. Raises UsageError if the cell is not covered, Contradiction if no mine layout fits.
    """
    return explain_square(board, square, solve(board))


def recommend(board: Board) -> Plan:
    """Recommend the next moves: all that are certain, else the best guess.

    `guess` is set if the last of the `moves` is one. The logger `minebot` tells if the guessing
    engine has to be compiled first. Raises Contradiction if no mine layout fits.
    """
    return next_moves(board, solve(board))


def play(
    window: str | None = None,
    *,
    style: Style = Style.FAST,
    mines: int | None = None,
    say: Callable[[str], None] = lambda _: None,
) -> GameResult:
    """Play the board that is open in a window to its end.

    `window` is a title or a program, a part of either, or an id; None means the only game that is
    open. A game without a profile is played at first sight. `style` says what clicks
    are spent on. `say` is called with messages for the user, who can stop it as on the command
    line. Raises Stopped, WindowError, CaptureError, VisionError, Contradiction.
    """
    with interrupts_stop(Stop()) as stop:
        desktop = native(say=say)
        found, profile = pick_game(desktop, window)
        settings = PlaySettings(style=style, mines=mines, say=say)
        with open_session(desktop, found, profile, stop, settings) as session:
            return session.play()


__all__ = ["explain", "play", "read", "recommend", "solve"]
