"""A profile that is written down is the same profile again, or the one before stays."""

from __future__ import annotations

import errno
import re
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from minebot.errors import ProfileError, UsageError
from minebot.profile import (
    Behaviour,
    Chooser,
    Dialog,
    LatticeStyle,
    Profile,
    StatusStyle,
    load,
    load_file,
    names,
)
from minebot.profile.behaviour import FlagButton, RelativePosition
from minebot.profile.writing import write
from minebot.vision.known_game import is_first_sight

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
PATTERNS = TEXTS.map(re.escape).map(re.compile)
KEYS = st.lists(st.sampled_from(["n", "alt+s", "Return", "+", '"', "\\", "'"]), min_size=1).map(
    tuple
)
TILES = st.integers(4, 64)

kept = st.dictionaries(
    st.sampled_from("0?F*!"),
    st.lists(st.binary(min_size=108, max_size=108), min_size=1, max_size=3).map(tuple),
    min_size=1,
)
lattices = st.builds(LatticeStyle, st.none() | TILES, st.lists(kept, max_size=2).map(tuple))
statuses = st.builds(
    StatusStyle,
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
    RelativePosition,
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
behaviours = st.builds(
    Behaviour,
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


profiles = st.builds(
    Profile,
    TEXTS,
    TEXTS,
    TEXTS,
    st.lists(TEXTS, min_size=1, max_size=3).map(tuple),
    lattices,
    page=TEXTS,
    status=st.none() | statuses,
    behaviour=behaviours,
    generic=st.booleans(),
)


KNOWN = load("kmines")
OTHER = KNOWN.changed(title="Other")
AT_FIRST_SIGHT = [name for name in names() if is_first_sight(load(name))]


@pytest.mark.parametrize("name", AT_FIRST_SIGHT)
def test_a_shipped_profile_comes_back(name: str, tmp_path: Path) -> None:
    write(load(name), tmp_path / "profile.toml")
    assert load_file(tmp_path / "profile.toml") == load(name)


def test_a_profile_with_colours_is_not_written(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="classic has colours"):
        write(load("classic"), tmp_path / "profile.toml")
    assert not list(tmp_path.iterdir())


def test_kept_tiles_come_back(tmp_path: Path) -> None:
    tiles = {"?": (bytes(range(108)), bytes(108)), "3": (b"\xff" * 108,)}
    profile = KNOWN.changed(grid=LatticeStyle(tiles=(tiles, {"!": (bytes(108),)})))
    write(profile, tmp_path / "profile.toml")
    assert load_file(tmp_path / "profile.toml") == profile


def test_a_profile_too_large_to_be_loaded_is_not_written(tmp_path: Path) -> None:
    write(KNOWN, tmp_path / "profile.toml")
    tiles = {"?": tuple(bytes([number]) * 108 for number in range(256))}
    with pytest.raises(UsageError, match="a profile has at most 65536 bytes"):
        write(KNOWN.changed(grid=LatticeStyle(tiles=(tiles, tiles))), tmp_path / "profile.toml")
    assert load_file(tmp_path / "profile.toml") == KNOWN


@pytest.mark.thorough
@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(profiles, profiles)
def test_every_profile_comes_back_also_in_the_place_of_another(
    one: Profile, other: Profile
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "mine" / "profile.toml"
        for profile in (one, other):
            write(profile, path)
            assert load_file(path) == profile
        assert list(path.parent.iterdir()) == [path], "something was left behind"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A profile on disk."""
    write(KNOWN, tmp_path / "profile.toml")
    return tmp_path / "profile.toml"


def test_a_full_disk_leaves_the_profile_as_it_was(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = file.read_bytes()

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(UsageError, match=r"profile\.toml: No space left on device"):
        write(OTHER, file)
    assert {each.name: each.read_bytes() for each in file.parent.iterdir()} == {file.name: before}


def test_the_file_is_whole_until_it_is_replaced(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps: list[Path] = []
    move = Path.replace

    def watched(self: Path, target: Path) -> Path:
        assert load_file(file) == KNOWN
        assert load_file(self) == OTHER
        steps.append(target)
        return move(self, target)

    monkeypatch.setattr(Path, "replace", watched)
    write(OTHER, file)
    assert steps == [file]
    assert load_file(file) == OTHER


def test_what_a_user_wrote_into_the_file_stays(file: Path) -> None:
    file.write_text(written := "# Mine, do not lose.\n" + file.read_text())
    write(KNOWN, file)
    assert file.read_text() == written
    write(OTHER, file)
    assert load_file(file) == OTHER, "a comment stays only where the rest says the same"


@pytest.mark.parametrize("spoilt", [b"", b"name = ", b"\xff\n", b'wm_class = ["mines"]\n'])
def test_a_spoilt_file_is_replaced(file: Path, spoilt: bytes) -> None:
    file.write_bytes(spoilt)
    with pytest.raises(ProfileError):
        load_file(file)
    write(OTHER, file)
    assert load_file(file) == OTHER


def test_what_an_older_minebot_drew_is_left_alone(file: Path) -> None:
    tiles = file.parent / "tiles.png"
    tiles.write_bytes(b"some picture")
    sheets = '\n[[sheets]]\nkind = "tiles"\npicture = "tiles.png"\ncells = "012"\n'
    file.write_text(file.read_text().replace('kind = "lattice"', 'kind = "touching"') + sheets)
    with pytest.raises(ProfileError, match="sheets: is of an older minebot"):
        load_file(file)
    write(KNOWN, file)
    assert load_file(file) == KNOWN
    assert tiles.read_bytes() == b"some picture"


def test_a_regular_expression_and_lists_stay_legible(file: Path) -> None:
    text = file.read_text()
    assert r"total = 'Mines:\s*(?P<marked>\d+)" in text
    assert '16x16 = ["alt+s", "d", "m"]\n' in text
