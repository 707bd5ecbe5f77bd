"""What a task that was written by hand needs: read off the acts of its own solution."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from ...envs.pages import Encyclopedia
from ...envs.wiki import WikiEnv
from ...types import Task, split_act
from ..oracle import Lost, bare, named, stated
from .needs import OPEN, Need, Plan

__all__ = ["written"]

LONG = 140  # characters of a thought that is a fact and no more

# how a hand-written thought goes on after the fact that was read
ONWARD = re.compile(
    r"(?:^|(?<=[.!?\"'”)]) )(?:Next I|Next the|Now I|Now the|So now|So the (?:answer|claim)|The answer|"
    r"The (?:claim|first sentences|sentence)|That (?:is|was) (?:what|not)|I (?:look|search|do not)|"
    r"No sentence|There is no|This (?:tells|page))"
)
THEN = re.compile(r"I need (?:to find )?(.+?),? (?:and )?then (.+)\.")
NEXT = re.compile(r"(?:Next|Now|So now) I (?:need|look for) (.+)\.$")
TELLS = re.compile(r"do(?:es)? not tell (?:me )?((?:wh|how|the |a |an |his |her |its )[^.]+)\.")


@dataclass
class Visit:
    """A page that a solution reads, and what it looks up there."""

    page: str
    names: list[str]
    seek: str = ""
    first: tuple[str, ...] = ()
    looked: dict[str, str] = field(default_factory=dict)  # word -> the last result
    after: str = ""  # the thought when it has been read
    wanted: dict[str, str] = field(default_factory=dict)  # word -> what was sought with it


def written(task: Task, book: Encyclopedia) -> Plan:
    steps = [(str(thought), str(act), bool(mark)) for thought, act, *mark in task.extra["steps"]]
    visits = list(visited(steps, book))
    if not visits:
        raise Lost(f"the solution of {task.id} reads no page")
    first = THEN.match(steps[0][0])
    if first:
        visits[0].seek = first[1]
    told = tuple(map(str, task.extra.get("sentences", ())))
    last = len(visits) - 1
    needs = [
        need for i, visit in enumerate(visits) for need in needs_of(visit, task, told, i == last)
    ]
    rest = first[2].split(", and then ")[-1] if first else ""
    own = tuple((thought if not astray else "", act) for thought, act, astray in steps)
    return Plan(task, tuple(needs), rest, "", own)


def visited(steps: Sequence[tuple[str, str, bool]], book: Encyclopedia) -> Iterator[Visit]:
    """The pages that a solution reads, in order; what failed before is another name of the next.

    Steps that are marked lead astray: they are there to show the way back.
    """
    env, tried = WikiEnv(book), list[str]()
    visit: Visit | None = None
    for k, (thought, act, astray) in enumerate(steps):
        name, words = ("", "") if astray else split_act(act) or ("", "")
        seen = env.step(act)
        if name == "Search" and seen.why:
            tried.append(words)
        elif name == "Search":
            if visit:
                yield visit
            page = str(book.row(words).get("title", words))
            sought = NEXT.search(thought)
            visit = Visit(page, [*tried, words], sought[1] if sought else "", env.page[:5])
            tried = []
        elif name == "Lookup" and visit:
            visit.looked[words] = "" if seen.text.startswith("No more") else env_sentence(seen.text)
            if wants := TELLS.search(thought):
                visit.wanted[words] = wants[1]
        if visit and k + 1 < len(steps):
            visit.after = steps[k + 1][0]
    if visit:
        yield visit


def env_sentence(result: str) -> str:
    """`(Result 1 / 2) The sentence.` -> the sentence."""
    return result.partition(") ")[2]


def needs_of(visit: Visit, task: Task, told: Sequence[str], last: bool) -> Iterator[Need]:
    """What a visit of a page was for."""
    names, page = tuple(visit.names), visit.page
    seek, name = visit.seek, bare(page)
    if not seek or seek.startswith(("the page", name, f"the {name}")):
        asked = "whether that is so" if task.kind == "claims" else "the answer"
        seek = asked if last else f"what is said of {named(page)}"
    if task.gold == OPEN and last:
        words = tuple(word for word, result in visit.looked.items() if not result)
        seek = next(iter(visit.wanted.values()), seek)
        yield Need(page, (), seek, "", words or (bare(page),), names)
        return
    fact = fact_of(visit.after, last)
    results = {result: word for word, result in visit.looked.items() if result}
    there = [s for s in told if any(s in text for text in (*visit.first, *results))]
    value = str(task.gold) if last and task.kind != "claims" else ""
    clear = bool(there or results)
    if not clear:
        sentence, clear = nearest(fact, value, page, visit.first)
        there = [sentence]
    there = there or [*results]
    for i, sentence in enumerate(there):
        word = results.get(sentence)
        wanted = visit.wanted.get(word or "", seek)
        said = fact if i == len(there) - 1 else ""
        words = tuple(filter(None, (word, *visit.looked)))
        more = last and task.extra.get("type") in ("comparison", "yes/no")
        yield Need(
            page, (sentence,), wanted, said, words, names, value, quoted=clear, compares=more
        )


def fact_of(thought: str, last: bool) -> str:
    """What a thought says that was read, before it goes on; of one in free words, only the last."""
    onward = ONWARD.search(thought)
    if not onward and (not last or len(thought) > LONG):
        return ""
    return (thought[: onward.start()] if onward else thought).strip()


def nearest(fact: str, gold: str, page: str, first: Sequence[str]) -> tuple[str, bool]:
    """Of the first sentences the one that says most of a fact; and whether it says it clearly."""
    title, held = words_of(page), Counter(word for s in first for word in words_of(s))
    wanted = words_of(fact) - title

    def shared(sentence: str) -> float:
        common = sum(1 / held[word] for word in words_of(sentence) & wanted)
        return common + 3 * (gold != "" and stated(gold, sentence))

    best = max(first, key=shared)
    return best, shared(best) >= 2


def words_of(text: str) -> set[str]:
    return set(re.findall(r"\w{3,}", text.lower()))
