"""minebot sees a Minesweeper window, works out what is certain, and clicks it."""

__version__ = "0.1.0"
