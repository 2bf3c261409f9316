"""From what is known of a board to the moves that follow."""
