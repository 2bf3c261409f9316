"""What the MCP server refuses, in one line."""

from __future__ import annotations

import argparse
import asyncio
import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from mcp import Client
from mcp.types import TextContent

from minebot.cli import mcp
from minebot.cli.parser import parse
from minebot.errors import UsageError
from tests.learn.drawn_game import DrawnGame
from tests.support.fake_desktop import FakeDesk
from tests.support.fake_game import EASY, FakeGame

SAFE = [square for square in range(len(EASY.numbers)) if square not in EASY.mines]


def move(square: int, action: str = "open") -> dict[str, object]:
    """A move on a board as wide as `EASY`, as an agent gives it."""
    return {
        "action": action,
        "row": square // EASY.width + 1,
        "column": square % EASY.width + 1,
    }


def asked_to_click(
    hands: mcp.Hands, *moves: dict[str, object], **words: object
) -> tuple[bool, str]:
    """Whether the tool refuses to click, and what it answers."""

    async def click() -> tuple[bool, str]:
        async with Client(mcp.server_of(hands)) as client:
            result = await client.call_tool("click", {"moves": moves, **words})
            said = result.content[0]
            assert isinstance(said, TextContent)
            return result.is_error, said.text

    with ThreadPoolExecutor(1) as thread:  # another test's browser may have a loop in this one
        return thread.submit(asyncio.run, click()).result()


def hands_at(desk: FakeDesk, monkeypatch: pytest.MonkeyPatch) -> mcp.Hands:
    """The tools of a server that was started on that desktop."""
    monkeypatch.setattr("minebot.cli.options.native", lambda *_, **__: desk)
    _, arguments = parse(["mcp"])
    return mcp.Hands(arguments)


def test_after_the_users_stop_nothing_is_clicked() -> None:
    hands = mcp.Hands(argparse.Namespace())
    hands.stop.request("Esc was pressed")
    refused, said = asked_to_click(hands, move(0))
    assert refused
    assert "stopped: Esc was pressed" in said
    assert "until the user starts minebot mcp again" in said


def test_an_unknown_game_is_clicked_only_if_the_agent_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = DrawnGame(1)
    game.desk.window = replace(game.desk.window, title="Table", app_ids=("table",))
    monkeypatch.setattr("minebot.play.identify.profiles", dict)
    hands = hands_at(game.desk, monkeypatch)
    refused, said = asked_to_click(hands, move(0), window="Table", mines=10)
    assert refused
    assert "Table" in said
    assert "it shows a board of 9x9, fresh" in said
    assert "pass unknown_game" in said
    assert not game.desk.clicks
    refused, said = asked_to_click(hands, move(0), window="Table", mines=10, unknown_game=True)
    assert not refused, said
    assert json.loads(said)["state"] == "running"
    assert len(game.desk.clicks) == 1


def test_a_cell_that_an_earlier_move_has_opened_is_not_opened_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game, first, near = FakeGame(EASY), 30, 31
    assert near in EASY.opened_by(first)
    hands = hands_at(game.desk, monkeypatch)
    refused, said = asked_to_click(hands, move(first), move(near), mines=4)
    assert not refused, said
    assert game.opened == [first]
    # Of one that was open before, and of a flag, the agent is told.
    refused, said = asked_to_click(hands, move(near), mines=4)
    assert refused
    assert "row 4, column 5 is not covered" in said
    hands = hands_at(FakeGame(EASY).desk, monkeypatch)
    refused, said = asked_to_click(hands, move(first), move(near, "flag"), mines=4)
    assert refused
    assert "row 4, column 5 is not covered" in said


def test_moves_that_are_left_when_the_game_is_won_are_left_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    last, mine = max(SAFE), max(EASY.mines)
    game = FakeGame(EASY, EASY.seen(set(SAFE) - {last}))
    hands = hands_at(game.desk, monkeypatch)
    refused, said = asked_to_click(hands, move(last), move(mine), mines=4)
    assert not refused, said
    assert json.loads(said)["state"] == "won"
    assert game.opened == [last]


def test_without_the_extra_it_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("minebot.extras.find_spec", lambda _: None)
    run, arguments = parse(["mcp"])
    with pytest.raises(UsageError, match=r"pip install '\.\[mcp\]'"):
        run(arguments)
