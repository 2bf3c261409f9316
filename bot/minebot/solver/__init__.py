"""Works out what is certain on a board, and how likely the rest is."""

from minebot.solver.pipeline import Solver, Verdict, solve

__all__ = ["Solver", "Verdict", "solve"]
