"""Which runs to label: a seeded, stratified sample as the paper's, and shares of it for a class."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..support.text import inline
from ..types import Trajectory
from .modes import grade, methods_of, one_kind

__all__ = ["Sample", "deal", "sample"]


@dataclass(frozen=True, repr=False)
class Sample(Sequence[Trajectory]):
    """Runs in the order in which to label them, and how they were drawn."""

    runs: tuple[Trajectory, ...]
    seed: int
    strata: Mapping[str, tuple[int, int]] = field(hash=False)  # name -> drawn, of how many

    def __len__(self) -> int:
        return len(self.runs)

    def __getitem__(self, i: Any) -> Any:
        return self.runs[i]

    @property
    def drawn_how(self) -> dict[str, Any]:
        """Seed, strata and ids: what a file of labels keeps of it."""
        ids = [run.id for run in self.runs]
        return {
            "seed": self.seed,
            "strata": {k: list(v) for k, v in self.strata.items()},
            "ids": ids,
        }

    def __repr__(self) -> str:
        counts = "; ".join(f"{inline(name)}: {n} of {of}" for name, (n, of) in self.strata.items())
        return f"<{len(self)} runs drawn with seed {self.seed} ({counts})>"


def sample(
    runs: Iterable[Trajectory],
    n: int = 50,
    methods: Sequence[str] | None = None,
    seed: int = 0,
    kind: str | None = None,
) -> Sample:
    """n successes and n failures of each method, by exact match (section 3.3), shuffled by a seed.

    methods: None is those of Table 2, react and cot; of games, those that games are played by.
    kind: of the tasks ("household"), where the runs are of several. A stratum with fewer gives all
    it has, its count stands in the repr, and nothing is weighted.
    """
    kinds, every = set[str](), dict[str, list[Trajectory]]()
    for run in runs:
        if kind in (None, run.task.kind):
            kinds.add(run.task.kind)
            if run.method in (methods_of(run.task.kind) if methods is None else methods):
                every.setdefault(f"{run.method} {grade(run)}", []).append(run)
    mine = one_kind(kinds, "these runs", "sample(runs, kind='household') draws of one kind")
    strata = {
        f"{method} {graded}": every.get(f"{method} {graded}", [])
        for method in (methods_of(mine) if methods is None else methods)
        for graded in ("success", "failure")
    }
    drawn, pick = [], random.Random(seed)
    for found in strata.values():
        found.sort(key=lambda run: run.id)  # the same draw, in whatever order they came
        drawn += pick.sample(found, min(n, len(found)))
    pick.shuffle(drawn)
    counts = {name: (min(n, len(found)), len(found)) for name, found in strata.items()}
    return Sample(tuple(drawn), seed, counts)


def deal(
    runs: Sequence[Trajectory], to: Sequence[str], common: int = 20, seed: int = 0
) -> dict[str, list[Trajectory]]:
    """Shares of a class: `common` runs go to everybody, the rest to one person each."""
    if not to or not 0 <= common <= len(runs):
        raise ValueError(f"{common} of {len(runs)} runs cannot be common to {len(to)} people")
    pick = random.Random(seed)
    order = pick.sample(range(len(runs)), len(runs))
    shares, rest = {}, order[common:]
    for k, name in enumerate(to):
        mine = order[:common] + rest[k :: len(to)]
        pick.shuffle(mine)
        shares[name] = [runs[i] for i in mine]
    return shares
