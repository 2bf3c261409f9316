"""The server answers its own page alone, and refuses in one line what is no question."""

from __future__ import annotations

import io
import json
import socket
import struct
import time
import zlib
from base64 import b64decode
from contextlib import ExitStack, suppress
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from urllib.parse import urlsplit

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Browser

from fixtures import study_page
from fixtures.study_page import PICTURE, smudged
from fixtures.waiting import pass_time, wait_until
from minebot.recording.pictures import decoded
from tests.study.asking import MARKUP, goes_on, hard_board, upload
from tests.support import painted

pytestmark = pytest.mark.thorough


def _head(address: str, path: str, more: str) -> tuple[socket.socket, HTTPResponse]:
    place = urlsplit(address)
    line = socket.create_connection((place.hostname, place.port), timeout=30)
    head = f"POST {place.path}{path} HTTP/1.1\r\nHost: {place.netloc}\r\n{more}\r\n\r\n"
    line.sendall(head.encode())
    return line, HTTPResponse(line, method="POST")


@pytest.mark.parametrize(
    ("path", "length"),
    [
        ("api/picture", 10**9),
        ("api/judgement", 10_000 * 10_001),
        ("api/evf", 10**9),
        ("api/recording", 10**9),
    ],
)
def test_what_is_announced_as_too_large_is_refused_unread(
    study: str, path: str, length: int
) -> None:
    line, answer = _head(study, path, f"Content-Length: {length}")
    with line:
        answer.begin()
        assert answer.status == 413
        assert json.loads(answer.read())["error"].startswith("larger than")
    assert goes_on(study)


def test_what_turns_out_to_be_too_large_is_refused_then(study: str) -> None:
    line, answer = _head(study, "api/judgement", "Transfer-Encoding: chunked")
    with line:
        line.sendall(b"20001\r\n" + b"?" * 0x20001 + b"\r\n")
        answer.begin()
        assert answer.status == 413
        assert json.loads(answer.read())["error"].startswith("larger than")
    assert goes_on(study)


@pytest.mark.parametrize("sent", [b"", b"POST / HTTP/1.1\r\nHost: "])
def test_connections_without_a_request_are_dropped_and_keep_nobody_out(
    study: str, sent: bytes
) -> None:
    place = urlsplit(study)
    with ExitStack() as ends:
        silent = [
            ends.enter_context(socket.create_connection((place.hostname, place.port), timeout=30))
            for _ in range(200)
        ]
        for line in silent:
            with suppress(ConnectionError):  # dropped already: there are more than enough
                line.sendall(sent)
        began = time.monotonic()
        assert goes_on(study)
        assert time.monotonic() - began < 4, "it does not wait until they are dropped"
        for line in silent:
            with suppress(ConnectionResetError):
                assert line.recv(1) == b""
        assert time.monotonic() - began < 20


def test_a_connection_that_was_of_use_is_dropped_too(study: str) -> None:
    place = urlsplit(study)
    with socket.create_connection((place.hostname, place.port), timeout=30) as line:
        line.sendall(f"GET {place.path} HTTP/1.1\r\nHost: {place.netloc}\r\n\r\n".encode())
        while not line.recv(1 << 16).endswith(b"</html>\n"):
            pass
        line.sendall(b"GET")
        with suppress(ConnectionResetError):
            while line.recv(1 << 16):
                pass


def test_a_connection_that_is_of_use_is_kept(study: str) -> None:
    place = urlsplit(study)
    connection = HTTPConnection(place.hostname or "", place.port, timeout=30)
    connection.connect()
    line = connection.sock
    for _ in range(3):
        connection.request("GET", place.path)
        assert connection.getresponse().read().endswith(b"</html>\n")
        assert connection.sock is line
        pass_time(2.6)  # three of these are longer than a connection may be silent
    connection.close()


def test_uploads_are_bounded_together_and_end_in_time(study: str) -> None:
    size = 40 << 20
    with ExitStack() as ends:
        answers = []
        for _ in range(20):
            line, answer = _head(study, "api/picture", f"Content-Length: {size}")
            ends.enter_context(line)
            ends.enter_context(answer)
            with suppress(ConnectionError):  # refused in the middle
                line.sendall(bytes(size // 2))
            answers.append(answer)
        assert goes_on(study)
        said = []
        for answer in answers:
            with suppress(ConnectionError):
                answer.begin()
                said.append(json.loads(answer.read())["error"])
    assert "not sent within 5 seconds" in said
    assert "too much is sent at a time: try again" in said
    assert upload(study, PICTURE.read_bytes())["mines"] == 10, "there is room again"


def _bomb(width: int, height: int) -> bytes:
    """A small PNG of so many black pixels."""

    def chunk(name: bytes, data: bytes) -> bytes:
        sum_ = struct.pack(">I", zlib.crc32(name + data))
        return struct.pack(">I", len(data)) + name + data + sum_

    head = struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)
    packer = zlib.compressobj(9)
    line = bytes(1 + (width + 7) // 8)
    data = b"".join(packer.compress(line) for _ in range(height)) + packer.flush()
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", data) + chunk(b"IEND", b"")


def test_a_picture_that_unpacks_into_a_gigabyte_is_refused(study: str) -> None:
    bomb = _bomb(32_000, 32_000)
    assert len(bomb) < 200_000
    assert "larger than any screen" in str(upload(study, bomb)["error"])
    assert goes_on(study)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "not a picture"),
        (b"GIF89a", "not a picture"),
        (MARKUP.encode(), "not a picture"),
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "not a picture"),
        (b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n", "not a picture"),
    ],
)
def test_what_is_no_picture_is_refused(study: str, data: bytes, said: str) -> None:
    assert said in str(upload(study, data)["error"])


