"""Plays a game from its first frame to its end, and many games in one window."""
