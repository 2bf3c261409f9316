"""What the page can ask, and the processes that answer: bytes in, JSON out.

A calculation that takes longer than it may is ended with its process; so is one that needs
more memory than it may have. The server goes on.
"""

from __future__ import annotations

import asyncio
import logging
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial

import msgspec

from minebot.analysis import replay_files
from minebot.errors import MinebotError
from minebot.policy.guessing.prepare import load
from minebot.profile import profiles
from minebot.recording.pictures import BYTES, decoded
from minebot.study import board_answers, dropped_pictures, opened_files
from minebot.study.messages import TEXT, Question, parsed
from minebot.study.single_file import page
from minebot.worker_pool import WorkerDied, WorkerPool

_question = partial(parsed, kind=Question, what="a question about a board")
_ABOUT_BOARDS: Mapping[str, Callable[[Question], object]] = {
    "position": lambda asked: board_answers.shown(asked.puzzle()),
    "judgement": board_answers.judged,
    "suggestion": board_answers.suggested,
    "reason": board_answers.explained,
    "outlook": board_answers.estimated,
    "chart": board_answers.drawn,
    "packed": board_answers.packed,
    "answer": board_answers.answered_drill,
}
_PICTURE = "picture"
_REPLAYS = tuple(suffix.removeprefix(".") for suffix in replay_files.SUFFIXES)
_OTHERS: Mapping[str, tuple[int, Callable[[bytes], object]]] = {
    _PICTURE: (BYTES, lambda data: dropped_pictures.read(decoded(data))),
    "page": (0, lambda _: {"page": page(None)}),  # into which the page puts the answers
    "keep": (TEXT, dropped_pictures.keep),
    "drill": (0, lambda _: board_answers.asked_drill()),
    "recording": (opened_files.LARGEST, opened_files.recording),
    **{kind: (replay_files.LARGEST, partial(opened_files.replay, kind)) for kind in _REPLAYS},
}
"""What is not about a board: how many bytes come with the question, and what answers it."""
LARGEST: Mapping[str, int] = {
    **dict.fromkeys(_ABOUT_BOARDS, 2 * TEXT),  # a text, escaped as JSON has it
    **{name: most for name, (most, _) in _OTHERS.items()},
}
"""Every question by its name in the server's addresses, and the bytes it has at most."""


def answer(name: str, body: bytes) -> bytes:
    """The JSON of the answer to the question `name`, or of a refusal in one line."""
    try:
        found = _OTHERS[name][1](body) if name in _OTHERS else _ABOUT_BOARDS[name](_question(body))
        return msgspec.json.encode(found)
    except MinebotError as error:
        return refused(str(error))
    except MemoryError:
        return refused("this takes more memory than there is: given up")


def warm() -> None:
    """Load what the first answers need, which takes seconds."""
    load()
    profiles()


def late(name: str, seconds: float) -> str:
    """Explain that the question `name` got no answer within `seconds`."""
    if name == _PICTURE:
        return (
            f"no board was found in the picture in {seconds:g} seconds: given up; "
            "one of the game's window alone is searched sooner"
        )
    return f"this takes more than {seconds:g} seconds: given up"


def refused(line: str) -> bytes:
    """The JSON of why there is no answer, in one line."""
    return msgspec.json.encode({"error": " ".join(line.split())})


_WORKERS = 2
"""Worker processes. Specified: while one is at a hard position, the other answers."""
_BYTES = 4 << 30
"""Bytes of memory that a process may have. Specified: what a machine of 8 GB can spare."""


class Workers(WorkerPool):
    """A pool of processes; a context manager."""

    def __init__(self, seconds: float) -> None:
        """`seconds` limits the time of a calculation."""
        super().__init__(_WORKERS, _begin)
        self._seconds = seconds

    async def answer(self, name: str, body: bytes) -> bytes:
        """The JSON of the answer to a question, or of a refusal: see `minebot.study.answers`."""
        future = self.submit(self._seconds, answer, name, body)
        try:
            return await asyncio.wrap_future(future)
        except TimeoutError:
            return refused(late(name, self._seconds))
        except WorkerDied:
            return refused("the process that worked on it has died")
        except asyncio.CancelledError:
            return refused("the study has ended")  # to whom, is the server's affair


def _begin() -> None:
    """Bound the memory of a process, and load what its first answer needs."""
    logging.disable()  # the study's own process says it
    if sys.platform == "linux":
        import resource  # noqa: PLC0415

        with suppress(ValueError):  # a lower bound is set already
            resource.setrlimit(resource.RLIMIT_DATA, (_BYTES, _BYTES))
    warm()
