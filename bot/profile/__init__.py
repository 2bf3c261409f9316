"""Game profiles: what a game looks like, loaded from `calibration/` and checked."""

from bot.profile.behaviour import Chooser, Conduct, Dialog
from bot.profile.index import load, names, own_folder
from bot.profile.toml import parse
from bot.profile.values import (
    RGB,
    ApartLook,
    FramedLook,
    Glyph,
    GridLook,
    InkLook,
    Profile,
    Sample,
    SampleLook,
    StatusLook,
    Thumbnail,
    TouchingLook,
)

__all__ = [
    "RGB",
    "ApartLook",
    "Chooser",
    "Conduct",
    "Dialog",
    "FramedLook",
    "Glyph",
    "GridLook",
    "InkLook",
    "Profile",
    "Sample",
    "SampleLook",
    "StatusLook",
    "Thumbnail",
    "TouchingLook",
    "load",
    "names",
    "own_folder",
    "parse",
]
