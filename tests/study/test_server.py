"""The server answers its own page alone, and refuses in one line what is no question."""

from __future__ import annotations

import io
import json
import socket
import struct
import subprocess
import sys
import time
import zlib
from contextlib import ExitStack, suppress
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from random import Random
from urllib.parse import urlsplit

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Browser

from fixtures import study_page
from fixtures.study_page import PICTURE, ROOT, smudged
from fixtures.waiting import pass_time, wait_until
from minebot import cli
from minebot.cli import limits
from minebot.layout import Layout

MARKUP = "<script>alert(1)</script>"


def _request(
    address: str,
    path: str = "",
    body: bytes | None = None,
    method: str | None = None,
    **headers: str,
) -> tuple[int, bytes, HTTPResponse]:
    place = urlsplit(address)
    connection = HTTPConnection(place.hostname or "", place.port, timeout=60)
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    connection.request(
        method or ("GET" if body is None else "POST"), place.path + path, body, named
    )
    answer = connection.getresponse()
    read = answer.read()
    connection.close()
    return answer.status, read, answer


def _ask(address: str, name: str, **question: object) -> dict[str, object]:
    _, answer, _ = _request(address, f"api/{name}", json.dumps(question).encode())
    found = json.loads(answer)
    assert isinstance(found, dict)
    return found


def _goes_on(address: str) -> bool:
    return _ask(address, "judgement", text="?1\n11", mines=1)["layouts"] == "1"


def test_a_board_is_judged(study: str) -> None:
    found = _ask(study, "judgement", text="??1\n111", mines=None)
    assert found["risk"] == [0.0 if n == 0 else 1.0 if n == 1 else None for n in range(6)]
    assert (found["safe"], found["mines"], found["layouts"]) == ([0], [1], "1")


def test_a_risk_that_is_not_certain_is_never_written_as_if_it_were(study: str) -> None:
    found = _ask(study, "judgement", text="?" * 100 + "\n" + "?" * 100, mines=199)
    assert set(found["percent"]) == {"99.5"}
    found = _ask(study, "judgement", text="\n".join(["?" * 100] * 100), mines=9999)
    assert set(found["percent"]) == {">99.9"}
    found = _ask(study, "judgement", text="\n".join(["?" * 100] * 100), mines=1)
    assert set(found["percent"]) == {"<0.1"}
    assert found["layouts"] == "10000"


def test_a_guess_comes_with_what_decided_and_its_runners_up(study: str) -> None:
    found = _ask(study, "suggestion", text="1?\n??", mines=1)
    assert (found["action"], found["certain"]) == ("open", False)
    assert found["decided"] == "the best strategy over all layouts left"
    # Whichever is opened says nothing of the other two, and one of them is to be opened.
    assert [option["wins"] for option in found["options"]] == ["33.3", None, None]
    assert {option["risk"] for option in found["options"]} == {"33.3"}


def test_a_board_that_cannot_be_names_the_clues_that_clash(study: str) -> None:
    found = _ask(study, "judgement", text="1?2\n000", mines=None)
    assert set(found["clues"]) <= {0, 2, 3, 4, 5}
    assert str(found["reason"]).startswith("no layout fits the clue")
    assert _ask(study, "judgement", text="?1\n11", mines=3)["clues"] == []


def test_a_certain_cell_comes_with_the_clues_that_prove_it(study: str) -> None:
    found = _ask(study, "reason", text="??1\n111", square=0)
    assert set(found["clues"]) <= {2, 3, 4, 5}
    assert found["steps"]
    assert str(found["text"]).startswith("row 1, column 1 is safe by")
    assert "mine risk 33.3 %" in str(
        _ask(study, "reason", text="1?\n??", mines=1, square=1)["text"]
    )
    assert _ask(study, "reason", text="1?\n??", square=99)["error"] == "not a cell of this board"


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"Sec_Fetch_Site": "cross-site", "Sec_Fetch_Mode": "navigate"}, 403),
        (
            {
                "Sec_Fetch_Site": "cross-site",
                "Sec_Fetch_Mode": "navigate",
                "Sec_Fetch_Dest": "iframe",
            },
            403,
        ),
        ({"Origin": "https://example.org"}, 403),
        ({"Origin": "null"}, 403),
        ({"Host": "example.org"}, 403),
        ({"Host": "localhost"}, 403),
        ({"Sec_Fetch_Site": "cross-site"}, 403),
        ({"Sec_Fetch_Site": "same-site"}, 403),
        ({"Sec_Fetch_Site": "same-origin"}, 200),
    ],
)
@pytest.mark.parametrize("path", ["", "api/judgement"])
def test_no_page_of_another_origin_is_answered(
    study: str, headers: dict[str, str], status: int, path: str
) -> None:
    body = b'{"text": "?1"}' if path else None
    got, answer, whole = _request(study, path, body, **headers)
    assert got == status
    assert answer.count(b"\n") == 1 or status == 200
    assert whole.getheader("Access-Control-Allow-Origin") is None


