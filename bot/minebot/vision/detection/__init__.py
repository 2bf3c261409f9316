"""Finds where the grid lies in a frame."""
