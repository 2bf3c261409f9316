"""Game profiles: what a game looks like, loaded from `calibration/` and checked."""

from bot.profile.conduct import Chooser, Conduct, Dialog
from bot.profile.shipped import load, names, own_folder
from bot.profile.toml import parse
from bot.profile.values import (
    RGB,
    ApartLook,
    FramedLook,
    InkLook,
    Profile,
    Sample,
    SampleLook,
    StatusLook,
)

__all__ = [
    "RGB",
    "ApartLook",
    "Chooser",
    "Conduct",
    "Dialog",
    "FramedLook",
    "InkLook",
    "Profile",
    "Sample",
    "SampleLook",
    "StatusLook",
    "load",
    "names",
    "own_folder",
    "parse",
]
