"""What is kept of a game: for an animation, for `minebot replay`, for a bug report.

Everything is kept in memory while the game runs and written afterwards, so that
keeping it does not slow the game.
"""

from __future__ import annotations

import itertools
import json
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from bot.board import Board, Move
from bot.capture import Frame
from bot.errors import Contradiction, UsageError, VisionError
from bot.policy.plan import Plan
from bot.recording import pictures
from bot.solver import Verdict

__all__ = ["Entry", "Recorder"]

_ANIMATION_STEP = 0.04
"""Seconds: pictures of an animation that follow faster than this are left out."""
_ANIMATION_END = 3000
"""Milliseconds for which an animation shows the end."""


@dataclass(slots=True)
class Entry:
    """One look at the window and what followed from it."""

    seconds: float
    """On the clock of the player."""
    frame: Frame
    board: Board | None = None
    """As it was read, None where the frame could not be read."""
    problem: str = ""
    """Why the board was not believed, empty where it was."""
    safe: tuple[int, ...] = ()
    mines: tuple[int, ...] = ()
    guess: tuple[int, int, float] | None = None
    moves: list[Move] = field(default_factory=list)


class Recorder:
    """A journal that keeps the last `limit` looks."""

    def __init__(self, clock: Callable[[], float], limit: int) -> None:
        self._clock = clock
        self.entries: deque[Entry] = deque(maxlen=limit)

    def looked(self, frame: Frame, board: Board) -> None:
        """A frame was read."""
        self.entries.append(Entry(self._clock(), frame, board))

    def thought(self, verdict: Verdict, plan: Plan) -> None:
        """The verdict on the last board, and what is to be done."""
        entry = self.entries[-1]
        entry.safe, entry.mines = verdict.safe, verdict.mines
        if plan.guess is not None:
            entry.guess = (plan.guess.x, plan.guess.y, plan.guess.risk)

    def clicked(self, move: Move) -> None:
        """A click was sent."""
        self.entries[-1].moves.append(move)

    def failed(
        self, frame: Frame, error: VisionError | Contradiction, board: Board | None = None
    ) -> None:
        """A frame could not be read, or the `board` read from it makes no sense."""
        self.entries.append(Entry(self._clock(), frame, board, str(error)))

    def write(self, folder: Path) -> None:
        """Write every kept look into `folder`, in the form that `minebot replay` reads.

        A picture and its board as text for each, and `journal.jsonl` with the verdicts
        and moves. Raises UsageError.
        """
        try:
            folder.mkdir(parents=True, exist_ok=True)
            with (folder / "journal.jsonl").open("w", encoding="utf-8") as lines:
                for number, entry in enumerate(self.entries):
                    name = f"{number:04d}"
                    pictures.save(folder / f"{name}.png", entry.frame)
                    if entry.board is not None:
                        text = f"{entry.board}\n"
                        (folder / f"{name}.txt").write_text(text, encoding="utf-8")
                    lines.write(json.dumps({"picture": f"{name}.png", **_facts(entry)}) + "\n")
        except OSError as error:
            raise UsageError(f"{error.filename or folder}: {error.strerror}") from error

    def animate(self, path: Path) -> None:
        """Write the game as an animated picture, in the time it took; raises UsageError."""
        kept: list[Entry] = []
        for entry in self.entries:
            if not kept or entry.seconds - kept[-1].seconds >= _ANIMATION_STEP:
                kept.append(entry)
        if not kept:
            raise UsageError(f"{path}: no frame was kept to make an animation of")
        kept.append(self.entries[-1])
        durations = [
            round(1000 * (after.seconds - before.seconds))
            for before, after in itertools.pairwise(kept)
        ]
        frames = [entry.frame for entry in kept]
        pictures.save_animation(path, frames, [*durations, _ANIMATION_END])


def _facts(entry: Entry) -> dict[str, object]:
    return {
        "seconds": round(entry.seconds, 4),
        "problem": entry.problem,
        "safe": list(entry.safe),
        "mines": list(entry.mines),
        "guess": entry.guess,
        "moves": [str(move) for move in entry.moves],
    }
