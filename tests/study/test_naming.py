"""Tiles of a dropped picture that are in doubt: the user names each different one once."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from fixtures import study_page
from fixtures.study_page import settle
from minebot.profile import load_file
from minebot.profile.schema import KeptTiles
from minebot.recording import pictures
from tests.support import painted

pytestmark = [
    pytest.mark.thorough,
    pytest.mark.game,
    pytest.mark.trained,
]  # a browser, and networks that read the others

COLOUR = "one => [...one.getContext('2d').getImageData(one.width / 2, one.height / 2, 1, 1).data]"

LABELS = "cells => cells.map((cell) => cell.getAttribute('aria-label'))"


@pytest.fixture
def alike(tmp_path: Path) -> Path:
    return painted.alike(tmp_path)


@pytest.fixture
def apart(tmp_path: Path) -> Path:
    return painted.apart(tmp_path)


@pytest.fixture
def following(tmp_path: Path) -> Path:
    return painted.following(tmp_path)


def _bring(page: Page, picture: Path) -> None:
    page.set_input_files("#file", picture)
    settle(page)


def _cell(page: Page, row: int, column: int) -> Locator:
    return page.locator(f"#grid [role=row]:nth-child({row}) [role=gridcell]:nth-child({column})")


def _unread(page: Page) -> Locator:
    return page.locator(".cell.unsure")


def _rows(page: Page) -> str:
    """The board that the page shows."""
    address = page.evaluate("location.hash")
    other = page.evaluate(
        "async (text) => (await import('./position.js')).Position.fromAddress(text).rows",
        address.removeprefix("#"),
    )
    assert isinstance(other, str)
    return other


def test_one_key_names_all_tiles_that_are_drawn_alike(page: Page, alike: Path) -> None:
    _bring(page, alike)
    expect(page.locator("#naming")).to_contain_text("What is this?")
    expect(page.locator("#naming-where")).to_contain_text("row 6, column 4. All 9 cells")
    expect(_unread(page)).to_have_count(9)
    expect(page.locator("#shown canvas")).to_be_visible()
    where = json.loads(alike.with_suffix(".json").read_text())
    column, row = 3, 5
    x = int(where["x"] + where["step_x"] * (column + 0.5))
    y = int(where["y"] + where["step_y"] * (row + 0.5))
    blue, green, red, _ = pictures.load(alike).pixels[y, x].tolist()
    tile = page.locator("#naming canvas")
    expect(tile).to_be_visible()
    assert tile.evaluate(COLOUR) == [red, green, blue, 255]
    page.keyboard.press("h")
    settle(page)
    expect(_unread(page)).to_have_count(0)
    expect(page.locator("#naming")).to_be_hidden()
    assert _rows(page) == alike.with_suffix(".txt").read_text().strip()


def test_a_copied_picture_says_which_cells_were_not_read(page: Page, alike: Path) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    _bring(page, alike)
    page.click("#share summary")
    with page.expect_request("**/api/chart") as asked:
        page.click("#share-picture")
    expect(page.locator("#status")).to_contain_text("copied as a picture")
    unread = json.loads(asked.value.post_data or "")["unread"]
    assert len(unread) == _unread(page).count() == 9


def test_a_name_is_undone_and_done_again_as_one_edit(page: Page, alike: Path) -> None:
    _bring(page, alike)
    page.keyboard.press("f")
    settle(page)
    expect(page.locator(".cell .flag")).to_have_count(7 + 9)
    page.keyboard.press("Control+z")
    settle(page)
    expect(_unread(page)).to_have_count(9)
    expect(page.locator("#naming-where")).to_contain_text("All 9 cells")
    page.keyboard.press("Control+y")
    settle(page)
    expect(page.locator(".cell .flag")).to_have_count(7 + 9)
    expect(page.locator("#naming")).to_be_hidden()


def test_each_different_tile_is_asked_about_and_a_skipped_one_when_it_is_selected(
    page: Page, apart: Path
) -> None:
    _bring(page, apart)
    where = page.locator("#naming-where")
    expect(where).to_have_text("Unknown tile at row 7, column 2.")
    page.keyboard.press("h")
    expect(where).to_have_text("Unknown tile at row 7, column 3.")
    page.keyboard.press("Escape")
    expect(where).to_have_text("Unknown tile at row 8, column 1.")
    page.click("#naming [data-sign='?']")
    settle(page)
    expect(page.locator("#naming")).to_be_hidden()
    expect(_unread(page)).to_have_count(1)
    _cell(page, 7, 3).click()
    expect(where).to_have_text("Unknown tile at row 7, column 3.")
    page.locator("#naming").focus()
    page.keyboard.press("h")
    settle(page)
    assert _rows(page) == apart.with_suffix(".txt").read_text().strip()


def test_a_key_on_the_board_sets_its_cell_alone(page: Page, alike: Path) -> None:
    _bring(page, alike)
    _cell(page, 7, 1).click()
    page.keyboard.press("h")
    settle(page)
    expect(_unread(page)).to_have_count(8)
    expect(page.locator("#naming-where")).to_contain_text("All 8 cells")
    page.locator("#theme").focus()
    page.keyboard.press("Space")  # which a button keeps for itself
    expect(_unread(page)).to_have_count(8)


def test_nothing_is_said_of_a_cell_before_it_is_read(page: Page, alike: Path) -> None:
    _bring(page, alike)
    best = page.locator(".cell.best")
    expect(best).to_have_class(re.compile("safe"))
    safe = page.locator(".cell.safe").count()
    expect(page.locator("#count-safe")).to_have_text(str(safe))
    chosen = set()
    for _ in range(safe + 1):
        page.keyboard.press("n")
        selected = page.locator("[role=gridcell][aria-selected=true]")
        expect(selected).to_have_class(re.compile("safe"))
        chosen.add(selected.get_attribute("aria-label"))
    assert len(chosen) == safe


def test_an_address_says_which_cells_are_not_read(page: Page, alike: Path) -> None:
    _bring(page, alike)
    shown = page.locator("[role=gridcell]").evaluate_all(LABELS)
    page.goto("about:blank")
    page.go_back()
    settle(page)
    expect(_unread(page)).to_have_count(9)
    expect(page.locator("#naming")).to_be_hidden()  # without the picture
    assert page.locator("[role=gridcell]").evaluate_all(LABELS) == shown
    _cell(page, 6, 4).click()
    page.keyboard.press("f")
    settle(page)
    expect(_unread(page)).to_have_count(8)


def test_a_saved_file_says_nothing_of_a_cell_that_is_not_read(
    page: Page, chromium: Browser, tmp_path: Path, alike: Path
) -> None:
    _bring(page, alike)
    page.click("#share summary")
    with page.expect_download() as download:
        page.click("#share-html")
    file = tmp_path / "doubt.html"
    download.value.save_as(file)
    alone = chromium.new_page()
    alone.goto(file.as_uri())
    expect(alone.locator(".cell.best")).to_have_count(1)
    labels = [one.locator("[role=gridcell]").evaluate_all(LABELS) for one in (page, alone)]
    assert labels[0] == labels[1]
    expect(alone.locator("#naming")).to_be_hidden()
    alone.keyboard.press("f")
    expect(_unread(alone)).to_have_count(9)
    alone.close()


@pytest.fixture
def keeper(chromium: Browser, tmp_path: Path) -> Iterator[Page]:
    """The page of a study whose user has no profiles yet."""
    environ = {"XDG_CONFIG_HOME": str(tmp_path)}
    with study_page.running_study("--no-browser", environ=environ) as running:
        page = chromium.new_page()
        page.goto(running.address)
        settle(page)
        yield page
        page.close()


def test_kept_names_read_the_next_picture_of_the_game(
    keeper: Page, tmp_path: Path, alike: Path, following: Path
) -> None:
    offer = keeper.locator("#keeping")
    _bring(keeper, following)
    expect(_unread(keeper)).to_have_count(4)
    expect(offer).to_be_hidden()
    _bring(keeper, alike)
    expect(offer).to_be_hidden()
    keeper.keyboard.press("h")
    expect(offer).to_be_visible()
    keeper.fill("#keeping input", "green")
    keeper.click("#keeping button")
    profile = tmp_path / "minebot" / "profiles" / "green" / "profile.toml"
    expect(offer.get_by_role("status")).to_have_text(f"Kept: {profile}")
    expect(offer.locator("form")).to_be_hidden()
    for picture in (following, alike):
        _bring(keeper, picture)
        expect(_unread(keeper)).to_have_count(0)
        expect(offer).to_be_hidden()
        assert _rows(keeper) == picture.with_suffix(".txt").read_text().strip()


def test_names_are_added_to_a_profile_only_once_the_user_agrees(
    keeper: Page, tmp_path: Path, alike: Path, apart: Path
) -> None:
    profile = tmp_path / "minebot" / "profiles" / "mine" / "profile.toml"
    kept: list[tuple[KeptTiles, ...]] = []
    for picture, key in ((alike, "h"), (apart, "m")):
        _bring(keeper, picture)
        keeper.keyboard.press(key)
        keeper.keyboard.press("Escape")
        keeper.keyboard.press("Escape")
        keeper.fill("#keeping input", "mine")
        keeper.click("#keeping button")
        settle(keeper)
        kept.append(load_file(profile).kept)
    assert kept[0] == kept[1]
    said = keeper.locator("#keeping [role=status]")
    expect(said).to_have_text("You have a profile mine. Add these tiles to it?")
    keeper.fill("#keeping input", "kmines")
    expect(said).to_be_empty()
    keeper.click("#keeping button")
    expect(said).to_contain_text("Kmines is the profile of a known game")
    keeper.fill("#keeping input", "mine")
    keeper.click("#keeping button")
    keeper.get_by_text("Add them").click()
    expect(said).to_contain_text("Kept:")
    first, second = load_file(profile).kept
    assert (first,) == kept[0]
    assert set(first) == set("?0123F")
    assert len(second["*"]) == len(set(second["*"])) > 0


def test_the_offer_ends_when_the_board_moves_on_from_the_picture(page: Page, alike: Path) -> None:
    _bring(page, alike)
    page.keyboard.press("h")
    offer = page.locator("#keeping")
    expect(offer).to_be_visible()
    _cell(page, 6, 4).click()
    page.keyboard.press("1")
    expect(offer).to_be_hidden()
    page.keyboard.press("Control+z")
    expect(offer).to_be_visible()
    page.keyboard.press("Control+z")
    expect(_unread(page)).to_have_count(9)
    expect(offer).to_be_hidden()


def test_a_picture_from_the_command_line_is_asked_about_too(chromium: Browser, alike: Path) -> None:
    with study_page.study(str(alike)) as address:
        page = chromium.new_page()
        page.goto(address)
        settle(page)
        expect(page.locator("#naming-where")).to_contain_text("All 9 cells")
        page.keyboard.press("Space")
        settle(page)
        expect(_unread(page)).to_have_count(0)
        page.close()
