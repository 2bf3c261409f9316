"""Finds out how an unknown game behaves: what no picture shows."""
