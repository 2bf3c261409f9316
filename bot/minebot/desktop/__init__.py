"""Window systems: their windows, frames of these, and clicks and keys that reach them."""
