"""The shipped labelled set for the labeller in the page: what Python says of each run, said before.

A run is there twice: as it is shown before it is judged, and after, with gold, method and grade.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ..label.failure_modes import (
    MODES,
    Sample,
    grade,
    grader,
    guideline,
    offered,
    tied,
    verdict_words,
)
from ..label.results import shares_of
from ..label.session import Session, fixed, run_in_sight
from ..languages import say
from ..methods import METHODS
from .runs import dump

__all__ = ["labelled_set", "write_labels"]


def write_labels(folder: Path, sample: Sample) -> None:
    """A sample as one file of the site."""
    dump(folder / "label" / "set.json", labelled_set(sample))


def labelled_set(sample: Sample) -> dict[str, Any]:
    """All that the page's labeller needs to know of a sample."""
    with tempfile.TemporaryDirectory() as there:
        place = Path(there)
        before = Session(sample, place / "before.jsonl", "nobody", blind=True)
        after = Session(sample, place / "after.jsonl", "nobody")
        return {
            "still": fixed(after),
            "modes": MODES,
            "guideline": guideline().version,
            "sample": sample.drawn_how,
            "table": [[METHODS[s.method].title, s.method, s.mode, s.paper] for s in shares_of(())],
            "runs": list(told(sample, before, after)),
        }


def told(sample: Sample, before: Session, after: Session) -> Iterator[dict[str, Any]]:
    for at, run in enumerate(sample.runs):
        before.at = after.at = at
        id, digest = tied(run)
        says = f"{grader(run)} says {verdict_words(run) or say('label.nothing')}".lower()
        yield {
            "id": id, "digest": digest, "method": run.method, "kind": run.task.kind,
            "grade": grade(run), "says": says, "text": run.task.text.lower(),
            "offered": offered(run), "every": offered(run, override=True),
            "before": run_in_sight(before), "after": run_in_sight(after),
        }  # fmt: skip
