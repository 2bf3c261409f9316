"""The page in a real browser: every way in, the mouse, the keys, what it says and how it looks."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, Route, expect

from fixtures import study_page
from fixtures.study_page import PICTURE, ROOT, settle, show
from minebot.board import Board
from tests.support import painted

pytestmark = pytest.mark.game  # a browser, of which a machine of every day need not have one

TEXT = PICTURE.with_suffix(".txt").read_text()
ALMOST = Board.parse("?1\n11", 1)


def _rows(page: Page) -> str:
    """The board that the page shows, in its text form."""
    page.wait_for_selector("[role=gridcell]")
    names = {"covered": "?", "empty": "0", "flag": "F", "a mine": "*", "mine": "*", "not read": "?"}
    found = []
    for row in page.locator("#grid [role=row]").all():
        labels = row.locator("[role=gridcell]").evaluate_all(
            "cells => cells.map((cell) => cell.getAttribute('aria-label'))"
        )
        shown = [re.split(r": |, (?!column)", label)[1] for label in labels]
        found.append("".join(names.get(one, one) for one in shown))
    return "\n".join(found)


def _cell(row: int, column: int) -> str:
    return f"#grid [role=row]:nth-child({row}) [role=gridcell]:nth-child({column})"


def _label(page: Page, row: int, column: int) -> str:
    return page.get_attribute(_cell(row, column), "aria-label") or ""


def _give(page: Page, event: str, *, text: str = "", picture: bytes = b"") -> None:
    """Paste or drop something on the page, as a browser tells it."""
    page.evaluate(
        """([event, text, picture]) => {
            const data = new DataTransfer();
            if (text) data.setData("text/plain", text);
            if (picture.length) {
                data.items.add(new File([new Uint8Array(picture)], "a.png", {type: "image/png"}));
            }
            const told = event === "paste"
                ? new ClipboardEvent(event, {clipboardData: data, bubbles: true, cancelable: true})
                : new DragEvent(event, {dataTransfer: data, bubbles: true, cancelable: true});
            document.body.dispatchEvent(told);
        }""",
        [event, text, list(picture)],
    )
    settle(page)


def test_a_text_is_read(page: Page) -> None:
    page.fill("#text", TEXT)
    page.click("#read-text")
    settle(page)
    assert _rows(page) == TEXT.strip()
    expect(page.locator("#weighed")).to_be_visible()


def test_a_paper_puzzle_is_read(page: Page) -> None:
    page.fill("#text", "#iMine Sunday's\n.1\n11\n")
    page.click("#read-text")
    settle(page)
    assert _label(page, 1, 1).startswith("row 1, column 1: covered, certainly a mine")
    expect(page.locator("#source")).to_contain_text("Sunday's")


@pytest.mark.parametrize("event", ["paste", "drop"])
def test_a_board_can_be_pasted_and_dropped(page: Page, event: str) -> None:
    _give(page, event, text=TEXT)
    assert _rows(page) == TEXT.strip()


@pytest.mark.parametrize("event", ["paste", "drop"])
def test_a_screenshot_can_be_pasted_and_dropped(page: Page, event: str) -> None:
    _give(page, event, picture=PICTURE.read_bytes())
    assert _rows(page) == TEXT.strip()
    expect(page.locator("#mines")).to_have_value("10")
    expect(page.locator("#source")).to_contain_text("sgt-mines")


@pytest.mark.trained
def test_what_cannot_be_read_in_a_screenshot_is_there_to_be_set(page: Page) -> None:
    _give(page, "drop", picture=study_page.smudged())
    expect(page.locator("#alert")).to_contain_text("One cell could not be read")
    assert _label(page, 3, 2) == "row 3, column 2: not read, set it"
    page.click(_cell(3, 2))
    page.click("#values [data-sign='?']")
    settle(page)
    assert page.locator(".unsure").count() == 0
    expect(page.locator("#alert")).to_be_hidden()
    assert _rows(page) == TEXT.strip()


def test_a_picture_that_takes_long_is_told_of_within_a_second(page: Page) -> None:
    held: list[Route] = []
    page.route("**/api/picture", lambda one: held.append(one))  # noqa: PLW0108 - no builtin
    page.set_input_files("#file", PICTURE)
    expect(page.locator("#alert")).to_contain_text("No board is found in this picture yet")
    held[0].continue_()
    settle(page)
    expect(page.locator("#alert")).to_be_hidden()
    assert _rows(page) == TEXT.strip()


@pytest.mark.parametrize("file", [PICTURE, PICTURE.with_suffix(".txt")])
def test_a_file_can_be_opened(page: Page, file: Path) -> None:
    page.set_input_files("#file", file)
    settle(page)
    assert _rows(page) == TEXT.strip()


def test_the_page_is_not_idle_while_a_file_is_read(page: Page) -> None:
    page.evaluate(
        "() => { const text = Blob.prototype.text; Blob.prototype.text = async function () {"
        " await new Promise((done) => setTimeout(done, 300)); return text.call(this); }; }"
    )
    page.set_input_files("#file", PICTURE.with_suffix(".txt"))
    settle(page)
    assert _rows(page) == TEXT.strip()


@pytest.mark.parametrize(
    "file", ["fixtures/texts/nine.txt", "fixtures/texts/newspaper.txt", str(PICTURE)]
)
def test_what_is_named_on_the_command_line_is_shown(chromium: Browser, file: str) -> None:
    with study_page.study(file) as address:
        page = chromium.new_page()
        page.goto(address)
        expect(page.locator("#source")).not_to_be_empty()
        settle(page)
        rows = _rows(page)
        page.close()
    text = (ROOT / file).with_suffix(".txt").read_text()
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    assert rows == "\n".join(lines).replace(".", "?")


def test_the_address_holds_the_position(page: Page) -> None:
    show(page, Board.parse(TEXT + "", 10))
    other = page.context.new_page()
    other.goto(page.url)
    settle(other)
    assert _rows(other) == TEXT.strip()
    expect(other.locator("#mines")).to_have_value("10")
    assert other.url == page.url
    _give(page, "paste", text="nothing of the kind")
    expect(page.locator("#alert")).to_contain_text("no cell is written")
    _give(page, "paste", text=f"http://127.0.0.1:1/x/{page.url[page.url.index('#') :]}")
    assert _rows(page) == TEXT.strip()


@pytest.mark.parametrize("fragment", ["#9x9m10:h", "#999x999:hZ", "#2x2:AAAA", "#<img src=x>"])
def test_an_address_that_holds_no_board_is_told_of(page: Page, study: str, fragment: str) -> None:
    other = page.context.new_page()
    other.goto(study + fragment)
    expect(other.locator("#alert")).to_have_text("This address holds no board")
    settle(other)


def test_boards_are_drawn_by_dragging(page: Page) -> None:
    page.click("#mode-draw")
    page.click("#values [data-sign='1']")
    page.locator("#grid").scroll_into_view_if_needed()
    first, last = (page.locator(_cell(2, column)).bounding_box() for column in (2, 5))
    assert first is not None
    assert last is not None
    page.mouse.move(first["x"] + 9, first["y"] + 9)
    page.mouse.down()
    page.mouse.move(last["x"] + 9, last["y"] + 9, steps=12)
    page.mouse.up()
    settle(page)
    assert _rows(page).splitlines()[1] == "?1111????"
    page.click("#undo")
    settle(page)
    assert "1" not in _rows(page)


def test_a_board_is_made_and_played_by_keys_alone(page: Page) -> None:
    page.focus("#width")
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.type("3")
    page.keyboard.press("Tab")
    page.keyboard.type("2")
    page.keyboard.press("Tab")
    page.keyboard.type("1")
    page.keyboard.press("Enter")
    settle(page)
    while page.evaluate("document.activeElement.getAttribute('role')") != "gridcell":
        page.keyboard.press("Shift+Tab")
    page.keyboard.press("Control+Home")
    for key in ("1", "ArrowDown", "1", "ArrowRight", "1", "End", "f", "Control+End", "m"):
        page.keyboard.press(key)
    settle(page)
    assert _rows(page) == "1??\n11*"
    page.keyboard.press("Space")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Home")
    settle(page)
    page.keyboard.press("n")
    settle(page)
    assert "safe" in page.evaluate("document.activeElement.getAttribute('aria-label')")
    page.keyboard.press("ControlOrMeta+z")
    settle(page)
    assert _rows(page) == "1??\n11*"
    page.keyboard.press("ControlOrMeta+y")
    settle(page)
    assert _rows(page) == "1??\n11?"


def test_it_is_played_on_by_saying_what_a_cell_shows(page: Page) -> None:
    show(page, Board.parse("11?\n1??\n???", 1))
    page.click(_cell(1, 3))
    settle(page)
    page.click("#values [data-sign='1']")
    settle(page)
    assert _rows(page).startswith("111\n1")
    assert "certainly a mine" in _label(page, 2, 2)


def test_a_right_click_flags_and_a_wrong_flag_is_told_of(page: Page) -> None:
    show(page, Board.parse("?1\n?1\n00", None))
    page.click(_cell(2, 1), button="right")
    settle(page)
    assert _label(page, 2, 1).startswith("row 2, column 1: flag, safe")
    expect(page.locator(_cell(2, 1))).to_have_class(re.compile("doubted"))


def test_why_a_cell_is_certain_is_shown_by_its_clues(page: Page) -> None:
    show(page, Board.parse("????\n1211\n0000", None))
    page.click(_cell(1, 2))
    settle(page)
    expect(page.locator("#cell-why")).to_contain_text("is safe by")
    assert page.locator(".proof").count() >= 2
    assert page.locator("#cell-steps li").count() >= 1
    page.click(_cell(2, 1))
    settle(page)
    assert page.locator(".proof").count() == 0


def test_a_guess_is_compared_with_its_runners_up(page: Page) -> None:
    show(page, study_page.guess())
    expect(page.locator("#move-what")).to_contain_text("a guess, mine risk")
    expect(page.locator("#move-decided")).to_contain_text("What decided")
    rows = page.locator("#options tbody tr")
    assert rows.count() >= 3
    rows.nth(1).get_by_role("button").click()
    settle(page)
    expect(page.locator("#cell-why")).to_contain_text("best is")


def test_the_chance_to_win_is_estimated_and_so_is_what_each_candidate_does_to_it(
    page: Page,
) -> None:
    show(page, study_page.guess())
    told = page.locator("#win")
    expect(told).to_contain_text(
        re.compile(r"about \d.* to \d.*estimated by playing \d+ games"), timeout=15_000
    )
    expect(page.locator("#options th").last).to_have_text("Wins \u2248")
    assert page.locator("#options").evaluate("one => one.scrollWidth <= one.clientWidth")
    rows = page.locator("#options tbody tr")
    for rank in range(3):
        expect(rows.nth(rank).locator("td").last).to_contain_text(re.compile(r"^[\d.]+\u00a0%$"))
    show(page, Board.parse("?1\n?1", 1))
    expect(told).to_have_text("Chance to win: 50.0\u00a0% (exact)")
    show(page, Board.parse("?1\n?1", None))
    expect(told).to_have_text("")


def test_no_risk_is_rounded_to_certainty(page: Page) -> None:
    show(page, Board(20, 25, 499, Board.hidden(20, 25).cells))
    assert _label(page, 1, 1).endswith("mine risk 99.8 %")
    expect(page.locator("#away")).to_contain_text("99.8")
    show(page, Board(40, 50, 1, Board.hidden(40, 50).cells))
    assert _label(page, 1, 1).endswith("mine risk 0.1 %")
    expect(page.locator("#layouts")).to_have_text("2\u2009000")


def test_large_numbers_of_layouts_are_exact(page: Page) -> None:
    show(page, Board.hidden(30, 16, 99))
    expect(page.locator("#layouts summary")).to_have_text("5.6 \u00d7 10104")
    page.click("#layouts summary")
    exact = page.locator("#layouts small").inner_text()
    digits = re.sub(r"\D", "", exact)
    assert int(digits) == math.comb(480, 99)


def test_an_impossible_board_shows_the_clues_that_clash(page: Page) -> None:
    show(page, Board.parse("0?3\n???", None))
    expect(page.locator("#alert")).to_contain_text("No layout fits")
    assert page.locator(".clash").count() >= 1
    page.locator("#alert .place").last.click()
    expect(page.locator(_cell(1, 3))).to_have_attribute("aria-selected", "true")
    page.click("#undo")
    settle(page)
    expect(page.locator("#alert")).to_be_hidden()


def test_the_theme_is_chosen_and_kept(page: Page) -> None:
    ground = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(ground)
    page.click("#theme")
    assert page.evaluate(ground) == light
    page.click("#theme")
    expect(page.locator("#theme")).to_have_text("Theme: dark")
    assert page.evaluate(ground) != light
    page.reload()
    expect(page.locator("#theme")).to_have_text("Theme: dark")
    settle(page)


def test_markup_is_shown_as_text(page: Page) -> None:
    page.fill("#text", "#iMine <img src=x onerror=alert(1)>\n.1\n11\n")
    page.click("#read-text")
    settle(page)
    expect(page.locator("#source")).to_contain_text("<img src=x onerror=alert(1)>")
    assert page.locator("#source img").count() == 0
    page.fill("#text", "<b>??</b>")
    page.click("#read-text")
    expect(page.locator("#alert")).to_contain_text("'<'")


@pytest.mark.parametrize(("width", "height"), [("10000", "10000"), ("200", "200")])
def test_a_board_that_is_too_large_is_refused(page: Page, width: str, height: str) -> None:
    page.evaluate("document.getElementById('shape').noValidate = true")
    page.fill("#width", width)
    page.fill("#height", height)
    page.click("#shape button")
    expect(page.locator("#alert")).to_contain_text("too large")
    assert page.locator("[role=gridcell]").count() == 81


def test_a_picture_of_a_gigabyte_is_not_even_sent(page: Page) -> None:
    page.evaluate(
        """() => {
            const data = new DataTransfer();
            const file = new File(["x"], "large.png", {type: "image/png"});
            Object.defineProperty(file, "size", {value: 1e9});
            data.items.add(file);
            Object.defineProperty(data, "files", {value: [file]});
            const event = new DragEvent("drop", {bubbles: true, cancelable: true});
            Object.defineProperty(event, "dataTransfer", {value: data});
            document.body.dispatchEvent(event);
        }"""
    )
    expect(page.locator("#alert")).to_have_text("Large.png is too large to be a screenshot")


@pytest.fixture
def looked_at(study: str, chromium: Browser, screen: dict[str, Any]) -> Iterator[Page]:
    # Without the page's rules for scripts, for axe is put into it.
    context = chromium.new_context(**screen, bypass_csp=True)
    page = context.new_page()
    page.goto(study)
    settle(page)
    yield page
    context.close()


@pytest.mark.parametrize(
    "board",
    ["running", "guess", "clash", "fresh", pytest.param("doubt", marks=pytest.mark.trained)],
)
def test_nothing_keeps_anybody_out(looked_at: Page, board: str, tmp_path: Path) -> None:
    """As far as axe can tell: names, roles, contrast, sizes of what is touched."""
    page = looked_at
    if board == "running":
        show(page, study_page.running_game(4))
        page.click(".cell.safe")
        settle(page)
    elif board == "guess":
        show(page, study_page.guess())
    elif board == "clash":
        show(page, Board.parse("0?3\n??F", None))
    elif board == "doubt":
        page.set_input_files("#file", painted.alike(tmp_path))
        settle(page)
        expect(page.locator("#naming")).to_be_visible()
    page.click("#help summary")
    found = Axe().run(page).response["violations"]
    told = [
        (fault["id"], fault["impact"], fault["nodes"][0]["html"], fault["nodes"][0]["any"])
        for fault in found
    ]
    assert not told, json.dumps(told, indent=1)


def test_a_phone_scrolls_the_board_and_nothing_else(looked_at: Page) -> None:
    page = looked_at
    show(page, study_page.running_game(4))
    width = page.evaluate("document.documentElement.scrollWidth")
    assert width <= page.viewport_size["width"]  # type: ignore[index]
