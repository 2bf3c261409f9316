"""Makes a profile for a game: from pictures whose boards are known, or by playing it."""

from bot.calibrate.samples import learn, to_toml

__all__ = ["learn", "to_toml"]
