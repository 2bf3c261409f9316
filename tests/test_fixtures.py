"""The pictures: what the README of the fixtures promises of them."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import cv2
import pytest

from bot import tatham
from bot.board import Board, Cell, Move
from bot.errors import UsageError
from fixtures.make import main
from fixtures.others import Party, parties
from fixtures.recipes import RECIPES
from fixtures.referee import Referee
from fixtures.scenes import CORPUS, MOMENTS, Scene, drawn

SCREENSHOTS = Path(__file__).parent.parent / "fixtures" / "screenshots"
GAME = SCREENSHOTS / "sgt-mines"
NEGATIVE = SCREENSHOTS / "negative"
MEBIBYTE = 1 << 20
DARK, LIGHT, PLAIN = 153, 255, 230
"""The greys of the sunken frame around the tiles, and of what lies around that."""
PRESSED, CURSOR = [218, 218, 218], [128, 128, 255]
"""Blue-green-red of an opened or pressed tile, and of the one with the keyboard's cursor."""


def index(folder: Path) -> dict[str, dict[str, Any]]:
    facts: dict[str, dict[str, Any]] = json.loads((folder / "index.json").read_text())
    return facts


FACTS = index(GAME)
OTHERS = {
    (path.parent, name): facts
    for path in sorted(SCREENSHOTS.parent.glob("*/*/index.json"))
    if path.parent.name in RECIPES
    for name, facts in index(path.parent).items()
}
"""The pictures of the other games: folder and name, and what is known of them."""

TOLD = sorted(each for each, facts in OTHERS.items() if facts["expect"] != "refuse")


def board(name: str) -> Board:
    return Board.parse((GAME / f"{name}.txt").read_text(), FACTS[name]["mines"])


def test_each_picture_has_its_text_and_its_facts() -> None:
    assert {path.stem for path in GAME.glob("*.png")} == FACTS.keys()
    assert {path.stem for path in GAME.glob("*.txt")} == FACTS.keys()
    assert {path.stem for path in NEGATIVE.glob("*.png")} == index(NEGATIVE).keys()


def test_the_pictures_are_those_of_the_recipe() -> None:
    scenes = [Scene.parse(line, seed=1) for line in CORPUS.strip().splitlines()]
    assert {scene.name: scene.moment for scene in scenes} == {
        name: facts["moment"] for name, facts in FACTS.items()
    }
    for scene in scenes:
        assert FACTS[scene.name]["game"] == tatham.encode(scene.layout, scene.first)


def test_there_are_enough_and_the_folder_stays_small() -> None:
    assert len(FACTS) >= 170
    assert len(index(NEGATIVE)) >= 40
    assert len(FACTS) + len(index(NEGATIVE)) + len(OTHERS) >= 400
    size = sum(path.stat().st_size for path in SCREENSHOTS.rglob("*") if path.is_file())
    assert size < 20 * MEBIBYTE


def test_every_cell_shows_in_small_middling_and_large_tiles() -> None:
    classes = {"small": range(9, 15), "middling": range(15, 29), "large": range(29, 61)}
    for pitches in classes.values():
        shown: Counter[int] = Counter()
        for name, facts in FACTS.items():
            if facts["grid"]["pitch"] in pitches and facts["expect"] == "read":
                shown.update(board(name).cells)
        assert {cell for cell in Cell if shown[cell] < 2} == set()


def test_tiles_boards_themes_and_scales_vary() -> None:
    boards = {name: board(name) for name in FACTS}
    pitches = {facts["grid"]["pitch"] for facts in FACTS.values()}
    assert min(pitches) <= 9
    assert max(pitches) >= 60
    assert len(pitches) >= 30
    assert {(9, 9), (16, 16), (30, 16), (60, 30)} <= {(b.width, b.height) for b in boards.values()}
    assert any(b.width < b.height for b in boards.values())
    assert any(b.width >= 100 for b in boards.values())
    assert {facts["theme"] for facts in FACTS.values()} == {"light", "dark"}
    assert {facts["scale"] for facts in FACTS.values()} == {1, 2}
    assert {facts["moment"] for facts in FACTS.values()} == set(MOMENTS)
    assert {facts["outcome"] for facts in FACTS.values()} == {"playing", "won", "lost", "solved"}


