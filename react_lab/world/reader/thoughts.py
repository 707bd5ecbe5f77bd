"""The oracle's thoughts: what it says of the last thing it saw, and what it means to do next."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ...types import split_act
from ..gold import LABELS
from ..oracle import Hop, bare, capital, named, tidy
from . import phrases as say
from . import remarks as saw
from .moves import Move
from .needs import Need, Plan
from .reading import Reading

__all__ = ["Plainly", "Said", "next_by_hand", "parts_of", "thought_of"]

QUOTED = 110  # characters of a sentence that is quoted
LEAD = re.compile(
    r"^(?:\W*)(.{1,80}?),? (?:is|was|are|were) ((?:an? |the |one of ).{3,90}?)"
    r"(?=,|;|\.$|(?: (?:in|on|of|from|for|by|to|with|at|under))? (?:which|whom|whose) "
    r"| that | who | where | when | and | built | on the | written )"
)
NOT = re.compile(r"That (?:is|was) not (.+?), so the claim")
A_VOWEL = re.compile(r"\b(was a)(?= [aeiouAEIO](?!ni|se|ur))")
LOWER = frozenset({
    "The", "It", "In", "A", "An", "By", "On", "He", "She", "His", "Her", "At", "Of", "Whenever",
    "When", "Both", "Since", "After", "All", "Its", "Their", "They",
})  # fmt: skip
MOULDED = re.compile(
    r"I need|.*Next I need|The first sentences|There is no page|.*So the (?:answer|claim)"
)


@dataclass(frozen=True)
class Said:
    """A sentence or two of a thought: its mould, and what fills it."""

    mould: str
    words: Mapping[str, str]

    def __str__(self) -> str:
        return capital(tidy(self.mould.format(**self.words)))


class Plainly(random.Random):
    """Draws nothing: the first wording each time, and nothing that is said only now and then."""

    def choice(self, seq: Any) -> Any:
        return seq[0]

    def random(self) -> float:
        return 1.0


def thought_of(plan: Plan, reading: Reading, move: Move, pick: random.Random) -> str:
    """A thought that goes with a move, in words drawn by a seed; or plainly, the same each time."""
    if own := by_hand(plan, reading, move, moulded=isinstance(pick, Plainly)):
        return own
    return " ".join(map(str, parts_of(plan, reading, move, pick)))


def by_hand(plan: Plan, reading: Reading, move: Move, moulded: bool) -> str:
    """The thought of a task's own solution, if it stands there now and is worded freely."""
    thought, act = next_by_hand(plan, reading, moulded)
    return thought if act.casefold() == move.act.casefold() else ""


def next_by_hand(plan: Plan, reading: Reading, moulded: bool = False) -> tuple[str, str]:
    """How a task's own solution goes on from here, if it is in free words; else two empty texts.

    moulded: in any words.
    """
    at, done = len(reading.acts), [act.casefold() for act in reading.acts]
    if at >= len(plan.own) or done != [act.casefold() for _, act in plan.own[:at]]:
        return "", ""
    thought, act = plan.own[at]
    free = moulded or not MOULDED.match(thought)
    return (thought, act) if thought and free else ("", "")


def parts_of(plan: Plan, reading: Reading, move: Move, pick: random.Random) -> list[Said]:
    """What was seen, then what to do; one of them where it says enough."""
    words = filling(plan, reading, move, pick)
    if not reading.acts:
        first = say.TRY if move.kind == "try" else opening(plan)
        return [Said(pick.choice(first), words), *sense(move, pick, 0.15)]
    seen = [*comments(plan, reading, move, pick, words)]
    if move.kind == "finish":
        return [*seen, *ending(plan, reading, move, pick, words)]
    if move.kind == "similar" and seen:
        return seen
    then = Said(pick.choice(onward(plan, reading, move)), words)
    return [*seen, *sense(move, pick, 0.2 if move.kind == "look" else 0.08), then]


def filling(plan: Plan, reading: Reading, move: Move, pick: random.Random) -> dict[str, str]:
    """What a mould may be filled with."""
    need = move.need
    return {
        "seek": need.seek,
        "Seek": capital(need.seek),
        "rest": plan.rest or need.seek,
        "page": move.name,
        "name": named(need.page),
        "here": bare(reading.page) or "this",
        "what": what_it_is(reading),
        "word": move.word,
        "asked": (split_act(reading.acts[-1]) or ("", ""))[1] if reading.acts else "",
        "answer": str(plan.task.gold),
        "claimed": claimed(plan),
    }


def what_it_is(reading: Reading) -> str:
    """What the first words of the page that is open say it is: "a village in Yorkshire"."""
    found = LEAD.match(reading.env.page[0]) if reading.env.page else None
    return found[2] if found and len(found[1].split()) < 9 else ""


def claimed(plan: Plan) -> str:
    """What a claim says that is wrong."""
    if "claimed" in plan.task.extra:
        return named(str(plan.task.extra["claimed"]))
    found = NOT.search(plan.own[-1][0]) if plan.own else None
    return found[1] if found else ""


# ---------------------------------------------------------------------- what to begin with


def opening(plan: Plan) -> tuple[str, ...]:
    if plan.task.kind == "claims":
        return say.CHECK
    if plan.free:
        return say.COMPARE
    pages = {need.page for need in plan.needs}
    return say.OPENING if len(pages) > 1 and plan.rest else say.OPENING_ONE


def sense(move: Move, pick: random.Random, often: float) -> Iterator[Said]:
    """Sometimes what anyone knows of such pages."""
    known = say.SENSE.get(move.need.relation)
    if known and pick.random() < often:
        yield Said(known, {})


# ---------------------------------------------------------------------- what was seen


