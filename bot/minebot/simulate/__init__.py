"""Plays games without a screen, through the same solver and policy, on many cores."""

from minebot.simulate.games import Deal, Record, SimulationSettings, deal, play
from minebot.simulate.summary import Summary

__all__ = ["Deal", "Record", "SimulationSettings", "Summary", "deal", "play"]
