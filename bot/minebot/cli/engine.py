"""Has the guessing engine compiled before anything is clicked, with a progress bar."""

from __future__ import annotations

from minebot.cli.console import console
from minebot.policy.guessing.cache import seems_complete
from minebot.policy.guessing.prepare import COMPILE_SECONDS, prepare
from minebot.stop import Stop, SystemClock


def have_engine(stop: Stop) -> None:
    """Wait until the engine is compiled, once after an installation. Raises Stopped, WorkerLost.

    A game that is under way would have to wait for it at its first guess.
    """
    if seems_complete():
        return
    clock, shown = SystemClock(stop), console()
    from rich.progress import Progress  # noqa: PLC0415  # once after an installation

    with Progress(console=shown, transient=True, disable=not shown.is_terminal) as progress:
        task = progress.add_task("compiling the guessing engine, once", total=COMPILE_SECONDS)
        began = clock.now()

        def sleep(seconds: float) -> None:
            clock.sleep(seconds)
            progress.update(task, completed=min(clock.now() - began, COMPILE_SECONDS))

        prepare(sleep)
