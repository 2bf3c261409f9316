"""What is kept of a game: pictures, boards, moves."""
