"""Finds out how an unknown game behaves, which no picture shows."""
