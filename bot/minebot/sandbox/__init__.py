"""A private display, and the games started on it."""
