"""The tab of drills in a real browser: asked without a hint, answered, marked, asked again."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Locator, Page, Route, expect

from fixtures import study_page
from fixtures.study_page import settle, show
from minebot.analysis.review import review
from minebot.board import Action, Board
from minebot.layout import Layout
from minebot.study.single_file import game_page
from tests.study.asking import DrillStudy
from tests.support.people import played

pytestmark = [pytest.mark.game, pytest.mark.thorough]  # a browser

WALL = Board.parse("0000\n1221\n????")
"""The two outer cells are safe, the two inner ones mines."""
PUZZLE = Board.parse("11\n??", 1)
"""A toss."""
HINTS = "#grid :is(.safe, .mine, .risky, .best, .candidate, .right, .proof, .played, [data-rank])"
SAFE, MINE = 8, 9


def _open(page: Page) -> None:
    page.click("#tab-drills")
    settle(page)


def _cell(page: Page, square: int) -> Locator:
    return page.locator(f"[data-square='{square}']")


def _label(page: Page, square: int) -> str:
    return _cell(page, square).get_attribute("aria-label") or ""


def test_a_drill_is_asked_without_risks_and_without_the_recommendation(
    desk: Page, drills: DrillStudy
) -> None:
    drills.begin(WALL, PUZZLE)
    show(desk, study_page.running_game(4))
    _open(desk)
    expect(desk.get_by_role("tab", name="Drills")).to_have_attribute("aria-selected", "true")
    question = "Which cell is safe or, if none is certain, the best guess? (2 due)"
    expect(desk.locator("#drill-text")).to_have_text(question)
    expect(desk.get_by_role("status").filter(has_text=question)).to_be_visible()
    assert [_label(desk, at) for at in (0, 4, 8)] == [
        "row 1, column 1: empty", "row 2, column 1: 1", "row 3, column 1: covered",
    ]  # fmt: skip
    assert desk.locator(HINTS).count() == 0
    for hidden in ("#legend", "#move", "#cell", "#counts", "#status", "#share", "#palette"):
        expect(desk.locator(hidden)).to_be_hidden()
    assert not re.search(r"%|recommend|risk|layout", desk.inner_text("body"))


def test_what_the_study_finds_out_late_is_not_shown_in_the_drill(
    desk: Page, drills: DrillStudy
) -> None:
    drills.begin(WALL)
    held: list[Route] = []
    desk.route("**/api/suggestion", lambda one: one.continue_() if held else held.append(one))
    desk.fill("#text", str(WALL))
    with desk.expect_request("**/api/suggestion"):
        desk.click("#read-text")
    desk.click("#tab-drills")
    expect(desk.locator("#drill-text")).to_contain_text("1 due")
    held[0].continue_()
    settle(desk)
    assert desk.locator(HINTS).count() == 0
    expect(desk.locator("#status")).to_be_empty()
    desk.click("#tab-study")
    settle(desk)
    expect(desk.locator(".cell.best")).to_have_count(1)
    expect(desk.locator("#status")).not_to_be_empty()
    expect(desk.locator("#drill-text")).to_be_hidden()


def test_a_click_is_judged_with_its_reason_and_the_right_cells_are_marked(
    desk: Page, drills: DrillStudy
) -> None:
    drills.begin(WALL)
    _open(desk)
    _cell(desk, MINE).dblclick()
    settle(desk)
    said = desk.locator("#drill-said")
    expect(said).to_have_attribute("role", "status")
    expect(said.locator("p").first).to_have_text("Wrong: opened a certain mine")
    expect(said).to_contain_text("Row 3, column 2 is a mine by")
    expect(said).to_contain_text(re.compile(r"Row 3, column [14] is safe by .*\(1-2-2-1\)"))
    expect(said).to_contain_text("Asked again in 1 minute.")
    assert said.locator("li").count() >= 2
    assert [_label(desk, at) for at in (8, 9, 11)] == [
        "row 3, column 1: covered, safe, right",
        "row 3, column 2: covered, certainly a mine, your answer",
        "row 3, column 4: covered, safe, right",
    ]
    assert desk.locator(".cell.right").count() == 2
    assert desk.locator(".cell.proof").count() >= 1
    expect(desk.locator("#kinds li")).to_have_text(["Missed 1-2 at the edge once, 1 of the last 1"])
    assert [right for _, right in drills.kept()] == [False], "the second click is no answer"
    _cell(desk, SAFE).click()
    settle(desk)
    expect(said.locator("p").first).to_have_text("Wrong: opened a certain mine")
    expect(desk.locator(".cell.played")).to_have_attribute("data-square", str(MINE))
    said.locator(".place").first.click()
    expect(_cell(desk, MINE)).to_have_attribute("aria-selected", "true")


def test_the_next_drill_comes_until_nothing_is_due(desk: Page, drills: DrillStudy) -> None:
    drills.begin(WALL, PUZZLE)
    _open(desk)
    expect(desk.locator("#no-kinds")).to_be_visible()
    expect(desk.locator("#drill-next")).to_be_hidden()
    _cell(desk, SAFE).click()
    settle(desk)
    expect(desk.locator("#drill-said p").first).to_have_text("Right")
    assert drills.due() == [PUZZLE]
    desk.click("#drill-next")
    settle(desk)
    expect(desk.locator("#drill-text")).to_have_text(re.compile(r"^1 mine in all.*\(1 due\)$"))
    assert desk.locator(HINTS).count() == 0
    assert desk.locator("[role=gridcell]").count() == 4
    _cell(desk, 3).click()
    settle(desk)
    desk.click("#drill-next")
    settle(desk)
    expect(desk.locator("#drill-text")).to_have_text(re.compile(r"^The next one is due in \d"))
    expect(desk.locator("#grid")).to_be_hidden()
    drills.change("UPDATE drill SET due = 0")
    desk.click("#drill-next")
    settle(desk)
    expect(desk.locator("#drill-text")).to_contain_text("(2 due)")
    expect(desk.locator("#grid")).to_be_visible()


def test_drills_are_answered_by_keys_alone(desk: Page, drills: DrillStudy) -> None:
    drills.begin(WALL, PUZZLE)
    desk.focus("#tab-study")
    desk.keyboard.press("ArrowRight")
    settle(desk)
    expect(desk.locator("#tab-drills")).to_be_focused()
    while desk.evaluate("document.activeElement.getAttribute('role')") != "gridcell":
        desk.keyboard.press("Tab")
    for key in ("Control+End", "ArrowLeft", "ArrowRight", "3", "f", "Space", "a", "n", "d"):
        desk.keyboard.press(key)
    assert drills.kept() == []
    assert _label(desk, 11) == "row 3, column 4: covered"
    desk.keyboard.press("Enter")
    settle(desk)
    assert _label(desk, 11) == "row 3, column 4: covered, safe, right, your answer"
    expect(_cell(desk, 11)).to_be_focused()
    desk.keyboard.press("Enter")
    settle(desk)
    expect(desk.locator("#drill-text")).to_contain_text("(1 due)")
    expect(_cell(desk, 0)).to_be_focused()
    assert len(drills.kept()) == 1
    for key in ("Control+End", "Enter", "Enter"):
        desk.keyboard.press(key)
        settle(desk)
    expect(desk.locator("#drill-next")).to_be_focused()
    desk.focus("#tab-drills")
    desk.keyboard.press("ArrowLeft")
    settle(desk)
    expect(desk.locator("#tab-study")).to_be_focused()
    expect(desk.locator("#move")).to_be_visible()


def test_a_click_on_an_open_cell_is_told_of_and_the_drill_is_still_asked(
    desk: Page, drills: DrillStudy
) -> None:
    drills.begin(WALL)
    _open(desk)
    _cell(desk, 4).click()
    expect(desk.locator("#alert")).to_have_text("The cell at row 2, column 1 is open")
    settle(desk)
    _cell(desk, SAFE).click()
    settle(desk)
    expect(desk.locator("#alert")).to_be_hidden()
    expect(desk.locator("#drill-said p").first).to_have_text("Right")


def test_the_board_of_the_study_is_as_it_was_left_and_what_is_brought_is_shown_there(
    desk: Page, drills: DrillStudy
) -> None:
    drills.begin(WALL)
    show(desk, WALL)
    _cell(desk, 2).click()
    desk.click("#mode-draw")
    address = desk.url
    _open(desk)
    _cell(desk, SAFE).click(button="right")
    desk.keyboard.press("ControlOrMeta+z")
    assert drills.kept() == []
    desk.click("#tab-study")
    settle(desk)
    assert desk.url == address
    assert _label(desk, SAFE).startswith("row 3, column 1: covered, safe")
    expect(_cell(desk, 2)).to_have_attribute("aria-selected", "true")
    _open(desk)
    desk.evaluate(
        """() => {
            const data = new DataTransfer();
            data.setData("text/plain", "0000");
            document.body.dispatchEvent(new ClipboardEvent("paste",
                {clipboardData: data, bubbles: true, cancelable: true}));
        }"""
    )
    settle(desk)
    expect(desk.get_by_role("tab", name="Study")).to_have_attribute("aria-selected", "true")
    assert desk.locator("[role=gridcell]").count() == 4
    assert _label(desk, 0) == "row 1, column 1: empty"


def test_a_damaged_file_is_one_line_on_the_page(desk: Page, drills: DrillStudy) -> None:
    drills.file.parent.mkdir(exist_ok=True)
    drills.file.write_text("my diary\n" * 100)
    _open(desk)
    expect(desk.get_by_role("alert")).to_have_text(f"{drills.file}: file is not a database")
    expect(desk.locator("#grid")).to_be_hidden()
    drills.begin(WALL)
    desk.click("#drill-next")
    settle(desk)
    expect(desk.get_by_role("alert")).to_be_hidden()
    expect(desk.locator("#grid")).to_be_visible()


def test_what_is_damaged_when_it_is_answered_is_one_line_and_it_is_asked_still(
    desk: Page, drills: DrillStudy
) -> None:
    drills.begin(WALL)
    _open(desk)
    drills.change("UPDATE drill SET card = '{}'")
    _cell(desk, SAFE).click()
    expect(desk.get_by_role("alert")).to_have_text(f"{drills.file}: drill 1 is damaged")
    settle(desk)
    assert desk.locator(HINTS).count() == 0
    drills.change("UPDATE drill SET card = NULL")
    _cell(desk, SAFE).click()
    settle(desk)
    expect(desk.locator("#drill-said p").first).to_have_text("Right")


def test_without_the_extra_the_tab_says_how_to_get_it(chromium: Browser, tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(
        "import importlib.util as u; find = u.find_spec\n"
        "u.find_spec = lambda name, *rest: None if name == 'fsrs' else find(name, *rest)\n"
    )
    path = f"{tmp_path}:{study_page.ROOT / 'bot'}"
    with study_page.running_study("--no-browser", environ={"PYTHONPATH": path}) as study:
        page = chromium.new_page()
        page.goto(study.address)
        settle(page)
        _open(page)
        said = "Being asked needs fsrs: pip install '.[drill]'"
        expect(page.get_by_role("alert")).to_have_text(said)
        page.click("#tab-study")
        settle(page)
        expect(page.locator("#alert")).to_be_hidden()
        page.close()


def test_a_saved_page_has_no_such_tab(desk: Page, tmp_path: Path) -> None:
    file = tmp_path / "game.html"
    layout = Layout.parse("*....\n.....\n.....\n.....\n...*.")
    game = played(layout, [(0.0, Action.OPEN, 2), (1.0, Action.OPEN, 0)])
    file.write_text(game_page(review(game)), encoding="utf-8")
    assert "Drill" not in file.read_text(encoding="utf-8").partition('<script type="module"')[0]
    desk.goto(file.as_uri())
    expect(desk.locator("#moments li")).not_to_have_count(0)
    assert desk.locator("[role=tab], [role=tabpanel], #drill").count() == 0


@pytest.fixture
def looked_at(drills: DrillStudy, chromium: Browser, screen: dict[str, Any]) -> Iterator[Page]:
    # Without the page's rules for scripts, for axe is put into it.
    context = chromium.new_context(**screen, bypass_csp=True)
    page = context.new_page()
    page.goto(drills.address)
    settle(page)
    yield page
    context.close()


@pytest.mark.parametrize("state", ["asked", "right", "wrong", "guess", "none", "damaged"])
def test_nothing_keeps_anybody_out(looked_at: Page, drills: DrillStudy, state: str) -> None:
    """As far as axe can tell: names, roles, contrast, sizes of what is touched."""
    page = looked_at
    board = study_page.guess() if state == "guess" else study_page.running_game(4)
    drills.begin(*([] if state == "none" else [WALL if state in ("right", "wrong") else board]))
    if state == "damaged":
        drills.file.write_text("my diary\n" * 100)
    _open(page)
    if state in ("right", "wrong", "guess"):
        page.locator("[aria-label$=': covered']").nth(int(state == "wrong")).click()
        settle(page)
        expect(page.locator("#drill-said .headline")).to_be_visible()
    found = Axe().run(page).response["violations"]
    told = [(one["id"], one["nodes"][0]["html"], one["nodes"][0]["any"]) for one in found]
    assert not told, json.dumps(told, indent=1)
    width = page.evaluate("document.documentElement.scrollWidth")
    assert width <= page.viewport_size["width"]  # type: ignore[index]
