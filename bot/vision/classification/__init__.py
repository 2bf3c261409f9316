"""Gives each tile its label: hidden, a number, a flag, a mine."""
