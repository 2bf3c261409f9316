"""GNOME and KDE by the portal: one picture that the user shares, and the right to click in it."""
