"""Measures over which range the numbers of a module read all known pictures alike.

    python -m benchmarks.ranges minebot.vision.framed_tiles minebot.vision.framed
    python -m benchmarks.ranges minebot.vision.counter minebot.vision.status

Takes the pictures of `fixtures/screenshots` of games whose colours a profile knows, their damaged
versions (`fixtures.damage`, a few of each), and those that none of these profiles may read; for
modules that read beside boards, what `benchmarks/totals.py` has for them. Each number at the top
of a module is lowered and raised step by step, alone, until a picture that was read right is no
longer, or one is read wrong that was refused. An odd number stays odd.
"""

from __future__ import annotations

import argparse
import importlib
import inspect
import json
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from random import Random
from types import ModuleType

import numpy as np

from benchmarks import totals
from fixtures.damage import KINDS, Subject
from minebot.board import Board
from minebot.capture import Frame
from minebot.errors import MinebotError
from minebot.profile import load, profiles
from minebot.recording import pictures
from minebot.vision.known_game import KnownGameReader, is_first_sight
from minebot.vision.pressed import settled

ROOT = Path(__file__).parents[1]
SHOTS = ROOT / "fixtures" / "screenshots"
FACTORS = (1.1, 1.25, 1.5, 2.0, 3.0, 5.0)
"""By how much a number is raised or lowered, one after the other."""
KNOWN = [load(name) for name in profiles() if not is_first_sight(load(name))]


@dataclass(frozen=True, slots=True)
class Case:
    """A picture, and the boards that may be read in it; none where it is to be refused."""

    name: str
    frame: Frame
    truths: tuple[Board, ...]

    def verdict(self) -> str:
        """`right`, `wrong` or `refused`, by all profiles together."""
        found = []
        for profile in KNOWN:
            with suppress(MinebotError):
                found.append(settled(KnownGameReader(profile).read(self.frame).board))
        if any(board not in self.truths for board in found):
            return "wrong"
        return "right" if found else "refused"


def cases(damaged: int) -> Iterator[Case]:
    """Every picture, and so many damaged versions of each whose board is known."""
    games = {profile.name for profile in KNOWN}
    subjects: list[tuple[str, Subject]] = []
    for folder in sorted(path for path in SHOTS.iterdir() if (path / "index.json").exists()):
        index = json.loads((folder / "index.json").read_text())
        for path in sorted(folder.glob("*.png")):
            facts, frame = index[path.stem], pictures.load(path)
            truths: tuple[Board, ...] = ()
            if facts["expect"] == "read" and (folder.name in games or "fresh" in path.stem):
                truths = (Board.parse(path.with_suffix(".txt").read_text()),)
            yield Case(f"{folder.name}/{path.stem}", frame, truths)
            if truths and folder.name in games:
                pixels = np.ascontiguousarray(frame.pixels[..., :3])
                with suppress(MinebotError):
                    grid = KnownGameReader(load(folder.name)).read(frame).grid
                    subjects.append((path.stem, Subject(pixels, truths[0], grid.frame)))
    random = Random(1)
    for name, subject in subjects:
        for kind in random.sample(sorted(KINDS), damaged):
            spoilt = KINDS[kind](subject, random.choice(subjects)[1], random)
            alpha = np.zeros((*spoilt.pixels.shape[:2], 1), np.uint8)
            frame = Frame(np.concatenate((spoilt.pixels, alpha), axis=2))
            yield Case(f"{name}, {kind}", frame, spoilt.truths)


class Number:
    """A number that a module gives a name to at its top, alone or in a tuple."""

    def __init__(self, module: ModuleType, name: str, index: int | None) -> None:
        self.name = f"{module.__name__}.{name}" + ("" if index is None else f"[{index}]")
        self._name, self._index, self._all = name, index, getattr(module, name)
        self.value: float = self._all if index is None else self._all[index]
        self._users = [
            one
            for key, one in sys.modules.items()
            if key.startswith("minebot.") and getattr(one, name, None) is self._all
        ]

    def times(self, factor: float) -> float:
        """The number that many times as large."""
        if isinstance(self.value, int):
            return round(self.value * factor) | self.value & 1
        return self.value * factor

    def set(self, value: float) -> None:
        """Give it another value, wherever it was imported to."""
        whole: object = value
        if self._index is not None:
            whole = (*self._all[: self._index], value, *self._all[self._index + 1 :])
        for user in self._users:
            setattr(user, self._name, whole)


def numbers(module: ModuleType) -> Iterator[Number]:
    """The numbers that a module gives a name to, at its top."""
    found = r"^(\w+)(?:, (\w+))? = (\(?)[-\d., ]+\)?$"
    for one, other, is_tuple in re.findall(found, inspect.getsource(module), re.MULTILINE):
        for name in filter(None, (one, other)):
            indices = range(len(getattr(module, name))) if is_tuple else [None]
            yield from (Number(module, name, index) for index in indices)


def main() -> None:
    """Print the range of each number."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("modules", nargs="+")
    parser.add_argument("--damaged", type=int, default=2, help="damaged versions of each picture")
    asked = parser.parse_args()
    for name in asked.modules:
        corpus: list[Case | totals.Case] = [
            *(
                chain(*(kind() for kind in totals.CASES[name]))
                if name in totals.CASES
                else cases(asked.damaged)
            )
        ]
        _print_ranges(importlib.import_module(name), corpus)


def _print_ranges(module: ModuleType, corpus: Sequence[Case | totals.Case]) -> None:
    base = [case.verdict() for case in corpus]
    print(f"{len(corpus)} pictures, {base.count('right')} read right, {base.count('wrong')} wrong")
    for number in numbers(module):
        ends = []
        for way in (-1, 1):
            last, fault = number.value, "none up to 5 times"
            for tried in dict.fromkeys(number.times(factor**way) for factor in FACTORS):
                number.set(tried)
                worse = _worse(corpus, base)
                if worse:
                    fault = f"{tried:.4g}: {worse}"
                    break
                last = tried
            ends.append((last, fault))
        number.set(number.value)
        (low, below), (high, above) = ends
        print(f"{number.name} = {number.value:g}: {low:.4g} to {high:.4g}", flush=True)
        print(f"    below {below}\n    above {above}", flush=True)


def _worse(corpus: Sequence[Case | totals.Case], base: Sequence[str]) -> str:
    """The first picture that is read worse now, and how; empty where there is none."""
    for case, before in zip(corpus, base, strict=True):
        after = case.verdict()
        if after != before and (before == "right" or after == "wrong"):
            return f"{case.name} is {after}"
    return ""


if __name__ == "__main__":
    main()
