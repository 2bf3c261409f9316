"""Who is answered: only a page that this server sent itself, to a browser on this machine.

The address holds a token that nobody can guess. A page of another origin does not know it, and
would be refused if it did: by the headers that browsers send along, `Host` (a name that was made
to lead here), `Origin` and `Sec-Fetch-Site`.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from minebot.errors import UsageError

HEADERS: Mapping[str, str] = {
    "Content-Security-Policy": "default-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'; object-src 'none'",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-store",
}
"""What every answer tells the browser: nothing from elsewhere, nothing to elsewhere."""

PATIENCE = 5.0
"""Seconds in which a request has to be there, whole. Specified; measured: 48 MiB take 0.8."""
_SMALL = 1 << 16
"""Bytes of a request for which there is always room. Specified: a question about a board has fewer,
and there are 64 connections."""


def guarded(app: ASGIApp, host: str, token: str) -> ASGIApp:
    """What hands on to `app`, without the token, what may be answered, and refuses everything else.

    `host` is the only name that it answers to, port included.
    """

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        async def sent(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(HEADERS)
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


class Bodies:
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
            async with asyncio.timeout(PATIENCE):
                async for part in request.stream():
                    self._free -= len(part)
                    read += part
                    if len(read) > most:
                        raise UsageError(problem)
                    if self._free < 0 and len(read) > _SMALL:
                        raise UsageError("too much is sent at a time: try again")
            yield bytes(read)
        except TimeoutError as error:
            raise UsageError(f"not sent within {PATIENCE:g} seconds") from error
        finally:
            self._free += len(read)
