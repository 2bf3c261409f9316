"""What the MCP server refuses, in one line."""

from __future__ import annotations

import argparse
import asyncio
import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from mcp import Client

from minebot.cli import mcp
from minebot.cli.parser import parse
from minebot.errors import UsageError
from tests.learn.drawn_game import DrawnGame

MOVES = [{"action": "open", "row": 1, "column": 1}]


def asked_to_click(hands: mcp.Hands, **words: object) -> tuple[bool, str]:
    """Whether the tool refuses to click, and what it answers."""

    async def click() -> tuple[bool, str]:
        async with Client(mcp.server_of(hands)) as client:
            result = await client.call_tool("click", {"moves": MOVES, **words})
            return result.is_error, str(result.content[0].text)

    with ThreadPoolExecutor(1) as thread:  # another test's browser may have a loop in this one
        return thread.submit(asyncio.run, click()).result()


def test_after_the_users_stop_nothing_is_clicked() -> None:
    hands = mcp.Hands(argparse.Namespace())
    hands.stop.request("Esc was pressed")
    refused, said = asked_to_click(hands)
    assert refused
    assert "stopped: Esc was pressed" in said
    assert "until the user starts minebot mcp again" in said


def test_an_unknown_game_is_clicked_only_if_the_agent_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = DrawnGame(1)
    game.desk.window = replace(game.desk.window, title="Table", app_ids=("table",))
    monkeypatch.setattr("minebot.cli.desktops.native", lambda *_, **__: game.desk)
    monkeypatch.setattr("minebot.play.identify.profiles", dict)
    _, arguments = parse(["mcp"])
    hands = mcp.Hands(arguments)
    refused, said = asked_to_click(hands, window="Table", mines=10)
    assert refused
    assert "Table" in said
    assert "it shows a board of 9x9, fresh" in said
    assert "pass unknown_game" in said
    assert not game.desk.clicks
    refused, said = asked_to_click(hands, window="Table", mines=10, unknown_game=True)
    assert not refused, said
    assert json.loads(said)["state"] == "running"
    assert len(game.desk.clicks) == 1


def test_without_the_extra_it_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("minebot.extras.find_spec", lambda _: None)
    run, arguments = parse(["mcp"])
    with pytest.raises(UsageError, match=r"pip install '\.\[mcp\]'"):
        run(arguments)
