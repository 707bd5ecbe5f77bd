"""Gold trajectories: the oracle's for a generated task, or the hand-written one, replayed."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ..envs.pages import Encyclopedia, bundled
from ..envs.wiki import Wiki
from ..kinds import kind_of
from ..types import Step, Task, Trajectory
from .oracle import DEEPER, DONE, NEXT, Hop, Oracle, bare, capital, named, shown, tidy
from .relations import RELATIONS

__all__ = ["ASTRAY", "LABELS", "SEED", "gold_run", "gold_steps", "rationale", "replay"]

SEED = 20230501  # the month of the paper's conference
LABELS = ("SUPPORTS", "REFUTES", "NOT ENOUGH INFO")
ASTRAY = "astray"  # marks an act of a written solution that leads nowhere: shown, never learned
START = (
    "I need {seek}, to compare it with the claim.",
    "To check the claim I have to find {seek}.",
    "What counts here is {seek}. I look for it.",
)
YES = (
    "{fact} That is what the claim says.",
    "{fact} The claim agrees with this.",
    "{fact} So the claim is true.",
)
NO = (
    "{fact} The claim says {claimed}, so it is wrong.",
    "{fact} That is not {claimed}, so the claim is false.",
    "{fact} {claimed} is not right.",
)
LOOK = (
    "I search {page} and see whether {term} is mentioned.",
    "The page of {page} may tell whether this is so.",
    "Let me look at the page of {page}.",
)
NONE = (
    "These sentences do not mention {term}. I look for it in the rest of the page.",
    "Nothing about {term} so far. I look it up in the page.",
)
ELSEWHERE = (
    "It does not stand here. The page of {page} may tell it.",
    "Nothing there. Let me look at the page of {page} too.",
)
OPEN = (
    "The page does not mention {term} at all, so there is not enough information.",
    "Nothing is said of {term}. The claim may be true or not: there is not enough information.",
    "No sentence speaks of {term}, so the claim can be neither supported nor refuted.",
)
NOT_TOLD = (
    "No page tells {seek}, so there is not enough information.",
    "I have looked for {seek} and found nothing for the claim or against it: not enough information.",
    "It stays open, because nothing is said of {seek}: there is not enough information.",
)
UNKNOWN = (
    "{fact} Nothing I know of tells {seek}, so there is not enough information.",
    "{fact} I do not know {seek}: there is not enough information.",
    "{fact} {seek} is not known to me, so the claim may be true or not: not enough information.",
)


def gold_steps(
    task: Task | Mapping[str, Any], book: Encyclopedia | None = None
) -> tuple[Step, ...]:
    """The oracle's trajectory of a generated task, made anew by the acts of the world."""
    row = {**task.extra, "text": task.text, "gold": task.gold} if isinstance(task, Task) else task
    pick = random.Random(f"{SEED} {row['text']}")
    oracle = Oracle(book or bundled(), pick)
    if row["gold"] in LABELS:
        return claim_steps(row, oracle)
    hops = [Hop(*hop) for hop in row["hops"]]
    if row["type"] == "bridge":
        return oracle.bridge(hops, row["gold"], named(hops[0].page))
    return oracle.pair(hops, row["gold"], row["why"])


def rationale(task: Task) -> str:
    """The facts of a generated task in a row, then the answer: what CoT has instead of thoughts."""
    row, pick = task.extra, random.Random(f"{SEED} {task.text}")
    hops = [Hop(*hop) for hop in row.get("hops", ())]
    facts = [hop.fact(named(hop.page), pick) for hop in hops] + [row.get("why", "")]
    words = {"fact": " ".join(filter(None, facts)), "answer": task.gold, "term": row.get("absent")}
    if task.kind == "claims":
        ends = {LABELS[0]: YES, LABELS[1]: NO}.get(str(task.gold), UNKNOWN)
        words["claimed"] = named(str(row.get("claimed", "")))
        words["seek"] = sought(row)
        return capital(tidy(pick.choice(ends).format(**words).strip()))
    return capital(tidy(pick.choice(DONE).format(**words)))


def claim_steps(row: Mapping[str, Any], oracle: Oracle) -> tuple[Step, ...]:
    """The oracle's trajectory of a generated claim."""
    if row["gold"] == LABELS[2]:
        return look_in_vain(row, oracle)
    hops = [Hop(*hop) for hop in row["hops"]]
    name = named(hops[0].page)
    oracle.think(*START, seek=hops[0].seek(name))
    oracle.follow(hops)
    words = {
        "fact": hops[-1].fact(named(hops[-1].page), oracle.pick),
        "claimed": named(row["claimed"]),
    }
    oracle.think(*(YES if row["gold"] == LABELS[0] else NO), **words)
    return oracle.finish(row["gold"])


def look_in_vain(row: Mapping[str, Any], oracle: Oracle) -> tuple[Step, ...]:
    """The facts that are stated, then every page that might go on, and does not."""
    hops, term = [Hop(*hop) for hop in row.get("hops", ())], row["absent"]
    names = {page: bare(page) for page in row["pages"]}
    missing, relation = row.get("missing", ("", ""))
    if hops:
        oracle.think(*START, seek=hops[0].seek(named(hops[0].page)))
        oracle.follow(hops)
        names[hops[-1].value] = shown(oracle.seen, hops[-1].value, oracle.book)
        fact = hops[-1].fact(named(hops[-1].page), oracle.pick)
        oracle.think(*NEXT, fact=fact, seek=sought(row))
    else:
        oracle.think(*LOOK, page=named(row["pages"][0]), term=term)
    rest = [page for page in row["pages"] if page not in [hop.page for hop in hops]]
    for k, page in enumerate(rest):
        word = bare(row["pages"][0]) if bare(page) == term else term
        if k:
            oracle.think(*ELSEWHERE, page=named(page))
        oracle.search(page, names[page])
        if page == missing:
            word = RELATIONS[relation].keys[0]
            oracle.think(*DEEPER, seek=sought(row), key=word)
        else:
            oracle.think(*NONE, term=word)
        oracle.act(f"Lookup[{word}]")
    oracle.think(*(NOT_TOLD if missing else OPEN), term=term, seek=sought(row))
    return oracle.finish(LABELS[2])


def sought(row: Mapping[str, Any]) -> str:
    """What no page tells of an open claim."""
    if "missing" in row:
        page, relation = row["missing"]
        return Hop(page, relation, "").seek(named(page))
    return f"whether this is so of {row.get('absent')}"


def gold_run(task: Task, book: Encyclopedia | None = None) -> Trajectory:
    """The gold trajectory of a task; its `rationale` is what CoT has instead of the thoughts."""
    book = book or bundled(kind_of(task.kind).language.code)
    if "steps" in task.extra:
        steps = replay(task, book)
    else:
        steps = gold_steps(task, book)
        task = replace(task, extra={**task.extra, "rationale": rationale(task)})
    answer = (steps[-1].action or "").partition("[")[2].removesuffix("]")
    return Trajectory(
        f"gold-{task.id}", task, "react", "gold", {}, steps, answer=answer, end="finished"
    )


def replay(task: Task, book: Encyclopedia) -> tuple[Step, ...]:
    """Hand-written thoughts and acts, with the observations that the world gives today."""
    env = Wiki(book, lang=kind_of(task.kind).language.code)(task)
    env.reset(task)
    return tuple(
        Step(thought, action, seen.text or None, outcome="failed" if mark else seen.outcome)
        for thought, action, *mark in task.extra["steps"]
        for seen in [env.step(action)]
    )
