"""What the page can ask, and answering it in a worker process: bytes in, JSON out."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import msgspec

from bot.errors import MinebotError
from bot.study import analysis, pictures
from bot.study.position import Question, Refusal, question

ABOUT_BOARDS: Mapping[str, Callable[[Question], object]] = {
    "position": analysis.placed,
    "judgement": analysis.judged,
    "suggestion": analysis.suggested,
    "reason": analysis.explained,
}
"""Each question about a board, by its name in the server's addresses."""
PICTURE = "picture"
"""The question which board a picture shows."""


def answer(name: str, body: bytes) -> bytes:
    """The JSON of the answer to the question `name`, or of a Refusal in one line."""
    try:
        if name == PICTURE:
            return msgspec.json.encode(pictures.seen(body))
        return msgspec.json.encode(ABOUT_BOARDS[name](question(body)))
    except MinebotError as error:
        return refused(str(error))
    except MemoryError:
        return refused("this takes more memory than there is: given up")


def refused(line: str) -> bytes:
    """The JSON of a refusal."""
    return msgspec.json.encode(Refusal(" ".join(line.split())))
