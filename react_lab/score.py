"""Grades runs as the benchmarks do: exact match and F1 (HotpotQA), label accuracy (FEVER).

Who wants to know what an answer is worth asks here.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from os import PathLike
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal

from . import data
from .decoding import decoding_in
from .kinds import kind_of
from .languages import ENGLISH, Language, language_named
from .support import pd
from .support.files import write
from .support.text import visible
from .types import FAULTS, Step, Task, Trajectory, World

OUTAGE = 5.0  # % of the runs, above which a table carries a banner
PROMPTED, FINE_TUNED = "prompted", "fine-tuned"  # with exemplars, or bare after training
NO_MODEL = "no model"  # the name, and the setting, where a rule or a person plays
ADAPTER = re.compile(r"adapter=([0-9a-f]{8})")  # in the identity of the bundled model
WRITTEN = re.compile(r"(\w+)\[(.*)\]", re.S)  # an act with brackets
TOLD = ("observation", "outcome", "tokens_in", "tokens_out", "seconds")  # by each step
Prices = Mapping[str, tuple[float, float]]  # model -> price of a million tokens read, and written
FORMULA = re.compile(r"\A(?=[\t\r\n])|(?:\A|(?<=[\t\n;]))(?=[ \u00a0\u3000]*[-=+@＝＋－＠])")


def exact_match(answer: str, gold: str, lang: str = ENGLISH.code) -> bool:
    normalise = language_named(lang).normalise
    return normalise(answer) == normalise(gold)


def f1(answer: str, gold: str, lang: str = ENGLISH.code) -> float:
    """Overlap of words, as HotpotQA scores it: yes, no and noanswer match whole or not at all.

    lang: "zh" counts the characters of an answer in Chinese.
    """
    language = language_named(lang)
    ours, theirs = language.normalise(answer), language.normalise(gold)
    if ours != theirs and (ours in language.closed or theirs in language.closed):
        return 0.0
    found, wanted = language.words(ours), language.words(theirs)
    same = sum((Counter(found) & Counter(wanted)).values())
    if not same:
        return 0.0
    precision, recall = same / len(found), same / len(wanted)
    return 2 * precision * recall / (precision + recall)


def correct(run: Trajectory) -> bool | None:
    """Did the run succeed? None when nobody can tell: no gold answer, no reward."""
    if run.reward is None and kind_of(run.task.kind).grade == "reward":
        return None if run.end == "unfinished" else False  # it ended without a reward
    earned = reward(run.task, run.answer) if run.reward is None else run.reward
    return None if earned is None else earned == 1.0


def language_of(task: Task) -> Language:
    return kind_of(task.kind).language


def accepted(run: Trajectory) -> bool | None:
    """Did it succeed, if the task's list of other wordings of its answer counts too?"""
    right, others = correct(run), run.task.extra.get("accepted") or ()
    if right is not False or not run.answer:
        return right
    others = [others] if isinstance(others, str) else others
    normalise = language_of(run.task).normalise
    return normalise(run.answer) in (normalise(str(other)) for other in others)


def reward(task: Task, answer: str | None) -> float | None:
    """What an answer to a task would earn."""
    if task.gold is None:
        return None
    return float(exact_match(answer or "", task.gold, language_of(task).code))


def frame(
    runs: Trajectory | Iterable[Trajectory],
    by: Literal["run", "step"] = "run",
    prices: Prices | None = None,
) -> pd.DataFrame:
    """A DataFrame of one run or many: one row per run, or one row per step.

    Columns of a run: id, task, kind, type, method, model, repeat (of an evaluation: which time
    round), answer, correct (exact match, as the benchmarks do it), accepted (or right in other
    words that the task lists), f1, reward, end and what it took: steps, calls, tokens_in,
    tokens_out, seconds, retries (requests that were sent again) and cost, where `prices` tell it;
    parent (the run it was edited from) and edits (how many thoughts and acts in it a person wrote
    or took out); branch, votes, repairs, rescues, run_flags, error; and how it was asked: setting,
    adapter, source, shots, prompts, max_steps.
    by: "run" or "step" (then thought, action, its act and argument apart, observation, outcome,
    tokens_in, tokens_out, seconds, and `private`: how many letters were thought apart). prices: of
    a million tokens, read and written, {"gpt-4o-mini": (0.15, 0.6)}. What nobody told is missing.
    For a spreadsheet, write it with `rl.to_csv(frame, path)`.
    """
    if by not in ("run", "step"):
        raise ValueError(f"by={by!r}: a frame has one row per 'run' or one row per 'step'")
    runs = [runs] if isinstance(runs, Trajectory) else runs
    prices = prices or {}
    rows = (row_of(run, prices) for run in runs) if by == "run" else rows_of_steps(runs, prices)
    return pd.DataFrame(list(rows))


