"""Makes a profile for a game: from pictures whose boards are known, or by playing it."""

from bot.calibrate.samples import learn

__all__ = ["learn"]
