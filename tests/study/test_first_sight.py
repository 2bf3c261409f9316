"""What the page offers before anything is brought, and how a board on it is looked at and set."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from fixtures import study_page
from fixtures.study_page import settle, show
from minebot.board import Board

pytestmark = [pytest.mark.game, pytest.mark.thorough]  # a browser


def _cell(row: int, column: int) -> str:
    return f"#grid [role=row]:nth-child({row}) [role=gridcell]:nth-child({column})"


def test_an_empty_board_has_one_obvious_action_and_no_wall_of_percentages(page: Page) -> None:
    expect(page.locator("#start")).to_be_visible()
    assert page.inner_text("#grid").strip() == ""
    page.click("#start-example")
    settle(page)
    expect(page.locator("#start")).to_be_hidden()
    expect(page.locator(".cell.best")).to_have_count(1)
    assert page.locator(".cell.safe").count() > 5


@pytest.mark.parametrize(
    ("name", "shape"),
    [("Beginner", "9 9 10"), ("Intermediate", "16 16 40"), ("Expert", "30 16 99")],
)
def test_boards_of_the_usual_sizes_are_a_press_away(page: Page, name: str, shape: str) -> None:
    page.get_by_role("button", name=name).click()
    settle(page)
    values = [page.input_value(f"#{field}") for field in ("width", "height", "mines")]
    assert " ".join(values) == shape


def test_clear_covers_the_board_and_undo_brings_it_back(page: Page) -> None:
    show(page, Board.parse("?1\n11", 1))
    page.click("#clear")
    settle(page)
    expect(page.locator("#grid .open")).to_have_count(0)
    expect(page.locator("#mines")).to_have_value("1")
    page.click("#undo")
    settle(page)
    expect(page.locator("#grid .open")).to_have_count(3)


def test_the_candidates_of_a_guess_are_numbered_on_the_board(page: Page) -> None:
    show(page, study_page.guess())
    marked = page.locator(".cell[data-rank]")
    assert sorted(marked.evaluate_all("cells => cells.map((one) => one.dataset.rank)")) == [
        "1",
        "2",
        "3",
    ]
    rows = page.locator("#options tbody tr")
    for rank in (1, 2, 3):
        label = page.get_attribute(f".cell[data-rank='{rank}']", "aria-label") or ""
        assert label.split(":")[0] in rows.nth(rank - 1).inner_text()
    expect(page.locator(".cell.best")).to_have_attribute("data-rank", "1")


def test_a_coordinate_in_a_text_shows_its_cell_and_selects_it(page: Page) -> None:
    show(page, Board.parse("????\n1211\n0000", None))
    page.click(_cell(1, 2))
    settle(page)
    place = page.locator("#cell-why .place").first
    row, column = place.get_attribute("data-row"), place.get_attribute("data-column")
    assert row is not None
    assert column is not None
    cell = page.locator(_cell(int(row), int(column)))
    place.hover()
    expect(cell).to_have_class(re.compile("pointed"))
    place.click()
    expect(cell).to_have_attribute("aria-selected", "true")


def test_every_cell_of_a_row_that_a_text_lists_can_be_pressed(page: Page) -> None:
    show(page, Board.parse("?2?", None))
    page.click(_cell(1, 1))
    settle(page)
    assert "row 1, columns 1 and 3 are mines" in page.inner_text("#cell-steps")
    places = page.locator("#cell-steps .place")
    leads = places.evaluate_all("all => all.map((one) => [one.dataset.row, one.dataset.column])")
    assert leads == [["1", "2"], ["1", "1"], ["1", "3"]]


def test_rulers_stay_in_view_while_the_board_is_scrolled(page: Page) -> None:
    page.get_by_role("button", name="Expert").click()
    settle(page)
    for _ in range(4):
        page.click("#larger")
    page.locator("#scroller").evaluate("one => one.scrollTo(400, 300)")
    inside = page.locator("#scroller").bounding_box()
    row, column = (page.locator(f"#{name}").bounding_box() for name in ("rows", "columns"))
    assert inside is not None
    assert row is not None
    assert column is not None
    assert row["x"] == pytest.approx(inside["x"], abs=1)
    assert column["y"] == pytest.approx(inside["y"], abs=1)
    wide = page.locator(_cell(1, 1)).evaluate("one => one.clientWidth")
    page.click("#fit")
    assert page.locator(_cell(1, 1)).evaluate("one => one.clientWidth") < wide


def test_the_wheel_changes_a_number_and_a_double_click_opens(page: Page) -> None:
    show(page, Board.parse("??\n??\n??", 2))
    page.dblclick(_cell(1, 1))
    settle(page)
    expect(page.locator(_cell(1, 1))).to_have_attribute("aria-label", "row 1, column 1: empty")
    page.click(_cell(1, 1))
    page.mouse.wheel(0, -100)
    expect(page.locator(_cell(1, 1))).to_have_attribute("aria-label", "row 1, column 1: 1")
    page.mouse.wheel(0, 100)
    expect(page.locator(_cell(1, 1))).to_have_attribute("aria-label", "row 1, column 1: empty")
    page.dblclick(_cell(1, 1))
    settle(page)
    expect(page.locator("#grid .open")).to_have_count(0)


def test_nothing_moves_under_the_mouse_while_an_answer_is_waited_for(page: Page) -> None:
    show(page, Board.parse("??\n??\n??", 2))
    place = page.evaluate("() => { scrollTo(0, 1e6); return scrollY; }")
    assert place > 50
    page.route("**/api/reason", lambda _route: None)  # without an answer for now
    with page.expect_request("**/api/reason"):
        page.click(_cell(1, 2))
    page.evaluate("() => new Promise(requestAnimationFrame)")
    assert page.evaluate("scrollY") == place


def test_a_guess_is_not_recommended_before_every_cell_is_read(page: Page) -> None:
    page.route(
        "**/api/picture",
        lambda route: route.fulfill(
            json={
                "width": 3,
                "height": 3,
                "rows": "???\n?1?\n???",
                "mines": 1,
                "source": "a picture",
                "unsure": [{"squares": [0], "png": ""}],
                "notes": [],
            }
        ),
    )
    page.set_input_files("#file", study_page.PICTURE)
    settle(page)
    expect(page.locator("#move-what")).to_contain_text("No guess is recommended")
    expect(page.locator(".cell.best")).to_have_count(0)
    expect(page.locator("#shown canvas")).to_be_visible()
    page.focus(_cell(1, 1))
    page.click(_cell(1, 1))
    page.keyboard.press("Delete")
    settle(page)
    expect(page.locator("#move-what")).to_contain_text("a guess")
