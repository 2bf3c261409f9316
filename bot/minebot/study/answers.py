"""What the page can ask, and answering it in a worker process: bytes in, JSON out."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import msgspec

from minebot.analysis import replay_files
from minebot.errors import MinebotError
from minebot.policy.guessing.prepare import load
from minebot.profile import profiles
from minebot.recording.pictures import BYTES
from minebot.study import board_answers, dropped_games, dropped_pictures
from minebot.study.messages import TEXT, PageMessage, Question, Refusal, question
from minebot.study.single_file import page

ABOUT_BOARDS: Mapping[str, Callable[[Question], object]] = {
    "position": board_answers.placed,
    "judgement": board_answers.judged,
    "suggestion": board_answers.suggested,
    "reason": board_answers.explained,
    "outlook": board_answers.estimated,
    "chart": board_answers.drawn,
    "packed": board_answers.packed,
}
"""Each question about a board, by its name in the server's addresses."""
_PICTURE = "picture"
"""The question which board a picture shows."""
_PAGE = "page"
"""The question for the page as one file, into which the answers are put by the page."""
_OTHERS: Mapping[str, Callable[[bytes], object]] = {
    _PICTURE: dropped_pictures.seen,
    _PAGE: lambda _: PageMessage(page(None)),
}
_REPLAYS = tuple(suffix.removeprefix(".") for suffix in replay_files.SUFFIXES)
"""The questions what is to be said of a replay file, by its kind."""

LARGEST: Mapping[str, int] = {
    **dict.fromkeys(ABOUT_BOARDS, 2 * TEXT),  # a text, escaped as JSON has it
    _PICTURE: BYTES,
    _PAGE: 0,
    **dict.fromkeys(_REPLAYS, replay_files.LARGEST),
    dropped_games.RECORDING: dropped_games.LARGEST,
}
"""Every question, and how many bytes come with it at most."""


def answer(name: str, body: bytes) -> bytes:
    """The JSON of the answer to the question `name`, or of a Refusal in one line."""
    try:
        if name in _OTHERS:
            return msgspec.json.encode(_OTHERS[name](body))
        if name in _REPLAYS:
            return dropped_games.replay(name, body)
        if name == dropped_games.RECORDING:
            return dropped_games.recording(body)
        return msgspec.json.encode(ABOUT_BOARDS[name](question(body)))
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
    """The JSON of a refusal."""
    return msgspec.json.encode(Refusal(" ".join(line.split())))
