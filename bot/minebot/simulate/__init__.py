"""Plays games without a screen, through the same solver and policy, on many cores."""
