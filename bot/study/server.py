"""The server of the page: on this machine only, for whoever has the address."""

from __future__ import annotations

import logging
import secrets
import socket
from collections.abc import Callable
from pathlib import Path

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from bot.errors import UsageError
from bot.study.answers import LARGEST, refused
from bot.study.guard import Guard, body
from bot.study.workers import Workers

_HERE = "127.0.0.1"
_PAGE = Path(__file__).parent / "web"
_TOKEN_BYTES = 16
"""128 bits: nobody guesses that."""
_CONNECTIONS = 64
"""More at a time are refused. Guessed: a browser opens six."""


def application(host: str, token: str, workers: Workers, opened: bytes) -> Guard:
    """What answers at `http://host/token/`; `opened`, JSON, is what the page begins with."""

    async def begin(_: Request) -> Response:
        return _json(opened)

    async def ask(request: Request) -> Response:
        name = request.path_params["name"]
        if name not in LARGEST:
            return _json(refused("there is no such question"), 404)
        try:
            asked = await body(request, LARGEST[name])
        except UsageError as error:
            return _json(refused(str(error)), 413)
        return _json(await workers.answer(name, asked))

    routes = [
        Route("/api/opened", begin),
        Route("/api/{name}", ask, methods=["POST"]),
        Mount("/", StaticFiles(directory=_PAGE, html=True)),
    ]
    return Guard(Starlette(routes=routes), host, token)


def serve(opened: bytes, ready: Callable[[str], object], port: int, seconds: int) -> None:
    """Serve until a signal ends it; `ready` is told the address. `port` 0 is any free one,
    and a calculation may take so many `seconds`.

    Raises UsageError where the port is taken.
    """
    with socket.socket() as listening, Workers(seconds) as workers:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listening.bind((_HERE, port))
        except OSError as error:
            raise UsageError(f"port {port}: {error.strerror}") from error
        host = f"{_HERE}:{listening.getsockname()[1]}"
        token = secrets.token_urlsafe(_TOKEN_BYTES)
        config = uvicorn.Config(
            application(host, token, workers, opened),
            access_log=False,
            log_level="error",
            lifespan="off",
            ws="none",
            server_header=False,
            limit_concurrency=_CONNECTIONS,
            timeout_graceful_shutdown=1,
        )
        logging.getLogger("uvicorn.error").addFilter(_is_worth_a_word)
        listening.listen()
        ready(f"http://{host}/{token}/")
        uvicorn.Server(config).run(sockets=[listening])


def _is_worth_a_word(record: logging.LogRecord) -> bool:
    """Not that calculations end with the study."""
    return "graceful shutdown" not in record.getMessage()


def _json(data: bytes, status: int = 200) -> Response:
    """JSON; a refusal is an answer like others, which the page shows."""
    return Response(data, status, media_type="application/json")
