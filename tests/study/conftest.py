"""One study and one browser for all tests of the page."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from fixtures import study_page
from tests.study.asking import DrillStudy


@pytest.fixture(scope="session")
def study() -> Iterator[str]:
    """The address of a running study."""
    with study_page.study() as address:
        yield address


@pytest.fixture(scope="session")
def drills(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DrillStudy]:
    """A study whose drills are the tests'."""
    folder = tmp_path_factory.mktemp("drills")
    environ = {"XDG_DATA_HOME": str(folder)}
    with study_page.running_study("--no-browser", environ=environ) as running:
        yield DrillStudy(running.address, folder / "minebot" / "drills.sqlite3")


@pytest.fixture(params=["light", "dark", "phone"])
def screen(request: pytest.FixtureRequest) -> dict[str, Any]:
    """What a page is looked at on: the options of a browser's context."""
    phone = request.param == "phone"
    return {
        "color_scheme": "dark" if request.param == "dark" else "light",
        "viewport": {"width": 390, "height": 844} if phone else {"width": 1360, "height": 900},
        "has_touch": phone,
    }


@contextmanager
def _fresh(chromium: Browser, address: str) -> Iterator[Page]:
    """A page in a window of its own; nothing may go wrong on it unseen."""
    context = chromium.new_context(viewport={"width": 1280, "height": 860})
    page = context.new_page()
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda told: faults.append(told.text) if told.type == "error" else None)
    page.goto(address)
    study_page.settle(page)
    yield page
    context.close()
    assert not faults


@pytest.fixture
def page(study: str, chromium: Browser) -> Iterator[Page]:
    """The study's page."""
    with _fresh(chromium, study) as page:
        yield page


@pytest.fixture
def desk(drills: DrillStudy, chromium: Browser) -> Iterator[Page]:
    """The page of the study whose drills are the tests'."""
    with _fresh(chromium, drills.address) as page:
        yield page
