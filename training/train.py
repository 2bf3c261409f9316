"""Trains a network on drawn boards; goes on where it was interrupted.

    python -m training.train lattice --hours 2.5 --out out/training
    python -m training.train tiles --hours 2.5 --out out/training
    python -m training.train tiles --hours 0.3 --out out/shipped --rate 5e-4 \
        --start out/training/tiles.pt --known fixtures/versions

The last one goes on with known games, so that no cell of these is in doubt.

The state is kept in OUT/NAME.pt every two minutes. `--hours` is the time of the whole training,
also of an interrupted one, in hours of wall-clock time. Without an accelerator it takes a core, and
`--workers` cores draw. With one, batches are larger, and each is used several times, since drawing
takes longer than training: `--workers 8` and more.
"""

from __future__ import annotations

import argparse
import math
import os
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn
from torch.utils.data import DataLoader, IterableDataset

from training.draw.ink import check_fonts
from training.known import labelled, screenshots
from training.networks import LatticeNetwork, TileNetwork
from training.samples import RARE, Crops, Lattices
from training.shipped import shipped

DEVICE = torch.device("cuda" if torch.cuda.is_available() else "cpu")
Batch = tuple[Tensor, ...]
NETWORKS: dict[str, type[nn.Module]] = {"lattice": LatticeNetwork, "tiles": TileNetwork}
RATES = {"lattice": 3e-3, "tiles": 2e-3}
"""Learning rates; a cosine takes them to nearly nothing at the end. Others were not tried yet."""
KNOWN_SHARE = 0.6
"""Share of pictures of real games where these are trained on as well."""
AVERAGE = 0.998
"""How slowly the averaged weights, which are exported, follow the trained ones."""
WARM_UP = 100
"""Steps in which the rate rises."""
SAVE_SECONDS = 120.0
ACCELERATED_SCALE = 5
"""By how much larger batches are on an accelerator."""
ACCELERATED_USES = 3
"""How often each batch is used there."""
HALVED = DEVICE.type == "cuda" or torch.ops.mkldnn._is_mkldnn_bf16_supported()
"""Whether to compute in 16 bits: processors that only emulate them take ten times as long."""
KEPT = 300
"""Batches kept there, among which the next one is chosen."""


