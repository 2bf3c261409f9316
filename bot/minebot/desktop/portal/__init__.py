"""GNOME and KDE through the portal: one shared picture, and the permission to click in it."""