def test_damaged_pictures_are_refused_and_the_server_goes_on(study: str) -> None:
    whole = PICTURE.read_bytes()
    for at in range(8, len(whole), len(whole) // 24):
        found = upload(study, whole[:at] + bytes([whole[at] ^ 0xFF]) + whole[at + 1 :])
        assert "error" in found or found["width"] == 9
        found = upload(study, whole[:at])
        assert "\n" not in str(found.get("error", ""))
    assert goes_on(study)


def test_a_picture_without_a_board_is_refused(study: str) -> None:
    data = io.BytesIO()
    Image.new("RGB", (640, 480), (200, 200, 200)).save(data, "PNG")
    assert str(upload(study, data.getvalue())["error"]).startswith("no board")


def test_a_screenshot_is_read_with_its_total(study: str) -> None:
    found = upload(study, PICTURE.read_bytes())
    assert found["rows"] == PICTURE.with_suffix(".txt").read_text().strip()
    assert (found["mines"], found["unsure"]) == (10, [])


def _doubts(answer: dict[str, object]) -> list[dict[str, object]]:
    unsure = answer["unsure"]
    assert isinstance(unsure, list)
    return unsure


@pytest.mark.trained
def test_what_cannot_be_read_in_a_screenshot_is_marked(study: str) -> None:
    (doubt,) = _doubts(upload(study, smudged()))
    assert doubt["squares"] == [2 * 9 + 1]
    shown, whole = (decoded(data).pixels for data in (b64decode(str(doubt["png"])), smudged()))
    assert np.array_equal(shown, whole[95:115, 50:70])


@pytest.mark.trained
def test_tiles_in_doubt_that_are_drawn_alike_come_together(study: str, tmp_path: Path) -> None:
    (doubt,) = _doubts(upload(study, painted.alike(tmp_path).read_bytes()))
    assert doubt["squares"] == [48, *range(54, 58), *range(63, 67)]


def test_who_goes_away_leaves_no_trace() -> None:
    with study_page.running_study("--no-browser") as running:
        study = running.address
        for name, length in (("picture", 9999), ("suggestion", 30)):
            line, answer = _head(study, f"api/{name}", f"Content-Length: {length}")
            with line, answer:
                line.sendall(json.dumps({"text": "?" * 20}).encode())
        # No request after all, as turns out before it is answered.
        line, answer = _head(study, "api/none", "Transfer-Encoding: chunked\r\n\r\nno length")
        with line, answer:
            answer.begin()
            assert answer.status == 400
        assert goes_on(study)
        assert running.end() == [
            "this address is for this machine's browsers only; Ctrl-C ends the study",
            "minebot: stopped: Ctrl-C",
        ]


def test_the_browser_is_started_with_a_file_that_leads_to_the_study(
    tmp_path: Path, chromium: Browser
) -> None:
    browser, told = tmp_path / "browser", tmp_path / "told"
    browser.write_text(f'#!/bin/sh\necho "$@" > {told}.part && mv {told}.part {told}\n')
    browser.chmod(0o755)
    environ = {"BROWSER": f"{browser} %s", "DISPLAY": ":none", "TMPDIR": str(tmp_path)}
    with study_page.running_study(environ=environ) as study:
        wait_until(told.exists)
        address = told.read_text().strip()
        file = Path(urlsplit(address).path)
        assert urlsplit(study.address).path.strip("/") not in address
        assert (file.parent, file.stat().st_mode & 0o777) == (tmp_path, 0o600)
        page = chromium.new_page()
        page.goto(address)
        page.wait_for_url(study.address)
        study_page.settle(page)
        page.close()
    assert not file.exists()


def test_the_end_is_quiet_also_in_the_middle_of_a_calculation() -> None:
    with study_page.running_study("--no-browser") as study:
        assert goes_on(study.address)
        body = json.dumps({"text": hard_board()}).encode()
        line, _ = _head(study.address, "api/suggestion", f"Content-Length: {len(body)}")
        with line:
            line.sendall(body)
            pass_time(0.5)
            told = study.end()
    assert study.process.returncode == 130
    assert told[1:] == ["minebot: stopped: Ctrl-C"]
