"""Runs on disk: one JSON line per run, appended, and on the disk before it counts.

A file of runs is read by `pandas.read_json(path, lines=True)` with nothing of ours imported.
"""

from __future__ import annotations

from .exports import to_dataset, to_inspect, to_openai
from .importers import read_transcript
from .runs import RUNS, Runs, append, digest, dump, load, open, save

__all__ = [
    "RUNS", "Runs", "append", "digest", "dump", "load", "open",
    "read_transcript", "save", "to_dataset", "to_inspect", "to_openai",
]  # fmt: skip
