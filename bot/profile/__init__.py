"""Game profiles: what a game looks like and how it behaves, from `calibration/` and checked."""

from bot.profile.behaviour import Chooser, Conduct, Dialog
from bot.profile.index import headings, load, load_file, names, own_folder
from bot.profile.schema import Heading, parse
from bot.profile.values import (
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

__all__ = [
    "RGB",
    "Chooser",
    "Conduct",
    "CounterLook",
    "Dialog",
    "FramedLook",
    "Glyph",
    "GridLook",
    "Heading",
    "InkLook",
    "LatticeLook",
    "Profile",
    "StatusLook",
    "headings",
    "load",
    "load_file",
    "names",
    "own_folder",
    "parse",
]