def test_a_page_may_lead_to_the_study_and_ask_it_nothing(study: str) -> None:
    leads = {"Sec_Fetch_Site": "cross-site", "Sec_Fetch_Mode": "navigate"}
    leads["Sec_Fetch_Dest"] = "document"
    assert _request(study, **leads)[0] == 200
    assert _request(study, "api/judgement", b'{"text": "?1"}', **leads)[0] == 403


def test_the_address_may_be_typed_without_its_last_slash(study: str) -> None:
    status, _, answer = _request(study.removesuffix("/"))
    assert (status, answer.getheader("Location")) == (307, urlsplit(study).path)


def test_its_own_origin_is_answered(study: str) -> None:
    origin = study[: study.index("/", len("http://"))]
    assert _request(study, "api/judgement", b'{"text": "?1"}', Origin=origin)[0] == 200


@pytest.mark.parametrize("token", ["", "x", "x" * 22, "%ff%fe", "é".encode().hex()])
def test_without_the_token_there_is_nothing(study: str, token: str) -> None:
    place = urlsplit(study)
    for path in ("", "api/opened", "app.js"):
        status, answer, _ = _request(f"http://{place.netloc}/{token}/", path)
        assert (status, answer.count(b"\n")) == (403, 1)


def test_nothing_beside_the_page_is_served(study: str) -> None:
    for path in (
        "../server.py",
        "%2e%2e/server.py",
        "..%2fserver.py",
        "web/app.js",
        "api/nothing",
    ):
        assert _request(study, path)[0] in (404, 405), path


def test_the_page_may_load_nothing_from_elsewhere(study: str) -> None:
    _, page, answer = _request(study)
    policy = answer.getheader("Content-Security-Policy") or ""
    assert "default-src 'self'" in policy
    assert "unsafe" not in policy
    assert b"<script>" not in page
    assert b"style=" not in page
    assert answer.getheader("Referrer-Policy") == "no-referrer"


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ({"text": MARKUP}, "no cell is written"),
        ({"text": f"#iMine {MARKUP}\n1.", "mines": MARKUP}, "not a question about a board"),
        ({"text": "?1", MARKUP: 1}, "not a question about a board"),
        ({"text": "?1", "square": MARKUP}, "not a question about a board"),
        ({"text": "?" * 10_000}, "too large"),
        ({"text": "\n".join("?" * 10_000)}, "too large"),
        ({"text": "?1", "mines": 10**30}, "not a question about a board"),
        ({"text": "?1", "mines": -1}, "not a question about a board"),
        ({"text": "?1", "mines": 7}, "do not fit"),
        ({"text": ""}, "there is no board"),
        ({"text": "\ud800"}, "not a question about a board"),
        ({}, "not a question about a board"),
    ],
)
def test_what_is_no_board_is_refused_in_one_line(
    study: str, question: dict[str, object], said: str
) -> None:
    for name in ("position", "judgement", "suggestion"):
        answer = _ask(study, name, **question)
        assert said in str(answer["error"])
        assert "\n" not in str(answer["error"])
    assert _goes_on(study)


LINE = {"picture": "0.png", "seconds": 0, "problem": "", "total": None, "moves": ["open 0,0"]}


