"""Wayland protocols that pywayland does not bring: generated, see `tools/wayland/generate`."""
