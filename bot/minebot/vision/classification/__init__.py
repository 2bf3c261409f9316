"""The labels of tiles, numbered as in the network that classifies them."""

from __future__ import annotations

from enum import IntEnum

from minebot.board import Cell


class Label(IntEnum):
    """What a tile shows; up to `EXPLODED` the values are those of `Cell`."""

    EMPTY = Cell.EMPTY
    ONE = Cell.ONE
    TWO = Cell.TWO
    THREE = Cell.THREE
    FOUR = Cell.FOUR
    FIVE = Cell.FIVE
    SIX = Cell.SIX
    SEVEN = Cell.SEVEN
    EIGHT = Cell.EIGHT
    HIDDEN = Cell.HIDDEN
    FLAG = Cell.FLAG
    MINE = Cell.MINE
    EXPLODED = Cell.EXPLODED
    QUESTION = 13
    """A covered cell that the player has marked with a question mark."""
    WRONG_FLAG = 14
    """A flag that the game shows as wrong after a loss."""
    OTHER = 15
    """No cell, or something that no cell shows."""