def comments(
    plan: Plan, reading: Reading, move: Move, pick: random.Random, words: dict[str, str]
) -> Iterator[Said]:
    """What is to be said of the last observation."""
    fresh = newly(plan, reading)
    if fresh:
        yield from findings(reading, fresh, pick)
        return
    yield Said(pick.choice(remark(plan, reading, move, words)), words)
    before = read_before(plan, reading)
    away = reading.page != move.need.page or move.kind == "finish"
    if before and away and (move.kind == "finish" or pick.random() < 0.5):
        yield said(saw.RECALL, before, pick)


def newly(plan: Plan, reading: Reading) -> list[Need]:
    """What the last observation says and no earlier one did."""
    last, earlier = reading.seen[-1], reading.seen[:-1]
    return [
        need
        for need in plan.needs
        if any(s in last for s in need.sentences)
        and not any(s in text for text in earlier for s in need.sentences)
    ]


def findings(reading: Reading, fresh: list[Need], pick: random.Random) -> Iterator[Said]:
    """That something has been found, and what."""
    searched = reading.acts[-1].lower().startswith("search")
    where = saw.SEEN_SEARCH if searched else saw.SEEN_LOOK
    for k, need in enumerate(fresh):
        if k and not need.fact:
            continue  # one quoted sentence is enough
        moulds = where if pick.random() < 0.4 and not k else saw.SEEN
        yield said(moulds, need, pick)


def said(moulds: tuple[str, ...], need: Need, pick: random.Random) -> Said:
    """A fact as a sentence, in the words of its relation, of its solution or of the page."""
    fact, sentence = need.fact, min(need.sentences, key=len)
    if need.relation:
        fact = Hop(need.page, need.relation, need.value).fact(named(need.page), pick)
    short = len(sentence) < QUOTED and need.quoted and not need.compares
    if not fact and not need.quoted:
        return Said(pick.choice(saw.UNQUOTED), {"name": named(need.page)})
    if not fact or (short and pick.random() < 0.3):
        quoting = [mould for mould in moulds if "{fact}" in mould]
        return Said(pick.choice(quoting), {"fact": f'"{sentence}"'})
    fact = A_VOWEL.sub(r"\1n", fact)
    first, _, rest = fact.partition(" ")
    if first not in LOWER and first not in f"{need.page} {need.value}":
        moulds = tuple(mould for mould in moulds if "{low}" not in mould)
    low = f"{first.lower() if first in LOWER else first} {rest}"
    return Said(pick.choice(moulds), {"fact": fact, "low": low})


def remark(plan: Plan, reading: Reading, move: Move, words: Mapping[str, str]) -> tuple[str, ...]:
    """Wordings for an observation that brings nothing new."""
    seen, need = reading.last, move.need
    name = (split_act(reading.acts[-1]) or ("",))[0].lower()
    if seen.why == "no page is open":
        return saw.NO_PAGE
    if seen.why and seen.why != "no such page":
        return saw.INVALID
    if reading.looped():
        return saw.LOOP
    if seen.why:
        return saw.MISSING_LISTED if move.kind == "similar" else saw.MISSING
    if name == "lookup" and reading.page == need.page:
        if not seen.text.startswith("(Result"):
            return saw.EMPTY_OPEN if plan.open else saw.EMPTY
        return saw.NOT_IT if need.sentences else saw.VAIN
    if reading.page == need.page:
        return saw.VAIN if not need.sentences else saw.NOT_YET
    if plan.open and any(n.page == reading.page for n in plan.needs):
        return saw.EMPTY_OPEN if name == "lookup" and reading.page else saw.VAIN
    if any(n.page == reading.page and reading.met(n) for n in plan.needs):
        return saw.READ
    return saw.WRONG if words["what"] else saw.WRONG_BARE


def read_before(plan: Plan, reading: Reading) -> Need | None:
    """The last thing found so far."""
    met = [need for need in plan.needs if need.sentences and reading.met(need)]
    return met[-1] if met else None


# ---------------------------------------------------------------------- what to do


def onward(plan: Plan, reading: Reading, move: Move) -> tuple[str, ...]:
    """Wordings for what to do next."""
    need = move.need
    if move.kind == "look":
        return say.LOOK if need.sentences or need.relation else say.VAIN_LOOK
    if move.kind == "again":
        return say.AGAIN
    if move.kind in ("back", "try"):
        return say.BACK if move.kind == "back" else say.TRY
    others = [n for n in plan.needs if n != need and not n.sentences]
    if not need.sentences and any(n.page in reading.opened for n in others):
        return say.VAIN_NEXT
    known = any(n.sentences and reading.met(n) for n in plan.needs)
    return say.NEXT if known else say.FIRST


def ending(
    plan: Plan, reading: Reading, move: Move, pick: random.Random, words: dict[str, str]
) -> Iterator[Said]:
    """Why this is the answer."""
    if plan.open:
        yield Said(pick.choice(say.UNTOLD if move.need.relation else say.UNSETTLED), words)
        return
    if not all(reading.met(need) for need in plan.needs):
        yield Said(pick.choice(say.HASTE), {})
    if plan.why:
        yield Said("{why}", {"why": plan.why})
    if plan.task.kind == "claims" and "the claim is" in plan.needs[-1].fact:
        return  # that was said with it
    if plan.task.gold == LABELS[0] and plan.task.kind == "claims":
        yield Said(pick.choice(say.YES), words)
    elif plan.task.gold == LABELS[1] and plan.task.kind == "claims":
        yield Said(pick.choice(say.NO if words["claimed"] else say.NO_BARE), words)
    else:
        if pick.random() < 0.08:
            yield Said(pick.choice(say.DOUBT), {})
        yield Said(pick.choice(say.ANSWER), words)