def with_causes(
    why: Callable[..., Any], runs: Trajectory | Iterable[Trajectory], world: World | None = None
) -> pd.DataFrame:
    """The frame of runs, with why each was lost as a further column: `cause`."""
    runs = [runs] if isinstance(runs, Trajectory) else list(runs)
    return frame(runs).assign(cause=[why(run, world) for run in runs])


def cost_of(run: Trajectory | Step, price: tuple[float, float] | None) -> float | None:
    """At a price of a million tokens, read and written; None where one of these is unknown."""
    if price is None or run.tokens_in is None or run.tokens_out is None:
        return None
    return (run.tokens_in * price[0] + run.tokens_out * price[1]) / 1e6


def row_of(run: Trajectory, prices: Prices = MappingProxyType({})) -> dict[str, Any]:
    gold, answer = run.task.gold, run.answer
    settings, step_calls = run.settings, tuple(1 + step.rescued for step in run.steps)
    return {
        "id": run.id, "task": run.task.id, "kind": run.task.kind,
        "type": kind_of(run.task.kind).type_of(run.task), "method": run.method, "model": run.model,
        "repeat": settings.get("repeat"), "answer": answer, "correct": correct(run),
        "accepted": accepted(run),
        "f1": None if gold is None else f1(answer or "", gold, language_of(run.task).code),
        "reward": run.reward, "end": run.end, "branch": run.branch, "steps": len(run.steps),
        "calls": run.calls, "tokens_in": run.tokens_in, "tokens_out": run.tokens_out,
        "seconds": run.seconds, "cost": cost_of(run, prices.get(run.model)),
        "retries": settings.get("retries"),
        "repairs": sum(len(step.repairs) for step in run.steps),
        "rescues": sum(step.rescued for step in run.steps),
        "run_flags": ", ".join(run.flags), "error": run.error, "parent": run.parent,
        "edits": sum(len(step.human) for step in run.steps), "setting": setting_of(run),
        # of the adapters that wrote it: the first figures of their hashes
        "adapter": ", ".join(ADAPTER.findall(str(settings.get("identity", "")))),
        "source": source_of(run.task), "shots": settings.get("shots"),
        "prompts": settings.get("prompts"), "max_steps": settings.get("max_steps"),
        "step_calls": step_calls, **votes_of(run),
    }  # fmt: skip


def setting_of(run: Trajectory) -> str:
    """How its model was asked; how its steps were decoded, if not greedily."""
    if run.model == NO_MODEL:
        return NO_MODEL
    asked = FINE_TUNED if run.settings.get("bare") else PROMPTED
    return ", ".join(filter(None, (asked, decoding_in(run.settings))))


def votes_of(run: Trajectory) -> dict[str, Any]:
    """The answers of CoT-SC in order, and which are right: from these every vote can be retaken."""
    normalise = language_of(run.task).normalise
    gold = None if run.task.gold is None else normalise(run.task.gold)
    grades = {vote: normalise(vote or "") == gold for vote in set(run.votes)}
    return {"votes": run.votes, "votes_right": tuple(grades[vote] for vote in run.votes)}


def source_of(task: Task) -> str:
    """The task set: of ours `multihop-dev`, of a published file its name."""
    return str(task.extra.get("source") or re.sub(r"-[0-9a-f]+$", "", task.id) or task.kind)


def rows_of_steps(runs: Iterable[Trajectory], prices: Prices) -> Iterator[dict[str, Any]]:
    for run in runs:
        for i, step in enumerate(run.steps, 1):
            act, argument = named_act(step.action)
            told = {name: getattr(step, name) for name in TOLD}
            yield {
                "id": run.id, "task": run.task.id, "method": run.method, "i": i,
                "thought": step.thought, "action": step.action, "act": act, "argument": argument,
                **told, "cost": cost_of(step, prices.get(run.model)),
                "human": ", ".join(step.human), "repairs": ", ".join(step.repairs),
                "rescued": step.rescued, "private": len(step.private or ""),
            }  # fmt: skip


