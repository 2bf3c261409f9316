"""Chooses the cell to guess if nothing is certain, in compiled floating point.

It never decides that a cell is certain. The compiled parts are loaded for the first guess, since
most turns of a game need none.
"""
