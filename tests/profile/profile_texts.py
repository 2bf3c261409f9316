"""Profiles that are whole, old or broken."""

from __future__ import annotations

import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]


SHIPPED = ROOT / "calibration"


PATH = SHIPPED / "sgt-mines" / "profile.toml"


DATA = tomllib.loads(PATH.read_text())


LATTICE = {key: DATA[key] for key in ("name", "title", "looks", "app_ids", "behaviour")}
LATTICE["grid"] = {"kind": "lattice"}
"""A profile of a game whose looks nobody knows."""
