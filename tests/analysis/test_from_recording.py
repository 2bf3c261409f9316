"""The folder of a recording: what is none is refused in one line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from minebot.analysis.from_recording import games, games_of
from minebot.errors import UsageError

LINE = {"picture": "0.png", "seconds": 1, "problem": "", "moves": ["open 0,0"]}


@pytest.mark.parametrize(
    "line",
    [
        json.dumps({**LINE, "picture": "\0.png"}),
        json.dumps({**LINE, "picture": "\ud800.png"}),
        json.dumps({**LINE, "picture": "../0.png"}),
        json.dumps({**LINE, "seconds": 10**400}),
        json.dumps({**LINE, "seconds": 1e308, "times": [-1e308]}),
        json.dumps({**LINE, "seconds": float("nan")}),
        json.dumps({**LINE, "times": [float("inf")]}),
        json.dumps({**LINE, "moves": [f"open {'9' * 5000},0"]}),
        json.dumps({**LINE, "total": True}),
        "[" * 100_000,
        '{"more": ' + "[" * 100_000,
        "\ud800",
    ],
)
def test_a_line_that_is_not_that_of_a_recording_is_refused(line: str, tmp_path: Path) -> None:
    (tmp_path / "0.txt").write_text("??\n")
    journal = tmp_path / "journal.jsonl"
    journal.write_text(f"{line}\n", encoding="utf-8", errors="surrogatepass")
    with pytest.raises(UsageError, match=r"line 1 of journal.jsonl is not that|not a text"):
        games(tmp_path)
    with pytest.raises(UsageError, match=r"line 1 of journal.jsonl is not that"):
        games_of(f"{line}\n", {"0.txt": "??"})


def test_a_board_of_a_recording_that_is_too_large_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "journal.jsonl").write_text(f"{json.dumps(LINE)}\n")
    (tmp_path / "0.txt").write_text("?" * 2_000_000)
    with pytest.raises(UsageError, match=r"0\.txt: larger than 0\.954 MiB$"):
        games(tmp_path)
