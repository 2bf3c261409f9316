"""The tree of errors, as its docstring draws it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from minebot import errors
from minebot.errors import MinebotError, UsageError, did_you_mean, file_errors

DRAWN = re.findall(r"^[\s│├└─]*([A-Z]\w+) +(\d+)(?:  |$)", errors.__doc__ or "", re.MULTILINE)


def _below(error: type[MinebotError]) -> set[type[MinebotError]]:
    found = {one for one in error.__subclasses__() if one.__module__ == errors.__name__}
    return found.union(*map(_below, found))


def test_every_error_is_drawn_with_its_exit_status() -> None:
    assert dict(DRAWN) == {one.__name__: str(one.exit_status) for one in _below(MinebotError)}


def test_a_file_that_cannot_be_read_is_one_line_that_names_it(tmp_path: Path) -> None:
    missing = tmp_path / "none.txt"
    with pytest.raises(UsageError) as caught, file_errors(missing):
        missing.read_text()
    assert str(missing) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_word_that_is_near_is_suggested_and_no_other() -> None:
    assert did_you_mean("clasic", ["classic", "kmines"]) == "; did you mean classic?"
    assert did_you_mean("zzz", ["classic", "kmines"]) == ""
