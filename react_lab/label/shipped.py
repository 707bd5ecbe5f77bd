"""A labelled set in a folder: its runs, its readers' files, and what was agreed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from .. import store
from ..records import Record
from .events import Mark
from .merging import merge, settled
from .raters import confusion
from .sampling import Sample

__all__ = [
    "ADJUDICATOR", "HOW", "RUNS", "Match", "agreed", "drawn", "matches", "readers",
]  # fmt: skip

ADJUDICATOR, RUNS, HOW = "adjudicator", "runs", "sample.json"


@dataclass(frozen=True)
class Drawn:
    """Which runs a sample holds, and how they were drawn."""

    ids: list[str]
    seed: int
    strata: dict[str, tuple[int, int]]


DRAWN = Record(Drawn, lambda _: "")


def drawn(folder: Path) -> Sample:
    """The sample as it was drawn: item 1 is its first run."""
    try:
        how = DRAWN.read((folder / HOW).read_bytes())
    except ValueError as error:
        raise ValueError(f"{HOW} does not say how a sample was drawn: {error}") from None
    runs = tuple(store.open(folder / f"{RUNS}.jsonl"))
    if [run.id for run in runs] != how.ids:
        raise ValueError(f"{RUNS}.jsonl holds other runs than {HOW} names: draw again")
    return Sample(runs, how.seed, how.strata)


def readers(folder: Path) -> list[Path]:
    """The files of those who labelled, without the adjudicator's."""
    return [p for p in sorted(folder.glob("*.jsonl")) if p.stem not in (RUNS, ADJUDICATOR)]


@dataclass(frozen=True)
class Match:
    """How far a rule's suggestions of a mode meet the agreed labels."""

    mode: str
    right: int
    suggested: int  # right of suggested: the precision
    agreed: int  # right of agreed: the recall


def matches(agreed: Sequence[str], suggested: Sequence[str]) -> list[Match]:
    """One row per mode that was agreed on or suggested, in the order of Table 2."""
    table = confusion(agreed, suggested)
    return [
        Match(mode, row[mode], sum(counts[mode] for counts in table.values()), sum(row.values()))
        for mode, row in table.items()
    ]


def agreed(folder: Path) -> list[Mark]:
    """One mark per run: what all readers said, else what was adjudicated; of one reader, all."""
    third, merged = folder / f"{ADJUDICATOR}.jsonl", merge(readers(folder))
    if len({mark.by for mark in merged.marks}) == 1:
        return list(merged.marks)
    return settled(merged.runs, merge(third).marks if third.exists() else ())
