"""Turns a frame into a board: finds the grid, tells the cells apart, reads the status line."""
