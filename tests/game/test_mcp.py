"""An agent plays the real game through the MCP server, as its program would start it."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.types import ImageContent, TextContent

from fixtures import tatham
from fixtures.running_game import RunningGame
from minebot.layout import Layout
from minebot.sandbox.private_display import PrivateDisplay
from tests.support.fake_game import EASY

pytestmark = pytest.mark.game

FIRST = (3, 3)
MINES = {(mine // EASY.width + 1, mine % EASY.width + 1) for mine in EASY.mines}
"""Rows and columns from 1."""
Call = Callable[..., Awaitable[Any]]


def talk(desk: PrivateDisplay, say: Callable[[Client, Call], Awaitable[None]]) -> None:
    """Have the official client start the server on the display and say something to it."""

    async def run() -> None:
        server = StdioServerParameters(
            command=sys.executable,
            args=["-m", "minebot", "mcp"],
            env={**os.environ, "DISPLAY": desk.name},
        )
        async with Client(stdio_client(server)) as client:

            async def call(name: str, **words: object) -> Any:
                result = await client.call_tool(name, words)
                said = result.content[0]
                assert isinstance(said, TextContent)
                is_text = result.is_error or name == "why"
                return said.text if is_text else json.loads(said.text)

            await say(client, call)

    with ThreadPoolExecutor(1) as thread:  # another test's browser may have a loop in this one
        thread.submit(asyncio.run, asyncio.wait_for(run(), 120)).result()


def encoded(layout: Layout) -> str:
    return tatham.encode(layout, FIRST)


def test_every_tool_is_listed_and_answers(desk: PrivateDisplay) -> None:
    async def say(client: Client, call: Call) -> None:
        tools = {tool.name for tool in (await client.list_tools()).tools}
        assert tools == {"windows", "see", "why", "recommend", "click", "solve_text"}
        windows = await call("windows")
        assert [one["game"] for one in windows] == ["sgt-mines"]
        seen = await client.call_tool("see", {})
        said, picture = seen.content
        assert isinstance(said, TextContent)
        facts = json.loads(said.text)
        assert isinstance(picture, ImageContent)
        assert picture.mime_type == "image/png"
        assert facts["state"] == "running"
        assert facts["mines"] == len(MINES)
        assert facts["safe"]
        for row, column in facts["safe"]:
            assert (row, column) not in MINES
            assert facts["risks"][row - 1][column - 1] == 0
        row, column = facts["safe"][0]
        assert "safe" in await call("why", row=row, column=column)
        advice = await call("recommend")
        assert {(move["row"], move["column"]) for move in advice["moves"]} == {
            (row, column) for row, column in facts["safe"]
        }
        solved = await call("solve_text", board="??\n11")
        assert solved["safe"] == []
        assert solved["risks"][0] == [0.5, 0.5]
        assert "no layout fits" in await call("solve_text", board="?1?\n111")

    with RunningGame(desk, encoded(EASY)):
        talk(desk, say)


def test_an_agent_wins_by_what_it_is_told(desk: PrivateDisplay) -> None:
    async def say(_: Client, call: Call) -> None:
        facts = await call("see")
        while facts["state"] == "running":
            moves = [{"action": "open", "row": row, "column": col} for row, col in facts["safe"]]
            assert moves
            facts = await call("click", moves=moves)
        assert facts["state"] == "won"

    with RunningGame(desk, encoded(EASY)):
        talk(desk, say)


def test_a_certain_mine_is_opened_only_if_the_agent_insists(desk: PrivateDisplay) -> None:
    async def say(_: Client, call: Call) -> None:
        facts = await call("see")
        row, column = facts["certain_mines"][0]
        move = {"action": "open", "row": row, "column": column}
        refused = await call("click", moves=[move])
        assert "certainly a mine" in refused
        assert (await call("see"))["rows"] == facts["rows"]
        assert "the board has no row 99" in await call("click", moves=[{**move, "row": 99}])
        assert "a move is" in await call("click", moves=[{**move, "row": "3"}])
        flagged = await call("click", moves=[{**move, "action": "flag"}])
        assert flagged["rows"][row - 1][column - 1] == "F"
        await call("click", moves=[{**move, "action": "unflag"}])
        lost = await call("click", moves=[move], allow_mine=True)
        assert lost["state"] == "lost"

    with RunningGame(desk, encoded(EASY)):
        talk(desk, say)
