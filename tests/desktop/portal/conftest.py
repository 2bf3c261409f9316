"""A message bus of the tests' own."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from fixtures.desktops.gnome import bus_daemon


@pytest.fixture(scope="module")
def bus_address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    path: Path = tmp_path_factory.mktemp("bus") / "bus"
    with bus_daemon(path, dict(os.environ)) as address:
        yield address
