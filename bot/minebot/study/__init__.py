"""To study the game: why a cell is certain, why this guess, and what was made of a whole game."""
