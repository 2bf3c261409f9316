"""Writes trained networks as ONNX files for `cv2.dnn`.

    python -m training.export --out out/training --models bot/minebot/vision/models
    python -m training.export --out out/tiles --earlier out/before --share 0.3

The last one mixes in a share of the weights in a folder of networks that were exported before, from
which this training went on: less of what was known then is forgotten.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from torch import Tensor, nn

from training.networks import WIDTH, LatticeNetwork, TileNetwork

OPSET = 13
"""The newest operator set that opencv-python 4.10 and 5.0 both read."""


def main() -> None:
    """Export what has been trained; a network without a state keeps its file."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--out", type=Path, default=Path("out/training"))
    parser.add_argument("--models", type=Path, default=Path("bot/minebot/vision/models"))
    parser.add_argument("--earlier", type=Path, help="folder of networks exported before")
    parser.add_argument("--share", type=float, default=0.25, help="share of their weights")
    arguments = parser.parse_args()
    arguments.models.mkdir(parents=True, exist_ok=True)
    for name, (network, parts) in _networks().items():
        if not (arguments.out / f"{name}.pt").exists():
            print(f"{name}: not trained in {arguments.out}, so it stays")
            continue
        network.load_state_dict(_weights(arguments.out / f"{name}.pt"))
        network.eval()
        for part, (module, shape, free) in parts.items():
            path = arguments.models / f"{part}.onnx"
            _write(module, torch.zeros(*shape), path, free)
            if arguments.earlier:
                _mix(path, arguments.earlier / path.name, arguments.share)
            print(f"{path}: {path.stat().st_size:,} bytes")


_Part = tuple[nn.Module, tuple[int, ...], dict[int, str]]
"""A module that becomes a file, the shape of an example, and the axes of any length."""


def _networks() -> dict[str, tuple[nn.Module, dict[str, _Part]]]:
    lattice, tiles = LatticeNetwork(), TileNetwork()
    board = {2: "rows", 3: "columns"}
    parts: dict[str, _Part] = {
        "encoder": (tiles.encoder, (1, 3, 32, 32), {0: "tiles"}),
        "before": (tiles.before, (1, 3 * WIDTH, 8, 8), board),
        "after": (tiles.after, (1, 4 * WIDTH, 8, 8), board),
    }
    found: dict[str, _Part] = {"lattice": (lattice, (1, 3, 256, 256), {2: "height", 3: "width"})}
    return {"lattice": (lattice, found), "tiles": (tiles, parts)}


def _weights(path: Path) -> dict[str, Tensor]:
    """The averaged weights of a training."""
    state = torch.load(path, map_location="cpu")["average"]
    return {
        name.removeprefix("module."): value for name, value in state.items() if name != "n_averaged"
    }


def _mix(path: Path, earlier: Path, share: float) -> None:
    """Mix a share of an earlier file's weights into those of a network's file."""
    new, old = onnx.load(str(path)), onnx.load(str(earlier))
    for one, other in zip(new.graph.initializer, old.graph.initializer, strict=True):
        weights, others = numpy_helper.to_array(one), numpy_helper.to_array(other)
        if weights.dtype == np.float32:
            mixed = (1 - share) * weights + share * others
            one.CopyFrom(numpy_helper.from_array(mixed.astype(np.float32), one.name))
    onnx.save(new, str(path))


def _write(network: nn.Module, example: Tensor, path: Path, free: dict[int, str]) -> None:
    names = {"input_names": ["x"], "output_names": ["y"]}
    torch.onnx.export(
        network,
        (example,),
        str(path),
        opset_version=OPSET,
        dynamo=False,
        dynamic_axes={"x": free},
        **names,
    )


if __name__ == "__main__":
    main()
