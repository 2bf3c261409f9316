"""Recorded pictures are read by their game's profile or at first sight, and compared."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import numpy as np
import pytest

from minebot.board import Board
from minebot.capture import Frame
from minebot.profile import load, profiles
from minebot.recording import pictures
from minebot.recording.replay import Case, Comparison, cases, replay
from tests.support.fake_sight import Sight, asleep, blind, seeing

SHOTS = Path(__file__).parents[2] / "fixtures" / "screenshots"
KNOWN = SHOTS / "sgt-mines" / "9x9n10-t20-middle-flags.png"
SEEN = Board.parse("????\n?11?\n?11?\n????")
PROFILES = [load(name) for name in profiles()]


@pytest.fixture
def unknown(tmp_path: Path) -> Case:
    """A picture of which no profile makes anything, and what it shows."""
    path = tmp_path / "unknown.png"
    path.write_bytes(pictures.png(Frame(np.full((200, 300, 4), 90, np.uint8))))
    path.with_suffix(".txt").write_text(str(SEEN))
    (case,) = cases(path)
    return case


def test_a_known_game_is_read_by_its_profile(monkeypatch: pytest.MonkeyPatch) -> None:
    asleep.install(monkeypatch)
    (case,) = cases(KNOWN)
    result = replay(case, PROFILES)
    assert (result.verdict, result.cells, result.wrong) == (Comparison.RIGHT, 81, 0)


def test_a_recording_in_a_folder_of_any_name_is_read_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asleep.install(monkeypatch)
    for suffix in (".png", ".txt"):
        shutil.copy(KNOWN.with_suffix(suffix), tmp_path)
    (case,) = cases(tmp_path)
    assert replay(case, PROFILES).verdict is Comparison.RIGHT


@pytest.mark.parametrize(
    ("look", "expected"),
    [
        (seeing(SEEN), (Comparison.RIGHT, 0, "^$")),
        (
            seeing(Board.parse("????\n?12?\n?12?\n????")),
            (Comparison.WRONG, 2, "^row 2, column 3 is read as 2, not 1$"),
        ),
        (seeing(Board.parse("???\n?11\n?11")), (Comparison.WRONG, 9, "^a board of 3x3$")),
        (seeing(SEEN, doubtful={5}), (Comparison.REFUSED, 0, "row 2, column 2")),
        (blind, (Comparison.REFUSED, 0, "no board")),
    ],
    ids=["right", "wrong", "of another size", "in doubt", "not seen"],
)
def test_an_unknown_game_is_read_at_first_sight(
    look: Sight,
    expected: tuple[Comparison, int, str],
    unknown: Case,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    *verdict, problem = expected
    look.install(monkeypatch)
    result = replay(unknown, PROFILES)
    assert [result.verdict, result.wrong] == verdict
    assert re.search(problem, result.problem)


def test_a_picture_to_be_refused_is_wrong_where_it_is_seen_at_first_sight(
    unknown: Case, monkeypatch: pytest.MonkeyPatch
) -> None:
    to_refuse = Case(unknown.path, "refuse", None)
    seeing(SEEN).install(monkeypatch)
    assert replay(to_refuse, PROFILES).verdict is Comparison.WRONG
    blind.install(monkeypatch)
    assert replay(to_refuse, PROFILES).verdict is Comparison.RIGHT
