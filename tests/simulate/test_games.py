"""The games that are simulated, and the files that keep them."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from minebot.cli import main
from minebot.errors import UsageError
from minebot.layout import First
from minebot.policy.guessing.settings import Strategy
from minebot.simulate.games import Deal, Record, SimulationSettings, deal, dealt_from, play, stored
from tests.simulate.playing import SETTINGS, games, lines_in


def test_a_deal_depends_on_seed_and_number_only() -> None:
    assert deal(SETTINGS, 3) == deal(SETTINGS, 3)
    assert deal(SETTINGS, 3).layout != deal(SETTINGS, 4).layout


@pytest.mark.parametrize("first", list(First))
def test_the_first_click_is_what_was_promised(first: First) -> None:
    settings = SimulationSettings(9, 9, 35, first, 1, Strategy.FULL)
    deals = [deal(settings, number) for number in range(40)]
    assert all(one.first not in one.layout.mines for one in deals)
    numbers = {one.layout.numbers[one.first] for one in deals}
    assert (numbers == {0}) == (first is First.OPENING)


def test_a_game_ends_won_or_on_a_mine() -> None:
    records = [play(deal(SETTINGS, number), Strategy.LEAST_RISK) for number in range(30)]
    assert {record.won for record in records} == {True, False}
    for record in records:
        assert record.won == (record.opened == 1.0)
        assert record.won or record.risks


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (b"not JSON\n", "line 1"),
        (b"[1]\n", "line 1"),
        (b'{"boards": "\xff"}\n', "line 1"),
        (b"half of something else", "is not a file"),
    ],
)
def test_a_file_of_something_else_is_left_alone(
    tmp_path: Path, content: bytes, complaint: str
) -> None:
    path = tmp_path / "letters.txt"
    path.write_bytes(content)
    with pytest.raises(UsageError, match=complaint), stored(path, SETTINGS):
        pass
    assert path.read_bytes() == content


def test_a_game_is_kept_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    record = Record(0, True, 1.0, (0.25,), (1.0, 2.5))
    with stored(path, SETTINGS) as store:
        store.add(record)
    with stored(path, SETTINGS) as store:
        assert store.records == {0: record}
    assert lines_in(path) == 2


def write_boards(path: Path, deals: list[Deal]) -> None:
    rows = ["#id\twidth\theight\tmines\tx\ty\tlayout_hex"]
    for one in deals:
        layout = one.layout
        cells = layout.width * layout.height
        bits = "".join("01"[square in layout.mines] for square in range(cells))
        digits = f"{int(bits.ljust(-(-cells // 4) * 4, '0'), 2):0{-(-cells // 4)}x}"
        x, y = one.first % layout.width, one.first // layout.width
        mines = len(layout.mines)
        rows.append(f"{one.number}\t{layout.width}\t{layout.height}\t{mines}\t{x}\t{y}\t{digits}")
    path.write_text("\n".join(rows) + "\n")


def test_given_boards_are_played(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    deals = [deal(SETTINGS, number) for number in range(5)]
    path = tmp_path / "boards.tsv"
    write_boards(path, deals)
    assert dealt_from(path) == deals
    assert main(["simulate", "--boards", str(path), "--workers", "1", "--json"]) == 0
    wins = [won for _, won, _ in games(capsys.readouterr().out)]
    assert wins == [play(one, Strategy.FULL).won for one in deals]


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("1\t2\t2\t1\t0\t0\t8", "no safe cell"),
        ("1\t2\t2\t2\t0\t0\t1", "2 mines are announced"),
        ("1\t2\t2\t1\t0\t0\tzz", "line 2"),
        ("1\t2\t2\t1\t0", "no column"),
    ],
)
def test_a_wrong_board_is_named(tmp_path: Path, line: str, complaint: str) -> None:
    path = tmp_path / "boards.tsv"
    path.write_text(f"#id\twidth\theight\tmines\tx\ty\tlayout_hex\n{line}\n")
    with pytest.raises(UsageError, match=complaint):
        dealt_from(path)


def test_a_compressed_file_that_is_damaged_is_refused_in_one_line(tmp_path: Path) -> None:
    path = tmp_path / "boards.tsv.gz"
    whole = gzip.compress(bytes(range(256)) * 9)
    for data in (whole[:40], whole[:12] + b"\xff" * 9 + whole[21:], b"none"):
        path.write_bytes(data)
        with pytest.raises(UsageError, match=r"^[^\n]*boards\.tsv\.gz: [^\n]*$"):
            dealt_from(path)
