"""A scripted agent plays boards of Simon Tatham's Mines that need no guess, through `minebot mcp`.

    python -m benchmarks.agent --boards 20

It sees the board once, then asks to click what it is told to be safe. Every board has to be won.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sys
import time
from typing import Any

from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.types import TextContent

from fixtures.running_game import RunningGame
from minebot.sandbox.private_display import PrivateDisplay

EXPERT = "30x16n99"


async def play(display: str) -> tuple[str, int]:
    """Play the open board by the server's answers alone: how it ended, after how many calls."""
    server = StdioServerParameters(
        command=sys.executable,
        args=["-m", "minebot", "mcp"],
        env={**os.environ, "DISPLAY": display},
    )
    async with Client(stdio_client(server)) as client:

        async def ask(name: str, **words: object) -> Any:
            result = await client.call_tool(name, words)
            said = result.content[0]
            assert isinstance(said, TextContent)
            if result.is_error:
                raise SystemExit(f"{name}: {said.text}")
            return json.loads(said.text)

        facts, calls = await ask("see"), 1
        while facts["state"] in ("fresh", "running"):
            cells = facts["safe"]
            moves = [{"action": "open", "row": row, "column": column} for row, column in cells]
            if facts["state"] == "fresh" or not moves:
                moves = (await ask("recommend"))["moves"]
                calls += 1
            facts, calls = await ask("click", moves=moves), calls + 1
        return str(facts["state"]), calls


def main() -> int:
    """Print a line a board; returns 1 unless all were won."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--boards", type=int, default=5, help="(default: %(default)s)")
    arguments = parser.parse_args()
    won = 0
    with PrivateDisplay() as display:
        for seed in range(arguments.boards):
            with RunningGame(display, f"{EXPERT}#{seed}"):
                began = time.perf_counter()
                state, calls = asyncio.run(play(display.name))
                took = time.perf_counter() - began
            won += state == "won"
            print(f"{EXPERT}#{seed}: {state}, {calls} calls, {took:.1f} s", flush=True)
    print(f"{won} of {arguments.boards} won")
    return 0 if won == arguments.boards else 1


if __name__ == "__main__":
    sys.exit(main())
