"""Makes the tile network's probabilities as large as its answers are often right.

    python -m training.calibrate --out out/training
    python -m training.export --out out/training

Training counts rare labels twice, and a tile that is drawn a hundred times ten times, so that some
labels come out too likely. What the exported networks say of drawn boards, each group of tiles
that are drawn alike counted once, is compared with the truth; the difference is added to the
biases of the last layer (vector scaling without scales: Guo et al., "On Calibration of Modern
Neural Networks", 2017).
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from bot.errors import GridNotFound
from bot.vision import first_sight
from bot.vision.classification.labels import Label
from training.draw.picture import draw
from training.evaluate import grid_verdict

FIRST, COUNT = 510_000, 600
"""The drawn pictures that are used: no figures are to be taken from them."""
_BIAS = "module.after.second.4.bias"
_DECAY = 1e-3
"""Weight decay of the biases: labels that hardly occur keep theirs."""


def main() -> None:
    """Change the biases in OUT/tiles.pt."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--out", type=Path, default=Path("out/training"))
    path = parser.parse_args().out / "tiles.pt"
    cv2.setNumThreads(1)
    logs, truth = (torch.tensor(np.array(each)) for each in zip(*_groups(), strict=True))
    biases = fitted(logs.float(), truth)
    state = torch.load(path)
    state["average"][_BIAS][: len(Label)] += biases
    torch.save(state, path)
    print({label.name: round(float(bias), 2) for label, bias in zip(Label, biases, strict=True)})


def fitted(logs: Tensor, truth: Tensor) -> Tensor:
    """Biases, one for each label, with which log probabilities explain the truth best."""
    biases = torch.zeros(logs.shape[1], requires_grad=True)
    optimiser = torch.optim.LBFGS([biases], max_iter=100)

    def loss() -> Tensor:
        optimiser.zero_grad()
        value = functional.cross_entropy(logs + biases, truth) + _DECAY * (biases**2).sum()
        value.backward()
        return value

    optimiser.step(loss)
    return biases.detach()


def _groups() -> Iterator[tuple[np.ndarray, int]]:
    """Of each group of tiles the log probabilities and what it shows."""
    for seed in range(FIRST, FIRST + COUNT):
        picture = draw(seed)
        boards = [one for one in picture.lattices if one.labels is not None]
        try:
            lattice, classified = first_sight.found(picture.pixels)
        except GridNotFound:
            continue
        if not boards or grid_verdict(lattice, boards[0].x, boards[0].y) != "found":
            continue
        labels = boards[0].labels
        assert labels is not None
        for group, chances in enumerate(first_sight.pooled(classified)):
            shown = labels[classified.groups == group]
            if (shown == shown[0]).all():
                yield np.log(chances + 1e-6), int(shown[0])


if __name__ == "__main__":
    main()
