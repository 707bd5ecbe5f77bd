"""A model's own wrong runs of train tasks, gone on with as their notes say.

A demonstration shows states that a good agent gets into. A model gets into others; here it learns the
way out of them (Ross et al., 2011): its own steps are shown, and what follows is learned.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from demonstrations import Episode, Refused, Row, fold, kind_of, quote

from react_lab import kinds
from react_lab.envs.pages import Encyclopedia, bundled
from react_lab.envs.wiki import sentences
from react_lab.finetune import demonstration
from react_lab.types import Step, Trajectory

EMPTY, MISSING = "No more results", "Could not find"


class TakenOver(Episode):
    """An episode in which somebody else has taken some steps."""

    def __init__(self, row: Row, book: Encyclopedia, steps: Sequence[Step]) -> None:
        super().__init__(row, book)
        self.pick = random.Random(f"own state {row['id']} {len(steps)}")
        self.asked = set[str]()  # words looked up on the page that is open
        self.thoughts = ""
        self.last = ""  # the last act
        for step in steps:
            self.last = step.action or ""
            self.thoughts += " " + (step.thought or "")
            self.act(step.thought or "", self.last, True)
            if self.last.startswith("Search[") and not self.seen.startswith(MISSING):
                self.open, self.asked = self.page_open(), set()
            elif self.last.startswith("Lookup["):
                self.asked.add(fold(self.last[7:-1]))

    def page_open(self) -> str:
        return str(self.book.row(self.env.title).get("title", ""))

    def go_on(self) -> list[list[str]]:
        """From what has been read so far on, the way of the notes."""
        hops, last = list(self.row["hops"]), self.row.get("not_told")
        if last and last["page"] not in self.book.rows:
            raise Refused("what has no page is not gone on with")
        done = 0
        while done < len(hops) - (not last) and self.known(hops[done]):
            done += 1
        if last and done == len(hops):
            return self.in_vain(self.turn(last), last)
        thought = self.turn(hops[done])
        following = [*hops[done + 1 :], last][: len(hops) - done]
        for hop, after in zip(hops[done:], following, strict=True):
            self.reach(thought, hop, False)
            thought = self.look(hop, False)
            if after:
                thought += " " + self.word("next", ask=after["ask"])
        if last:
            return self.in_vain(thought, last)
        return self.finish(thought, self.row["gold"])

    def known(self, hop: Row) -> bool:
        """Has its sentence been seen, and its answer been said?"""
        text = sentences(self.book.rows[hop["page"]]["text"])
        return text[hop["s"] - 1] in self.read and fold(hop["found"]) in fold(self.thoughts)

    def turn(self, hop: Row) -> str:
        """What is said of the last act, on the way to a hop; on its page `look` says it."""
        title, name = hop["page"], self.last[7:-1]
        if not self.steps:
            return self.word("plan", plan=self.row["plan"].rstrip("."))
        if self.seen.startswith(MISSING):
            if repr(title) in self.seen:
                reason = f", which is the {kind_of(title)}" if kind_of(title) else ""
                return self.word("told_of", name=name, title=title, reason=reason)
            if self.open == title:
                return self.word("no_page", name=name) + " " + hop["ask"]
            return self.word("misread", name=name, title=title, ask=hop["ask"])
        if self.open == title:
            return ""
        if any(each["page"] == self.open for each in self.row["hops"]):
            return str(hop["ask"])
        return self.word("wrong", why=f"It does not tell: {hop['ask']}", title=title)

    def look(self, hop: Row, stray: bool) -> str:
        """As in a demonstration, but of an open page whose words were looked up already."""
        word = self.last[7:-1] if self.last.startswith("Lookup[") and self.asked else ""
        self.last = ""
        if not word or self.open != hop["page"]:
            return super().look(hop, stray)
        text = sentences(self.book.rows[hop["page"]]["text"])
        proof = text[hop["s"] - 1]
        self.pending = ""
        if proof in self.seen or proof in self.read:
            return super().look(hop, stray)
        left = self.env.results
        if proof in left[:2] and fold(word) not in fold(hop["found"]):
            key, times = word, left.index(proof) + 1
            thought = self.word("again", ask=hop["ask"], key=key)
        else:
            key, times = self.key(hop, text, proof)
            slot = "empty" if self.seen.startswith(EMPTY) else "beside"
            thought = self.word(slot, barren=word, key=key)
        for _ in range(times):
            self.act(thought, f"Lookup[{key}]")
            thought = self.word("again", ask=hop["ask"], key=key)
        if proof not in self.seen:
            raise Refused("the word was looked up before")
        said = quote(proof, hop["found"])
        return self.word("read", ask=hop["ask"], quote=said, found=hop["found"])

    def key(self, hop: Row, text: Sequence[str], proof: str) -> tuple[str, int]:
        found, times = super().key(hop, text, proof)
        if fold(found) not in self.asked:
            return found, times
        named = fold(f"{self.row['text']} {hop['ask']}")
        for word in re.findall(r"\b[a-z]{4,}\b", proof):
            known = fold(word) in named and fold(word) not in self.asked
            if known and next(s for s in text if fold(word) in fold(s)) == proof:
                return word, 1
        raise Refused("its word was looked up already")

    def barren(self, hop: Row, text: Sequence[str]) -> list[str]:
        return []


def cuts(run: Trajectory, row: Row) -> Iterator[int]:
    """After how many steps a wrong run is taken over: before its answer, after an act astray."""
    pages = {hop["page"] for hop in row["hops"]}
    n = len(run.steps)
    if run.end == "finished":
        yield n - 1
    for i, step in enumerate(run.steps[:-1], 1):
        seen = step.observation or ""
        act = step.action or ""
        elsewhere = act.startswith("Search[") and not any(page in act for page in pages)
        if elsewhere or seen.startswith((MISSING, EMPTY)):
            yield i
            return


def own_states(runs: Iterable[Trajectory], rows: Mapping[str, Row]) -> Iterator[Trajectory]:
    """Wrong runs, by the tasks' notes -> runs that come right, what was not theirs to be learned."""
    book = bundled()
    for run in runs:
        row = rows[run.task.id]
        for cut in dict.fromkeys(cuts(run, row)):
            if any(step.action is None for step in run.steps[:cut]):
                continue
            try:
                steps = TakenOver(row, book, run.steps[:cut]).go_on()
            except (Refused, IndexError, KeyError):
                continue
            if len(steps) > kinds.kind_of(run.task.kind).max_steps:
                continue
            if any(len(step) == 2 and not step[0] for step in steps):
                continue
            task = replace(run.task, extra={**run.task.extra, "steps": steps})
            yield replace(demonstration(task, book), id=f"own-{cut}-{run.id}")