def test_some_numbers_have_too_many_flags() -> None:
    def too_many(b: Board, square: int) -> bool:
        flags = sum(b.cells[other] == Cell.FLAG for other in b.neighbours(square))
        return 0 < b.cells[square] <= Cell.EIGHT and flags > b.cells[square]

    boards = [board(name) for name, facts in FACTS.items() if facts["expect"] == "read"]
    assert sum(any(too_many(b, s) for s in range(len(b.cells))) for b in boards) >= 10


@pytest.mark.parametrize("name", sorted(FACTS))
def test_the_text_follows_from_the_game_and_the_clicks(name: str) -> None:
    facts = FACTS[name]
    layout, first = tatham.decode(facts["game"])
    referee = Referee(layout, first)
    for move in filter(None, facts["moves"].split("; ")):
        referee.play(Move.parse(move))
    if facts["moment"] in ("solved", "revealed"):
        referee.solve()
    assert referee.board() == board(name)
    assert referee.status() == facts["status"]
    assert referee.outcome == facts["outcome"]
    assert facts["expect"] == MOMENTS[facts["moment"]]
    assert board(name).problems() == []


def _painted(facts: dict[str, Any], number: int, usual: list[int]) -> list[int]:
    """The game's colour of that number in a picture, blue-green-red."""
    rgb = facts.get("colours", {}).get(str(number))
    return list(bytes.fromhex(rgb))[::-1] if rgb else usual


