"""Works out what is certain on a board, and how likely the rest is."""
