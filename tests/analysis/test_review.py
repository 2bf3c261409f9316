"""What is said of a whole game: its figures, its pauses, its costliest moments, its page."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from random import Random

import pytest

from minebot.analysis.from_recording import games
from minebot.analysis.played_game import PlayedGame
from minebot.analysis.review import review
from minebot.analysis.serialize import figures_of, permille, review_facts
from minebot.board import Action, Board, Cell
from minebot.errors import UsageError
from minebot.layout import Layout
from minebot.study.single_file import game_page
from tests.support.people import careful, played
from tests.support.recorded_games import FIELD, record, slow


def test_figures_are_those_that_players_count() -> None:
    found = review(slow(0.3))
    assert found.game.won
    assert found.bbbv == found.solved == FIELD.bbbv
    assert found.speed == pytest.approx(FIELD.bbbv / found.game.seconds)
    assert found.efficiency == pytest.approx(FIELD.bbbv / len(found.game.acts))
    assert found.luck == 0
    assert not found.moments


def test_time_lost_over_a_safe_cell_is_told_with_the_cell() -> None:
    found = review(slow(4.3))
    assert found.hesitated == pytest.approx(4.0)
    (moment,) = found.costliest
    assert moment.at == 3
    assert moment.kind.startswith("hesitated: ")
    assert "4.0 s more than usual" in moment.text
    assert moment.why is not None


def test_a_lost_game_counts_what_was_solved() -> None:
    found = review(played(FIELD, [(0, Action.OPEN, 0), (2, Action.OPEN, min(FIELD.mines))]))
    assert found.game.outcome == "lost"
    assert found.bbbv == FIELD.bbbv
    assert found.solved == 1
    assert found.speed == pytest.approx(0.5)
    assert found.costliest[0].at == 1


def test_a_lost_game_that_shows_no_other_mine_has_its_3bv_where_only_one_layout_fits() -> None:
    layout = Layout.parse("*....\n.....\n...*.\n.....\n*....")
    clicks = [
        (0, Action.OPEN, 5),
        (1, Action.OPEN, 11),
        (2, Action.OPEN, 4),
        (3, Action.OPEN, 0),
    ]
    whole = played(layout, clicks)
    # As Simon Tatham's Mines leaves it: the mine that was hit, and no other.
    cells = whole.final.cells.replace(bytes([Cell.MINE]), bytes([Cell.HIDDEN]))
    end = replace(whole, final=replace(whole.final, cells=cells))
    assert end.final.cells.count(Cell.HIDDEN) > 2
    assert end.layout == layout
    assert review(end).bbbv == layout.bbbv
    unclear = played(layout, [(0, Action.OPEN, 5), (1, Action.OPEN, 0)])
    cells = unclear.final.cells.replace(bytes([Cell.MINE]), bytes([Cell.HIDDEN]))
    end = replace(unclear, final=replace(unclear.final, cells=cells))
    found = review(end)
    assert (found.bbbv, found.speed, found.efficiency) == (None, None, None)
    assert ("3BV", "? (the end does not tell where all mines were)") in figures_of(found)


@pytest.mark.parametrize("seed", range(4))
def test_a_recording_gives_the_game_back(tmp_path: Path, seed: int) -> None:
    random = Random(seed)
    layout = Layout.scattered(9, 9, 14, random, clear={40})
    game = careful(layout, 40, random, slips=0.05)
    record(tmp_path / "game", game)
    (again,) = games(tmp_path / "game")
    assert [act.before for act in again.acts] == [act.before for act in game.acts]
    assert [act.click.square for act in again.acts] == [act.click.square for act in game.acts]
    assert again.final == game.final
    assert again.seconds == pytest.approx(game.seconds, abs=1e-3)


def test_a_recording_of_an_older_version_is_read_without_what_it_lacks(tmp_path: Path) -> None:
    game = slow(0.3)
    flagged = game.final.cells.replace(bytes([Cell.HIDDEN]), bytes([Cell.FLAG]))
    record(tmp_path / "game", replace(game, final=replace(game.final, cells=flagged)), times=False)
    (again,) = games(tmp_path / "game")
    assert again.won
    assert [act.click.square for act in again.acts] == [act.click.square for act in game.acts]


@pytest.mark.parametrize(
    "line",
    ["[]", "{}", "nonsense", '{"picture": 3}',
     '{"picture": "../../x.png", "seconds": 0, "problem": "", "moves": ["open 1"]}',
     '{"picture": "0.png", "seconds": "x", "problem": "", "moves": []}'],
)  # fmt: skip
def test_what_is_no_recording_is_refused_in_one_line(tmp_path: Path, line: str) -> None:
    (tmp_path / "journal.jsonl").write_text(f"{line}\n")
    with pytest.raises(UsageError) as caught:
        games(tmp_path)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("boards", "total", "clicks"),
    [
        (["??\n??"], 5, ["open 1,1"]),
        (["??\n??"], None, ["open 2,0"]),
        (["??\n?x"], None, ["open 1,1"]),
        (["?" * 1_000_001], None, ["open 0,0"]),
    ],
)
def test_a_recording_that_was_tampered_with_is_refused_in_one_line(
    tmp_path: Path, boards: list[str], total: int | None, clicks: list[str]
) -> None:
    tampered(tmp_path, boards, total, clicks)
    with pytest.raises(UsageError, match=r"^[^\n]*$"):
        games(tmp_path)


def test_a_board_of_another_size_is_another_game(tmp_path: Path) -> None:
    tampered(tmp_path, ["??\n??", "???"], None, ["open 1,1"])
    (game,) = games(tmp_path)
    assert len(game.acts) == 1


def tampered(folder: Path, boards: list[str], total: int | None, clicks: list[str]) -> None:
    """Write a recording of these boards, with the clicks in the first look."""
    with (folder / "journal.jsonl").open("w") as journal:
        for number, board in enumerate(boards):
            (folder / f"{number}.txt").write_text(board)
            facts = {"picture": f"{number}.png", "seconds": number, "problem": "", "total": total,
                     "moves": clicks if not number else []}  # fmt: skip
            journal.write(f"{json.dumps(facts)}\n")


def test_no_folder_is_no_recording(tmp_path: Path) -> None:
    with pytest.raises(UsageError):
        games(tmp_path / "nothing")


def test_facts_can_be_written_as_json_and_hold_every_move() -> None:
    found = review(slow(4.3))
    facts = json.loads(json.dumps(review_facts(found, boards=True)))
    assert len(facts["moves"]) == len(found.game.acts)
    first = facts["moves"][0]
    assert len(first["board"]) == len(first["risks"]) == 81
    assert facts["3bv"] == FIELD.bbbv


@pytest.mark.parametrize(
    ("chance", "shown"),
    [(0.0, 0), (1e-9, 1), (0.5, 500), (0.9977, 998), (0.99999, 999), (1.0, 1000)],
)
def test_a_chance_is_never_rounded_to_certainty(chance: float, shown: int) -> None:
    assert permille(chance) == shown


class _Links(HTMLParser):
    """Every tag and every attribute that would load something."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        loading = ("src", "href", "action", "style")
        self.links += [value or "" for name, value in attrs if name in loading]


