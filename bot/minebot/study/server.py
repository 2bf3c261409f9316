"""The server of the page: on this machine only, for whoever has the address.

The address holds a token that nobody can guess. A page of another origin does not know it, and
would be refused if it did: by the headers that browsers send along, `Host` (a name that was made
to lead here), `Origin` and `Sec-Fetch-Site`.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

import uvicorn
from h11 import LocalProtocolError
from starlette.applications import Starlette
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from minebot.errors import UsageError
from minebot.recording.palette import SHEET
from minebot.study.answers import LARGEST, refused, workers

_HERE = "127.0.0.1"
_PAGE = Path(__file__).parent / "web"
_TOKEN_BYTES = 16
"""Bytes of the token. Specified: 128 bits cannot be found by trying."""
_CONNECTIONS = 64
"""With more, those that have waited longest are dropped. Specified: a browser opens six."""
_HELD = 2 * max(LARGEST.values())
"""Bytes of requests that are held at a time: the largest picture, and another."""
_PATIENCE = 5.0
"""Seconds in which a request has to be there, whole. Specified; measured: 48 MiB take 0.8."""
_SMALL = 1 << 16
"""Bytes of a request for which there is always room. Specified: a question about a board has fewer,
and there are 64 connections."""
_HEADERS: Mapping[str, str] = {
    "Content-Security-Policy": "default-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'; object-src 'none'",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-store",
}
"""What every answer tells the browser: nothing from elsewhere, nothing to elsewhere."""
_json = partial(Response, media_type="application/json")
"""Makes an answer in JSON; a refusal is one like others, which the page shows."""


def application(
    host: str, token: str, answer: Callable[[str, bytes], Awaitable[bytes]], opened: bytes
) -> ASGIApp:
    """What answers at `http://host/token/`; `opened`, JSON, is what the page begins with."""
    bodies = _Bodies(_HELD)

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
        Route("/api/opened", _json(opened), methods=["GET"]),
        Route("/api/{name}", ask, methods=["POST"]),
        Route(f"/{SHEET.name}", palette),
        Mount("/", StaticFiles(directory=_PAGE, html=True)),
    ]
    return _guarded(Starlette(routes=routes), host, token)


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


def _guarded(app: ASGIApp, host: str, token: str) -> ASGIApp:
    """What hands on to `app`, without the token, what may be answered, and refuses everything else.

    `host` is the only name that it answers to, port included.
    """

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        async def sent(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(_HEADERS)
            await send(message)

        problem = _problem(host, scope["method"], Headers(scope=scope))
        _, _, path = scope["path"].partition("/")
        said, slash, rest = path.partition("/")
        if problem:
            await PlainTextResponse(f"{problem}\n", 403)(scope, receive, sent)
        elif not secrets.compare_digest(said.encode(), token.encode()):
            line = "no or a wrong token: open the address that minebot printed\n"
            await PlainTextResponse(line, 403)(scope, receive, sent)
        elif not slash:
            await RedirectResponse(f"/{token}/")(scope, receive, sent)
        else:
            await app({**scope, "path": f"/{rest}", "root_path": ""}, receive, sent)

    return answer


def _problem(host: str, method: str, headers: Headers) -> str:
    if headers.getlist("host") != [host]:
        return "not a name that this server answers to"
    # A page that lies elsewhere may lead here, as the file does by which the browser is opened.
    asks = [headers.get(f"sec-fetch-{name}") for name in ("mode", "dest")]
    leads = method == "GET" and asks == ["navigate", "document"]
    is_foreign = not leads and headers.get("sec-fetch-site", "none") not in ("none", "same-origin")
    if is_foreign or any(origin != f"http://{host}" for origin in headers.getlist("origin")):
        return "no page of another origin is answered"
    return ""


class _Bodies:
    """Reads requests' bodies, and bounds how much of them is held at a time, all together."""

    def __init__(self, most: int) -> None:
        """`most` is in bytes."""
        self._free = most

    @asynccontextmanager
    async def read(self, request: Request, most: int) -> AsyncIterator[bytes]:
        """A request's body, which is held for a `with` block.

        Raises UsageError once it has more than `most` bytes, or is large and all have more than
        they may, unread; and where it is not there in time.
        """
        problem = f"larger than {most / 2**20:.3g} MiB"
        length = request.headers.get("content-length", "0")
        if not length.isdecimal() or int(length) > most:
            raise UsageError(problem)
        read = bytearray()
        try:
            async with asyncio.timeout(_PATIENCE):
                async for part in request.stream():
                    self._free -= len(part)
                    read += part
                    if len(read) > most:
                        raise UsageError(problem)
                    if self._free < 0 and len(read) > _SMALL:
                        raise UsageError("too much is sent at a time: try again")
            yield bytes(read)
        except TimeoutError as error:
            raise UsageError(f"not sent within {_PATIENCE:g} seconds") from error
        finally:
            self._free += len(read)


class _Connection(H11Protocol):
    """A connection that is dropped while no request is there that is being answered."""

    _waits: asyncio.TimerHandle

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as there
        """It waits for its first request, those before perhaps no longer."""
        super().connection_made(transport)
        self._waits = self.loop.call_later(_PATIENCE, self._drop)
        if len(self.connections) > _CONNECTIONS:
            waiting = [each for each in self.connections if isinstance(each, _Connection)]
            idle = [each for each in waiting if not each._is_busy()]
            min(idle, key=lambda each: each._waits.when())._drop()

    def on_response_complete(self) -> None:
        """It waits for the next request."""
        super().on_response_complete()
        self._waits.cancel()
        self._waits = self.loop.call_later(_PATIENCE, self._drop)

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
