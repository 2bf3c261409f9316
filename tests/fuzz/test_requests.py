"""Requests to the study, damaged: the server goes on, and says nothing of them."""

from __future__ import annotations

import json
import socket
from contextlib import suppress
from http.client import HTTPConnection
from urllib.parse import urlsplit

import pytest

from fixtures import study_page
from tests.fuzz.inputs import SECONDS, damaged, fuzz

pytestmark = [pytest.mark.fuzz, pytest.mark.timeout(SECONDS + 120)]


def request(host: str, head: str, more: str = "", body: bytes = b"") -> bytes:
    length = f"Content-Length: {len(body)}\r\n" if body else ""
    return f"{head} HTTP/1.1\r\nHost: {host}\r\n{length}{more}\r\n".encode() + body


def requests(study: str) -> list[bytes]:
    place = urlsplit(study)
    host, path = place.netloc, place.path
    asked = json.dumps({"text": "??1\n111", "mines": None, "square": 0}).encode()
    return [
        request(host, f"GET {path}"),
        request(host, f"GET {path.removesuffix('/')}"),
        request(host, f"GET {path}app.js", "Range: bytes=0-10, 5-7\r\nIf-None-Match: *\r\n"),
        request(host, f"HEAD {path}api/opened", "Connection: close\r\n"),
        *[request(host, f"POST {path}api/{name}", body=asked)
          for name in ("position", "judgement", "suggestion", "reason", "recording", "evf")],
        request(host, f"POST {path}api/picture", "Expect: 100-continue\r\n", b"\x89PNG\r\n"),
        request(host, f"POST {path}api/judgement", "Transfer-Encoding: chunked\r\n")
        + b"%x\r\n%b\r\n0\r\n\r\n" % (len(asked), asked),
        request(host, f"GET {path}", "Upgrade: websocket\r\nConnection: Upgrade\r\n") * 3,
    ]  # fmt: skip


def test_requests() -> None:
    with study_page.running_study("--no-browser") as study:
        place = urlsplit(study.address)

        def check(data: bytes) -> bool:
            answers = b""
            line = socket.create_connection((place.hostname, place.port), timeout=60)
            with line, suppress(ConnectionError):
                line.sendall(data)
                line.shutdown(socket.SHUT_WR)
                while answer := line.recv(1 << 16):
                    answers += answer
            assert b"500 Internal" not in answers
            fresh = HTTPConnection(place.hostname or "", place.port, timeout=60)
            fresh.request("GET", place.path)
            assert fresh.getresponse().status == 200
            fresh.close()
            return b" 200 OK" in answers

        assert all(fuzz(check, damaged(requests(study.address))))
        assert study.end() == [
            "this address is for this machine's browsers only; Ctrl-C ends the study",
            "minebot: stopped: Ctrl-C",
        ]
