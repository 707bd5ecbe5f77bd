"""Intervals for rates, paired comparisons on the same tasks, and how far labels agree.

>>> [round(end, 3) for end in wilson(14, 20)]
[0.481, 0.855]
>>> kappa(["a", "b", "a", "b"], ["a", "b", "b", "b"])
0.5
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import ceil, comb, nan, sqrt
from statistics import NormalDist

from .languages import say
from .support import np, pd
from .support.text import inline


def wilson(right: float, n: int, level: float = 0.95) -> tuple[float, float]:
    """Wilson's score interval of a rate: honest for small n and near 0 and 1.

    `right` may be a fraction: a task on which half of the repeats or draws are right counts half.
    """
    if not 0 <= right <= n:
        raise ValueError(f"{right} right of {n} is no rate")
    if n == 0:
        return 0.0, 1.0
    z = NormalDist().inv_cdf((1 + level) / 2)
    mean, share = right / n, z * z / n
    middle, reach = mean + share / 2, z * sqrt(mean * (1 - mean) / n + share / (4 * n))
    return max(0.0, (middle - reach) / (1 + share)), min(1.0, (middle + reach) / (1 + share))


def interval(right: float, n: int, form: str = ".0%") -> str:
    """Wilson's 95% interval in words: `18% to 45%`."""
    low, high = wilson(right, n)
    return f"{low:{form}} to {high:{form}}"


def rate(right: int, n: int) -> str:
    """A rate in words, with its 95% interval: `12 of 40, 30% (18% to 45%)`."""
    return f"{right} of {n}" + (f", {right / n:.0%} ({interval(right, n)})" if n else "")


def mcnemar(wins: int, losses: int) -> float:
    """Exact two-sided p-value of a paired comparison, from the tasks on which the two differ."""
    n = wins + losses
    return min(1.0, 2 * sum(comb(n, k) for k in range(min(wins, losses) + 1)) / (1 << n))


