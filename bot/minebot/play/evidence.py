"""What was seen before a failure, kept for a report: pictures with their boards beside them."""

from __future__ import annotations

import re
import shutil
import tempfile
import time
from pathlib import Path

from platformdirs import user_state_path

from minebot.errors import MinebotError, UsageError
from minebot.recording.recorder import Recorder

_KEPT = 20
"""Failures whose evidence is kept. Specified: some tens of pictures on the user's disk."""
_OURS = re.compile(r"\d{8}-\d{6}-")
"""How the name of a folder of evidence begins; what else lies there is the user's."""


def failures() -> Path:
    """The folder where evidence is kept, a folder a failure."""
    return user_state_path("minebot") / "failures"


def keep_evidence(recorder: Recorder, error: MinebotError, root: Path) -> None:
    """Keep the last frames in a folder of their own below `root`, and note on `error` where.

    They are written as the fixtures are, a picture and its board as text, so that a
    failure becomes a test by moving two files. The oldest evidence goes. Where nothing
    can be written the note says so: whatever happens here never hides the error.
    """
    try:
        root.mkdir(parents=True, exist_ok=True)
        folder = Path(tempfile.mkdtemp(prefix=time.strftime("%Y%m%d-%H%M%S-"), dir=root))
        recorder.write(folder)
        # The oldest go: their names begin with when they were made.
        ours = sorted(path for path in root.iterdir() if _OURS.match(path.name))
        for old in ours[:-_KEPT]:
            shutil.rmtree(old, ignore_errors=True)
    except (OSError, UsageError) as problem:
        error.add_note(f"what it saw could not be kept: {problem}")
        return
    error.add_note(f"what it saw is kept in {folder}")
