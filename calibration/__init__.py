"""Game profiles: data only, one folder a game."""