def bootstrap(
    values: Sequence[float], level: float = 0.95, draws: int = 9999, seed: int = 0
) -> tuple[float, float]:
    """Percentile interval of a mean: the tasks are drawn again, with replacement."""
    n = len(values)
    if n < 2:
        return float("-inf"), float("inf")
    drawn, given = np.random.default_rng(seed), np.asarray(values, float)
    sizes = (min(500, draws - done) for done in range(0, draws, 500))  # all at once needs gigabytes
    means = [given[drawn.integers(0, n, (size, n))].mean(axis=1) for size in sizes]
    low, high = np.quantile(np.concatenate(means), [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)


def needed(wins: int, losses: int, n: int, level: float = 0.95, power: float = 0.8) -> int | None:
    """How many tasks would separate two methods that differ as these do (Connor 1987).

    None when they do not differ at all: then no number would.
    """
    if wins == losses:
        return None
    differ, gap = (wins + losses) / n, abs(wins - losses) / n
    z, z_power = (NormalDist().inv_cdf(p) for p in ((1 + level) / 2, power))
    return ceil((z * sqrt(differ) + z_power * sqrt(differ - gap * gap)) ** 2 / gap**2)


@dataclass(frozen=True)
class Pair:
    """Two methods on the same tasks. Rates and their difference are shares, not points."""

    a: str
    b: str
    n: int  # tasks that both were run on
    rate_a: float
    rate_b: float
    wins: int  # tasks on which a does better
    losses: int  # tasks on which b does better
    low: float  # of the difference: paired bootstrap
    high: float
    p: float  # exact McNemar
    needed: int | None  # tasks that would separate them

    @property
    def difference(self) -> float:
        return self.rate_a - self.rate_b

    @property
    def separated(self) -> bool:
        return self.p < 0.05

    @property
    def note(self) -> str:
        """The comparison in words, and what it would take if these tasks are too few."""
        low, high = f"{100 * self.low:+.1f}", f"{100 * self.high:+.1f}"
        between = say("pair.between", low=low, high=high) if self.n > 1 else ""
        told = {
            "n": self.n, "a": self.a, "b": self.b, "rate_a": f"{self.rate_a:.1%}",
            "rate_b": f"{self.rate_b:.1%}", "points": f"{100 * self.difference:+.1f}",
            "between": between, "chance": self.chance, "wins": self.wins, "losses": self.losses,
        }  # fmt: skip
        if self.separated:
            better, worse = (self.a, self.b) if self.difference > 0 else (self.b, self.a)
            verdict = say("pair.better", better=better, worse=worse)
        else:
            verdict = say("pair.few" if self.needed else "pair.even", needed=self.roughly)
        return inline(f"{say('pair.counts', **told)} {verdict}")

    @property
    def chance(self) -> str:
        return f"p = {self.p:.{2 if self.p >= 0.01 else 3}f}" if self.p >= 0.001 else "p < 0.001"

    @property
    def roughly(self) -> str:
        """`needed` to two figures: it is an estimate from few tasks."""
        number = self.needed or 0
        return f"{round(number, min(0, 2 - len(str(number)))):,}"


def paired(df: pd.DataFrame, a: str, b: str, by: str = "method", seed: int = 0) -> Pair:
    """Compare two methods (or, by="setting" or "model", two of those) on the tasks both have.

    A task that was run several times counts by its mean.
    """
    both = df[df[by].isin((a, b)) & df["correct"].notna()]
    for column in {"method", "model", "setting"} & set(both.columns) - {by}:
        for side, rows in both.groupby(by):  # each side is one thing: one method, one model
            if rows[column].nunique() > 1:
                several = inline(", ".join(sorted(map(str, rows[column].unique()))))
                raise ValueError(
                    f"the runs of {inline(side)} are of several kinds ({several}): choose "
                    f"one first, as in df[df[{column!r}] == {str(rows[column].iloc[0])!r}]"
                )
    means = both.assign(correct=both["correct"].astype(float)).pivot_table(
        index="task", columns=by, values="correct", aggfunc="mean"
    )
    missing = [side for side in (a, b) if side not in means]
    if missing:
        there = ", ".join(sorted(map(str, df[by].unique())))
        wanted = inline(" or ".join(missing))
        raise ValueError(f"no graded runs of {wanted}; there are: {inline(there)}")
    means = means[[a, b]].dropna()
    if means.empty:
        raise ValueError(inline(f"{a} and {b} have no task in common: run both on the same tasks"))
    gaps = means[a] - means[b]
    n, wins, losses = len(gaps), int((gaps > 0).sum()), int((gaps < 0).sum())
    low, high = bootstrap(gaps.tolist(), seed=seed)
    return Pair(
        a, b, n, float(means[a].mean()), float(means[b].mean()), wins, losses, low, high,
        mcnemar(wins, losses), needed(wins, losses, n),
    )  # fmt: skip


def pairs(
    df: pd.DataFrame,
    correction: str | None = "holm",
    by: str = "method",
    within: str | None = None,
) -> pd.DataFrame:
    """Every two methods on the tasks both have, by exact McNemar tests: one row per pair.

    df: of `rl.frame`. correction: "holm" makes the column `p` stand for all of these tests
    together (Holm 1979), so that one in 20 such tables errs, not one in 20 rows; None leaves each
    p as it is. by: "method", "model" or "setting". within: a column whose values are compared
    apart, "kind" for one; the correction is over all of its pairs.
    """
    if correction not in ("holm", None):
        raise ValueError(f"correction={correction!r}: there are 'holm' and None")
    graded = df[df["correct"].notna()]
    found = list[tuple[str, Pair]]()
    for of, part in graded.groupby(within or (lambda row: "")):
        tasks = {str(side): set(mine["task"]) for side, mine in part.groupby(by)}
        both = [(a, b) for a, b in combinations(tasks, 2) if tasks[a] & tasks[b]]
        found += [(str(of), paired(part, a, b, by)) for a, b in both]
    found.sort(key=lambda each: each[1].p)
    ps, least = list[float](), 0.0
    for i, (_, pair) in enumerate(found):
        least = max(least, min(1.0, (len(found) - i) * pair.p))
        ps.append(least if correction else pair.p)
    rows = [
        (of, pair.a, pair.b, pair.n, round(100 * pair.difference, 1), pair.wins, pair.losses, p,
         p < 0.05) for (of, pair), p in zip(found, ps, strict=True)
    ]  # fmt: skip
    columns = [within, "a", "b", "n", "points", "only a", "only b", "p", "separated"]
    table = pd.DataFrame(rows, columns=columns)
    return table if within else table.iloc[:, 1:]


# ---------------------------------------------------------------------- who labels alike


def kappa(a: Sequence[Hashable], b: Sequence[Hashable]) -> float:
    """Cohen's kappa of two annotators; nan where only one label was ever given."""
    n = len(a)
    same = sum(x == y for x, y in zip(a, b, strict=True))
    left, right = Counter(a), Counter(b)
    chance = sum(left[label] * right[label] for label in left)
    return (n * same - chance) / (n * n - chance) if n * n > chance else nan


def kappa_interval(a: Sequence[Hashable], b: Sequence[Hashable]) -> tuple[float, float]:
    """95% percentile bootstrap of kappa: the runs are drawn again, 2,000 times, by a seed."""
    names, n = list(dict.fromkeys([*a, *b])), len(a)
    pairs = Counter(zip(a, b, strict=True))
    shares = [pairs[x, y] / n for x in names for y in names] if n else [1.0]
    tables = np.random.default_rng(0).multinomial(n, shares, size=2000)
    tables = tables.reshape(2000, len(names) or 1, len(names) or 1)
    same = np.trace(tables, axis1=1, axis2=2)
    chance = (tables.sum(axis=1) * tables.sum(axis=2)).sum(axis=1)
    defined = n * n > chance  # kappa is not, where one label only was drawn
    if not defined.any():
        return nan, nan
    found = (n * same[defined] - chance[defined]) / (n * n - chance[defined])
    low, high = np.quantile(found, [0.025, 0.975])
    return float(low), float(high)


def alpha(table: Sequence[Sequence[Hashable | None]]) -> float:
    """Krippendorff's alpha: one row per annotator, one column per run, None where unlabelled."""
    columns = ([v for v in column if v is not None] for column in zip(*table, strict=True))
    units = [Counter(values) for values in columns if len(values) > 1]
    seen = Counter(label for unit in units for label in unit.elements())
    differ = sum(unlike(unit) / (unit.total() - 1) for unit in units)
    chance = unlike(seen)
    return 1 - (seen.total() - 1) * differ / chance if chance else nan


def unlike(labels: Counter[Hashable]) -> int:
    """How many ordered pairs of these differ."""
    return labels.total() ** 2 - sum(count * count for count in labels.values())
