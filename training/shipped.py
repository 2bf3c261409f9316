"""The networks as shipped, so that a training can go on from them.

An exported convolution holds what its normalisation has learnt. What that was cannot be told from
the file; it is measured anew on one batch, so that the network answers as the file does.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from torch import Tensor, nn

from training.networks import LatticeNetwork, TileNetwork


def shipped(name: str, models: Path, look: Callable[[nn.Module], object]) -> nn.Module:
    """The network `lattice` or `tiles` with the weights in a folder of ONNX files.

    `look` runs it once on training data.
    """
    network: nn.Module
    if name == "lattice":
        network = LatticeNetwork()
        _load(network, models / "lattice.onnx")
    else:
        network = TileNetwork()
        for part in ("encoder", "before", "after"):
            _load(getattr(network, part), models / f"{part}.onnx")
    hooks = [
        module.register_forward_pre_hook(_normalise)
        for module in network.modules()
        if isinstance(module, nn.BatchNorm2d)
    ]
    network.eval()
    with torch.no_grad():
        look(network)
    for hook in hooks:
        hook.remove()
    return network.train()


def _load(network: nn.Module, path: Path) -> None:
    graph = onnx.load(str(path)).graph
    values = {one.name: numpy_helper.to_array(one) for one in graph.initializer}
    names = dict(network.named_parameters())
    fused = [
        [values[name] for name in node.input[1:]]
        for node in graph.node
        if node.op_type == "Conv" and node.input[1] not in names
    ]
    modules = list(network.modules())
    pairs = [
        (first, second)
        for first, second in pairwise(modules)
        if isinstance(first, nn.Conv2d) and isinstance(second, nn.BatchNorm2d)
    ]
    with torch.no_grad():
        for name, value in values.items():
            if name in names:
                names[name].copy_(_tensor(value))
        for (convolution, normalisation), (weight, bias) in zip(pairs, fused, strict=True):
            convolution.weight.copy_(_tensor(weight))
            normalisation.bias.copy_(_tensor(bias))


def _tensor(value: np.ndarray) -> Tensor:
    return torch.from_numpy(value.copy())


def _normalise(layer: nn.Module, inputs: tuple[Tensor, ...]) -> None:
    """Set the layer so that it adds its bias and does nothing else to these inputs."""
    assert isinstance(layer, nn.BatchNorm2d)
    seen = inputs[0].float()
    mean, variance = seen.mean((0, 2, 3)), seen.var((0, 2, 3), unbiased=False)
    layer.running_mean, layer.running_var = mean, variance
    layer.weight.copy_((variance + layer.eps).sqrt())
    layer.bias.add_(mean)
