"""A profile that is written down is the same profile again, or the one before stays."""

from __future__ import annotations

import errno
import re
import tempfile
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.errors import ProfileError, UsageError
from bot.profile import (
    Chooser,
    Conduct,
    Dialog,
    FramedLook,
    Glyph,
    InkLook,
    LatticeLook,
    Profile,
    StatusLook,
    load,
    load_file,
    names,
)
from bot.profile.behaviour import FlagButton, Spot
from bot.profile.writing import write

LEVELS = st.integers(0, 255)
RGBS = st.tuples(LEVELS, LEVELS, LEVELS)
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
PATTERNS = TEXTS.map(re.escape).map(re.compile)
KEYS = st.lists(st.sampled_from(["n", "alt+s", "Return", "+", '"', "\\", "'"]), min_size=1).map(
    tuple
)
TILES = st.integers(4, 64)
SHAPES = st.lists(st.integers(0, 15), min_size=144, max_size=144)

framed = st.builds(FramedLook, RGBS, RGBS, st.integers(0, 64), st.floats(0, 0.4), TILES)
lattices = st.builds(LatticeLook, st.none() | TILES)
statuses = st.builds(
    StatusLook,
    st.sampled_from(["below", "above", "right"]),
    PATTERNS.map(lambda said: re.compile(rf"{said.pattern}(?P<marked>\d+)/(?P<mines>\d+)")),
    st.none() | PATTERNS,
    st.none() | PATTERNS,
    st.none() | PATTERNS,
)
choosers = st.builds(
    Chooser,
    st.just(re.compile(r"(?P<width>\d+)x(?P<height>\d+)")),
    st.none() | st.just("ctrl+n"),
)
spots = st.builds(
    Spot,
    st.sampled_from(["above", "below", "left", "right"]),
    st.sampled_from(["start", "middle", "end"]),
    st.floats(-20, 20),
    st.floats(-20, 20),
)
flag_buttons = st.builds(
    FlagButton,
    spots,
    spots,
    st.floats(0.1, 20),
    st.floats(0.1, 20),
    st.binary(max_size=108),
    st.binary(max_size=108),
    st.none() | spots,
)
conducts = st.builds(
    Conduct,
    flag_button=st.none() | flag_buttons,
    new_game_key=st.none() | st.sampled_from(["n", "ctrl+shift+F5"]),
    answer_milliseconds=st.integers(0, 60_000),
    end_message_milliseconds=st.integers(0, 60_000),
    other_board=TEXTS,
    flags_to_win=st.booleans(),
    chooser=st.none() | choosers,
    boards=st.dictionaries(st.sampled_from(["9x9", "30x16"]), KEYS),
    dialogs=st.lists(
        st.builds(Dialog, PATTERNS, st.sampled_from(["ended", "new_game"]), KEYS), max_size=3
    ).map(tuple),
)


@st.composite
def ink_looks(draw: st.DrawFn) -> InkLook:
    glyphs = [
        Glyph(
            name,
            draw(st.integers(1, 99999)) / 1000,
            draw(st.integers(1, 1000)) / 1000,
            bytes(shape),
        )
        for name in (*"12345678", "flag", "mine")
        for shape in draw(st.lists(SHAPES, min_size=1, max_size=2))
    ]
    grounds = st.lists(RGBS, max_size=3).map(tuple)
    return InkLook(
        {name: draw(grounds) for name in ("covered", "opened", "exploded", "flash")},
        {name: draw(RGBS) for name in (*"12345678", "flag", "flag_base", "mine", "cross")},
        tuple(draw(st.permutations(glyphs))),
    )


@st.composite
def profiles(draw: st.DrawFn) -> Profile:
    is_known = draw(st.booleans())
    grid = draw(framed if is_known else lattices)
    cells = draw(ink_looks()) if is_known else None
    return Profile(
        draw(TEXTS),
        draw(TEXTS),
        draw(TEXTS),
        tuple(draw(st.lists(TEXTS, min_size=1, max_size=3))),
        grid,
        cells,
        draw(st.none() | statuses),
        draw(conducts),
    )


