"""`minebot read`: the board of any game, and what is in doubt about it."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from minebot.board import Board
from minebot.capture import Frame
from minebot.cli import main
from minebot.profile import load
from minebot.recording import pictures
from minebot.vision.any_game import read_known
from tests.support.fake_sight import Sight, asleep, blind, seeing

pytestmark = pytest.mark.thorough

SHOTS = Path(__file__).parents[2] / "fixtures" / "screenshots"
KNOWN = SHOTS / "sgt-mines" / "9x9n10-t20-middle-flags.png"
HELD = SHOTS / "sgt-mines" / "9x9n10-t20-held.png"
SEEN = Board.parse("????\n?11?\n?11?\n????")


@pytest.fixture
def unknown(tmp_path: Path) -> Path:
    """A picture of which no profile makes anything."""
    path = tmp_path / "unknown.png"
    path.write_bytes(pictures.png(Frame(np.full((200, 300, 4), 90, np.uint8))))
    return path


@pytest.fixture
def smudged(tmp_path: Path) -> Path:
    """A known game; the tile in column 4, row 4 shows something else."""
    frame = pictures.load(KNOWN)
    pixels = frame.pixels.copy()
    rect = read_known(frame, [load("sgt-mines")]).grid.rect(4, 4)
    pixels[rect.top : rect.bottom, rect.left : rect.right] = (10, 200, 90, 0)
    path = tmp_path / "smudged.png"
    path.write_bytes(pictures.png(Frame(pixels)))
    return path


@pytest.fixture
def look(monkeypatch: pytest.MonkeyPatch) -> Callable[[Sight], None]:
    """Sets what is seen at first sight."""
    return lambda one: one.install(monkeypatch)


def read(*arguments: object) -> int:
    """Run the command."""
    return main(["read", *map(str, arguments)])


def test_a_known_game_is_read_by_its_profile(
    look: Callable[[Sight], None], capsys: pytest.CaptureFixture[str]
) -> None:
    look(asleep)
    assert read(KNOWN, "--json") == 0
    out, err = capsys.readouterr()
    facts = json.loads(out)
    assert (facts["profile"], facts["mines"], facts["unread"]) == ("sgt-mines", 10, [])
    assert not err


def test_an_unknown_game_is_read_at_first_sight(
    unknown: Path, look: Callable[[Sight], None], capsys: pytest.CaptureFixture[str]
) -> None:
    look(seeing(SEEN))
    assert read(unknown) == 0
    out, err = capsys.readouterr()
    assert out == f"{SEEN}\n"
    assert err == (
        "note: read at first sight: no profile has these colours; --profile NAME says the game\n"
    )


def test_tiles_in_doubt_are_marked_and_named_with_status_4(
    unknown: Path, look: Callable[[Sight], None], capsys: pytest.CaptureFixture[str]
) -> None:
    look(seeing(SEEN, doubtful={5, 10}))
    assert read(unknown) == 4
    out, err = capsys.readouterr()
    assert out == "????\n?~1?\n?1~?\n????\n"
    assert err.splitlines()[1:] == [
        "in doubt at row 2, column 2; row 3, column 3; nearest: five 0.75, six 0.25"
    ]


def test_json_has_the_tiles_in_doubt_and_no_profile(
    unknown: Path, look: Callable[[Sight], None], capsys: pytest.CaptureFixture[str]
) -> None:
    look(seeing(SEEN, doubtful={5, 11}))
    assert read(unknown, "--json") == 4
    assert json.loads(capsys.readouterr().out) == {
        "width": 4,
        "height": 4,
        "mines": None,
        "rows": ["????", "??1?", "?11?", "????"],
        "status": "",
        "profile": None,
        "unread": [[1, 1], [3, 2]],
        "reached": [],
    }


def test_a_board_that_ends_with_the_picture_may_be_cut_off(
    unknown: Path, look: Callable[[Sight], None], capsys: pytest.CaptureFixture[str]
) -> None:
    look(seeing(SEEN, corner=(0, 200 - 4 * 16)))
    assert read(unknown, "--json") == 0
    out, err = capsys.readouterr()
    assert json.loads(out)["reached"] == ["left", "bottom"]
    assert err.splitlines()[1:] == [
        "note: the board reaches the picture's edge (left and bottom): cells may be cut off there"
    ]


@pytest.mark.parametrize(("rows", "is_told"), [("????", True), ("?F??", True), ("?1??", False)])
def test_covered_cells_alone_may_be_no_board(
    unknown: Path,
    look: Callable[[Sight], None],
    capsys: pytest.CaptureFixture[str],
    rows: str,
    *,
    is_told: bool,
) -> None:
    look(seeing(Board.parse("\n".join([rows] * 4))))
    assert read(unknown) == 0
    told = "nothing is opened: perhaps a fresh board, perhaps no Minesweeper at all"
    assert (f"note: {told}" in capsys.readouterr().err.splitlines()) == is_told


def test_a_known_game_with_a_tile_in_doubt_is_printed_too(
    smudged: Path, look: Callable[[Sight], None], capsys: pytest.CaptureFixture[str]
) -> None:
    look(blind)
    assert read(smudged) == 4
    out, err = capsys.readouterr()
    rows = KNOWN.with_suffix(".txt").read_text().splitlines()
    rows[4] = f"{rows[4][:4]}~{rows[4][5:]}"
    assert out.splitlines() == rows
    assert err.startswith("in doubt at row 5, column 5; nearest: ")


def test_a_named_game_is_not_read_at_first_sight(
    smudged: Path, look: Callable[[Sight], None], capsys: pytest.CaptureFixture[str]
) -> None:
    look(asleep)
    assert read(smudged, "--profile", "sgt-mines") == 4
    assert capsys.readouterr().out.count("~") == 1


def test_a_pressed_cell_is_printed_as_no_board(
    look: Callable[[Sight], None], capsys: pytest.CaptureFixture[str]
) -> None:
    look(asleep)
    assert read(HELD) == 4
    out, err = capsys.readouterr()
    assert not out
    assert "is being pressed" in err


def test_a_picture_in_which_nothing_is_seen_is_status_4(
    unknown: Path, look: Callable[[Sight], None], capsys: pytest.CaptureFixture[str]
) -> None:
    look(blind)
    assert read(unknown) == 4
    out, err = capsys.readouterr()
    assert (out, err) == ("", "minebot: no board at first sight\n")


def test_what_is_seen_at_first_sight_is_drawn_with_its_doubts(
    unknown: Path, tmp_path: Path, look: Callable[[Sight], None]
) -> None:
    look(seeing(SEEN, doubtful={5}, pitch=44))
    drawn = tmp_path / "seen.png"
    assert read(unknown, "--overlay", drawn) == 4
    pixels = pictures.load(drawn).pixels
    red = np.argwhere((pixels[..., :3] == (0, 0, 255)).all(axis=2))
    top, left = red.min(axis=0).tolist()
    assert abs(left - (10 + 44)) <= 2
    assert abs(top - (10 + 44)) <= 2


def test_the_risks_of_a_board_read_at_first_sight_are_drawn(
    unknown: Path, tmp_path: Path, look: Callable[[Sight], None]
) -> None:
    look(seeing(Board.parse("01??\n01??\n01??\n01??"), pitch=44))
    drawn = tmp_path / "seen.png"
    assert read(unknown, "--overlay", drawn) == 0
    pixels = pictures.load(drawn).pixels.astype(int)
    mine, safe, opened = (
        int(green) - int(red)
        for _, green, red, _ in (pixels[32, 128], pixels[76, 128], pixels[32, 40])
    )
    assert safe > opened + 20
    assert mine < opened - 10


def test_the_largest_picture_takes_bounded_memory(tmp_path: Path) -> None:
    """One of noise, all of which is looked at."""
    path = tmp_path / "noise.png"
    bits = np.random.default_rng(1).integers(0, 2, (4320, 7680), np.uint8)
    Image.fromarray(bits.astype(bool)).save(path)
    code = (
        "import re, sys; from minebot.cli import main\n"
        "assert main(['read', sys.argv[1]]) == 4\n"
        "print(re.search(r'VmHWM:\\s*(\\d+)', open('/proc/self/status').read())[1])"
    )
    run = subprocess.run(
        [sys.executable, "-c", code, str(path)], capture_output=True, text=True, check=True
    )
    assert run.stderr == "minebot: no board in the picture\n"
    assert int(run.stdout) < 1_500_000, "kilobytes"
