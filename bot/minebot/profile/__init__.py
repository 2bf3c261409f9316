"""Game profiles: what a game looks like and how it behaves, from `calibration/` and checked."""

from minebot.profile.appearance import (
    RGB,
    CounterStyle,
    DigitColourStyle,
    FramedStyle,
    Glyph,
    GridLook,
    LatticeStyle,
    Profile,
    StatusStyle,
)
from minebot.profile.behaviour import Behaviour, Chooser, Dialog
from minebot.profile.index import load, load_file, located, names, own_folder, profiles
from minebot.profile.schema import parse

__all__ = [
    "RGB",
    "Behaviour",
    "Chooser",
    "CounterStyle",
    "Dialog",
    "DigitColourStyle",
    "FramedStyle",
    "Glyph",
    "GridLook",
    "LatticeStyle",
    "Profile",
    "StatusStyle",
    "load",
    "load_file",
    "located",
    "names",
    "own_folder",
    "parse",
    "profiles",
]