@pytest.mark.parametrize("name", names())
def test_a_shipped_profile_comes_back(name: str, tmp_path: Path) -> None:
    write(load(name), tmp_path / "profile.toml")
    assert load_file(tmp_path / "profile.toml") == load(name)


@pytest.mark.thorough
@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(profiles(), profiles())
def test_every_profile_comes_back_also_in_the_place_of_another(
    one: Profile, other: Profile
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "mine" / "profile.toml"
        for profile in (one, other):
            write(profile, path)
            assert load_file(path) == profile
        named = {path.name, *re.findall(r'^picture = "(.*)"$', path.read_text(), re.MULTILINE)}
        assert {file.name for file in path.parent.iterdir()} == named, "something was left behind"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A profile on disk."""
    write(load("sgt-mines"), tmp_path / "profile.toml")
    return tmp_path / "profile.toml"


@pytest.fixture
def other() -> Profile:
    """Another profile, with fewer drawings."""
    profile = load("sgt-mines")
    assert profile.cells is not None
    some = {glyph.name: glyph for glyph in profile.cells.glyphs}
    few = replace(profile.cells, glyphs=tuple(some.values()))
    return replace(profile, title="Other", cells=few)


@pytest.mark.parametrize("full_after", [0, 1])
def test_a_full_disk_leaves_the_profile_as_it_was(
    file: Path, other: Profile, full_after: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = {each.name: each.read_bytes() for each in file.parent.iterdir()}
    written: list[int] = []

    def full(handle: int) -> None:
        written.append(handle)
        if len(written) > full_after:
            raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(UsageError, match=r"profile\.toml: No space left on device"):
        write(other, file)
    assert len(written) == full_after + 1
    assert {each.name: each.read_bytes() for each in file.parent.iterdir()} == before


def test_the_file_is_replaced_last_and_names_sheets_that_are_there(
    file: Path, other: Profile, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = load_file(file)
    steps: list[Path] = []
    move = Path.replace

    def watched(self: Path, target: Path) -> Path:
        assert load_file(file) == old, "the one before is whole until the last moment"
        steps.append(target)
        return move(self, target)

    monkeypatch.setattr(Path, "replace", watched)
    write(other, file)
    assert [step.suffix for step in steps] == [".png", ".toml"]
    assert load_file(file) == other


def test_what_a_user_wrote_into_the_file_stays(file: Path, other: Profile) -> None:
    file.write_text("# Mine, do not lose.\n" + file.read_text())
    write(replace(other, title="Simon Tatham's Mines"), file)
    assert file.read_text().startswith("# Mine, do not lose.\n")
    assert load_file(file) == replace(other, title="Simon Tatham's Mines")
    write(other, file)
    assert load_file(file) == other, "a comment stays only where the rest says the same"


@pytest.mark.parametrize(
    "spoilt", [b"", b"name = ", b"[[sheets]]\n", b"\xff\n[[sheets]]\n", b'wm_class = ["mines"]\n']
)
def test_a_spoilt_file_is_replaced(file: Path, other: Profile, spoilt: bytes) -> None:
    file.write_bytes(spoilt)
    with pytest.raises(ProfileError):
        load_file(file)
    write(other, file)
    assert load_file(file) == other


def test_what_an_older_minebot_drew_goes_with_its_profile(tmp_path: Path) -> None:
    file, tiles = tmp_path / "profile.toml", tmp_path / "tiles.png"
    file.write_text(
        '[grid]\nkind = "touching"\n[[sheets]]\nkind = "tiles"\npicture = "tiles.png"\n'
    )
    tiles.write_bytes(b"some picture")
    write(load("kmines"), file)
    assert load_file(file) == load("kmines")
    assert not tiles.exists()


def test_a_regular_expression_and_colours_stay_legible(tmp_path: Path) -> None:
    file = tmp_path / "profile.toml"
    write(load("sgt-mines"), file)
    text = file.read_text()
    assert r"total = 'Marked:\s*(?P<marked>\d+)" in text
    assert "dark_rgb = [153, 153, 153]\n" in text
    assert text.count("\n") <= 80
