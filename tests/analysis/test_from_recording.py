"""The folder of a recording: what is none is refused in one line."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from minebot.analysis.from_recording import games, games_of
from minebot.analysis.move_rating import Rating
from minebot.analysis.review import review
from minebot.board import Cell
from minebot.errors import UsageError
from minebot.layout import Layout
from tests.support.people import careful
from tests.support.recorded_games import record, slow

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


def test_clicks_that_an_opening_overtook_are_kept_and_not_wasted() -> None:
    # Four clicks on one look at a hidden row: the first opens all. Then one on a number.
    first = ["open 0,0", "open 1,0", "open 2,0", "open 3,0"]
    lines = [
        {**LINE, "moves": first, "times": [1, 1.1, 1.2, 1.3]},
        {**LINE, "picture": "1.png", "seconds": 2, "moves": ["open 3,0"], "times": [2]},
        {**LINE, "picture": "2.png", "seconds": 3, "moves": []},
    ]
    boards = {"0.txt": "???????", "1.txt": "0001???", "2.txt": "0001???"}
    journal = "".join(json.dumps({**line, "total": 2}) + "\n" for line in lines)
    (game,) = games_of(journal, boards)
    assert [act.overtaken for act in game.acts] == [False, True, True, True, False]
    assert [act.wasted for act in game.acts] == [False, False, False, False, True]
    assert [one.mark for one in review(game).marks][1:] == [Rating.OVERTAKEN] * 3 + [Rating.WASTED]


def test_clicks_that_the_winning_opening_overtook_count() -> None:
    lines = [
        {**LINE, "moves": ["open 0,0", "open 1,0", "open 2,0"], "times": [1, 1.1, 1.2]},
        {**LINE, "picture": "1.png", "seconds": 2, "moves": []},
    ]
    journal = "".join(json.dumps({**line, "total": 1}) + "\n" for line in lines)
    (game,) = games_of(journal, {"0.txt": "????", "1.txt": "001?"})
    assert game.won
    assert review(game).figures.clicks == 3
    assert [act.overtaken for act in game.acts] == [False, True, True]


def test_clicks_that_were_sent_before_the_end_was_seen_count_and_its_moment_is_the_players() -> (
    None
):
    lines = [
        {**LINE, "moves": ["open 0,0", "flag 3,0"], "times": [1, 1.1], "ended": None},
        {**LINE, "picture": "1.png", "seconds": 3, "moves": [], "ended": 2.5},
    ]
    journal = "".join(json.dumps({**line, "total": 1}) + "\n" for line in lines)
    (game,) = games_of(journal, {"0.txt": "????", "1.txt": "001F"})
    assert (len(game.acts), game.won, game.seconds) == (2, True, 1.5)
    assert [one.mark for one in review(game).marks] == [Rating.FIRST, Rating.OVERTAKEN]


def test_a_click_on_a_number_that_an_opening_was_quicker_to_open_may_have_been_a_chord() -> None:
    # The first click opens the first three cells of both rows; the game takes the second for a
    # chord on the 1 beside the flag.
    lines = [
        {**LINE, "moves": ["open 0,0", "open 2,0"], "times": [1, 1.1]},
        {**LINE, "picture": "1.png", "seconds": 3, "moves": []},
    ]
    journal = "".join(json.dumps({**line, "total": 1}) + "\n" for line in lines)
    (game,) = games_of(journal, {"0.txt": "???F\n????", "1.txt": "001F\n0011"})
    assert game.won
    assert [one.mark for one in review(game).marks] == [Rating.FIRST, Rating.OVERTAKEN]


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
