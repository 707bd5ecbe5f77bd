"""How far annotators agree: Cohen's kappa, Krippendorff's alpha, who confuses what.

The grade alone settles which two or which four modes are offered, so a kappa over all six is
flattered. The two that count are the one within successes and the one within failures.

>>> kappa(["a", "b", "a", "b"], ["a", "b", "b", "b"])
0.5
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import isnan, nan
from typing import TypeVar

from ..support.text import inline
from .events import Mark
from .modes import MODES, one_kind

__all__ = ["Agreement", "Kappa", "agreement", "alpha", "confusion", "interval", "kappa"]

L = TypeVar("L", bound=Hashable)
MOST_LABELS, MOST_PEOPLE = 50, 200  # each is compared with each
MarksByRun = Mapping[tuple[str, str], Mapping[str, Mark]]  # (id, digest) -> annotator -> mark


def kappa(a: Sequence[Hashable], b: Sequence[Hashable]) -> float:
    """Cohen's kappa of two annotators; nan where only one label was ever given."""
    n = len(a)
    same = sum(x == y for x, y in zip(a, b, strict=True))
    left, right = Counter(a), Counter(b)
    chance = sum(left[label] * right[label] for label in left)
    return (n * same - chance) / (n * n - chance) if n * n > chance else nan


def interval(
    a: Sequence[Hashable],
    b: Sequence[Hashable],
    level: float = 0.95,
    draws: int = 2000,
    seed: int = 0,
) -> tuple[float, float]:
    """Percentile bootstrap of kappa: the runs are drawn again, `draws` times, by a seed."""
    import numpy as np

    names, n = few_labels(a, b), len(a)
    pairs = Counter(zip(a, b, strict=True))
    shares = [pairs[x, y] / n for x in names for y in names] if n else [1.0]
    tables = np.random.default_rng(seed).multinomial(n, shares, size=draws)
    tables = tables.reshape(draws, len(names) or 1, len(names) or 1)
    same = np.trace(tables, axis1=1, axis2=2)
    chance = (tables.sum(axis=1) * tables.sum(axis=2)).sum(axis=1)
    defined = n * n > chance  # kappa is not, where one label only was drawn
    if not defined.any():
        return nan, nan
    found = (n * same[defined] - chance[defined]) / (n * n - chance[defined])
    low, high = np.quantile(found, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)


def few_labels(a: Sequence[L], b: Sequence[L]) -> list[L]:
    """The labels that were given: each is compared with each."""
    names = list(dict.fromkeys([*a, *b]))
    if len(names) > MOST_LABELS:
        raise ValueError(f"{len(names)} different labels: {MOST_LABELS} at most can be compared")
    return names


def alpha(table: Sequence[Sequence[Hashable | None]]) -> float:
    """Krippendorff's alpha: one row per annotator, one column per run, None where unlabelled."""
    columns = ([v for v in column if v is not None] for column in zip(*table, strict=True))
    units = [Counter(values) for values in columns if len(values) > 1]
    sizes = [unit.total() for unit in units]
    seen = Counter(label for unit in units for label in unit.elements())
    n = seen.total()
    differ = sum(
        (size * size - sum(c * c for c in unit.values())) / (size - 1)
        for unit, size in zip(units, sizes, strict=True)
    )
    chance = n * n - sum(c * c for c in seen.values())
    return 1 - (n - 1) * differ / chance if chance else nan


def confusion(a: Sequence[str], b: Sequence[str]) -> dict[str, dict[str, int]]:
    """How often b said what where a said a mode: rows a, columns b, in the order of Table 2."""
    pairs, used = Counter(zip(a, b, strict=True)), set(few_labels(a, b))
    modes = [mode for mode in MODES if mode in used] + sorted(used - set(MODES))
    return {x: {y: pairs[x, y] for y in modes} for x in modes}


@dataclass(frozen=True)
class Kappa:
    """A kappa with its interval, and of how many runs."""

    n: int
    same: int
    value: float
    low: float
    high: float

    def __str__(self) -> str:
        if self.n == 0:
            return "no run labelled by both"
        if isnan(self.value):
            return f"not defined: one and the same label for all {self.n} runs"
        between = f"(95%: {self.low:.2f} to {self.high:.2f})"
        return f"{self.value:.2f} {between}, the same on {self.same} of {self.n}"


@dataclass(frozen=True, repr=False)
class Agreement:
    """Annotators on the runs that they share."""

    pairs: Mapping[tuple[str, str], Mapping[str, Kappa]]  # pair -> success, failure, all six
    confusions: Mapping[tuple[str, str], Mapping[str, Mapping[str, int]]]
    alphas: Mapping[str, float]  # of all annotators: success, failure, all six

    def __repr__(self) -> str:
        lines = []
        for pair, found in self.pairs.items():
            a, b = map(inline, pair)
            lines += [f"{a} and {b}", *(f"  kappa, {name}: {k}" for name, k in found.items())]
            for mode, row in self.confusions[pair].items():
                answers = ", ".join(f"{other} {n}" for other, n in row.items() if n)
                lines += [f"  where {a} said {mode}, {b} said: {answers or 'nothing'}"]
        lines += [f"alpha of all, {name}: {value:.2f}" for name, value in self.alphas.items()]
        return "\n".join(lines) or "fewer than two annotators share a run"


SCOPES = {
    "within success": ("success",), "within failure": ("failure",),
    "over all six modes (too high: right or wrong was known to both)": ("success", "failure", None),
}  # fmt: skip


def agreement(runs: MarksByRun) -> Agreement:
    """Every pair's kappa within success, within failure and over all six modes; alpha for more.

    Of one kind of task: `merge(paths).of("household").runs` are the games alone.
    """
    kinds = {mark.kind for marks in runs.values() for mark in marks.values()}
    one_kind(kinds, "these labels", "take one kind, merge(paths).of('household').runs")
    people = sorted({by for marks in runs.values() for by in marks})
    if len(people) > MOST_PEOPLE:
        raise ValueError(f"{len(people)} annotators: {MOST_PEOPLE} at most can be compared")
    shared: dict[tuple[str, str], list[tuple[Mark, Mark]]] = {}
    for marks in runs.values():
        for a, b in combinations(sorted(marks), 2):
            shared.setdefault((a, b), []).append((marks[a], marks[b]))
    pairs, confusions = {}, {}
    for pair, both in sorted(shared.items()):
        pairs[pair] = {name: kappa_of(both, grades) for name, grades in SCOPES.items()}
        confusions[pair] = confusion(*labels_of(both, SCOPES[list(SCOPES)[2]]))
    many = len(people) > 2
    alphas = {name: alpha(table(runs, people, grades)) for name, grades in SCOPES.items() if many}
    return Agreement(pairs, confusions, alphas)


def labels_of(
    both: Sequence[tuple[Mark, Mark]], grades: Sequence[str | None]
) -> tuple[list[str], list[str]]:
    kept = [(x.label or "", y.label or "") for x, y in both if x.grade in grades]
    return [x for x, _ in kept], [y for _, y in kept]


def kappa_of(both: Sequence[tuple[Mark, Mark]], grades: Sequence[str | None]) -> Kappa:
    a, b = labels_of(both, grades)
    same = sum(x == y for x, y in zip(a, b, strict=True))
    return Kappa(len(a), same, kappa(a, b), *interval(a, b))


def table(
    runs: MarksByRun, people: Sequence[str], grades: Sequence[str | None]
) -> list[list[str | None]]:
    kept = [m for m in runs.values() if next(iter(m.values())).grade in grades]
    return [[m[by].label if by in m else None for m in kept] for by in people]
