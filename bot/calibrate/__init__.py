"""Makes a profile for a game: from pictures whose boards are known, or by playing it."""
