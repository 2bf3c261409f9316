"""Games that are brought to the page: replays and recordings, dropped and opened."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from random import Random

import pytest
from playwright.sync_api import Browser, Page, expect

from fixtures import study_page
from fixtures.study_page import PICTURE, settle
from minebot.analysis.replay_files import evf
from minebot.analysis.review import review
from minebot.layout import Layout
from tests.support.people import careful
from tests.support.recorded_games import record

pytestmark = [pytest.mark.game, pytest.mark.thorough]  # a browser

GAME = careful(Layout.scattered(9, 9, 12, Random(5), [0, 1, 9, 10]), 0, Random(5), slips=0.15)
OTHER = careful(Layout.scattered(9, 9, 10, Random(0), [0, 1, 9, 10]), 0, Random(0))
MOVES = f"of {len(GAME.acts)}"
COSTLIEST = f"Move {review(GAME).costliest[0].at + 1}"


def drop(page: Page, file: Path) -> None:
    """Drag a file or a folder from the desktop onto the page, as the browser sees it."""
    session = page.context.new_cdp_session(page)
    data = {"items": [], "files": [str(file)], "dragOperationsMask": 1}
    for kind in ("dragEnter", "dragOver", "drop"):
        session.send("Input.dispatchDragEvent", {"type": kind, "x": 400, "y": 300, "data": data})
    session.detach()


@pytest.fixture
def replay(tmp_path: Path) -> Path:
    pytest.importorskip("ms_toollib")
    file = tmp_path / "a <b>game.evf"
    file.write_bytes(evf(GAME))
    return file


def _dropped(page: Page, file: Path) -> None:
    drop(page, file)
    page.wait_for_selector("#review:not([hidden])")
    settle(page)


def _opened(page: Page, file: Path) -> None:
    page.set_input_files("#folder" if file.is_dir() else "#file", file)
    page.wait_for_selector("#review:not([hidden])")
    settle(page)


@pytest.mark.parametrize("bring", [_dropped, _opened])
def test_a_replay_is_looked_at_again(page: Page, replay: Path, bring: object) -> None:
    assert callable(bring)
    bring(page, replay)
    expect(page.locator("#source")).to_have_text("a <b>game.evf: a replay (evf)")
    expect(page.locator("#played")).to_contain_text(f"{COSTLIEST} {MOVES}")
    expect(page.locator("#which")).to_be_hidden()
    page.locator("#moments button").first.click()
    settle(page)
    expect(page.locator("#played")).to_have_class("mistake")
    page.locator("#slider").fill(str(len(GAME.acts)))
    expect(page.locator("#played")).to_contain_text(f"The end: {GAME.outcome}")


def test_a_replay_that_is_named_on_the_command_line_is_shown(
    chromium: Browser, replay: Path
) -> None:
    with study_page.study(str(replay)) as address:
        page = chromium.new_page()
        page.goto(address)
        page.wait_for_selector("#review:not([hidden])")
        settle(page)
        expect(page.locator("#played")).to_contain_text(f"{COSTLIEST} {MOVES}")
        page.wait_for_url(f"**/#move={COSTLIEST.split()[1]}")
        page.close()


@pytest.mark.parametrize("bring", [_dropped, _opened])
def test_a_recording_is_looked_at_game_by_game(page: Page, tmp_path: Path, bring: object) -> None:
    assert callable(bring)
    folder = tmp_path / "recorded"
    record(folder, GAME, OTHER)
    bring(page, folder)
    expect(page.locator("#source")).to_have_text("recorded: a recording")
    expect(page.locator("#played")).to_contain_text(f"{COSTLIEST} {MOVES}")
    expect(page.locator("#which")).to_contain_text("of 2")
    page.fill("#number", "2")
    page.keyboard.press("Tab")
    expect(page.locator("#played")).to_contain_text(f" of {len(OTHER.acts)}")
    page.locator("#slider").fill("0")
    page.click("#next")
    expect(page.locator("#played")).to_contain_text("Move 2 of")


def test_one_game_takes_the_place_of_another(page: Page, replay: Path) -> None:
    other = replay.with_name("other.evf")
    other.write_bytes(evf(OTHER))
    _dropped(page, replay)
    page.click("#play")
    _dropped(page, other)
    expect(page.locator("#source")).to_contain_text("other.evf")
    expect(page.locator("#play")).to_have_text("Play")
    page.locator("#slider").fill("0")
    page.click("#next")
    expect(page.locator("#played")).to_contain_text(f"Move 2 of {len(OTHER.acts)}")


AT_REST = "() => window.before === (window.before = location.href)"
"""The address was the same a second ago: it follows a slider that rests for a moment."""


def test_the_address_of_a_moment_is_that_of_its_position(page: Page, replay: Path) -> None:
    _dropped(page, replay)
    page.locator("#slider").fill("2")
    page.wait_for_function(AT_REST, polling=1000)
    other = page.context.new_page()
    other.goto(page.url)
    settle(other)
    labels = "cells => cells.map((cell) => cell.getAttribute('aria-label'))"
    cells = "[role=gridcell]"
    assert other.locator(cells).evaluate_all(labels) == page.locator(cells).evaluate_all(labels)


@pytest.mark.parametrize("kind", ["avf", "evf", "mvf", "rmv"])
def test_what_is_no_replay_is_told_in_one_line(page: Page, tmp_path: Path, kind: str) -> None:
    pytest.importorskip("ms_toollib")
    file = tmp_path / f"bad <i>.{kind}"
    file.write_bytes(bytes(range(256)) * 8)
    drop(page, file)
    said = f"Bad <i>.{kind}: not a replay that can be read"
    expect(page.locator("#alert")).to_contain_text(said, timeout=20_000)
    assert page.locator("#alert i").count() == 0
    page.set_input_files("#file", PICTURE)
    settle(page)
    expect(page.locator("#source")).to_contain_text("sgt-mines")


def test_a_folder_that_is_no_recording_is_told_in_one_line(page: Page, tmp_path: Path) -> None:
    folder = tmp_path / "photos"
    folder.mkdir()
    (folder / "note.txt").write_text("nothing of the kind")
    drop(page, folder)
    expect(page.locator("#alert")).to_have_text(
        "This folder is no recording: it has no journal.jsonl"
    )
    (folder / "journal.jsonl").write_text("{}\n")
    drop(page, folder)
    expect(page.locator("#alert")).to_contain_text("line 1 of journal.jsonl is not that of")


def test_without_the_extra_it_says_how_to_get_it(chromium: Browser, tmp_path: Path) -> None:
    file = tmp_path / "game.evf"
    file.write_bytes(evf(GAME))
    # What hides the library from the study is a module that is found first and is none.
    code = (
        "import sys, importlib.util as u; find = u.find_spec\n"
        "u.find_spec = lambda name, *rest: None if name == 'ms_toollib' else find(name, *rest)\n"
    )
    (tmp_path / "sitecustomize.py").write_text(code)
    environ = {"PYTHONPATH": os.pathsep.join([str(tmp_path), *sys.path])}
    with study_page.running_study("--no-browser", environ=environ) as study:
        page = chromium.new_page()
        page.goto(study.address)
        settle(page)
        drop(page, file)
        expect(page.locator("#alert")).to_have_text(
            "Game.evf: reading a replay file needs ms_toollib: pip install '.[replays]'"
        )
        page.close()
