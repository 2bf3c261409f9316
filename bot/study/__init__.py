"""A page to look at any position, to play a game again, and to learn why."""
