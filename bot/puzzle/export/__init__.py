"""Boards written for others: SAT and SMT solvers, browsers, picture viewers."""
