"""Finds the certain cells of a board and the mine probabilities of the others."""

from minebot.solver.pipeline import Solver, Verdict, solve

__all__ = ["Solver", "Verdict", "solve"]