@pytest.mark.parametrize("name", sorted(FACTS))
def test_the_grid_fills_the_sunken_frame_of_the_picture(name: str) -> None:
    facts, b = FACTS[name], board(name)
    grid = facts["grid"]
    picture = cv2.imread(str(GAME / f"{name}.png"))
    assert picture is not None
    left, top, pitch = grid["left"], grid["top"], grid["pitch"]
    right, bottom, scale = left + pitch * b.width, top + pitch * b.height, facts["scale"]
    thick = max(1, (pitch // scale * 3 // 2) // 10) * scale
    middle = top + pitch // 2, left + pitch // 2

    dark, light, plain = (
        _painted(facts, number, [level] * 3)
        for number, level in ((17, DARK), (16, LIGHT), (0, PLAIN))
    )

    def shows(row: int, column: int, colour: list[int]) -> bool:
        return bool((picture[row, column] == colour).all())

    for depth in range(1, thick + 1):
        assert shows(top - depth, middle[1], dark)
        assert shows(middle[0], left - depth, dark)
        assert shows(bottom + depth - 1, middle[1], light)
        assert shows(middle[0], right + depth - 1, light)
    for row, column in [
        (top - thick - 1, middle[1]),
        (middle[0], left - thick - 1),
        (bottom + thick, middle[1]),
        (middle[0], right + thick),
    ]:
        assert shows(row, column, plain)


@pytest.mark.parametrize("name", sorted(name for name in FACTS if FACTS[name]["at"] is not None))
def test_the_cursor_or_the_held_button_shows_on_its_square(name: str) -> None:
    facts, b = FACTS[name], board(name)
    pitch, (x, y) = facts["grid"]["pitch"], facts["at"]
    column, row = facts["grid"]["left"] + x * pitch, facts["grid"]["top"] + y * pitch
    picture = cv2.imread(str(GAME / f"{name}.png"))
    assert picture is not None
    # Beside the number that may stand in the middle, inside the edge that a covered tile has.
    seen = picture[row + pitch // 6, column + pitch // 6].tolist()
    if facts["moment"].startswith("held"):
        assert seen == _painted(facts, 1, PRESSED)
        assert b.cells[b.square(x, y)] != Cell.HIDDEN or facts["moment"] == "held"
    else:
        assert seen == _painted(facts, 19, CURSOR)


def test_a_picture_without_a_board_is_to_be_refused() -> None:
    facts = index(NEGATIVE)
    assert {each["expect"] for each in facts.values()} == {"refuse"}
    assert {"desktop", "noise", "note", "plain-grey"} <= facts.keys()
    for start, least in [("cut-", 15), ("covered-", 9)]:
        assert sum(name.startswith(start) for name in facts) >= least
    assert {name.split("-")[1] for name in facts if name.startswith("cut-")} == {
        "left",
        "right",
        "top",
        "bottom",
    }


def test_another_seed_makes_other_boards_of_the_same_recipe() -> None:
    one, again, other = list(drawn(7, 20)), list(drawn(7, 20)), list(drawn(8, 20))
    assert one == again
    assert len({scene.name for scene in one}) == 20
    assert not {scene.layout for scene in one} & {scene.layout for scene in other}
    assert Scene.parse("9x9n10 t20 middle", 1) != Scene.parse("9x9n10 t20 middle", 2)


@pytest.mark.parametrize(
    "line",
    ["", "9x9 t20 middle", "9x9n10 middle", "9x9n10 t20 lunch", "9x9n10 t20 middle green",
     "9x9n10 @400x500 middle x2", "9x9n10 t20 won cursor"],
)  # fmt: skip
def test_a_line_that_is_no_scene_is_refused(line: str) -> None:
    with pytest.raises(UsageError, match=re.escape(repr(line))):
        Scene.parse(line, 1)


def test_each_picture_of_another_game_has_its_facts_and_its_text_if_it_can_be_read() -> None:
    for folder in {folder for folder, _ in OTHERS}:
        assert {path.stem for path in folder.glob("*.png")} == index(folder).keys()
        assert {path.stem for path in folder.glob("*.txt")} == {
            name for name, facts in index(folder).items() if facts["expect"] != "refuse"
        }
    assert {facts["expect"] for facts in OTHERS.values()} == {"read", "refuse"}


@pytest.mark.parametrize(("folder", "name"), TOLD, ids=[f"{f.name}-{n}" for f, n in TOLD])
def test_the_text_of_another_game_agrees_with_its_facts(folder: Path, name: str) -> None:
    facts = OTHERS[folder, name]
    b = Board.parse((folder / f"{name}.txt").read_text(), facts["mines"])
    grid, flags = facts["grid"], b.count(Cell.FLAG)
    assert (b.width, b.height) == (len(grid["columns"]), len(grid["rows"]))
    shown = b.count(Cell.MINE) + b.count(Cell.EXPLODED)
    if facts["outcome"] == "lost":
        assert shown + flags - len(facts["crossed"]) == b.mines
        assert b.lost
    else:
        assert not shown
        assert not facts["crossed"]
    if facts["outcome"] == "won":
        assert b.covered == b.mines
    if folder.name != "xdemineur":
        assert facts["status"].removeprefix("Mines: ") == f"{flags}/{b.mines}"
    if flags <= facts["mines"] and facts["moment"] not in ("wrong", "lost"):
        assert b.problems() == []
    picture = cv2.imread(str(folder / f"{name}.png"))
    assert picture is not None
    assert grid["columns"][-1] + grid["tile"][0] <= picture.shape[1]
    assert grid["rows"][-1] + grid["tile"][1] <= picture.shape[0]


def test_another_seed_draws_other_games_of_the_same_recipe() -> None:
    for program in RECIPES:
        assert parties(program, 7, 5) == parties(program, 7, 5)
        assert parties(program, 7, 5) != parties(program, 8, 5)
    with pytest.raises(UsageError):
        Party.parse("kmines", "default 9x9n10")


@pytest.mark.game
def test_making_a_picture_again_gives_the_same_board_to_the_pixel(tmp_path: Path) -> None:
    name = "9x9n10-t20-middle-flags"
    assert main(["--only", name, "--out", str(tmp_path)]) == 0
    assert (tmp_path / "sgt-mines" / f"{name}.txt").read_text() == f"{board(name)}\n"
    made = cv2.imread(str(tmp_path / "sgt-mines" / f"{name}.png"))
    kept = cv2.imread(str(GAME / f"{name}.png"))
    assert made is not None
    assert kept is not None
    status_bar = 37
    assert (made[:-status_bar] == kept[:-status_bar]).all()
    assert index(tmp_path / "sgt-mines") == {name: FACTS[name]}
    assert (tmp_path / "negative" / f"cut-left-{name}.png").exists()