def test_the_page_holds_all_it_needs_and_no_markup_from_outside() -> None:
    game = slow(4.3)
    evil = PlayedGame(
        "</script><script>alert(1)</script><img src=x>", game.acts, game.final, game.ended
    )
    text = game_page(review(evil))
    parsed = _Links()
    parsed.feed(text)
    assert parsed.tags.count("script") == 2
    assert all(link.startswith("data:image/svg+xml;base64,") for link in parsed.links)
    assert parsed.tags.count("img") == 1  # the program's own
    assert "default-src 'none'" in text
    data = re.search(r'id="packed">(.*?)</script>', text)
    assert data is not None
    assert json.loads(data[1])["opened"]["source"] == evil.source


def test_below_a_finished_board_lies_its_layout() -> None:
    random = Random(3)
    layout = Layout.scattered(9, 9, 10, random)
    safe = set(range(81)) - layout.mines
    assert Layout.below(layout.seen(safe)) == layout
    assert Layout.below(layout.seen(safe).with_mines(None)) is None
    assert Layout.below(layout.seen(safe, layout.mines).with_mines(None)) == layout
    lost = bytearray(layout.seen(sorted(safe)[:30]).cells)
    for mine in layout.mines:
        lost[mine] = Cell.MINE
    assert Layout.below(Board(9, 9, 10, bytes(lost))) == layout
    assert Layout.below(layout.seen(sorted(safe)[:5])) is None
