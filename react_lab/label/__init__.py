"""Hand-labelling trajectories as Table 2 does, alone and as a class.

    from react_lab import label
    label.Session(runs, "labels/me.jsonl", by="me")   # or rl.Labeller, its face in a notebook
    label.merge("labels/*.jsonl"), label.agreement(label.merge("labels/*.jsonl").runs)

To read the code: modes, events (what is stored and replayed), session, then what labels are for.
"""

from __future__ import annotations

from .events import LabelFile, Ledger, Mark, read
from .merging import Merged, disagreements, merge, settled
from .modes import FAILURE, MODES, SUCCESS, grade, guideline, offered
from .raters import agreement, alpha, confusion, interval, kappa
from .results import export, first_wrong, frame, per_hour, report, shares
from .rules import Suggestion, suggest
from .sampling import Sample, deal, sample
from .session import Session

__all__ = [
    "FAILURE", "MODES", "SUCCESS", "LabelFile", "Ledger", "Mark", "Merged", "Sample", "Session",
    "Suggestion", "agreement", "alpha", "confusion", "deal", "disagreements", "export",
    "first_wrong", "frame", "grade", "guideline", "interval", "kappa", "merge", "offered",
    "per_hour", "read", "report", "sample", "settled", "shares", "suggest",
]  # fmt: skip
