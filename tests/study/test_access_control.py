"""Who may ask the study, and what its page may load."""

from __future__ import annotations

from urllib.parse import urlsplit

import pytest

from tests.study.asking import request_of


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
    got, answer, whole = request_of(study, path, body, **headers)
    assert got == status
    assert answer.count(b"\n") == 1 or status == 200
    assert whole.getheader("Access-Control-Allow-Origin") is None


def test_a_page_may_lead_to_the_study_and_ask_it_nothing(study: str) -> None:
    leads = {"Sec_Fetch_Site": "cross-site", "Sec_Fetch_Mode": "navigate"}
    leads["Sec_Fetch_Dest"] = "document"
    assert request_of(study, **leads)[0] == 200
    assert request_of(study, "api/judgement", b'{"text": "?1"}', **leads)[0] == 403


def test_the_address_may_be_typed_without_its_last_slash(study: str) -> None:
    status, _, answer = request_of(study.removesuffix("/"))
    assert (status, answer.getheader("Location")) == (307, urlsplit(study).path)


def test_its_own_origin_is_answered(study: str) -> None:
    origin = study[: study.index("/", len("http://"))]
    assert request_of(study, "api/judgement", b'{"text": "?1"}', Origin=origin)[0] == 200


@pytest.mark.parametrize("token", ["", "x", "x" * 22, "%ff%fe", "é".encode().hex()])
def test_without_the_token_there_is_nothing(study: str, token: str) -> None:
    place = urlsplit(study)
    for path in ("", "api/opened", "app.js"):
        status, answer, _ = request_of(f"http://{place.netloc}/{token}/", path)
        assert (status, answer.count(b"\n")) == (403, 1)


def test_nothing_beside_the_page_is_served(study: str) -> None:
    for path in (
        "../server.py",
        "%2e%2e/server.py",
        "..%2fserver.py",
        "web/app.js",
        "api/nothing",
    ):
        assert request_of(study, path)[0] in (404, 405), path


def test_the_page_may_load_nothing_from_elsewhere(study: str) -> None:
    _, page, answer = request_of(study)
    policy = answer.getheader("Content-Security-Policy") or ""
    assert "default-src 'self'" in policy
    assert "unsafe" not in policy
    assert b"<script>" not in page
    assert b"style=" not in page
    assert answer.getheader("Referrer-Policy") == "no-referrer"
