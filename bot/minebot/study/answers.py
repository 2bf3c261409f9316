"""What the page can ask, and the processes that answer: bytes in, JSON out.

A calculation that takes longer than it may is ended with its process; so is one that needs
more memory than it may have. The server goes on.
"""

from __future__ import annotations

import asyncio
import logging
import sys
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import partial

import msgspec

from minebot.analysis import replay_files
from minebot.errors import MinebotError
from minebot.policy.guessing import prepare
from minebot.profile import profiles
from minebot.recording.pictures import BYTES, decoded
from minebot.study import board_answers, opened_files
from minebot.study.board_answers import TEXT, Question, parsed
from minebot.study.single_file import page
from minebot.worker_pool import WorkerDied, worker_pool


def _about_board(answer: Callable[[Question], object]) -> tuple[int, Callable[[bytes], object]]:
    """The most bytes of a question about a board, whose text JSON escapes, and what answers it."""
    return 2 * TEXT, lambda body: answer(parsed(body, Question, "a question about a board"))


_PICTURE = "picture"
_REPLAYS = tuple(suffix.removeprefix(".") for suffix in replay_files.SUFFIXES)
_ANSWERS: Mapping[str, tuple[int, Callable[[bytes], object]]] = {
    "position": _about_board(lambda asked: board_answers.shown(asked.puzzle())),
    "judgement": _about_board(lambda asked: board_answers.judged(asked.puzzle().board)),
    "suggestion": _about_board(lambda asked: board_answers.suggested(asked.puzzle().board)),
    "reason": _about_board(lambda asked: board_answers.explained(*asked.cell())),
    "outlook": _about_board(lambda asked: board_answers.estimated(asked.puzzle().board)),
    "chart": _about_board(board_answers.drawn),
    "packed": _about_board(lambda asked: board_answers.packed(asked.puzzle())),
    "answer": _about_board(lambda asked: board_answers.answered_drill(*asked.cell())),
    _PICTURE: (BYTES, lambda data: opened_files.picture(decoded(data))),
    "page": (0, lambda _: {"page": page(None)}),  # into which the page puts the answers
    "keep": (TEXT, opened_files.keep),
    "drill": (0, lambda _: board_answers.asked_drill()),
    "recording": (opened_files.LARGEST, opened_files.recording),
    **{kind: (replay_files.LARGEST, partial(opened_files.replay, kind)) for kind in _REPLAYS},
}
"""Each question: how many bytes come with it at most, and what answers it."""
LARGEST = {name: most for name, (most, _) in _ANSWERS.items()}
"""Every question by its name in the server's addresses, and the bytes it has at most."""
_WORKERS = 2
"""Worker processes. Specified: while one is at a hard position, the other answers."""
_BYTES = 4 << 30
"""Bytes of memory that a process may have. Specified: what a machine of 8 GB can spare."""


def answer(name: str, body: bytes) -> bytes:
    """The JSON of the answer to the question `name`, or of a refusal in one line."""
    try:
        return msgspec.json.encode(_ANSWERS[name][1](body))
    except MinebotError as error:
        return refused(str(error))
    except MemoryError:
        return refused("this takes more memory than there is: given up")


def refused(line: str) -> bytes:
    """The JSON of why there is no answer, in one line."""
    return msgspec.json.encode({"error": " ".join(line.split())})


@contextmanager
def workers(seconds: float) -> Iterator[Callable[[str, bytes], Awaitable[bytes]]]:
    """What has processes `answer`, and refuses what takes longer than `seconds`, or ends one."""
    with worker_pool(_WORKERS, _begin) as pool:

        async def answered(name: str, body: bytes) -> bytes:
            limit = f"{seconds:g} seconds: given up"
            try:
                future = pool.schedule(answer, (name, body), timeout=seconds)
                return await asyncio.wrap_future(future)
            except TimeoutError:
                if name != _PICTURE:
                    return refused(f"this takes more than {limit}")
                return refused(
                    f"no board was found in the picture in {limit}; "
                    "one of the game's window alone is searched sooner"
                )
            except WorkerDied:
                return refused("the process that worked on it has died")
            except asyncio.CancelledError:
                return refused("the study has ended")  # to whom, is the server's affair

        yield answered


def _begin() -> None:
    """Bound the memory of a process, and load what its first answer needs, which takes seconds."""
    logging.disable()  # the study's own process says it
    if sys.platform == "linux":
        import resource  # noqa: PLC0415

        with suppress(ValueError):  # a lower bound is set already
            resource.setrlimit(resource.RLIMIT_DATA, (_BYTES, _BYTES))
    prepare.load()
    profiles()
