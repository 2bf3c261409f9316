"""The server of the page: on this machine only, for whoever has the address."""

from __future__ import annotations

import asyncio
import logging
import secrets
import socket
from collections.abc import Awaitable, Callable
from pathlib import Path

import uvicorn
from h11 import LocalProtocolError
from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from minebot.errors import UsageError
from minebot.recording.palette import SHEET
from minebot.study.access_control import PATIENCE, Bodies, guarded
from minebot.study.answers import LARGEST, refused, workers

_HERE = "127.0.0.1"
_PAGE = Path(__file__).parent / "web"
_TOKEN_BYTES = 16
"""Bytes of the token. Specified: 128 bits cannot be found by trying."""
_CONNECTIONS = 64
"""With more, those that have waited longest are dropped. Specified: a browser opens six."""
_HELD = 2 * max(LARGEST.values())
"""Bytes of requests that are held at a time: the largest picture, and another."""


def application(
    host: str, token: str, answer: Callable[[str, bytes], Awaitable[bytes]], opened: bytes
) -> ASGIApp:
    """What answers at `http://host/token/`; `opened`, JSON, is what the page begins with."""
    bodies = Bodies(_HELD)

    async def begin(_: Request) -> Response:
        return _json(opened)

    async def ask(request: Request) -> Response:
        name = request.path_params["name"]
        if name not in LARGEST:
            return _json(refused("there is no such question"), 404)
        try:
            async with bodies.read(request, LARGEST[name]) as asked:
                return _json(await answer(name, asked))
        except UsageError as error:
            return _json(refused(str(error)), 413)
        except ClientDisconnect:
            return Response()  # to nobody

    async def palette(_: Request) -> Response:
        return FileResponse(SHEET)

    routes = [
        Route("/api/opened", begin),
        Route("/api/{name}", ask, methods=["POST"]),
        Route(f"/{SHEET.name}", palette),
        Mount("/", StaticFiles(directory=_PAGE, html=True)),
    ]
    return guarded(Starlette(routes=routes), host, token)


def serve(opened: bytes, ready: Callable[[str], object], port: int, seconds: float) -> None:
    """Serve until a signal ends it; `ready` is called with the address.

    `port` 0 is any free one, `seconds` limits a calculation. Raises UsageError for a taken port.
    """
    with socket.socket() as listening, workers(seconds) as answer:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listening.bind((_HERE, port))
        except OSError as error:
            raise UsageError(f"port {port}: {error.strerror}") from error
        host = f"{_HERE}:{listening.getsockname()[1]}"
        token = secrets.token_urlsafe(_TOKEN_BYTES)
        config = uvicorn.Config(
            application(host, token, answer, opened),
            access_log=False,
            log_level="error",
            lifespan="off",
            ws="none",
            server_header=False,
            http=_Connection,
            timeout_graceful_shutdown=1,
        )
        logging.getLogger("uvicorn.error").addFilter(_is_worth_a_word)
        listening.listen()
        ready(f"http://{host}/{token}/")
        uvicorn.Server(config).run(sockets=[listening])


class _Connection(H11Protocol):
    """A connection that is dropped while no request is there that is being answered."""

    _waits: asyncio.TimerHandle

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as there
        """It waits for its first request, those before perhaps no longer."""
        super().connection_made(transport)
        self._waits = self.loop.call_later(PATIENCE, self._drop)
        if len(self.connections) > _CONNECTIONS:
            waiting = [each for each in self.connections if isinstance(each, _Connection)]
            idle = [each for each in waiting if not each._is_busy()]
            min(idle, key=lambda each: each._waits.when())._drop()

    def on_response_complete(self) -> None:
        """It waits for the next request."""
        super().on_response_complete()
        self._waits.cancel()
        self._waits = self.loop.call_later(PATIENCE, self._drop)

    def _is_busy(self) -> bool:
        return self.cycle is not None and not self.cycle.response_complete

    def _drop(self) -> None:
        if not self._is_busy():
            self.transport.abort()


def _is_worth_a_word(record: logging.LogRecord) -> bool:
    """Not that calculations end with the study, nor an answer to what turned out to be no request:
    that has been refused already."""
    error = record.exc_info[1] if record.exc_info else None
    is_refused = isinstance(error, LocalProtocolError)
    return not is_refused and "graceful shutdown" not in record.getMessage()


def _json(data: bytes, status: int = 200) -> Response:
    """JSON; a refusal is an answer like others, which the page shows."""
    return Response(data, status, media_type="application/json")