@pytest.mark.parametrize(
    ("sent", "said"),
    [
        ({}, "not a recording"),
        ({"journal": MARKUP, "boards": {}}, "no game is recorded there"),
        ({"journal": f"{MARKUP}\n", "boards": {}}, "line 1 of journal.jsonl is not that of"),
        ({"journal": LINE, "boards": {}}, "0.txt is missing"),
        (
            {"journal": LINE, "boards": {"0.txt": MARKUP}},
            "0.txt: row 1, column 1: no cell is written",
        ),
        ({"journal": {**LINE, "picture": MARKUP}, "boards": {}}, "line 1 of journal.jsonl is not"),
        ({"journal": {**LINE, "picture": "\0"}, "boards": {}}, "line 1 of journal.jsonl is not"),
        ({"journal": {**LINE, "seconds": 10**400}, "boards": {}}, "line 1 of journal.jsonl is not"),
        ({"journal": LINE, "boards": {"0.txt": "?" * 10_000}}, "too large for the page"),
        ({"journal": LINE, "boards": {"0.txt": "??"}, "number": 2}, "there is no game 2"),
        ({"journal": LINE, "boards": {"0.txt": "??"}, "number": 0}, "not a recording"),
        ({"journal": LINE, "boards": {"0.txt": "??"}, MARKUP: 1}, "not a recording"),
    ],
)
def test_what_is_no_recording_is_refused_in_one_line(
    study: str, sent: dict[str, object], said: str
) -> None:
    if isinstance(sent.get("journal"), dict):
        sent = {**sent, "journal": f"{json.dumps(sent['journal'])}\n"}
    answer = _ask(study, "recording", **sent)
    assert said in str(answer["error"])
    assert "\n" not in str(answer["error"])
    assert _goes_on(study)


@pytest.mark.parametrize("kind", ["avf", "evf", "mvf", "rmv"])
@pytest.mark.parametrize("data", [b"", MARKUP.encode(), b"\3" + b"\xff" * 500])
def test_what_is_no_replay_is_refused_in_one_line(study: str, kind: str, data: bytes) -> None:
    _, answer, _ = _request(study, f"api/{kind}", data)
    said = json.loads(answer)["error"]
    assert said == f"not a replay that can be read, by its name {kind}"
    assert _goes_on(study)


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
    assert _goes_on(study)


def test_what_turns_out_to_be_too_large_is_refused_then(study: str) -> None:
    line, answer = _head(study, "api/judgement", "Transfer-Encoding: chunked")
    with line:
        line.sendall(b"20001\r\n" + b"?" * 0x20001 + b"\r\n")
        answer.begin()
        assert answer.status == 413
        assert json.loads(answer.read())["error"].startswith("larger than")
    assert _goes_on(study)


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
        assert _goes_on(study)
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
        assert _goes_on(study)
        said = []
        for answer in answers:
            with suppress(ConnectionError):
                answer.begin()
                said.append(json.loads(answer.read())["error"])
    assert "not sent within 5 seconds" in said
    assert "too much is sent at a time: try again" in said
    assert _picture(study, PICTURE.read_bytes())["mines"] == 10, "there is room again"


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


def _picture(study: str, data: bytes) -> dict[str, object]:
    _, answer, _ = _request(study, "api/picture", data)
    found = json.loads(answer)
    assert isinstance(found, dict)
    return found


def test_a_picture_that_unpacks_into_a_gigabyte_is_refused(study: str) -> None:
    bomb = _bomb(32_000, 32_000)
    assert len(bomb) < 200_000
    assert "larger than any screen" in str(_picture(study, bomb)["error"])
    assert _goes_on(study)


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
    assert said in str(_picture(study, data)["error"])


