"""Requests to the study, damaged: the server goes on, and says nothing of them."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import sys
from contextlib import suppress
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.fuzz.inputs import SECONDS, damaged, fuzz

pytestmark = [pytest.mark.fuzz, pytest.mark.timeout(SECONDS + 120)]

ROOT = Path(__file__).parents[2]


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
    command = [sys.executable, "-m", "minebot", "study", "--no-browser"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT
    ) as process:
        assert process.stdout is not None
        study = process.stdout.readline().strip()
        place = urlsplit(study)

        def check(data: bytes) -> None:
            line = socket.create_connection((place.hostname, place.port), timeout=60)
            with line, suppress(ConnectionError):
                line.sendall(data)
                line.shutdown(socket.SHUT_WR)
                while answer := line.recv(1 << 16):
                    assert b"500 Internal" not in answer
            fresh = HTTPConnection(place.hostname or "", place.port, timeout=60)
            fresh.request("GET", place.path)
            assert fresh.getresponse().status == 200
            fresh.close()

        try:
            fuzz(check, damaged(requests(study)))
        finally:
            process.send_signal(signal.SIGINT)
            _, told = process.communicate(timeout=60)
    assert told == (
        "this address is for this machine's browsers only; Ctrl-C ends the study\n"
        "minebot: stopped: Ctrl-C\n"
    ), told
