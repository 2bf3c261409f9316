"""The command line: arguments to objects to an exit status."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from bot.cli.arguments import parser
from bot.errors import MinebotError

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run `minebot`; returns the exit status.

    0 all well, 1 not every game won or picture right, 2 bad arguments, files or
    profile, 3 window or capture, 4 the board cannot be read, 130 stopped.
    """
    try:
        parsed = parser().parse_args(arguments)
        status = int(parsed.run(parsed))
        sys.stdout.flush()
    except MinebotError as error:
        line = "; ".join([str(error), *getattr(error, "__notes__", [])])
        print(f"minebot: {line}", file=sys.stderr)
        return error.exit_status
    except KeyboardInterrupt:
        print("minebot: stopped: Ctrl-C", file=sys.stderr)
        return 130
    except BrokenPipeError:
        # Whoever read standard output has gone; Python must not complain of it at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    return status
