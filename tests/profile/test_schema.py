"""What a profile may say, as values."""

from __future__ import annotations

import pytest

from minebot.errors import ProfileError
from minebot.profile import LatticeStyle, load, parse
from tests.profile.profile_texts import LATTICE


def test_a_changed_behaviour_is_another_value() -> None:
    behaviour = load("kmines").behaviour
    changed = behaviour.changed(flags=not behaviour.flags)
    assert changed != behaviour
    assert changed.changed(flags=behaviour.flags) == behaviour == load("kmines").behaviour
    with pytest.raises(TypeError):
        behaviour.changed(flag=True)


DRAWING = "A" * 144
"""108 bytes of 0, in Base64."""


def test_each_kind_of_grid_has_its_own_keys() -> None:
    data = LATTICE | {"grid": {"kind": "lattice", "least_step_pixels": 20}}
    assert parse(data, "x.toml").grid == LatticeStyle(least_step=20)
    data["grid"]["bevel_tiles"] = 0.1
    with pytest.raises(ProfileError, match=r"grid\.bevel_tiles: is not known"):
        parse(data, "x.toml")


@pytest.mark.parametrize(
    ("tiles", "complaint"),
    [
        ({}, "of length >= 1"),
        ({"?": []}, "of length >= 1"),
        ({"9": [DRAWING]}, "matching regex"),
        ({"?\n": [DRAWING]}, "matching regex"),
        ({"?": [DRAWING[4:]]}, "of length >= 108"),
        ({"?": [DRAWING + DRAWING]}, "of length <= 108"),
        ({"?": ["~"]}, "Invalid base64"),
        ({"?": DRAWING}, "Expected `array`"),
    ],
)
def test_kept_tiles_are_drawings_by_their_signs(tiles: object, complaint: str) -> None:
    good = LATTICE | {"grid": {"kind": "lattice", "tiles": [{"?": [DRAWING], "!": [DRAWING]}]}}
    assert parse(good, "x.toml").kept == ({"?": (bytes(108),), "!": (bytes(108),)},)
    with pytest.raises(ProfileError, match=complaint) as caught:
        parse(LATTICE | {"grid": {"kind": "lattice", "tiles": [tiles]}}, "x.toml")
    assert caught.value.key.startswith("grid.tiles")
    assert parse(LATTICE, "x.toml").kept == ()
