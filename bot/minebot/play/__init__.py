"""Playing: one game from its first look to its end, and many in one window."""
