"""`python -m minebot` and the console script `minebot`."""

import os
import signal
import sys
from types import FrameType


def main() -> None:
    """Run the command line and end the process with its status.

    Until a command begins, while its modules load, Ctrl-C and SIGTERM end the process
    where it stands: nothing is open yet that would have to be put back, and an exception
    raised in the middle of an import may be lost.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:  # closed: no file or socket of ours must take its place
            os.open(os.devnull, os.O_RDWR)
    sys.stdin = sys.stdin or open(0)  # noqa: SIM115
    for number in (signal.SIGINT, signal.SIGTERM):
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _end)
    from minebot.cli import main as run  # noqa: PLC0415  # once a stop is heard

    sys.exit(run())


def _end(number: int, _: FrameType | None) -> None:
    reason = "Ctrl-C" if number == signal.SIGINT else "the program was told to end"
    os.write(2, f"minebot: stopped: {reason}\n".encode())
    os._exit(130)


if __name__ == "__main__":
    main()
