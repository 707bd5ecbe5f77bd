"""Labelling as a person does it, one run after the other. The widget is only a face of this.

    session = Session(runs, "labels/me.jsonl", by="me", blind=True)
    session.unsound(step=2)         # blind: gold, method, model and grade are hidden
    session.label("hallucination")  # revealed: one of the modes of the grade

Every method says in a sentence what it did, or why it did nothing. What a labeller shows of a
session is below: every text in it is made visible, no control character goes out.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Sequence
from os import PathLike
from typing import Any

from ..kinds import KINDS, kind_of
from ..languages import say, word
from ..support.text import visible
from ..types import Trajectory
from .about_runs import QUESTIONS, grade, is_game, opening, tied, verdict_words
from .events import Entry, Key, LabelFile, Ledger, Mark, read
from .failure_modes import FAILURE, SUCCESS, AnyModes, Modes, Sample, as_modes, modes_of
from .merging import disagreements, merge
from .results import shown
from .rules import Suggestion, evidence_of, suggest

Path = str | PathLike[str]
Suggest = Callable[[Trajectory], Suggestion | None]


class Session:
    """Runs to label, the file that the labels go to, and the place where we are."""

    def __init__(
        self,
        runs: Sequence[Trajectory],
        path: Path,
        by: str,
        *,
        modes: AnyModes = None,
        blind: bool = False,
        gold: Path | None = None,
        between: Sequence[Path] = (),
        suggestions: bool | Suggest = False,
        seed: int | None = None,
    ) -> None:
        """runs, path, by: what to label, the file the labels go to, and who gives them.
        modes: of one's own, as `label.Modes` takes them; None is the six of Table 2.
        blind: judge first, with gold, method, model and grade hidden.
        gold: a file of agreed labels; a calibration round with feedback, kept apart.
        between: the files of two or more annotators; only what they differ on, to adjudicate.
        suggestions: what the rules say (or a function of a run), after your own label.
        seed: shuffles the order in which runs are shown.
        """
        self.runs, self.blind = runs, blind and not between
        self.suggest: Suggest | None = suggest if suggestions is True else suggestions or None
        self.taxonomy = as_modes(modes)
        if self.taxonomy.own and suggestions is True:
            raise ValueError("rules know Table 2's modes alone: suggestions= takes a function, too")
        agreed = Ledger(read(gold)).labelled() if gold else []
        self.gold = {(mark.id, mark.digest): mark for mark in agreed}
        merged = merge(between)
        self.differ = disagreements(merged.runs)
        for mark in (*agreed, *merged.marks):
            if mark.modes != self.taxonomy.text:
                theirs = modes_of([mark.modes])
                raise ValueError(f"{mark.by!r} labelled with {theirs}, not {self.taxonomy}")
        self.round = "calibration" if gold else ""
        self.kind = "Adjudication" if between else "Calibration" if gold else "Labelling"
        self.file = LabelFile(path, by, self.taxonomy)
        self.ledger = self.file.ledger
        items: Sequence[int] = range(len(runs))  # their places, in the order shown
        if gold or between:
            wanted = {*self.gold, *self.differ}
            items = [i for i in items if tied(runs[i]) in wanted]
        items = items if seed is None else random.Random(seed).sample(items, len(items))
        self.everything, self.order = items, items
        self.query, self.last, self.said = "", "", ""
        self.held: tuple[int, Trajectory, tuple[str, str]] | None = None  # the run in sight
        self.overriding, self.at, self.since = False, 0, time.monotonic()
        if isinstance(runs, Sample) and not self.ledger.entries:
            self.file.append("sample", sample=runs.drawn_how)
        self.resume()

    def resume(self) -> None:
        """Go to the first run after the last one touched that has no label."""
        entries = reversed(self.ledger.entries.values())
        last = next((e.item for e in entries if e.id and e.round == self.round), None)
        start = self.order.index(last) if last in self.order else 0
        left = (at for at in range(start, len(self.order)) if self.fits(self.order[at], "open"))
        key = "label.practice_is_in" if self.round else "label.labels_are_in"
        said = say(key, n=len(self.labelled), file=self.file.path.name)
        self.move_to(next(left, start), said)

    # ------------------------------------------------------------------ where we are

    @property
    def run(self) -> Trajectory:
        return self.in_sight[1]

    @property
    def key(self) -> Key:
        return (self.round, *self.in_sight[2])

    @property
    def in_sight(self) -> tuple[int, Trajectory, tuple[str, str]]:
        """The item, its run, and what ties a label to it: read and hashed once."""
        if not self.order:
            raise ValueError("there is no run to label here: give others, or clear the filter")
        item = self.order[self.at]
        if self.held is None or self.held[0] != item:
            run = self.runs[item]
            self.held = (item, run, tied(run))
        return self.held

    @property
    def mark(self) -> Mark | None:
        """What stands about the run in sight."""
        return self.ledger.marks.get(self.key)

    @property
    def labelled(self) -> list[Mark]:
        return self.ledger.labelled(self.round)

    @property
    def hidden(self) -> bool:
        """Are gold, method, model and grade hidden? Until the run is judged."""
        return self.blind and not (self.mark and (self.mark.sound is not None or self.mark.label))

    @property
    def modes(self) -> tuple[str, ...]:
        return () if self.hidden else self.taxonomy.offered(self.run, self.overriding)

    # ------------------------------------------------------------------ what can be pressed

    def sound(self) -> str:
        """Blind stage: nothing is wrong with it."""
        return self.judge(True, 0)

    def unsound(self, step: int | None = None) -> str:
        """Blind stage: something is wrong, for the first time at this step (or the one marked)."""
        one = len(self.run.steps) == 1
        marked = 1 if one else step or (self.mark.step if self.mark else None)
        if self.run.steps and not marked:
            return self.say(say("label.mark_first"))
        return self.judge(False, marked)

    def judge(self, sound: bool, step: int | None) -> str:
        if not self.hidden:
            return self.say(say("label.revealed"))
        fresh = not self.ledger.seen(self.key)
        self.add("judge", sound=sound, step=step, blind=fresh)
        said = "label.you_say_sound" if sound else "label.you_say_unsound"
        who, graded = verdict_words(self.run)
        return self.say(say(said, who=who.lower(), graded=graded or say("label.nothing")))

    def label(self, mode: str | int, override: bool = False) -> str:
        """Choose a mode by its key or name, and go on to the next run.

        Where a run may have several, it is put to them, or taken from them; `next` goes on. So too
        in a calibration round, where what was agreed is to be read first.
        """
        modes = self.taxonomy
        mode = modes.find(mode)
        if self.hidden:
            return self.say(say("label.judge_first"))
        if mode not in modes.offered(self.run, override or self.overriding):
            return self.say(say("label.not_offered", mode=word("modes", mode)))
        if self.differ and not (self.mark and self.mark.note):
            return self.say(say("label.reason_first"))
        beyond, i = mode not in modes.offered(self.run), self.at + 1
        if modes.several:
            mode = modes.join({mode} ^ {*modes.split(self.mark.label if self.mark else None)})
        version = modes.guideline(QUESTIONS).version
        self.add("label", label=mode or None, override=beyond, guideline=version)
        name = word("modes", mode) or say("show.none")
        self.last = visible(say("label.last", i=i, mode=name, more=self.feedback(mode)).strip())
        saved = say("label.saved", mode=name)
        if self.gold:
            return self.say(say("label.then").join((saved, say("label.read_why"))))
        return self.say(saved) if modes.several else self.move_to(i, saved)

    def step(self, step: int) -> str:
        """Mark the step where it first goes wrong; 0 takes the mark away."""
        if type(step) is not int or not 0 <= step <= len(self.run.steps):
            return self.say(say("label.no_step", i=step))
        self.add("step", step=step)
        return self.say(say("labeller.wrong_steps", steps=step or say("show.none")))

    def note(self, text: str) -> str:
        """Keep a note on this run, in place of the one it has."""
        if type(text) is not str:
            return self.say(say("label.note_is_text"))
        self.add("note", note=visible(text[:10_000])[:10_000])
        return self.say(say("label.note_saved"))

    def defer(self) -> str:
        """Leave it for later; it counts as no label."""
        self.add("defer")
        return self.move_to(self.at + 1, say("label.deferred"))

    def override(self) -> str:
        """Offer the modes of the other grade too, for this run; a label then says so."""
        if self.hidden:
            return self.say(say("label.judge_first"))
        self.overriding = not self.overriding
        return self.say(say("label.all_modes" if self.overriding else "label.grades_modes"))

    def undo(self) -> str:
        """Take back what was done last, as often as you like, also after a restart."""
        return self.turn("undo", self.ledger.done)

    def redo(self) -> str:
        """Do again what was undone last."""
        return self.turn("redo", self.ledger.undone)

    def next(self) -> str:
        """Go to the next run."""
        return self.move_to(self.at + 1)

    def back(self) -> str:
        """Go to the run before."""
        return self.move_to(self.at - 1)

    def goto(self, number: int) -> str:
        """Go to a run by its number, from 1."""
        if type(number) is not int:
            return self.say(say("label.by_number"))
        return self.move_to(number - 1)

    def filter(self, query: str = "") -> str:
        """Show only some: open, deferred, a mode, method:NAME, or words of the question."""
        if type(query) is not str:
            return self.say(say("label.filter_is_text"))
        self.file.catch_up()
        if self.blind and query.strip().lower().startswith("method:"):
            return self.say(say("label.methods_hidden"))
        kept = [i for i in self.everything if self.fits(i, query.strip().lower())]
        if not kept:
            return self.say(say("label.none_fits", query=repr(query)))
        self.order, self.query = kept, query.strip()
        return self.move_to(0, say("label.of_runs", n=len(kept), of=len(self.everything)))

    # ------------------------------------------------------------------ how it is done

    def fits(self, item: int, query: str) -> bool:
        run = self.runs[item]
        mark = self.ledger.marks.get((self.round, *tied(run))) or Mark("", "", "")
        if query in ("open", "deferred"):
            return mark.deferred if query == "deferred" else not mark.label
        if query.startswith("method:"):
            return run.method.lower() == query.removeprefix("method:").strip()
        named = [mode.lower() for mode in self.taxonomy.split(mark.label)]
        return query in named or query in run.task.text.lower()

    def add(self, event: str, **details: Any) -> Entry:
        _, id, digest = self.key
        spent = min(int(1000 * (time.monotonic() - self.since)), 24 * 3_600_000)
        self.since = time.monotonic()
        return self.file.append(
            event, id=id, digest=digest, round=self.round, item=self.order[self.at], ms=spent,
            method=self.run.method, kind=self.run.task.kind, grade=grade(self.run), **details,
        )  # fmt: skip

    def turn(self, event: str, stack: dict[int, str]) -> str:
        self.file.catch_up()
        if not stack:
            return self.say(say(f"label.nothing_to.{event}"))
        about = self.ledger.entries[next(reversed(stack))]
        self.file.append(event, of=about.seq)
        self.last = ""  # it tells of a run that may be hidden again
        if about.item in self.order and about.round == self.round:
            self.move_to(self.order.index(about.item))
        what = word("modes", about.label) if about.label else word("label.events", about.event)
        return self.say(say(f"label.turned.{event}", what=what))

    def move_to(self, at: int, done: str | None = None) -> str:
        last = len(self.order) - 1
        edge = say("label.first_run") if at < 0 else say("label.last_run") if at > last else ""
        moved, self.at = self.at, max(0, min(at, last))
        if moved != self.at or done is None:
            self.overriding, self.since = False, time.monotonic()
            self.last = "" if self.gold else self.last  # it tells of a run that is gone
        return self.say(say("label.then").join(filter(None, (done, edge))))

    def say(self, sentence: str) -> str:
        self.said = visible(sentence)
        return self.said

    def feedback(self, mode: str) -> str:
        """After the label, never before: the agreed label, and what the rules say."""
        lines = []
        if agreed := self.gold.get(self.in_sight[2]):
            key = "label.as_agreed" if agreed.label == mode else "label.agreed_was"
            told = say(key, label=word("modes", agreed.label or ""), note=agreed.note)
            lines.append(told.strip())
        if self.suggest and (found := self.suggest(self.run)):
            name = word("modes", found.mode)
            lines.append(say("label.rules_say", by=found.by, mode=name, why=found.reason))
        return " ".join(lines)

    @property
    def agreed(self) -> bool:
        """Is the run in sight labelled as was agreed, where something was?"""
        found = self.gold.get(self.in_sight[2]) if self.order and self.last else None
        return not (found and self.mark) or found.label == self.mark.label

    @property
    def score(self) -> tuple[int, int]:
        """Of a calibration round: how many as agreed, of how many."""
        mine = {(m.id, m.digest): m.label for m in self.labelled if (m.id, m.digest) in self.gold}
        return sum(label == self.gold[key].label for key, label in mine.items()), len(mine)


# ---------------------------------------------------------------------- what a labeller shows


def fixed(session: Session) -> dict[str, Any]:
    """What stays the same while labelling: sent once."""
    modes = session.taxonomy
    group_of = dict.fromkeys(SUCCESS, "success") | dict.fromkeys(FAILURE, "failure")
    guides = {}
    for kind in ("", *guided_kinds(modes)):  # a meaning in a few words (of questions none), in full
        guide = modes.guideline(kind or QUESTIONS)
        guides[kind] = [[guide.words.get(mode, ""), guide.modes[mode]] for mode in modes.names]
    return {
        "modes": [{"name": m, "group": "" if modes.own else group_of[m]} for m in modes.names],
        "guides": guides, "version": modes.guideline(QUESTIONS).version,
        "several": modes.several, "by": visible(session.file.by),
        "file": visible(session.file.path.name), "kind": session.kind,
        "patience": 1400,  # ms without an answer, after which the kernel is said to be gone
    }  # fmt: skip


def guided_kinds(modes: Modes) -> list[str]:
    """The kinds of task that the guideline has a part of its own for."""
    return [] if modes.own else [kind for kind in KINDS if modes.guideline(kind).words]


def picture(session: Session) -> dict[str, Any]:
    """The counts, and what stands about the run in sight: what a key may change."""
    marks = session.ledger.marks.values()
    found = {
        "number": 0, "of": len(session.order), "done": len(session.labelled),
        "deferred": sum(m.deferred and m.round == session.round for m in marks),
        "undo": bool(session.ledger.done), "redo": bool(session.ledger.undone),
        "said": session.said, "last": session.last, "agreed": session.agreed,
        "query": visible(session.query), "score": list(session.score), **shown(session.labelled),
    }  # fmt: skip
    if not session.order:
        return found
    mark, others = session.mark or Mark("", "", ""), []  # to adjudicate: what the annotators said
    for by, theirs in session.differ.get(session.in_sight[2], {}).items():
        label = word("modes", theirs.label or "")
        words = say("label.from_step", label=label, i=theirs.step) if theirs.step else label
        others.append([visible(by), words, visible(theirs.note)])
    return found | {
        "number": session.at + 1, "hidden": session.hidden, "offered": list(session.modes),
        "overriding": session.overriding, "label": mark.label,
        "labels": session.taxonomy.split(mark.label), "sound": mark.sound, "step": mark.step or 0,
        "note": visible(mark.note), "put_off": mark.deferred, "others": others,
    }  # fmt: skip


def run_in_sight(session: Session) -> dict[str, Any]:
    """What there is to read. Gold, method, model and grade only when they may be seen."""
    if not session.order:
        return {}
    run, facts, none = session.run, dict[str, str | None](), say("show.none")
    answer, game = run.answer, is_game(run)
    if not session.hidden:  # else until it is judged
        reward = None if run.reward is None else f"{run.reward:g}"
        who, graded = verdict_words(run)
        facts = {say("show.reward"): reward} if game else {say("label.gold"): run.task.gold}
        facts[who] = graded or say("label.not_graded")
        facts |= {say("show.method"): run.method, say("show.model"): run.model}
    return {
        "asked": kind_of(run.task.kind).opener, "question": visible(run.task.text),
        "guide": run.task.kind if run.task.kind in guided_kinds(session.taxonomy) else "",
        "opening": visible(opening(run)) if game else "", "game": game,
        "parts": list(parts(session, game)), "steps": len(run.steps),
        "answer": "" if game else visible(say("show.no_answer") if answer is None else answer),
        "end": "" if game and session.hidden else run.end,  # how a game ends says who won
        "facts": [[name, visible(none if v is None else v)] for name, v in facts.items()],
    }  # fmt: skip


def parts(session: Session, game: bool) -> Iterator[dict[str, Any]]:
    """Every thought, action, observation, in pieces; the pieces of interest are named."""
    run = session.run
    found = evidence_of(run)
    seen = found.pieces([run.answer or ""] + ([] if session.hidden else [run.task.gold or ""]))
    steps = zip(run.steps, found.origins, seen, strict=True)
    for i, (step, origin, observation) in enumerate(steps, 1):
        thought, unread = step.thought, step.thought is None and step.action is None
        # in a game a thought stands alone with its `OK.`
        alone = game and thought is not None and step.action is None and step.observation == "OK."
        cuts: dict[str, Sequence[tuple[str, str]]] = {
            "thought": [] if thought is None else [(thought, ""), *[("\nOK.", "ok")] * alone],
            "action": [] if step.action is None else [(step.action, "")],
            "unreadable text": [(step.raw or "", "")] if unread else [],
            "private": [(step.private, "")] if step.private else [],
            "observation": [] if alone else observation,
        }
        for name, cut in cuts.items():
            if cut:
                missing = visible(", ".join(origin.missing)) if name == "thought" else ""
                pieces = [[visible(text), kind] for text, kind in cut]
                yield {"step": i, "name": name, "pieces": pieces, "missing": missing}
