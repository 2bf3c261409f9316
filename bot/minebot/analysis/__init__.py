"""A game or a position looked at again: explanation, proof steps, move rating, review, replays."""
