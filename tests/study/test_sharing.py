"""What can be taken away from the page, and the file that works without it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from fixtures.study_page import settle, show
from minebot.board import Board

pytestmark = [pytest.mark.game, pytest.mark.thorough]  # a browser

BOARD = Board.parse("????\n1211\n0000", 2)


def _share(page: Page, way: str) -> Path:
    page.click("#share summary")
    with page.expect_download() as download:
        page.click(f"#share-{way}")
    return Path(download.value.path())


def test_a_board_is_copied_as_text_and_as_a_picture(page: Page) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    show(page, BOARD)
    page.click("#share summary")
    page.click("#share-text")
    expect(page.locator("#status")).to_have_text("The board is copied as text.")
    assert page.evaluate("navigator.clipboard.readText()") == f"{BOARD}\n"
    page.click("#share summary")
    page.click("#share-picture")
    expect(page.locator("#status")).to_contain_text("copied as a picture")
    kinds = "navigator.clipboard.read().then((all) => all.flatMap((one) => one.types))"
    assert page.evaluate(kinds) == ["image/png"]


def test_a_layout_is_saved_as_other_programs_read_it(page: Page) -> None:
    show(page, BOARD)
    assert _share(page, "mbf").read_bytes() == bytes([4, 3, 0, 2, 0, 0, 2, 0])
    show(page, Board.parse("??\n11", 1))
    page.click("#share summary")
    page.click("#share-mbf")
    expect(page.locator("#alert")).to_contain_text("where all mines lie")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_saved_position_works_without_a_server(
    page: Page, chromium: Browser, tmp_path: Path, scheme: str
) -> None:
    page.fill("#text", "#iMine <img src=x onerror=alert(1)></script>\n....\n1211\n0000\n")
    page.click("#read-text")
    settle(page)
    file = tmp_path / "position.html"
    file.write_bytes(_share(page, "html").read_bytes())
    context = chromium.new_context(color_scheme=scheme, offline=True, bypass_csp=True)
    alone = context.new_page()
    faults: list[str] = []
    asked: list[str] = []
    alone.on("pageerror", lambda error: faults.append(str(error)))
    alone.on("request", lambda one: asked.append(one.url))
    alone.goto(file.as_uri())
    labels = "cells => cells.map((cell) => cell.getAttribute('aria-label'))"
    cells = "[role=gridcell]"
    expect(alone.locator(".cell.best")).to_have_count(1)
    assert alone.locator(cells).evaluate_all(labels) == page.locator(cells).evaluate_all(labels)
    expect(alone.locator("[role=tab], [role=tabpanel], #drill")).to_have_count(0)
    alone.locator(cells).nth(0).click()
    page.locator(cells).nth(0).click()
    settle(page)
    assert alone.inner_text("#cell-why") == page.inner_text("#cell-why") != ""
    assert alone.locator(".proof").count() == page.locator(".proof").count() > 0
    alone.keyboard.press("3")
    assert alone.locator(cells).evaluate_all(labels) == page.locator(cells).evaluate_all(labels)
    found = Axe().run(alone).response["violations"]
    assert not found, json.dumps([(one["id"], one["nodes"][0]["html"]) for one in found], indent=1)
    context.close()
    assert not faults
    assert [url for url in asked if not url.startswith("data:")] == [file.as_uri()]
