"""Hand-labelling trajectories as Table 2 does, alone and as a class.

    from react_lab import label
    label.Session(runs, "labels/me.jsonl", by="me")   # or rl.Labeller, its face in a notebook
    label.merge("labels/*.jsonl"), label.agreement(label.merge("labels/*.jsonl").runs)

To read the code: failure_modes, events (what is stored and replayed), session, rules, then what
labels are for: merging, results.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import names_of

if TYPE_CHECKING:
    from .events import LabelFile, Ledger, Mark, read
    from .failure_modes import (
        FAILURE,
        MODES,
        SUCCESS,
        Sample,
        deal,
        grade,
        guideline,
        offered,
        sample,
    )
    from .merging import (
        Merged,
        agreement,
        alpha,
        confusion,
        disagreements,
        interval,
        kappa,
        merge,
        settled,
    )
    from .results import export, first_wrong, frame, per_hour, report, shares
    from .rules import Suggestion, suggest
    from .session import Session

__all__ = [
    "FAILURE", "MODES", "SUCCESS", "LabelFile", "Ledger", "Mark", "Merged", "Sample", "Session",
    "Suggestion", "agreement", "alpha", "confusion", "deal", "disagreements", "export",
    "first_wrong", "frame", "grade", "guideline", "interval", "kappa", "merge", "offered",
    "per_hour", "read", "report", "sample", "settled", "shares", "suggest",
]  # fmt: skip

ROOMS = {
    "FAILURE": "failure_modes",
    "LabelFile": "events",
    "Ledger": "events",
    "MODES": "failure_modes",
    "Mark": "events",
    "Merged": "merging",
    "SUCCESS": "failure_modes",
    "Sample": "failure_modes",
    "Session": "session",
    "Suggestion": "rules",
    "agreement": "merging",
    "alpha": "merging",
    "confusion": "merging",
    "deal": "failure_modes",
    "disagreements": "merging",
    "export": "results",
    "first_wrong": "results",
    "frame": "results",
    "grade": "failure_modes",
    "guideline": "failure_modes",
    "interval": "merging",
    "kappa": "merging",
    "merge": "merging",
    "offered": "failure_modes",
    "per_hour": "results",
    "read": "events",
    "report": "results",
    "sample": "failure_modes",
    "settled": "merging",
    "shares": "results",
    "suggest": "rules",
}

__getattr__ = names_of(__name__, __all__, ROOMS)
