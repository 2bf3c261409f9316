"""What the fuzzers try: whole files that are damaged, for so many seconds."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from typing import Any, NoReturn, TypeVar

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from minebot.analysis.played_game import PlayedGame
from minebot.analysis.replay_files import evf
from minebot.analysis.review import review
from minebot.analysis.serialize import review_facts
from minebot.errors import MinebotError
from minebot.policy.guessing.prepare import load, prepare
from minebot.study.single_file import game_page

Value = TypeVar("Value")

SECONDS = float(os.environ.get("MINEBOT_FUZZ_SECONDS", "60"))
"""How long each fuzzer tries."""
LONGEST = 10.0
"""Seconds of processor time that one input may take. Specified."""
_EXAMPLES = 200
"""After so many the time is looked at."""
PIECES = st.one_of(
    st.binary(max_size=12),
    st.sampled_from([b"\xff" * 4, b"\0" * 4, b"\x7f\xff\xff\xff", b"[" * 5000, b"9" * 5000]),
)
"""What is put into a file."""


def fuzz(check: Callable[[Value], bool], values: st.SearchStrategy[Value]) -> tuple[int, int]:
    """Have `check` try such values until the time is over; whatever it raises fails the test.

    It says whether a value is accepted. Returns how many were, and how many were refused. A
    failure is shown with the smallest value that brings it.
    """
    counts = [0, 0]

    def timed(value: Value) -> None:
        began = time.process_time()
        counts[not check(value)] += 1
        assert time.process_time() - began < LONGEST

    quiet = settings(
        max_examples=_EXAMPLES, deadline=None, database=None, suppress_health_check=[*HealthCheck]
    )
    prepare()  # what takes long once is no input's fault
    load()
    tried = quiet(given(values)(timed))
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        tried()
    accepted, refused = counts
    return accepted, refused


@st.composite
def damaged(
    draw: st.DrawFn, files: list[bytes], pieces: st.SearchStrategy[bytes] = PIECES
) -> bytes:
    """One of the files with some bytes replaced, put in, taken out or cut off."""
    data = draw(st.sampled_from(files))
    for _ in range(draw(st.integers(1, 6))):
        at = draw(st.integers(0, len(data)))
        kind = draw(st.integers(0, 9))
        piece = draw(pieces)
        if kind < 6:
            data = data[:at] + piece + data[at + len(piece) :]
        elif kind < 8:
            data = data[:at] + piece + data[at:]
        elif kind == 8:
            data = data[:at] + data[at + draw(st.integers(1, 40)) :]
        else:
            data = data[:at]
    return data


def refused(action: Callable[[], Value]) -> Value | None:
    """What it returns; None where it refuses in one line."""
    try:
        return action()
    except MinebotError as error:
        said = str(error)
    assert "\n" not in said
    return None


def strict(data: str | bytes) -> Any:
    """JSON as every program reads it: without NaN."""

    def fail(name: str) -> NoReturn:
        raise AssertionError(f"{name} in JSON")

    return json.loads(data, parse_constant=fail)


def look_at(game: PlayedGame) -> None:
    """All that `minebot review` makes of a game."""
    found = refused(lambda: review(game))
    if found is not None:
        strict(json.dumps(review_facts(found, boards=True)))
        assert game_page(found)
    refused(lambda: evf(game))
