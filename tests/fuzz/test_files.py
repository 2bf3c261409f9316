"""Files from outside, damaged: each is read, or refused in one line."""

from __future__ import annotations

import io
import json
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import strategies as st
from PIL import Image

from minebot.analysis import from_recording, replay_files
from minebot.analysis.played_game import PlayedGame
from minebot.analysis.replay_files import evf
from minebot.board import Action, Move
from minebot.capture import Frame
from minebot.layout import Layout
from minebot.profile import Profile, load_file
from minebot.recording.pictures import decoded
from minebot.study import answers
from minebot.study.opened_files import picture
from minebot.vision.any_game import read_as
from tests.fuzz.inputs import SECONDS, damaged, fuzz, look_at, refused, strict
from tests.support.people import careful

pytestmark = [pytest.mark.fuzz, pytest.mark.timeout(SECONDS + 120)]

ROOT = Path(__file__).parents[2]
SHOTS = ROOT / "fixtures" / "screenshots"
SHOT = SHOTS / "sgt-mines" / "9x9n10-t20-middle-flags.png"


def game(width: int, height: int, mines: int, seed: int = 0) -> PlayedGame:
    layout = Layout.scattered(width, height, mines, Random(seed), clear={0, 1, width, width + 1})
    return careful(layout, 0, Random(seed))


def shots() -> list[bytes]:
    """One picture in every format, and in some of its forms."""
    with Image.open(SHOT) as shot:
        picture = shot.convert("RGB")
    files = []
    for kind, form in (
        *[("PNG", form) for form in ("RGB", "RGBA", "L", "1", "P")],
        *[(kind, "RGB") for kind in ("JPEG", "WEBP", "BMP")],
        *[("GIF", form) for form in ("P", "L")],
    ):
        file = io.BytesIO()
        picture.convert(form).save(file, kind)
        files.append(file.getvalue())
    return files


def test_pictures() -> None:
    assert all(
        fuzz(lambda data: refused(lambda: picture(decoded(data))) is not None, damaged(shots()))
    )


@st.composite
def drawn(draw: st.DrawFn) -> Frame:
    """A picture of tiles that are alike, in a grid, with other things over it."""
    random = np.random.default_rng(draw(st.integers(0, 2**32)))
    wide, high = draw(st.integers(1, 40)), draw(st.integers(1, 40))
    columns, rows = draw(st.integers(1, 20)), draw(st.integers(1, 20))
    tiles = random.integers(0, 256, (draw(st.integers(1, 4)), high, wide, 4), np.uint8)
    if draw(st.booleans()):
        tiles[:] = tiles[:, :1, :1]  # of one colour each,
        tiles[:, :1, :, :3] = tiles[:, :, :1, :3] = draw(st.integers(0, 255))  # with an edge
    which = random.integers(0, len(tiles), (rows, columns))
    pixels = tiles[which].transpose(0, 2, 1, 3, 4).reshape(rows * high, columns * wide, 4)
    left, top = draw(st.integers(0, 200)), draw(st.integers(0, 200))
    pixels = np.pad(pixels, ((top, draw(st.integers(0, 99))), (left, 9), (0, 0)), mode="edge")
    return Frame(np.ascontiguousarray(pixels))


def test_drawn_pictures() -> None:
    fuzz(
        lambda frame: refused(lambda: picture(frame)) is not None, drawn()
    )  # hardly one is a board


def texts() -> st.SearchStrategy[str]:
    files = [path.read_bytes() for path in sorted((ROOT / "fixtures" / "texts").iterdir())]
    rows = st.lists(st.text("?.012345678F*!", min_size=5, max_size=5), max_size=6).map("\n".join)
    return st.one_of(
        st.text("?.012345678F*!#iMine \n\r\t\ufeff~x", max_size=60),
        rows,
        damaged(files, st.sampled_from([b"?", b"8", b"F", b"*", b"!", b".", b"\n", b"#", b"\xff"]))
        .map(lambda data: data.decode("utf-8", "replace")),
    )  # fmt: skip


def asked(question: dict[str, object]) -> bool:
    names = ("position", "judgement", "suggestion", "reason")
    found = [strict(answers.answer(name, json.dumps(question).encode())) for name in names]
    return any("error" not in one for one in found)


def test_texts() -> None:
    numbers = st.one_of(st.none(), st.integers(-1, 30))
    questions = st.fixed_dictionaries({"text": texts(), "mines": numbers, "square": numbers})
    assert all(fuzz(asked, questions))


