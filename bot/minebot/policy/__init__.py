"""Decides which moves to make on a solved board."""
