"""A message bus of the tests' own, and what a session with the portal needs."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from fixtures.desktops.gnome import bus_daemon
from minebot.desktop.portal.bus import Bus
from tests.desktop.portal.portal_rig import Asked


@pytest.fixture(scope="module")
def bus_address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    path: Path = tmp_path_factory.mktemp("bus") / "bus"
    with bus_daemon(path, dict(os.environ)) as address:
        yield address


@pytest.fixture
def bus(bus_address: str) -> Iterator[Bus]:
    with closing(Bus(bus_address)) as bus:
        yield bus


@pytest.fixture
def token(tmp_path: Path) -> Path:
    """The file in which the permission is kept, which is not there yet."""
    return tmp_path / "kept" / "token"


@pytest.fixture
def asked() -> Asked:
    return Asked()
