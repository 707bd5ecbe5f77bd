"""What a test waits for: a condition, with a limit so wide that only a hang meets it."""

import time
from pathlib import Path

PATIENCE = 300  # seconds until a test gives up on a condition


def until(condition):
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, "it did not come to that"
        time.sleep(0.005)


def running(pid):
    try:
        status = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8")
        return status.rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False
