"""What these tests share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from fixtures.desktops.sway import SwayDesktop
from minebot.desktop.wayland.desktop import WaylandDesktop
from tests.desktop.rig import Rig, sway_rig


@pytest.fixture
def rig(sway: SwayDesktop, on_sway: WaylandDesktop) -> Iterator[Rig]:
    with sway_rig(sway, on_sway, 1) as rig:
        yield rig
