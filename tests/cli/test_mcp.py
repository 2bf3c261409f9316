"""What the MCP server does without a game: refusals in one line."""

from __future__ import annotations

import argparse
import asyncio
from concurrent.futures import ThreadPoolExecutor

import pytest
from mcp import Client

from minebot.cli import mcp
from minebot.cli.parser import parse
from minebot.errors import UsageError


def test_after_the_users_stop_nothing_is_clicked() -> None:
    hands = mcp.Hands(argparse.Namespace())
    hands.stop.request("Esc was pressed")

    async def click() -> str:
        async with Client(mcp.server_of(hands)) as client:
            moves = [{"action": "open", "row": 1, "column": 1}]
            result = await client.call_tool("click", {"moves": moves})
            assert result.is_error
            return str(result.content[0].text)

    with ThreadPoolExecutor(1) as thread:  # another test's browser may have a loop in this one
        said = thread.submit(asyncio.run, click()).result()
    assert "stopped: Esc was pressed" in said
    assert "until the user starts minebot mcp again" in said


def test_without_the_extra_it_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("minebot.extras.find_spec", lambda _: None)
    run, arguments = parse(["mcp"])
    with pytest.raises(UsageError, match=r"pip install '\.\[mcp\]'"):
        run(arguments)
