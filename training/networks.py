"""The two networks: where the lattice is, and what its tiles show."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional

from minebot.vision.classification import Label

LABELS = len(Label)
WIDTH = 64
"""Numbers by which the classifying network describes a tile."""


def _convolution(inputs: int, outputs: int, stride: int = 1, dilation: int = 1) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, 3, stride, dilation, dilation, bias=False),
        nn.BatchNorm2d(outputs),
        nn.ReLU(),
    )


class LatticeNetwork(nn.Module):
    """From a picture to six maps of a quarter of its size.

    0: how likely a lattice with cells of 7 to 64 pixels is there (logit); 1: one with smaller
    cells (logit); 2 to 5: cosine and sine of the position within the cell, across and down, where
    0 is the middle of the cell and a whole turn leads to the next one.
    """

    def __init__(self, widths: tuple[int, int, int, int] = (12, 24, 48, 64)) -> None:
        super().__init__()
        a, b, c, d = widths
        self.down4 = nn.Sequential(_convolution(3, a, 2), _convolution(a, b, 2), _convolution(b, b))
        self.down8 = nn.Sequential(_convolution(b, c, 2), _convolution(c, c), _convolution(c, c))
        self.down16 = nn.Sequential(
            _convolution(c, d, 2),
            _convolution(d, d, 1, 2),
            _convolution(d, d, 1, 4),
            _convolution(d, d, 1, 2),
        )
        self.up8, self.merge8 = nn.Conv2d(d, c, 1), _convolution(c, c)
        self.up4, self.merge4 = nn.Conv2d(c, b, 1), _convolution(b, b)
        self.out = nn.Conv2d(b, 6, 1)

    def forward(self, pictures: Tensor) -> Tensor:
        """Shape (n, 3, height, width), multiples of 16, from 0 to 1."""
        quarter = self.down4(pictures)
        eighth = self.down8(quarter)
        sixteenth = self.down16(eighth)
        eighth = self.merge8(eighth + _doubled(self.up8(sixteenth)))
        return self.out(self.merge4(quarter + _doubled(self.up4(eighth))))


def _doubled(maps: Tensor) -> Tensor:
    return functional.interpolate(maps, scale_factor=2.0, mode="nearest")


class TileNetwork(nn.Module):
    """From the tiles of a lattice to what each shows, and whether it is a board at all.

    `encoder` describes one tile by `WIDTH` numbers. `before` sees these and their mean and maximum
    over the lattice; its first answer looks at tiles one by one. `after` sees the neighbours too,
    and what stands beside all tiles that are drawn alike: so it learns the rules of the game, and
    which of two plain tiles is the opened one.
    """

    def __init__(self) -> None:
        super().__init__()
        self.encoder = nn.Sequential(
            _convolution(3, 16, 2),
            _convolution(16, 32),
            _convolution(32, 48, 2),
            _convolution(48, 48),
            _convolution(48, 64, 2),
            _convolution(64, 64),
            nn.Flatten(),
            nn.Linear(1024, WIDTH),
        )
        self.before = Before()
        self.after = After()

    def forward(
        self, tiles: Tensor, places: Tensor, groups: Tensor
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Answers by looks, by looks and rules, and the logit that it is a board.

        `tiles` has shape (n, 3, 32, 32); `places` and `groups` have shape (lattices, rows,
        columns): the tile of each cell, and its group, counted on from lattice to lattice.
        """
        described = self.encoder(tiles)[places].permute(0, 3, 1, 2).contiguous()
        own, mixed, first = self.before.parts(with_context(described))
        flat = first.permute(0, 2, 3, 1).reshape(-1, WIDTH).float()
        ids, count = groups.ravel(), int(groups.max()) + 1
        sums = torch.zeros(count, WIDTH, device=flat.device).index_add(0, ids, flat)
        means = sums / torch.bincount(ids, minlength=count).clamp(min=1)[:, None]
        alike = means[groups].permute(0, 3, 1, 2).to(first.dtype)
        everywhere = first.mean((2, 3), keepdim=True).expand_as(first)
        out = self.after(torch.cat([mixed, first, alike, everywhere], 1))
        return own, out[:, :LABELS], out[:, LABELS].mean((1, 2))


def with_context(described: Tensor) -> Tensor:
    """Each cell's description, with mean and maximum of those of its lattice."""
    mean = described.mean((2, 3), keepdim=True).expand_as(described)
    most = described.amax((2, 3), keepdim=True).expand_as(described)
    return torch.cat([described, mean, most], 1)


class Before(nn.Module):
    """What can be said of each cell before it is known which are drawn alike."""

    def __init__(self) -> None:
        super().__init__()
        self.context = nn.Sequential(nn.Conv2d(2 * WIDTH, WIDTH, 1), nn.ReLU())
        self.own = nn.Sequential(nn.Conv2d(2 * WIDTH, 96, 1), nn.ReLU(), nn.Conv2d(96, LABELS, 1))
        self.mix = nn.Sequential(nn.Conv2d(2 * WIDTH, WIDTH, 1), nn.ReLU())
        self.first = nn.Sequential(
            nn.Conv2d(WIDTH, WIDTH, 3, 1, 1),
            nn.ReLU(),
            nn.Conv2d(WIDTH, WIDTH, 3, 1, 2, 2),
            nn.ReLU(),
        )

    def parts(self, inputs: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Own answer, mixed description, and what the neighbours add."""
        both = torch.cat([inputs[:, :WIDTH], self.context(inputs[:, WIDTH:])], 1)
        mixed = self.mix(both)
        return self.own(both), mixed, self.first(mixed)

    def forward(self, inputs: Tensor) -> Tensor:
        """The three parts in one."""
        return torch.cat(self.parts(inputs), 1)


class After(nn.Module):
    """The answer that knows neighbours and tiles drawn alike, and one more: is it a board?"""

    def __init__(self) -> None:
        super().__init__()
        self.join = nn.Sequential(nn.Conv2d(4 * WIDTH, WIDTH, 1), nn.ReLU())
        self.second = nn.Sequential(
            nn.Conv2d(WIDTH, WIDTH, 3, 1, 1),
            nn.ReLU(),
            nn.Conv2d(WIDTH, WIDTH, 3, 1, 2, 2),
            nn.ReLU(),
            nn.Conv2d(WIDTH, LABELS + 1, 1),
        )

    def forward(self, inputs: Tensor) -> Tensor:
        """Shape (n, LABELS + 1, rows, columns)."""
        return self.second(self.join(inputs))
