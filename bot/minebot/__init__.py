"""minebot sees a Minesweeper window, works out what is certain, and clicks it."""

import os

__version__ = "0.1.0"

# A frame's matrices are small: sharing them out to threads that wait for each other takes
# longer than the work, five times as long on a busy machine. Must be said before numpy loads.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
