"""What a profile may say, and what is said of one that is broken."""

from __future__ import annotations

import copy
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from minebot.errors import ProfileError
from minebot.profile import load, parse
from minebot.vision.known_game import is_first_sight
from tests.profile.profile_texts import DATA, LATTICE, PATH

pytestmark = pytest.mark.thorough

ROOT = Path(__file__).parents[2]


SHIPPED = ROOT / "calibration"


OLD = "is of an older minebot: make the profile anew, by minebot calibrate --force"


NAN, INF = float("nan"), float("inf")


SPOT = {"side": "above", "from": "start", "along_tiles": 1.0, "away_tiles": 1.0}


def test_a_profile_without_its_picture_is_broken(own: Path) -> None:
    (own.parent / "shapes.png").unlink()
    with pytest.raises(ProfileError, match=r"shapes: shapes\.png No such file"):
        load("sgt-mines")


def test_a_picture_of_shapes_that_is_too_large_is_not_unpacked(own: Path) -> None:
    Image.new("1", (14_000, 14_000)).save(own.parent / "shapes.png")
    code = (
        "import re\n"
        "from minebot.errors import ProfileError\n"
        "from minebot.profile import load\n"
        "try:\n    load('sgt-mines')\n"
        "except ProfileError as error:\n    print(error)\n"
        "print(re.search(r'VmHWM:\\s*(\\d+)', open('/proc/self/status').read())[1])"
    )
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT
    )
    said, kilobytes = run.stdout.splitlines()
    assert said == f"{own}: shapes: shapes.png has 14000x14000 pixels, not 130x351"
    assert int(kilobytes) < 150_000


@pytest.mark.parametrize(
    "content",
    [
        b"name = ",
        b"\xff\xfe",
        b"name = 3",
        b"x = " + b"[" * 50_000,
        b"x = 1\n" * 50_000,
        b".".join([b"a"] * 30_000) + b" = 1",
        b"x = " + b"9" * 50_000,
    ],
)
def test_a_file_that_is_no_profile_is_named(own: Path, content: bytes) -> None:
    own.write_bytes(content)
    with pytest.raises(ProfileError) as caught:
        load("sgt-mines")
    assert str(caught.value).startswith(str(own))
    assert "\n" not in str(caught.value)


def test_a_profile_of_an_older_form_says_so_in_one_line(own: Path) -> None:
    own.write_text(own.read_text().replace("app_ids", "wm_class"))
    with pytest.raises(ProfileError) as caught:
        load("sgt-mines")
    assert str(caught.value) == f"{own}: wm_class: {OLD}"