def main() -> None:
    """Train what the command line says."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("network", choices=list(NETWORKS))
    parser.add_argument("--hours", type=float, default=2.5)
    parser.add_argument("--out", type=Path, default=Path("out/training"))
    parser.add_argument(
        "--start",
        type=Path,
        help="a state of another training to begin with, or a folder of exported networks",
    )
    parser.add_argument(
        "--known",
        type=Path,
        nargs="+",
        default=[],
        help="folders of labelled pictures to train on as well, and on fixtures/screenshots",
    )
    parser.add_argument("--known-share", type=float, default=KNOWN_SHARE)
    parser.add_argument("--rate", type=float, help="learning rate to begin with")
    parser.add_argument("--workers", type=int, default=1, help="processes that draw")
    arguments = parser.parse_args()
    check_fonts()
    os.nice(10)
    torch.seed()  # Else torch seeds each run alike, and all would draw the same pictures.
    torch.set_num_threads(1)
    arguments.out.mkdir(parents=True, exist_ok=True)
    path = arguments.out / f"{arguments.network}.pt"
    known = [one.picture for folder in arguments.known for one in labelled(folder)]
    if known:
        known += [one.picture for one in screenshots()]
    rate = arguments.rate or RATES[arguments.network]
    scale = ACCELERATED_SCALE if DEVICE.type == "cuda" else 1
    kind = {"lattice": Crops, "tiles": Lattices}[arguments.network]
    data = kind((known, arguments.known_share), scale)
    if arguments.start is not None and not path.exists():
        _begin_with(arguments.network, arguments.start, path, data)
    batches = _batches(DataLoader(data, batch_size=None, num_workers=arguments.workers))
    train(arguments.network, batches, arguments.hours * 3600, path, rate=rate)


def _begin_with(name: str, start: Path, path: Path, data: IterableDataset) -> None:
    """Begin a training with the averaged weights of another."""
    network = NETWORKS[name]()
    if start.is_dir():
        losses, batch = LOSSES[name], next(iter(data))
        network = shipped(name, start, lambda one: losses(one, *batch))
        average = _averaged(network)
    else:
        average = _averaged(network)
        average.load_state_dict(torch.load(start, map_location=DEVICE)["average"])
        network.load_state_dict(average.module.state_dict())
    _save(path, (network, average, _optimiser(network, 1e-3)), 0, 0.0)


def _averaged(network: nn.Module) -> AveragedModel:
    return AveragedModel(network, multi_avg_fn=get_ema_multi_avg_fn(AVERAGE), use_buffers=True)


def _optimiser(network: nn.Module, rate: float) -> torch.optim.Optimizer:
    return torch.optim.AdamW(network.parameters(), rate, weight_decay=1e-3)


def _batches(drawn: Iterable[Batch]) -> Iterator[Batch]:
    """The batches as they are drawn; on an accelerator each several times, in another order."""
    if DEVICE.type != "cuda":
        yield from drawn
        return
    rng = np.random.default_rng()
    kept: list[Batch] = []
    for batch in drawn:
        one = tuple(part.to(DEVICE, non_blocking=True) for part in batch)
        if len(kept) < KEPT:
            kept.append(one)
        else:
            kept[rng.integers(KEPT)] = one
        for _ in range(ACCELERATED_USES):
            yield kept[rng.integers(len(kept))]


def train(name: str, batches: Iterable[Batch], seconds: float, path: Path, *, rate: float) -> None:
    """Train until the seconds are spent, those of earlier runs included."""
    network = NETWORKS[name]().to(DEVICE, memory_format=torch.channels_last)
    average, optimiser = _averaged(network), _optimiser(network, rate)
    step, spent = 0, 0.0
    if path.exists():
        state = torch.load(path, map_location=DEVICE)
        network.load_state_dict(state["network"])
        average.load_state_dict(state["average"])
        optimiser.load_state_dict(state["optimiser"])
        step, spent = state["step"], state["seconds"]
    losses = LOSSES[name]
    began = saved = time.monotonic() - spent
    seen: list[Tensor] = []
    for batch in batches:
        spent = time.monotonic() - began
        if spent > seconds:
            break
        factor = 0.5 + 0.5 * math.cos(math.pi * min(1, spent / seconds))
        for group in optimiser.param_groups:
            group["lr"] = rate * min(1, (step + 1) / WARM_UP) * factor + 1e-5
        parts = losses(network, *batch)
        optimiser.zero_grad(set_to_none=True)
        parts[0].backward()
        nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        optimiser.step()
        average.update_parameters(network)
        step += 1
        seen.append(torch.stack([part.detach() for part in parts]))
        if step % 50 == 0:
            told = " ".join(f"{value:.4f}" for value in torch.stack(seen).mean(0).tolist())
            seen.clear()
            print(f"{spent:6.0f} s, step {step}: {told}", flush=True)
        if time.monotonic() - saved > SAVE_SECONDS:
            saved = time.monotonic()
            _save(path, (network, average, optimiser), step, spent)
    _save(path, (network, average, optimiser), step, spent)


def _save(
    path: Path,
    trained: tuple[nn.Module, AveragedModel, torch.optim.Optimizer],
    step: int,
    seconds: float,
) -> None:
    names = ("network", "average", "optimiser")
    state = {name: one.state_dict() for name, one in zip(names, trained, strict=True)}
    state |= {"step": step, "seconds": seconds}
    new = path.with_suffix(".new")
    torch.save(state, new)
    new.replace(path)


def _lattice_losses(network: nn.Module, crops: Tensor, targets: Tensor) -> list[Tensor]:
    """The whole loss, that of the mask, and that of the phases."""
    pictures = crops.float().div_(255).contiguous(memory_format=torch.channels_last)
    with torch.autocast(DEVICE.type, torch.bfloat16, enabled=HALVED):
        out = network(pictures)
    out = out.float()
    mask = functional.binary_cross_entropy_with_logits(out[:, 0], targets[:, 0], reduction="none")
    small = functional.binary_cross_entropy_with_logits(out[:, 1], targets[:, 2], reduction="none")
    phase = ((out[:, 2:6] - targets[:, 4:8]) ** 2).sum(1) * targets[:, 0]
    masked = (mask * targets[:, 1]).mean()
    phased = phase.sum() / (targets[:, 0].sum() + 1)
    return [masked + 0.5 * (small * targets[:, 3]).mean() + 0.5 * phased, masked, phased]


def _tile_losses(network: nn.Module, *batch: Tensor) -> list[Tensor]:
    """The whole loss; shares of cells that looks, and looks and rules, get right; of lattices."""
    tiles, places, labels, groups, boards = batch
    with torch.autocast(DEVICE.type, torch.bfloat16, enabled=HALVED):
        own, both, board = network(tiles.float().div_(255), places, groups)
    own, both, board = own.float(), both.float(), board.float()
    # Each tile counts as the root of its number on all boards.
    weight = torch.bincount(places.ravel(), minlength=len(tiles)).float().rsqrt()[places]
    weight = (
        weight * (1 + torch.isin(labels, torch.tensor(RARE, device=labels.device))) * (labels >= 0)
    )
    weight = weight / weight.sum().clamp(min=1)
    wanted = labels.clamp(min=0)
    first, second = (
        (functional.cross_entropy(out, wanted, reduction="none") * weight).sum()
        for out in (own, both)
    )
    judged = functional.binary_cross_entropy_with_logits(board, boards)
    right = [((out.argmax(1) == wanted) * weight).sum() for out in (own, both)]
    told = ((board > 0) == (boards > 0.5)).float().mean()
    return [first + 0.7 * second + 0.3 * judged, *right, told]


LOSSES = {"lattice": _lattice_losses, "tiles": _tile_losses}


if __name__ == "__main__":
    main()