def recording(played: PlayedGame) -> tuple[str, dict[str, str]]:
    """The journal and the boards of a game, as they are recorded."""
    lines, boards = [], {}
    for number, act in enumerate(played.acts):
        action = {Action.FLAG: Action.FLAG, Action.UNFLAG: Action.UNFLAG}.get(
            act.click.action, Action.OPEN
        )
        facts = {
            "picture": f"{number:06d}.png",
            "seconds": act.click.seconds,
            "problem": "",
            "total": act.before.mines,
            "moves": [str(Move(action, *act.before.xy(act.click.square)))],
            "times": [act.click.seconds],
        }
        lines.append(f"{json.dumps(facts)}\n")
        boards[f"{number:06d}.txt"] = str(act.before)
    return "".join(lines), boards


@st.composite
def recordings(draw: st.DrawFn) -> bytes:
    """What the page sends of a recording; its texts are damaged, or all of it."""
    journal, boards = draw(st.sampled_from([recording(game(5, 5, 4, seed)) for seed in range(4)]))
    pieces = st.sampled_from(
        [*"0123456789-{}[]\":,?*!F\\eE", "\n", "null", "true", "1e308", "-1e308", "9" * 400,
         "[" * 3000, "\\ud800", "NaN", "0.png", "unflag 0,0", "flag 1,1"]
    ).map(str.encode)  # fmt: skip
    if draw(st.booleans()):
        journal = draw(damaged([journal.encode()], pieces)).decode("utf-8", "replace")
    if draw(st.booleans()):
        name = draw(st.sampled_from(sorted(boards)))
        boards = boards | {name: draw(damaged([boards[name].encode()], pieces)).decode()}
    sent = json.dumps({"journal": journal, "boards": boards}).encode()
    return draw(damaged([sent], pieces)) if draw(st.integers(0, 3)) == 0 else sent


def looked_at_recording(sent: bytes) -> bool:
    answer = answers.answer("recording", sent)
    if "error" in strict(answer):
        return False
    facts = json.loads(sent)
    for each in from_recording.games_of(facts["journal"], facts["boards"]):
        look_at(each)
    return True


def test_recordings() -> None:
    assert all(fuzz(looked_at_recording, recordings()))


def looked_at_replay(replay: tuple[str, bytes]) -> bool:
    found = refused(lambda: replay_files.parse(*replay))
    if found is not None:
        look_at(found)
    return found is not None


def test_replays() -> None:
    pytest.importorskip("ms_toollib")
    broken = ROOT / "tests" / "analysis"
    files = {
        "evf": [evf(game(9, 9, 10)), evf(game(5, 5, 4, 1))],
        "avf": [(broken / "no_number.avf").read_bytes()],
        "mvf": [(broken / "ends_early.mvf").read_bytes()],
        "rmv": [b"*rmv\0\1\0\0" + bytes(400)],
    }
    kinds = [st.tuples(st.just(kind), damaged(some)) for kind, some in files.items()]
    assert all(fuzz(looked_at_replay, st.one_of(kinds)))


def test_profiles(tmp_path: Path) -> None:
    frames = {}
    folders = sorted(path.parent for path in (ROOT / "calibration").glob("*/profile.toml"))
    for folder in folders:
        shot = sorted((SHOTS / folder.name).glob("*.png"), key=lambda path: path.stat().st_size)[0]
        frames[folder.name] = decoded(shot.read_bytes())
    pieces = st.sampled_from(
        [*"0123456789-.[]{}\"'=#\n()?*+|\\", "nan", "inf", "-inf", "1e308", "true", "9" * 5000,
         "[" * 5000, "(" * 500, "a{99999999999}", "\udcff", "above", "\n[behaviour]\n", "x = 1\n"]
    ).map(lambda text: text.encode("utf-8", "surrogateescape"))  # fmt: skip

    def check(written: tuple[Path, bytes]) -> bool:
        folder, text = written
        (tmp_path / "profile.toml").write_bytes(text)
        profile: Profile | None = refused(lambda: load_file(tmp_path / "profile.toml"))
        if profile is not None:
            frame = frames[folder.name]
            refused(lambda: read_as(frame, profile))
        return profile is not None

    def written(folder: Path) -> st.SearchStrategy[tuple[Path, bytes]]:
        text = (folder / "profile.toml").read_bytes()
        return st.tuples(st.just(folder), damaged([text], pieces))

    assert all(fuzz(check, st.one_of([written(folder) for folder in folders])))
