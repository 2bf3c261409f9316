"""Game profiles: what a game looks like and how it behaves, from `calibration/` and checked."""

from minebot.profile.appearance import (
    RGB,
    CounterLook,
    FramedLook,
    Glyph,
    GridLook,
    InkLook,
    LatticeLook,
    Profile,
    StatusLook,
)
from minebot.profile.behaviour import Chooser, Conduct, Dialog
from minebot.profile.index import load, load_file, names, own_folder, profiles
from minebot.profile.schema import parse

__all__ = [
    "RGB",
    "Chooser",
    "Conduct",
    "CounterLook",
    "Dialog",
    "FramedLook",
    "Glyph",
    "GridLook",
    "InkLook",
    "LatticeLook",
    "Profile",
    "StatusLook",
    "load",
    "load_file",
    "names",
    "own_folder",
    "parse",
    "profiles",
]
