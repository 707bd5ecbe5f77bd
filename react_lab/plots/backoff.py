"""CoT-SC and both combinations at any number of samples, from stored runs: no new call.

One react run and one cot-sc run per task say what either combination would have answered (section
3.2), with k of the stored samples, with fewer steps, or with another back-off. A point at k is the
mean over seeded draws of k of the samples. Those drawn keep the order they were sampled in, so
with all of them it is the stored run itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Literal

from ..kinds import kind_of
from ..methods import gave_up, majority_of, stays
from ..stats import wilson
from ..support import np, pd
from .rates import RunsOrFrame, frame_of, graded, one_model

METHODS = ("cot-sc", "react->cot-sc", "cot-sc->react")


@dataclass(frozen=True)
class Rule:
    """When a combination hands over.

    share: CoT-SC is kept when the majority has this share of the samples. at_exactly: who answers
    when it has just that share; the paper's "fewer than half" keeps CoT-SC, its author's "more
    than half" asks ReAct. max_steps: ReAct gives up after so many (None: as it was run).
    """

    share: float = 0.5
    at_exactly: Literal["cot-sc", "react"] = "cot-sc"
    max_steps: int | None = None

    def __str__(self) -> str:
        bar = "at least" if self.at_exactly == "cot-sc" else "more than"
        plural = "" if self.max_steps == 1 else "s"
        steps = "" if self.max_steps is None else f"; ReAct has {self.max_steps} step{plural}"
        return f"CoT-SC is kept where {bar} {self.share:.0%} of the samples agree{steps}"

    def sure(self, count: Any, k: Any) -> Any:
        bar = self.share * k
        return (count > 0) & ((count >= bar) if self.at_exactly == "cot-sc" else (count > bar))


PAPERS = Rule()
MOST_SAMPLES = 200  # each is compared with each, at every number of samples
COSTS = ("calls", "tokens_in", "tokens_out", "seconds", "cost", "retries")


@dataclass(frozen=True, eq=False, repr=False)
class Combinations:
    """CoT-SC and both combinations on the same tasks, drawn once and counted by any rule.

    Whatever the rule, CoT-SC is kept or handed over by the number of its majority's votes. So of a
    task's draws this keeps how `often` the majority has so many votes, and is `right` with them
    (tasks x sizes x votes); and how often two answers are `tied` (tasks x sizes).
    """

    sizes: Any  # numbers of samples
    n: int  # samples of a run
    often: Any
    right: Any
    tied: Any
    acted: list[Any]  # the ReAct run of each task, a row
    fault: Any  # after one, no combination goes on to ReAct

    @property
    def tasks(self) -> int:
        return len(self.acted)

    def curve(self, rule: Rule = PAPERS) -> pd.DataFrame:
        k = self.sizes
        sure = rule.sure(np.arange(self.n + 1), k[:, None])  # sizes x votes
        kept = sure | self.fault[:, None, None]
        right, gave_up, calls = self.cut(rule.max_steps)[..., None]
        alone, goes_on = self.right.sum(axis=2), (self.often * ~kept).sum(axis=2)
        each = np.broadcast_to(k, alone.shape)
        means = np.stack([
            alone,
            np.where(gave_up, alone, right),
            (self.right * kept).sum(axis=2) + goes_on * right,
            each,
            calls + each * gave_up,
            each + goes_on * calls,
            (self.often * sure).sum(axis=2),
            self.tied,
        ]).mean(axis=1).T.tolist()  # fmt: skip
        return pd.DataFrame([
            {"method": method, "samples": int(size), **rated(mean[i], self.tasks),
             "calls": mean[i + 3], "sure": mean[6], "tied": mean[7]}
            for size, mean in zip(k, means, strict=True) for i, method in enumerate(METHODS)
        ])  # fmt: skip

    def cut(self, max_steps: int | None) -> Any:
        """ReAct under a step limit: of each task right, gave up, calls."""
        return np.array([cut(run, max_steps) for run in self.acted], float).T


def by_samples(
    data: RunsOrFrame,
    samples: Iterable[int] | None = None,
    rule: Rule = PAPERS,
    draws: int = 200,
    seed: int = 0,
) -> pd.DataFrame:
    """One row per number of samples and method: rate, interval, calls per task, sure, tied.

    data: with react and cot-sc runs of the same tasks. samples: which numbers (None: 1 to all).
    rule: when a combination hands over. draws, seed: a rate is the mean of so many draws. In a row,
    sure: how often the majority reaches its share; tied: how often two answers have as many votes
    (then the one sampled first wins, as in the run).
    """
    return draw_samples(data, samples, draws, seed).curve(rule)


def draw_samples(
    data: RunsOrFrame, samples: Iterable[int] | None = None, draws: int = 200, seed: int = 0
) -> Combinations:
    df = graded(data, "votes", "votes_right", "steps", "step_calls", "max_steps", "answer", "end")
    one_model(df)
    acted, voted = by_task(df, "react"), by_task(df, "cot-sc")
    shared = sorted(acted.keys() & voted.keys())
    if not shared:
        raise ValueError("this takes a react run and a cot-sc run of the same tasks")
    lengths = {len(row.votes) for row in voted.values() if len(row.votes)}
    if len(lengths) != 1:
        raise ValueError(f"these cot-sc runs have {sorted(lengths)} votes: all must have as many")
    n = int(lengths.pop())
    if n > MOST_SAMPLES:
        raise ValueError(
            f"these cot-sc runs have {n} votes: {MOST_SAMPLES} at most can be drawn from"
        )
    sizes = list(range(1, n + 1)) if samples is None else sorted(set(samples))
    if not sizes or not 1 <= sizes[0] <= sizes[-1] <= n:
        raise ValueError(f"each run has {n} samples: ask for 1 to {n} of them, not for {sizes}")
    k, pick = np.asarray(sizes), np.random.default_rng(seed)
    counted = [count_draws(voted[task], k, n, draws, pick) for task in shared]
    often, right, tied = map(np.stack, zip(*counted, strict=True))
    fault = np.array([stays(voted[task].end, sure=False) for task in shared])
    return Combinations(k, n, often, right, tied, [acted[task] for task in shared], fault)


def count_draws(voted: Any, sizes: Any, n: int, draws: int, pick: Any) -> tuple[Any, Any, Any]:
    """One task at each size: how often so many votes win, how often rightly, how often tied.

    It is `methods.majority` for many draws at once: an empty answer agrees with none, and of tied
    ones the one sampled first wins (argmax takes the first of equals).
    """
    normalise = kind_of(voted.kind).language.normalise
    words = [normalise(vote) or vote.strip().lower() if vote else "" for vote in voted.votes]
    answers = np.asarray([*words, *[""] * n][:n])
    same = ((answers[:, None] == answers[None]) & (answers != "")).astype(np.float32)
    rank = pick.random((draws, n)).argsort(axis=1).argsort(axis=1)
    keep = rank[None] < sizes[:, None, None]  # size, draw, sample
    agree = (keep.astype(np.float32) @ same) * keep  # for each drawn sample, how many agree with it
    winner, count = agree.argmax(axis=-1), agree.max(axis=-1)
    rivals = (agree == count[..., None]) & (same[winner] == 0)
    tied = rivals.any(axis=-1) & (count > 0)
    good = np.asarray([*voted.votes_right, *[False] * n][:n])[winner] & (count > 0)
    has = count[..., None] == np.arange(n + 1)
    return has.mean(axis=1), (has & good[..., None]).mean(axis=1), tied.mean(axis=1)


def rated(rate: float, n: int) -> dict[str, Any]:
    """A rate and its interval; rounded, so that in whatever order it was added it is the same."""
    rate = round(rate, 12)
    low, high = wilson(rate * n, n)
    return {"n": n, "rate": rate, "low": low, "high": high}


def combined(data: RunsOrFrame) -> pd.DataFrame:
    """A frame of the runs, with a row for every combination that react and cot-sc imply.

    Only those that were not run themselves; answer, end and cost are as `methods` would give them.
    """
    df = frame_of(data)
    if not {"votes", "votes_right", "step_calls"} <= set(df.columns):
        return df
    ran = set(zip(df["kind"], df["method"], strict=True))
    acted, voted = by_task(df, "react"), by_task(df, "cot-sc")
    pairs = [(acted[task], voted[task]) for task in sorted(acted.keys() & voted.keys())]
    rows = [row for pair in pairs for row in both_ways(*pair)]
    rows = [row for row in rows if (row["kind"], row["method"]) not in ran]
    return pd.concat([df, pd.DataFrame(rows)], ignore_index=True) if rows else df


def both_ways(acted: Any, voted: Any) -> Iterator[dict[str, Any]]:
    """What both combinations would have answered on a task, and what they would have cost."""
    parts: dict[str, Any] = {
        name: (getattr(acted, name, None), getattr(voted, name, None)) for name in COSTS
    }
    both = {name: None if None in pair else sum(pair) for name, pair in parts.items()}
    _, goes_on, _ = cut(acted, None)
    n, (_, count, _) = len(voted.votes), majority_of(voted.votes, voted.kind)
    kept = stays(voted.end, bool(n and PAPERS.sure(count, n)))
    for first, second, stops in ((acted, voted, not goes_on), (voted, acted, kept)):
        last, cost = (first, {}) if stops else (second, both)
        method = f"{first.method}->{second.method}"
        yield {**last._asdict(), **cost, "method": method, "branch": last.method}


def by_task(df: pd.DataFrame, method: str) -> dict[str, Any]:
    """The one run of each task; of repeats, the first."""
    rows = df[df["method"] == method].drop_duplicates("task")
    return {str(row.task): row for row in rows.itertuples(index=False)}


def cut(row: Any, max_steps: int | None) -> tuple[float, bool, int]:
    """Right, gave up, calls of a ReAct run under a lower limit: it is greedy, so its beginning."""
    if max_steps is not None and row.max_steps == row.max_steps and max_steps > row.max_steps:
        raise ValueError(
            f"ReAct was run with {row.max_steps} steps: nobody knows what {max_steps} would bring"
        )
    if max_steps is not None and row.steps > max_steps:
        return 0.0, True, sum(row.step_calls[:max_steps])
    answer = row.answer if isinstance(row.answer, str) else None  # a frame has NaN for none
    return row.correct, gave_up(row.end, answer), int(row.calls)
