"""Videos of games that were played."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from minebot.analysis.played_game import PlayedGame
from minebot.board import Board
from tests.support.fake_game import draw

RATE = 15
"""Frames a second."""
EVERY = 5
"""Frames between two clicks."""


def film(file: Path, pictures: Sequence[NDArray[np.uint8]]) -> Path:
    """Encode pictures of one size, with loss."""
    height, width = (length // 2 * 2 for length in pictures[0].shape[:2])
    writer = cv2.VideoWriter(
        str(file), cv2.VideoWriter.fourcc(*"mp4v"), RATE, (width, height), True
    )
    for picture in pictures:
        writer.write(np.ascontiguousarray(picture[:height, :width, :3]))
    writer.release()
    return file


def shown(
    game: PlayedGame, look: Callable[[int, Board], NDArray[np.uint8]] = lambda _, board: draw(board)
) -> list[NDArray[np.uint8]]:
    """The pictures of a game, `EVERY` to a board; `look` draws each, by its number."""
    boards = [game.acts[0].before, *(act.after for act in game.acts)]
    return [look(at, boards[at // EVERY]) for at in range(EVERY * len(boards))]
