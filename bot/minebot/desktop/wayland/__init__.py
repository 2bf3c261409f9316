"""Wayland: windows, pictures and clicks where the compositor has wlroots' protocols."""
