"""A game that is looked at again, on the page."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, Route, expect

from fixtures import study_page
from fixtures.study_page import settle
from minebot.layout import Layout
from tests.support.people import careful
from tests.support.recorded_games import record

pytestmark = [pytest.mark.game, pytest.mark.thorough]  # a browser

GAME = careful(Layout.scattered(9, 9, 12, Random(5), [0, 1, 9, 10]), 0, Random(5), slips=0.15)


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder: Path = tmp_path_factory.mktemp("recordings") / "game <b>one</b>"
    record(folder, GAME)
    with study_page.study(str(folder)) as address:
        yield address


@pytest.fixture
def page(address: str, chromium: Browser) -> Iterator[Page]:
    context = chromium.new_context(viewport={"width": 1280, "height": 1000}, bypass_csp=True)
    page = context.new_page()
    page.goto(address)
    page.wait_for_selector("#review:not([hidden])")
    settle(page)
    yield page
    context.close()


def _shown(page: Page) -> str:
    """The board by its names, opened cells as digits and all others as `?`."""
    labels = page.locator("[role=gridcell]").evaluate_all(
        "cells => cells.map((cell) => cell.getAttribute('aria-label').split(': ')[1])"
    )
    digits = ["0" if label == "empty" else label for label in labels]
    return "".join(one if re.fullmatch("[0-8]", one) else "?" for one in digits)


def _board(at: int) -> str:
    board = GAME.acts[at].before if at < len(GAME.acts) else GAME.final
    return re.sub("[^0-8]", "?", str(board).replace("\n", ""))


def test_every_move_shows_the_board_as_it_was(page: Page) -> None:
    slider = page.locator("#slider")
    for at in range(len(GAME.acts) + 1):
        slider.fill(str(at))
        assert _shown(page) == _board(at)
    expect(page.locator("#played")).to_contain_text("The end: ")


def test_moves_are_stepped_through_by_keys(page: Page) -> None:
    page.locator("#slider").fill("0")
    page.focus("#play")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#played")).to_contain_text("Move 2 of")
    page.focus("#grid [tabindex='0']")
    page.keyboard.press(".")
    expect(page.locator("#played")).to_contain_text("Move 3 of")
    assert _shown(page) == _board(2)
    page.keyboard.press(",")
    page.keyboard.press(",")
    expect(page.locator("#played")).to_contain_text("Move 1 of")


def test_it_plays_by_itself_to_the_end(page: Page) -> None:
    page.click("#play")
    expect(page.locator("#played")).to_contain_text("The end: ", timeout=20_000)
    expect(page.locator("#play")).to_have_text("Play")


def test_it_begins_at_the_costliest_moment_and_shows_what_was_to_be_seen(page: Page) -> None:
    settle(page)
    expect(page.locator("#played")).to_have_class("mistake")
    number = page.locator("#moments button").first.inner_text().split()[-1]
    page.wait_for_url(f"**/#move={number}")
    other = page.context.new_page()
    other.goto(page.url)
    expect(other.locator("#played")).to_contain_text(f"Move {number} of")


def test_a_move_can_be_played_differently(page: Page) -> None:
    page.locator("#slider").fill("1")
    page.wait_for_url("**/#move=2")
    settle(page)
    page.focus("#grid [tabindex='0']")
    page.keyboard.press("f")
    settle(page)
    assert "#9x9m12:" in page.url
    page.click("#undo")
    settle(page)
    assert page.url.endswith("#move=2")


def test_the_name_of_a_recording_is_text(page: Page) -> None:
    expect(page.locator("#source")).to_contain_text("game <b>one</b>")
    assert page.locator("#source b").count() == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_keeps_anybody_out(page: Page, scheme: str) -> None:
    page.emulate_media(color_scheme=scheme)
    page.locator("#moments button").first.click()
    settle(page)
    found = Axe().run(page).response["violations"]
    told = [(fault["id"], fault["nodes"][0]["html"], fault["nodes"][0]["any"]) for fault in found]
    assert not told, json.dumps(told, indent=1)


def test_what_was_to_be_seen_stays_while_the_server_is_asked(page: Page) -> None:
    held: list[Route] = []
    letting_go = False
    page.route("**/api/reason", lambda one: one.continue_() if letting_go else held.append(one))
    with page.expect_request("**/api/reason"):
        page.locator("#moments button").first.click()
        shown = page.inner_text("#cell-why")
        assert shown
    page.wait_for_url("**/#move=*")
    page.wait_for_function("document.getElementById('move-what').textContent !== ''")
    assert page.inner_text("#cell-why") == shown
    assert page.locator(".proof").count() >= 1
    letting_go = True
    for one in held:
        one.continue_()
    settle(page)
    assert page.locator(".proof").count() >= 1