@pytest.mark.parametrize(
    ("key", "value", "reason"),
    [
        ("name", 3, "Expected `str`, got `int`"),
        ("title", None, "is missing"),
        ("app_ids", [], "of length >= 1"),
        ("app_id", ["mines"], "is not known"),
        ("grid", "bevel", "Expected `object`, got `str`"),
        ("grid.kind", "round", "Invalid value 'round'"),
        ("grid.dark_rgb", [1, 2], "of length 3, got 2"),
        ("grid.dark_rgb", [1, 2, 256], "Expected `int` <= 255"),
        ("grid.dark_rgb", [1, 2, True], "Expected `int`, got `bool`"),
        ("grid.light_rgb", None, "is missing"),
        ("grid.bevel_tiles", 0.9, "Expected `float` <= 0.4"),
        ("grid.tolerance_levels", True, "Expected `int`, got `bool`"),
        ("grid.smallest", 3, "is not known"),
        ("colours.grounds", {"covered": []}, "lacks opened, exploded, flash"),
        ("colours.grounds.opened", [3], "Expected `array`, got `int`"),
        ("colours.inks.3", "red", "Expected `array`, got `str`"),
        ("colours.inks.9", [1, 2, 3], "has 9, which is none of 1, 2"),
        ("status.side", "left", "matching regex '^(below|above|right)$'"),
        ("status.total", "(", "is no regular expression: "),
        ("status.total", "a{99999999999999999999}", "is no regular expression: "),
        ("status.total", "(" * 5000 + ")" * 5000, "is no regular expression: "),
        ("counter", {"at": {**SPOT, "along_tiles": NAN}}, "Expected `float` >= -1000.0"),
        ("counter", {"at": {**SPOT, "along_tiles": INF}}, "Expected `float` <= 1000.0"),
        ("behaviour.new_game_button", {**SPOT, "away_tiles": NAN}, "Expected `float` >= -1000.0"),
        ("shapes.3", [[NAN, 1]], "Expected `float` > 0.0"),
        ("shapes.3", [[INF, 1]], "Expected `float` <= 100.0"),
        ("status.total", "Marked", "lacks the group 'marked', 'mines'"),
        ("status.won", 3, "3 is not a text"),
        ("behaviour.new_game_key", "nn", "not a key: 'nn'"),
        ("behaviour.answer_milliseconds", -1, "Expected `int` >= 0"),
        ("behaviour.answer_milliseconds", 0.5, "Expected `int`, got `float`"),
        ("behaviour.boards", {"big": ["n"]}, r"matching regex '^[1-9]\\d*x[1-9]\\d*$'"),
        ("behaviour.boards.9x9", ["nn"], "not a key: 'nn'"),
        ("behaviour.flags_to_win", "yes", "Expected `bool`, got `str`"),
        ("behaviour.chooser", {"entry": "(?P<width>.)"}, "lacks the group 'height'"),
        ("shapes", [], "Expected `object | null`, got `array`"),
        ("shapes", {"1": [[0.5, 1]]}, "lacks 2, 3, 4"),
        ("shapes.9", [[0.5, 1]], "has 9, which is none of 1, 2"),
        ("shapes.3", [], "of length >= 1"),
        ("shapes.3", [0.5, 1], "Expected `array`, got `float`"),
        ("shapes.3", [[0.5]], "of length 2, got 1"),
        ("shapes.3", [[0.5, 0]], "Expected `float` > 0.0"),
        ("shapes.3", [[0.5, 1]] * 99, "shapes.png has 130x351 pixels, not 130x1287"),
    ],
)
def test_a_broken_profile_names_the_key_and_says_why(key: str, value: Any, reason: str) -> None:
    data = copy.deepcopy(DATA)
    *tables, last = key.split(".")
    table: Any = data
    for name in tables:
        table = table[name]
    if value is None:
        del table[last]
    else:
        table[last] = value
    with pytest.raises(ProfileError) as caught:
        parse(data, "x.toml", PATH.parent)
    assert str(caught.value) == f"x.toml: {caught.value.key}: {caught.value.reason}"
    assert reason in caught.value.reason
    assert "\n" not in str(caught.value)
    # A key of a table whose keys are free is told by the table and the reason.
    at = caught.value.key.replace("[...]", "").split("[")[0]
    assert key.startswith(at) or at.startswith(key)
    assert key.split(".", maxsplit=1)[0] == at.split(".")[0]


TILES = {"kind": "tiles", "picture": "gone.png", "cells": "012345678?F*!"}


def test_what_an_older_minebot_wrote_of_a_lattice_is_not_used() -> None:
    old = {"grid": {"kind": "lattice", "inset_tiles": 0.1}, "sheets": [TILES]}
    profile = parse(LATTICE | old, "x.toml", PATH.parent)
    assert is_first_sight(profile)
    assert profile == parse(LATTICE, "x.toml", PATH.parent)


@pytest.mark.parametrize(
    ("grid", "sheets"),
    [
        ({"kind": "apart", "ground_rgbs": [[9, 9, 9]]}, [TILES]),
        ({"kind": "touching", "gap_pixels": 1}, [TILES]),
        (DATA["grid"] | {"inset_tiles": 0.1}, [TILES]),
        (DATA["grid"], [{"kind": "glyphs", "phase": "lost"}]),
        (DATA["grid"], [{"kind": "shapes", "picture": "cells.png", "cells": "12345678F*"}]),
    ],
)
def test_a_profile_with_pictures_of_cells_is_of_an_older_minebot(
    own: Path, grid: dict[str, Any], sheets: list[dict[str, Any]]
) -> None:
    data = LATTICE | {"grid": grid, "sheets": sheets}
    own.write_text("\n".join(f"{name} = {_toml(value)}" for name, value in data.items()))
    with pytest.raises(ProfileError) as caught:
        load("sgt-mines")
    assert str(caught.value) == f"{own}: sheets: {OLD}"


def _toml(value: Any) -> str:
    """A value in one line, as TOML has it."""
    if isinstance(value, dict):
        return f"{{{', '.join(f'{key} = {_toml(one)}' for key, one in value.items())}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(_toml, value))}]"
    return json.dumps(value)
