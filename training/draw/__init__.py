"""Draws Minesweeper boards in random themes on random pages, with the truth about them.

`picture.draw(seed)` is the entry point. Nothing here imitates one particular game. Ranges of
random values were chosen to be wider than what games show; no single value decides anything.
"""
