"""`python -m bot` and the console script `minebot`."""

import sys

from bot.cli import main as run


def main() -> None:
    """Run the command line and end the process with its status."""
    sys.exit(run())


if __name__ == "__main__":
    main()
