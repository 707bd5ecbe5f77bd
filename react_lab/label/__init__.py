"""Hand-labelling trajectories as Table 2 does, alone and as a class.

    from react_lab import label
    label.Session(runs, "labels/me.jsonl", by="me")   # or rl.Labeller, its face in a notebook
    own = label.Session(runs, "own.jsonl", by="me", modes={"lazy": "It looked once and gave up."})
    own.run, own.label("lazy")   # the run it stands at, its label; then it goes to the next one
    label.judge(runs, model, "labels/judge.jsonl")   # a model as a labeller: first what it costs
    label.merge("labels/*.jsonl"), label.agreement(label.merge("labels/*.jsonl").runs)

To read the code: about_runs, failure_modes, events (what is stored and replayed), session, rules,
then what labels are for: merging, results.
"""

from __future__ import annotations

from ..stats import alpha, kappa
from ..stats import kappa_interval as interval
from .about_runs import grade
from .events import LabelFile, Ledger, Mark, read
from .failure_modes import FAILURE, MODES, SUCCESS, Modes, Sample, guideline, offered, sample
from .judging import judge
from .merging import Merged, agreement, confusion, disagreements, merge, settled
from .results import export, first_wrong, frame, per_hour, shares
from .rules import Suggestion, suggest
from .session import Session

__all__ = [
    "FAILURE", "MODES", "SUCCESS", "LabelFile", "Ledger", "Mark", "Merged", "Modes", "Sample",
    "Session", "Suggestion", "agreement", "alpha", "confusion", "disagreements", "export",
    "first_wrong", "frame", "grade", "guideline", "interval", "judge", "kappa", "merge", "offered",
    "per_hour", "read", "sample", "settled", "shares", "suggest",
]  # fmt: skip