def named_act(action: str | None) -> tuple[str | None, str | None]:
    """The name of an act and what it is done with.

    >>> named_act("Search[Ulm]"), named_act("go to shelf 1"), named_act("look")
    (('Search', 'Ulm'), ('go', 'to shelf 1'), ('look', ''))
    """
    if action is None:
        return None, None
    if written := WRITTEN.fullmatch(action.strip()):
        return written[1], written[2]
    name, _, rest = action.strip().partition(" ")
    return name, rest.strip()


def over_prompts(df: pd.DataFrame) -> pd.DataFrame:
    """Success by type of task over several prompts (section 4): the average, and the best of them.

    Each type's best is that of its own best prompt; under All stands the best single prompt.
    """
    of, trial = ["method", "model"], ["method", "model", "prompts"]
    df = df.assign(won=100 * df["correct"].astype(float).fillna(0.0))
    types = df.groupby([*trial, "type"])["won"].mean().unstack("type")
    by = types.assign(All=df.groupby(trial)["won"].mean()).groupby(of)
    rows = {"avg": by.mean(), "best": by.max()}
    whole = pd.concat([row.assign(of=name, prompts=by.size()) for name, row in rows.items()])
    return whole.set_index("of", append=True).sort_index()


def to_csv(df: pd.DataFrame, path: str | PathLike[str]) -> Path:
    """Write a frame for a spreadsheet: no text in it is a formula, and accents are read as such.

    A text that a spreadsheet would compute has an apostrophe before it; numbers stay numbers.
    """
    path = data.resolve(path)
    named = df.index.nlevels > 1 or df.index.name is not None or df.index.dtype.kind not in "iu"
    safe = df.reset_index(allow_duplicates=True) if named else df
    safe = safe.rename(columns=neutral).astype(object).map(neutral)
    return write(path, safe.to_csv(index=False, lineterminator="\n").encode("utf-8-sig"))


def neutral(value: Any) -> Any:
    """A text that a spreadsheet would compute gets an apostrophe before it.

    Also after a line break, a tab or a semicolon: there the next cell begins in a spreadsheet that
    parts cells by semicolons.

    >>> neutral("=1+1"), neutral(-1), neutral("a;@b")
    ("'=1+1", -1, "a;'@b")
    """
    if isinstance(value, list | tuple | dict):
        value = str(value)
    return FORMULA.sub("'", visible(value)) if isinstance(value, str) else value


def table(df: pd.DataFrame) -> pd.DataFrame:
    """One row per method: how many runs, the rates, F1, and what they cost.

    Each rate three ways: correct of all, finished of all, correct of the finished; and accepted:
    correct of all, other wordings that a task lists included. A run that a fault ended counts as
    wrong and is listed apart; where the world failed often, a note says so. In a shop a purchase
    is correct if it is all that was asked for; the score beside it is the mean reward (Table 4).
    """
    if df.empty:
        raise ValueError("there are no runs to make a table of")
    df = df.sort_values("id")  # whatever the order in which the runs ended
    in_parts = df["kind"].map(lambda kind: kind_of(str(kind)).in_parts)
    numbers = df[["correct", "accepted", "f1", "tokens_in", "tokens_out"]].astype(float)
    df = df.assign(
        right=numbers["correct"],
        in_words=numbers["accepted"],
        finished=df["end"] == "finished",
        sure=numbers["correct"].where(df["end"] == "finished"),
        f1=numbers["f1"],
        fault=df["end"].isin(FAULTS),
        outage=df["end"] == "env_error",
        earned=df["reward"].astype(float).fillna(0.0).where(in_parts),
        tokens=numbers["tokens_in"] + numbers["tokens_out"],
    )
    by = df.groupby(["kind", "method", "model"], sort=True)
    share = 100 * by[["right", "in_words", "finished", "sure", "f1", "outage"]].mean()
    rows = by.agg(n=("id", "size"), correct=("correct", "sum")).assign(**{
        "% of all": share["right"],
        "% accepted": share["in_words"],
        "finished": by["finished"].sum(),
        "% finished": share["finished"],
        "% of finished": share["sure"],
        "f1": share["f1"],
        "faults": by["fault"].sum(),
        "calls per run": by["calls"].mean(),
        "tokens per run": by["tokens"].agg(lambda t: t.mean(skipna=False)),  # unknown stays unknown
    })  # fmt: skip
    if in_parts.any():
        rows.insert(3, "score", 100 * by["earned"].mean())
    if (share["outage"] > OUTAGE).any():
        failed = "{:.0f}% env_error: the world failed, these rates do not count"
        rows["note"] = [failed.format(of) if of > OUTAGE else "" for of in share["outage"]]
    return rows.round(1)
