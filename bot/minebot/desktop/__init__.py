"""A window system: its windows, their pictures, and clicks and keys that reach them."""
