"""Lesson 06: two readers on one board. Where they hardly differ, the rules sit down there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from .. import display, label
from ..label.merging import Kappa
from .compared import left
from .errors import Suggested

if TYPE_CHECKING:
    import pandas as pd

RULES = "the rules"
Pairs = Mapping[tuple[str, str], Mapping[str, Kappa]]
ALIKE = 0.95  # of the runs: readers who agree on more have nothing to show


def with_rules(merged: label.Merged, found: Iterable[Suggested]) -> label.Merged:
    """The labels, and those of the rules as of one reader more."""
    marks = (replace(mark, by=RULES, label=rule.mode, note=rule.reason) for _, mark, rule in found)
    return replace(merged, marks=(*merged.marks, *marks))


def kappas(merged: label.Merged, found: Iterable[Suggested] = ()) -> display.Page:
    """How far each pair of readers agrees, as a table to read."""
    return left(pairs(merged, found).rename(lambda two: two.replace(" and ", "\xa0and ")))


def pairs(merged: label.Merged, found: Iterable[Suggested] = ()) -> pd.DataFrame:
    """One row per pair of readers: within success, within failure, and over all six modes.

    found: what the rules say. They have one row more: opposite the reader who differs most.
    """
    import pandas as pd

    two = dict(label.agreement(merged.runs).pairs)
    among = label.agreement(with_rules(merged, found).runs).pairs
    if theirs := {pair: of for pair, of in among.items() if RULES in pair}:
        most, _ = least_alike(theirs, "failure")
        two[most] = theirs[most]
    rows = {" and ".join(pair): {n: unbroken(k) for n, k in of.items()} for pair, of in two.items()}
    return pd.DataFrame.from_dict(rows, orient="index")


def unbroken(kappa: Kappa) -> str:
    """In two lines where a column is narrow: no number is parted from what it is of."""
    return str(kappa).replace(" ", "\xa0").replace(",\xa0", ", ")


def board(
    merged: label.Merged, found: Iterable[Suggested] = (), grade: str = "failure"
) -> pd.DataFrame:
    """Who said what, of the two who differ most: a row per label of the first reader.

    found: what the rules say. They sit down at the board where the readers hardly differ.
    """
    import pandas as pd

    pair, same = differ_most(merged, grade)
    if same > ALIKE and (more := with_rules(merged, found)).marks != merged.marks:
        merged, (pair, _) = more, differ_most(more, grade)
    a, b = pair
    both = [(m[a], m[b]) for m in merged.runs.values() if {a, b} <= m.keys()]
    pairs = [(x.label, y.label) for x, y in both if x.grade == grade]
    table = label.confusion([str(x) for x, _ in pairs], [str(y) for _, y in pairs])
    return pd.DataFrame(table).T.rename_axis(index=f"{a} said", columns=f"{b} said")


def differ_most(merged: label.Merged, grade: str) -> tuple[tuple[str, str], float]:
    """Two readers, and on which share of the runs of this grade they agree."""
    pairs = label.agreement(merged.runs).pairs
    if not pairs:
        raise ValueError("no two readers have labelled the same run: merge two files at least")
    return least_alike(pairs, grade)


def least_alike(pairs: Pairs, grade: str) -> tuple[tuple[str, str], float]:
    found = {pair: kappas[f"within {grade}"] for pair, kappas in pairs.items()}
    shares = {pair: kappa.same / kappa.n if kappa.n else 1.0 for pair, kappa in found.items()}
    return min(shares.items(), key=lambda each: each[1])
