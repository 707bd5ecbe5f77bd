"""Lesson 04: claims that the pages support, refute, or leave open (FEVER, Table 1)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import partial
from typing import Any

import react_lab as rl

from ..support import np, pd
from ..types import Task, Trajectory, normalise
from . import words
from .compared import METHODS, Small, kept

LABELS = ("SUPPORTS", "REFUTES", "NOT ENOUGH INFO")
NO_LABEL = "no label"  # an answer that is none of the three, or no answer at all
SHORT = {"SUPPORTS": "SUP", "REFUTES": "REF", "NOT ENOUGH INFO": "NEI", NO_LABEL: "none"}

OPENS = "claims-dev-216"  # looked up rightly, and remembered wrongly

TWINS = (  # a pair that takes two pages, and a pair of which the page is read and not compared
    ("The choreographer of The Rite of Spring was born in Kiev.", "SUPPORTS"),
    ("The choreographer of The Rite of Spring was born in Warsaw.", "REFUTES"),
    ("Buster Keaton received an honorary Oscar in 1960.", "SUPPORTS"),
    ("Buster Keaton received an honorary Oscar in 1950.", "REFUTES"),
)


def of_each_label() -> list[Task]:
    dev = rl.tasks.load("claims", "dev")
    return [next(task for task in dev if task.gold == label) for label in LABELS]


def twins() -> list[Task]:
    """Pairs of claims that differ in one word: the first is true, the second false."""
    return [rl.tasks.claim(text, gold) for text, gold in TWINS]


def label_of(answer: Any) -> str:
    """The label that an answer means, whatever its capitals and signs."""
    known = {normalise(label): label for label in LABELS}
    return known.get(normalise(answer), NO_LABEL) if isinstance(answer, str) else NO_LABEL


def said(df: pd.DataFrame, method: str) -> pd.DataFrame:
    """A method's confusion table: one row per gold label, one column per answer."""
    mine = df[df["method"] == method]
    counts = pd.crosstab(mine["type"], mine["answer"].map(label_of))
    table = counts.reindex(index=LABELS, columns=[*LABELS, NO_LABEL], fill_value=0)
    return table.rename_axis(index="gold", columns=f"said by {method}")


def draw_said(df: pd.DataFrame) -> Small:
    """The confusion tables side by side, darker where more of a row is."""
    from matplotlib.figure import Figure

    tables = {method: said(df, method) for method in METHODS if method in set(df["method"])}
    wide = min(3, len(tables))  # more side by side would be too small on a narrow page
    tall = -(-len(tables) // wide)
    figure = Figure(figsize=(2.2 * wide + 0.6, 2.2 * tall + 0.3), layout="constrained")
    axes = list(figure.subplots(tall, wide, sharey=True, squeeze=False).flat)
    for ax in axes[len(tables) :]:
        ax.set_axis_off()
    for ax, (method, table) in zip(axes, tables.items(), strict=False):
        # colours by the share of the row, the counts as numbers
        shares = table.div(table.sum(axis=1).clip(lower=1), axis=0).to_numpy()
        ax.imshow(shares, cmap="Blues", vmin=0, vmax=1.15, aspect="auto")
        for (y, x), count in np.ndenumerate(table):
            colour = "white" if shares[y, x] > 0.6 else "#222222"
            weight = "bold" if x == y else "normal"
            ax.text(x, y, str(count), ha="center", va="center", color=colour, weight=weight)
        ax.set_xticks(range(table.shape[1]), [SHORT[name] for name in table.columns])
        ax.set_yticks(range(len(table)), [SHORT[name] for name in table.index])
        ax.tick_params(length=0)
        ax.set_title(method)
    figure.supylabel("gold label", fontsize="medium")
    figure.supxlabel("what the method said", fontsize="medium")
    words = "\n\n".join(map(pd.DataFrame.to_string, tables.values()))
    below = (
        "A row is a gold label, a column what was said. The stronger the colour, the larger the "
        "part of the row."
    )
    return Small(kept(figure, dpi=90), words, below)


def above_guessing(df: pd.DataFrame) -> pd.DataFrame:
    """Each method's rate, and whether its whole 95% interval lies above chance, a third."""
    rows = {}
    for method in (m for m in METHODS if m in set(df["method"])):
        right = df.loc[df["method"] == method, "correct"].astype(bool)
        count, n = int(right.sum()), len(right)
        rows[method] = {
            "right": f"{count / n:.0%} ({rl.stats.interval(count, n)})",
            "above guessing": "yes" if rl.stats.wilson(count, n)[0] > 1 / 3 else "no",
        }
    return pd.DataFrame(rows).T.rename_axis("method")


def read(run: Trajectory) -> bool:
    """Whether all sentences that decide the claim of a run stood in what it saw."""
    seen = "\n".join(step.observation or "" for step in run.steps)
    return all(sentence in seen for sentence in run.task.extra["sentences"])


def reading(runs: Iterable[Trajectory]) -> pd.DataFrame:
    """Of the claims that pages decide: how often Act and ReAct had the sentences before them, and
    how many of their labels are right then, and otherwise.
    """
    rows = []
    decided = [run for run in runs if run.task.extra.get("sentences")]
    for method in ("act", "react"):
        mine = [run for run in decided if run.method == method]
        row: dict[str, Any] = {"method": method}
        for found, name, of in ((True, "read", "these"), (False, "not read", "those")):
            right = [rl.score.correct(run) for run in mine if read(run) is found]
            row[name], row[f"right of {of}"] = len(right), right.count(True)
        rows.append(row)
    return pd.DataFrame(rows).set_index("method")


SUP, REF, NEI = LABELS
PAIRS = ((SUP, SUP), (SUP, NEI), (REF, SUP), (SUP, NEI))
check = rl.teach.cases(
    ((list(PAIRS),), dict(Counter(PAIRS))),
    (([(REF, None), (REF, "maybe"), (REF, REF)],), {(REF, NO_LABEL): 2, (REF, REF): 1}),
    (([],), {}),
)
lesson = partial(words.lesson_of, "04", {"4.1": check})
