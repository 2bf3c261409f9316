"""Writes trained networks as ONNX files for `cv2.dnn`.

    python -m training.export --out out/training --models bot/minebot/vision/models
    python -m training.export --out out/shipped --earlier out/before --share 0.25

The last one mixes in a share of the weights of an earlier training from which this one went on:
what was learnt since of known games stays, and less of what was known of others is forgotten.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import torch
from torch import Tensor, nn

from training.networks import WIDTH, LatticeNetwork, TileNetwork

OPSET = 13
"""The newest operator set that opencv-python 4.10 and 5.0 both read."""


def main() -> None:
    """Export what has been trained."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--out", type=Path, default=Path("out/training"))
    parser.add_argument("--models", type=Path, default=Path("bot/minebot/vision/models"))
    parser.add_argument("--earlier", type=Path, help="folder of the training before")
    parser.add_argument("--share", type=float, default=0.25, help="share of its weights")
    arguments = parser.parse_args()
    arguments.models.mkdir(parents=True, exist_ok=True)
    lattice, tiles = LatticeNetwork(), TileNetwork()
    for network, name in ((lattice, "lattice"), (tiles, "tiles")):
        weights = _weights(arguments.out / f"{name}.pt")
        earlier = arguments.earlier and arguments.earlier / f"{name}.pt"
        if earlier and earlier.exists():
            weights = _mixed(weights, _weights(earlier), arguments.share)
        network.load_state_dict(weights)
        network.eval()
    parts: tuple[tuple[str, nn.Module, tuple[int, ...], dict[int, str]], ...] = (
        ("lattice", lattice, (1, 3, 256, 256), {2: "height", 3: "width"}),
        ("encoder", tiles.encoder, (1, 3, 32, 32), {0: "tiles"}),
        ("before", tiles.before, (1, 3 * WIDTH, 8, 8), {2: "rows", 3: "columns"}),
        ("after", tiles.after, (1, 4 * WIDTH, 8, 8), {2: "rows", 3: "columns"}),
    )
    for name, network, shape, free in parts:
        path = arguments.models / f"{name}.onnx"
        _write(network, torch.zeros(*shape), path, free)
        print(f"{path}: {path.stat().st_size:,} bytes")


def _weights(path: Path) -> dict[str, Tensor]:
    """The averaged weights of a training."""
    state = torch.load(path, map_location="cpu")["average"]
    return {
        name.removeprefix("module."): value for name, value in state.items() if name != "n_averaged"
    }


def _mixed(
    weights: dict[str, Tensor], others: dict[str, Tensor], share: float
) -> dict[str, Tensor]:
    return {
        name: torch.lerp(value, others[name], share) if value.is_floating_point() else value
        for name, value in weights.items()
    }


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
