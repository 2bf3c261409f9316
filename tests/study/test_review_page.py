"""The file that `minebot review --html` writes, opened in a browser from where it lies."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from minebot.cli import main
from minebot.layout import Layout
from tests.support.people import careful
from tests.support.recorded_games import record

pytestmark = [pytest.mark.game, pytest.mark.thorough]  # a browser

GAME = careful(Layout.scattered(9, 9, 12, Random(5), [0, 1, 9, 10]), 0, Random(5), slips=0.15)
LAST = len(GAME.acts)


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("recordings")
    record(folder / "game <b>one", GAME)
    html = folder / "game.html"
    assert main(["review", str(folder / "game <b>one"), "--html", str(html)]) == 0
    return html


@pytest.fixture
def page(file: Path, chromium: Browser, screen: dict[str, Any]) -> Iterator[Page]:
    """The file without any net; nothing may go wrong on it unseen, and nothing be asked for."""
    context = chromium.new_context(**screen, offline=True)
    page = context.new_page()
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda told: faults.append(told.text) if told.type == "error" else None)
    asked: list[str] = []
    page.on("request", lambda one: asked.append(one.url))
    page.goto(file.as_uri())
    yield page
    context.close()
    assert not faults
    assert asked == [file.as_uri()]


def _shown(page: Page) -> str:
    """The board by its names, opened cells as digits and all others as `?`."""
    labels = page.locator("[role=gridcell]").evaluate_all(
        "cells => cells.map((cell) => cell.getAttribute('aria-label').split(': ')[1])"
    )
    digits = ["0" if label == "empty" else label for label in labels]
    return "".join(one if re.fullmatch("[0-8]", one) else "?" for one in digits)


def _board(at: int) -> str:
    board = GAME.acts[at].before if at < LAST else GAME.final
    return "".join(sign if sign.isdigit() else "?" for sign in str(board) if sign != "\n")


def test_the_slider_goes_through_every_move(page: Page) -> None:
    for at in range(LAST + 1):
        page.locator("#slider").fill(str(at))
        assert _shown(page) == _board(at)
    expect(page.locator("#played")).to_contain_text(f"The end: {GAME.outcome}")


def test_it_begins_at_the_costliest_moment_and_keys_alone_go_through_it(page: Page) -> None:
    number = int(page.locator("#moments button").first.inner_text().split()[-1])
    expect(page.locator("#played")).to_contain_text(f"{number} of {LAST}")
    expect(page.locator("#played")).to_have_class("mistake")
    expect(page.locator("#cell-why")).not_to_be_empty()
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#played")).to_contain_text(f"{number - 1} of {LAST}")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#played")).to_contain_text(f"{number} of {LAST}")
    while page.evaluate("document.activeElement.id") != "slider":
        page.keyboard.press("Tab")
    page.keyboard.press("End")
    expect(page.locator("#played")).to_contain_text("The end")
    page.keyboard.press("Home")
    expect(page.locator("#played")).to_contain_text(f"1 of {LAST}")
    before = _shown(page)
    page.focus("#grid [tabindex='0']")
    page.keyboard.press("5")
    assert _shown(page) == before  # nothing is set where nothing can be calculated


def test_it_plays_by_itself(page: Page) -> None:
    page.click("#play")
    expect(page.locator("#played")).to_contain_text("The end", timeout=30_000)
    expect(page.locator("#play")).to_have_text("Play")


def test_the_name_of_a_recording_is_text(page: Page) -> None:
    expect(page.locator("#source")).to_contain_text("game <b>one")
    assert page.locator("#source b").count() == 0
    assert "game <b>one" in page.title()


def test_a_phone_scrolls_the_board_and_nothing_else(page: Page) -> None:
    width = page.evaluate("document.documentElement.scrollWidth")
    assert page.viewport_size is not None
    assert width <= page.viewport_size["width"]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_keeps_anybody_out(chromium: Browser, file: Path, scheme: str) -> None:
    """As far as axe can tell; the page's policy would keep axe out, too."""
    context = chromium.new_context(color_scheme=scheme, bypass_csp=True)
    page = context.new_page()
    page.goto(file.as_uri())
    for at in range(0, LAST + 1, 4):
        page.locator("#slider").fill(str(at))
        found = Axe().run(page).response["violations"]
        told = [(one["id"], one["nodes"][0]["html"], one["nodes"][0]["any"]) for one in found]
        assert not told, json.dumps(told, indent=1)
    context.close()
