"""Damaged pictures: read right or refused, whatever happened to them."""

from __future__ import annotations

import pytest

from benchmarks.damage import trial
from fixtures.damage import KINDS

SEED = 4
READ_RIGHT = {"gnome-mines": 3, "kmines": 3, "sgt-mines": 9, "xdemineur": 1}
"""How many pictures of each game's sample are read right at least. Measured: "right" of
`python -m benchmarks.damage --seed 4 --pictures 21 --game GAME`."""


@pytest.mark.timeout(400)  # up to 20 s of processor time, on a machine that may be busy
@pytest.mark.parametrize(
    "game",
    [
        "sgt-mines",
        *(
            pytest.param(game, marks=[pytest.mark.thorough, pytest.mark.trained])
            for game in sorted(READ_RIGHT.keys() - {"sgt-mines"})
        ),
    ],
)
def test_nothing_is_read_wrong_and_not_all_is_refused(game: str) -> None:
    outcomes = [trial((number, SEED, game)) for number in range(len(KINDS))]
    assert [one for one in outcomes if one.verdict not in ("right", "refused")] == []
    assert sum(one.verdict == "right" for one in outcomes) >= READ_RIGHT[game]
