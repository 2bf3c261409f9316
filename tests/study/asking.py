"""Requests to a study."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
from contextlib import closing
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import urlsplit

from fixtures.study_page import ROOT
from minebot.analysis.drill_store import opened
from minebot.board import Board
from minebot.layout import Layout

MARKUP = "<script>alert(1)</script>"


def request_of(
    address: str,
    path: str = "",
    body: bytes | None = None,
    method: str | None = None,
    **headers: str,
) -> tuple[int, bytes, HTTPResponse]:
    place = urlsplit(address)
    connection = HTTPConnection(place.hostname or "", place.port, timeout=60)
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    connection.request(
        method or ("GET" if body is None else "POST"), place.path + path, body, named
    )
    answer = connection.getresponse()
    read = answer.read()
    connection.close()
    return answer.status, read, answer


def said_of(address: str, name: str, **question: object) -> dict[str, Any]:
    _, answer, _ = request_of(address, f"api/{name}", json.dumps(question).encode())
    found = json.loads(answer)
    assert isinstance(found, dict)
    return found


def goes_on(address: str) -> bool:
    return said_of(address, "judgement", text="?1\n11", mines=1)["layouts"] == "1"


def upload(study: str, data: bytes) -> dict[str, object]:
    _, answer, _ = request_of(study, "api/picture", data)
    found = json.loads(answer)
    assert isinstance(found, dict)
    return found


@dataclass(frozen=True, slots=True)
class DrillStudy:
    """A running study and the file in which it keeps drills."""

    address: str
    file: Path

    def begin(self, *boards: Board) -> None:
        """Begin the file anew, with these drills."""
        self.file.unlink(missing_ok=True)
        with opened(self.file) as store:
            for board in boards:
                store.add([board])

    def change(self, command: str) -> None:
        """Have another program change the file."""
        with closing(sqlite3.connect(self.file)) as other, other:
            other.execute(command)

    def kept(self) -> list[tuple[str, bool]]:
        """What was met, each with its kind and whether it was seen."""
        with opened(self.file) as store:
            return [(one.kind, right) for one in store.tallies() for _, right in one.met]

    def due(self) -> list[Board]:
        """The positions that are due."""
        with opened(self.file) as store:
            return [drill.board for drill in store.due()]


def hard_board() -> str:
    """Clues that stand alone tie everything to everything: a minute for the risks alone."""
    random = Random(1)
    layout = Layout.scattered(100, 100, 3500, random)
    safe = [square for square in range(10_000) if square not in layout.mines]
    return str(layout.seen(random.sample(safe, 2500)))


def run_study(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "minebot", "study", "--no-browser", *arguments]
    return subprocess.run(
        command, capture_output=True, text=True, check=False, cwd=ROOT, timeout=60
    )
