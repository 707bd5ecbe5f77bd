"""What has to be read for a train task, page by page.

From its hops, where there are no sentences; from the acts of its own solution, where it was written
by hand, and from its `sentences`, where it names them.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import replace

from ...envs.pages import Encyclopedia
from ...envs.wiki import sentences
from ...types import Task
from ..oracle import Hop, Lost, bare, named, pronoun, stated, tidy
from ..relations import RELATIONS
from .by_hand import written
from .needs import OPEN, Need, Plan, vain

__all__ = ["plan_of"]

KIN = ("wife", "husband", "son", "daughter")  # of whom, cannot be known before it has been read


def plan_of(task: Task, book: Encyclopedia) -> Plan:
    """What has to be read for a train task; Lost if that cannot be told."""
    row = task.extra
    if task.gold is None or not ({"hops", "steps", "absent"} & row.keys()):
        raise Lost(f"nothing is known of the evidence of {task.id}")
    plan = written(task, book) if "steps" in row else made(task, book)
    plan = replace(plan, needs=tuple(one(named_in(plan, book))))
    if not plan.open:
        return plan
    return replace(plan, needs=(*plan.needs, *second(plan, book)))


def one(needs: Sequence[Need]) -> Iterator[Need]:
    """Nothing is to be read twice."""
    seen = set()
    for need in needs:
        if (key := (need.page, need.sentences)) not in seen:
            seen.add(key)
            yield need


def named_in(plan: Plan, book: Encyclopedia) -> tuple[Need, ...]:
    """The needs, if all their pages are there."""
    for need in plan.needs:
        if "text" not in book.row(need.page):
            raise Lost(f"there is no page {need.page}")
    return plan.needs


# ---------------------------------------------------------------------- generated tasks


def made(task: Task, book: Encyclopedia) -> Plan:
    hops = [Hop(*hop) for hop in task.extra.get("hops", ())]
    needs = [hop_need(hop, book) for hop in hops]
    between = [hop.seek(pronoun(before)) for before, hop in itertools.pairwise(hops)]
    if task.gold == OPEN and "absent" in task.extra:
        needs += open_needs(task, hops)
        if "missing" in task.extra and hops:
            page, relation = task.extra["missing"]
            between.append(Hop(page, relation, "").seek(pronoun(hops[-1])))
    if task.extra.get("type") in ("comparison", "yes/no"):
        between = [hop.seek(named(hop.page)) for hop in hops[1:]]
    return Plan(task, tuple(needs), " and then ".join(between), str(task.extra.get("why", "")))


def open_needs(task: Task, hops: Sequence[Hop]) -> Iterator[Need]:
    """The pages that are read in vain, with the words in which they would tell it."""
    term, pages = str(task.extra["absent"]), task.extra["pages"]
    missing, relation = task.extra.get("missing", ("", ""))
    known = [hop.page for hop in hops]
    for page in [page for page in pages if page not in known] or pages[-1:]:
        need = vain(page, pages[0] if bare(page) == bare(term) else term)
        if missing:
            need = replace(need, seek=Hop(missing, relation, "").seek(named(missing)))
        if page == missing:
            words = tuple(key for key in RELATIONS[relation].keys if key not in KIN)
            need = replace(need, words=words, relation=relation)
        yield need


def hop_need(hop: Hop, book: Encyclopedia) -> Need:
    keys = RELATIONS[hop.relation].keys
    page = named(hop.page)
    says = tuple(evidence(hop, keys, book))
    fact = tidy(RELATIONS[hop.relation].says[0].format(p=page, v=named(hop.value)))
    return Need(hop.page, says, hop.seek(page), fact, keys, (), hop.value, hop.relation)


def evidence(hop: Hop, keys: Sequence[str], book: Encyclopedia) -> list[str]:
    """The sentences that state the value: those with a word of the relation, if there are any."""
    there = sentences(book.row(hop.page).get("text", ""))
    states = [s for s in there if stated(hop.value, s)]
    if not states:
        raise Lost(f"{hop.page} does not state {hop.value}")
    told = [s for s in states if any(key in s.lower() for key in keys)]
    return told or states[:1]


# ---------------------------------------------------------------------- the second page


def second(plan: Plan, book: Encyclopedia) -> Iterator[Need]:
    """Where else a claim may be settled, if one page alone was named: no page says it."""
    pages = dict.fromkeys(need.page for need in plan.needs)
    if len(pages) > 1:
        return
    first = plan.needs[-1]
    term = str(plan.task.extra.get("absent") or "")
    near = " ".join(sentences(book.row(first.page)["text"])[:5])
    for title in mentioned(f"{plan.task.text} {term}", first.page, book):
        if allowed(title, (bare(first.page),), first, book):
            yield vain(title, first.page)
            return
    for title in mentioned(near, first.page, book):
        if allowed(title, first.words, first, book):
            yield replace(first, page=title, names=())
            return
    raise Lost(f"only one page may settle {plan.task.id}")


def allowed(title: str, words: Sequence[str], beside: Need, book: Encyclopedia) -> bool:
    """Is it a page of the same split, or a hub, that says none of the words?"""
    row, text = book.row(title), book.row(title)["text"].lower()
    split = row.get("split") in (book.row(beside.page).get("split"), "hub")
    return split and not any(word.lower() in text for word in words)


def mentioned(text: str, but: str, book: Encyclopedia) -> list[str]:
    """Pages that a text names, the longest names first."""
    found = dict[str, int]()
    words = text.replace("’", "'").split()
    for size in range(min(6, len(words)), 0, -1):
        for k in range(len(words) - size + 1):
            name = " ".join(words[k : k + size]).strip(".,;:?!\"'()").removesuffix("'s")
            if name[:1].isupper() and "text" in (row := book.row(name)):
                found.setdefault(str(row["title"]), size)
    return [title for title in found if title != but]