def test_damaged_pictures_are_refused_and_the_server_goes_on(study: str) -> None:
    whole = PICTURE.read_bytes()
    for at in range(8, len(whole), len(whole) // 24):
        found = _picture(study, whole[:at] + bytes([whole[at] ^ 0xFF]) + whole[at + 1 :])
        assert "error" in found or found["width"] == 9
        found = _picture(study, whole[:at])
        assert "\n" not in str(found.get("error", ""))
    assert _goes_on(study)


def test_a_picture_without_a_board_is_refused(study: str) -> None:
    data = io.BytesIO()
    Image.new("RGB", (640, 480), (200, 200, 200)).save(data, "PNG")
    assert str(_picture(study, data.getvalue())["error"]).startswith("no board")


def test_a_screenshot_is_read_with_its_total(study: str) -> None:
    found = _picture(study, PICTURE.read_bytes())
    assert found["rows"] == PICTURE.with_suffix(".txt").read_text().strip()
    assert (found["mines"], found["unsure"]) == (10, [])


@pytest.mark.trained
def test_what_cannot_be_read_in_a_screenshot_is_marked(study: str) -> None:
    found = _picture(study, smudged())
    assert found["unsure"] == [2 * 9 + 1]


def _hard() -> str:
    """Clues that stand alone tie everything to everything: a minute for the risks alone."""
    random = Random(1)
    layout = Layout.scattered(100, 100, 3500, random)
    safe = [square for square in range(10_000) if square not in layout.mines]
    return str(layout.seen(random.sample(safe, 2500)))


def test_a_hard_position_is_given_up_and_the_server_goes_on() -> None:
    with study_page.study("--seconds", "1") as study:
        assert _goes_on(study)
        answer = _ask(study, "suggestion", text=_hard())
        assert answer["error"] == "this takes more than 1 seconds: given up"
        assert _goes_on(study)


@pytest.fixture(scope="module")
def restless(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A picture in which a board is searched for long: the largest, of noise."""
    path = tmp_path_factory.mktemp("restless") / "noise.png"
    bits = np.random.default_rng(1).integers(0, 2, (4320, 7680), np.uint8)
    Image.fromarray(bits.astype(bool)).save(path)
    return path


def test_a_picture_that_is_searched_for_too_long_is_given_up_and_the_server_goes_on(
    restless: Path,
) -> None:
    """No machine unpacks it in that time."""
    with study_page.study("--seconds", "0.05") as study:
        for _ in range(3):  # there are two processes
            said = str(_picture(study, restless.read_bytes())["error"])
            assert said.startswith("no board was found in the picture in 0.05 seconds: given up")
        assert _request(study)[0] == 200


@pytest.mark.parametrize("command", ["read", "replay"])
def test_a_command_gives_such_a_picture_up(
    command: str,
    restless: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(limits, "SECONDS", 0.05)
    assert cli.main([command, str(restless)]) == 2
    told = f"minebot: {restless}: takes more than 0.05 seconds: given up\n"
    assert capsys.readouterr() == ("", told)


def test_a_study_that_begins_with_such_a_picture_gives_it_up(restless: Path) -> None:
    run = _run(str(restless), "--seconds", "0.05")
    told = f"minebot: {restless}: takes more than 0.05 seconds: given up\n"
    assert (run.returncode, run.stdout, run.stderr) == (2, "", told)


def _run(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "minebot", "study", "--no-browser", *arguments]
    return subprocess.run(
        command, capture_output=True, text=True, check=False, cwd=ROOT, timeout=60
    )


@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        (("nowhere.txt",), 2),
        (("README.md",), 2),
        (("docs/finished.png", "--mines", "481"), 2),
        (("fixtures/texts/nine.txt", "--mines", "100"), 2),
        (("--port", "70000"), 2),
        (("--seconds", "0"), 2),
        (("--seconds", "nan"), 2),
        (("nowhere.png",), 2),
        (("bot/minebot/study/web/icon.svg",), 2),
    ],
)
def test_what_cannot_be_opened_ends_with_one_line(arguments: tuple[str, ...], status: int) -> None:
    run = _run(*arguments)
    assert run.returncode == status
    assert run.stdout == ""
    assert run.stderr.count("\n") == 1, run.stderr
    assert run.stderr.startswith("minebot: ")


def test_without_the_extra_it_says_how_to_get_it() -> None:
    code = (
        "import sys, importlib.util as u; find = u.find_spec\n"
        "u.find_spec = lambda name, *rest: None if name == 'uvicorn' else find(name, *rest)\n"
        "from minebot.cli import main; sys.exit(main(['study']))"
    )
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=ROOT
    )
    assert run.returncode == 2
    assert run.stderr == "minebot: the study needs uvicorn: pip install '.[study]'\n"


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
        assert _goes_on(study)
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
        assert _goes_on(study.address)
        body = json.dumps({"text": _hard()}).encode()
        line, _ = _head(study.address, "api/suggestion", f"Content-Length: {len(body)}")
        with line:
            line.sendall(body)
            pass_time(0.5)
            told = study.end()
    assert study.process.returncode == 130
    assert told[1:] == ["minebot: stopped: Ctrl-C"]
