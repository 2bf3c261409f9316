"""X11: windows, the pointer, keys, repaints and the stop. The only home of xcffib."""
