"""What a run's thoughts draw on, and the mode that rules suggest for it, each with its reason.

A suggestion is shown only after a person's own label. How often rules and people agree is a number
(`agreement`), not a promise. What differs between kinds of task is in three classes: pages, house,
shop.
"""

from __future__ import annotations

import contextlib
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import NamedTuple

from .. import score
from ..analysis.household import Goal, read_task
from ..analysis.shop import CAUSES, cause_of
from ..envs.household.game import FITS, TRAITS
from ..envs.pages import Pages, bundled
from ..envs.shop.world import INVALID
from ..envs.wiki import parts
from ..kinds import KINDS, kind_of, load, world_of
from ..types import EnvError, Step, Trajectory, normalise, split_act
from .about_runs import grade, is_game, opening, searches
from .failure_modes import offered

NONE = "none of these"  # what a run has that shows no mode at all
CUT = "its last reply was cut before the first word: give it more max_tokens, and run it again"
NOTHING = "it has no step that could be read"
NEAR = 0.6  # an F1 from which two answers are likely the same one, in other words
AGAIN = 3  # times that the same act may show the same: a player passes a place more than once
NAME = re.compile(r"[^\W\d_a-z][\w'-]*(?: (?:of |the |and |de )*[^\W\d_a-z][\w'-]*)*")
WORD = re.compile(r"\d+|[^\W\d_]+")
RESULT = re.compile(r"\(Result \d+ / \d+\) ")
STRETCH = re.compile(rb"\x00+|\x01+|\x02+|\x03+")
PLANS = re.compile(r"\b(need|should|let me|let's|search|look|find|try|so the answer)\b", re.I)
EXPECTS = re.compile(r"\b(may|might|could|likely|maybe|perhaps|if|whether|possibly|or)\b")
THING = re.compile(r"\b([a-z]+) (\d+)\b")  # drawer 3
WARE = re.compile(r"\bb[0-9a-z]{9}\b|(?<![\w.])\d+(?:\.\d+)?(?![\w.])|(?<![\w.])\d+\.\d+")
COMMON = {  # words that say nothing of what a sentence is about
    "a", "after", "also", "an", "and", "answer", "are", "as", "at", "be", "been", "before", "but",
    "by", "did", "do", "does", "first", "for", "from", "had", "has", "have", "he", "her", "his",
    "i", "in", "is", "it", "its", "not", "observation", "of", "on", "or", "page", "paragraph",
    "she", "so", "that", "the", "their", "then", "there", "they", "this", "to", "was", "were",
    "what", "when", "where", "which", "who", "whose", "with",
}  # fmt: skip


class Suggestion(NamedTuple):
    """A mode that somebody or something suggests, and why."""

    mode: str
    reason: str
    by: str = "rules"


def suggest(run: Trajectory, *, pages: Pages | None = None) -> Suggestion | None:
    """The mode that rules suggest for a run; None without a grade.

    A run without a word that could be read shows none of the modes, and the suggestion says so.
    pages: where thoughts without acts are compared with facts (None: the bundled encyclopedia).
    """
    if (graded := grade(run)) is None:
        return None
    last = run.steps[-1] if run.steps else Step()
    cut = "cut" in run.flags or "cut by length" in last.repairs
    empty = not (last.thought or last.action or (last.raw or "").strip())
    if graded == "failure" and empty and (cut or not run.steps):
        return Suggestion(NONE, CUT if cut else NOTHING)
    modes, found = offered(run), evidence_of(run)
    rules = found.of_success(pages) if graded == "success" else found.of_failure(pages)
    return next(Suggestion(mode, why) for mode, why in rules if mode in modes)


# ---------------------------------------------------------------------- evidence, on pages

Piece = tuple[str, str]  # text, and what it is: answer, lookup, used, wanted, nothing; or ""
Rules = Iterator[tuple[str, str]]  # modes with their reasons: the first one is the suggestion


class Origin(NamedTuple):
    """Where a thought has its facts from, a sentence seen before it; what of it stands nowhere."""

    step: int = 0  # 0: from none
    at: int = 0  # of the sentences of that step's observation, as `Evidence.cut` gives them
    missing: tuple[str, ...] = ()


class Evidence:
    """What a run has read, sentence by sentence, and what of it its thoughts draw on."""

    def __init__(self, run: Trajectory) -> None:
        self.run, self.steps = run, run.steps
        self.empty = tuple(words.lower() for words in kind_of(run.task.kind).empty)

    @cached_property
    def origins(self) -> list[Origin]:
        """Of each step's thought the sentence that has what it states, if there is one.

        It holds most of the names and numbers that neither the question nor an act has (above all
        those that are in no earlier thought either), and shares most words. A thought that states
        none of its own draws on a sentence that shares three words and a third of its words.
        """
        library, found = Library(), list[Origin]()
        known = words(self.run.task.text)
        asked, thought_of, met, lists = set(known), set[str](), set[str](), [0, 0]
        for i, step in enumerate(self.steps, 1):
            text = step.thought or ""
            thought, stated = words(text), claims(text)
            firsts = (s.split()[0] for s in sentences(text) if not PLANS.search(s))
            own = (stated | words(" ".join(firsts))) - asked  # those may be names, too
            held, holders = library.most(own - thought_of or own, ~lists[0])
            shared, sharing = library.most(thought, holders)
            fits = shared > 1 if held else not own and shared > 2 and 3 * shared >= len(thought)
            missing = tuple(sorted(stated - known - library.holders.keys()))
            found.append((library.last(sharing) if fits else Origin())._replace(missing=missing))
            asked |= words(step.action or "")
            thought_of |= thought
            before = len(library.places)
            for at, sentence in enumerate(sentences(step.observation or "")):
                number = RESULT.match(sentence)  # a look-up shows what was read once more
                if (plain := sentence[number.end() :] if number else sentence) not in met:
                    met.add(plain)
                    library.add(Origin(i, at), words(sentence))
            # a list of other titles is drawn on by the next thought, or not at all
            failed = (step.observation or "").lower().startswith(self.empty)
            lists = [sum(lists), (1 << len(library.places)) - (1 << before) if failed else 0]
        return found

    def cut(self, step: Step) -> list[str]:
        """A step's observation, cut behind each sentence. Together it is whole."""
        text = step.observation or ""
        ends = [at for at, _ in place_sentences(text)][1:]
        return [text[a:b] for a, b in zip([0, *ends], [*ends, len(text)], strict=True) if a < b]

    def pieces(self, answers: Sequence[str] = ()) -> Iterator[list[Piece]]:
        """Each step's observation in pieces: answers, the word looked up, sentences used later."""
        used = {(origin.step, origin.at) for origin in self.origins}
        named = [answer for answer in answers if answer and not is_closed(answer)]
        for i, step in enumerate(self.steps, 1):
            text, act = step.observation or "", split_act(step.action or "")
            read = enumerate(place_sentences(text))
            keyword = act[1].strip() if act and act[0].lower() == "lookup" else ""
            marks = {
                "used": [(at, at + len(s)) for k, (at, s) in read if (i, k) in used],
                "lookup": spans(text, keyword),
                "answer": [span for answer in named for span in spans(text, answer)],
            }
            yield list(cut_text(text, marks))

    @property
    def first_unseen(self) -> tuple[int, str]:
        """The first step whose thought names what had not been seen, and what; (0, "") for none."""
        found = ((i, ", ".join(o.missing)) for i, o in enumerate(self.origins, 1) if o.missing)
        return next(found, (0, ""))

    # ------------------------------------------------------------------ rules

    def of_success(self, pages: Pages | None) -> Rules:
        if made_up := self.made_up(pages):
            yield "false positive", f"the answer is right, and nothing read says: {made_up}"
        yield "true positive", "the answer is right, and no thought lacks support"

    def of_failure(self, pages: Pages | None) -> Rules:
        seen = [step.observation for step in self.steps if step.action and step.observation]
        nothing_found = all(text.lower().startswith(self.empty) for text in seen)
        near = score.f1(self.run.answer or "", self.run.task.gold or "")
        if score.accepted(self.run):
            yield "label ambiguity", "the answer is on the task's list of other wordings"
        if near >= NEAR:
            yield "label ambiguity", f"it is worded much like the gold answer (F1 {near:.2f})"
        # a look-up that shows its next result goes on
        rounds = Counter((s.action.lower(), s.observation) for s in self.steps if s.action)
        if (times := max(rounds.values(), default=0)) > 1 or self.run.end == "repeated":
            yield "reasoning error", f"the same action comes {times} times and shows the same"
        if self.run.end == "step_limit" and not nothing_found:
            yield "reasoning error", "it used up its steps without an answer"
        answer, made_up = normalise(self.run.answer or ""), self.made_up(pages)
        closed, acts = is_closed(answer), searches(self.run)
        if acts and nothing_found:
            yield "search result error", "no search and no look-up brought anything"
        if made_up and not acts:
            yield "hallucination", f"the encyclopedia does not say: {made_up}"
        if made_up and acts and closed:
            yield "hallucination", f"nothing read says: {made_up}"
        if answer and acts and not closed and answer not in normalise(" ".join(seen)):
            yield "hallucination", "the answer stands in nothing that was read"
        yield "reasoning error", "the facts seem to be there, and the answer is wrong"

    def made_up(self, pages: Pages | None) -> str:
        """Names and numbers in thoughts that nothing read (without acts: no page named) holds."""
        if searches(self.run):
            found = {word for origin in self.origins for word in origin.missing}
        else:
            thoughts = " ".join(step.thought or "" for step in self.steps)
            names = [name for sentence in sentences(thoughts) for name in NAME.findall(sentence)]
            look_up = (pages or bundled()).get
            read = [look_up(name.removesuffix("'s")) or "" for name in names]
            # a page's own title is no claim
            found = claims(thoughts) - words(" ".join([self.run.task.text, *names, *read]))
        return ", ".join(sorted(found))


class Library:
    """The sentences read so far, each with a bit of its own, to be found by their keys."""

    def __init__(self) -> None:
        self.places = list[Origin]()
        self.holders: dict[str, int] = {}  # a key -> the bits of the sentences that hold it

    def add(self, place: Origin, keys: Iterable[str]) -> None:
        bit = 1 << len(self.places)
        self.places.append(place)
        for key in keys:
            self.holders[key] = self.holders.get(key, 0) | bit

    def most(self, keys: Iterable[str], among: int = -1) -> tuple[int, int]:
        """How many of the keys a sentence has at most; the bits of those that have so many.

        All sentences are counted at once: bit k of `digits` is digit k of every sentence's count.
        """
        digits: list[int] = []
        for key in keys:
            carry = self.holders.get(key, 0)
            for k, digit in enumerate(digits):
                digits[k], carry = digit ^ carry, digit & carry
            digits += [carry] if carry else []
        most, left = 0, (1 << len(self.places)) - 1 & among
        for k in reversed(range(len(digits))):
            if left & digits[k]:
                most, left = most + (1 << k), left & digits[k]
        return most, left

    def last(self, bits: int) -> Origin:
        return self.places[bits.bit_length() - 1]


# ---------------------------------------------------------------------- evidence, in a game


class GameEvidence(Evidence):
    """What each thought names that had not been seen, and where the wanted things came in sight."""

    least = 1  # keys that a sentence shares with a thought that draws on it
    won = "it is won"

    def __init__(self, run: Trajectory) -> None:
        super().__init__(run)
        self.goal: Goal | None = None  # where the task is worded as none of ours is
        with contextlib.suppress(ValueError):
            self.goal = read_task(f"Your task is to: {run.task.text}")

    @cached_property
    def origins(self) -> list[Origin]:
        """Of each step's thought the last sentence before it that shares most keys with it."""
        library, found = Library(), list[Origin]()
        for i, (step, missing) in enumerate(zip(self.steps, self.missing(), strict=True), 1):
            most, sharing = library.most(self.keys(step.thought or ""))
            best = library.last(sharing) if most >= self.least else Origin()
            found.append(best._replace(missing=missing))
            for at, sentence in enumerate(self.cut(step)):
                library.add(Origin(i, at), self.keys(sentence))
        return found

    def keys(self, text: str) -> set[str]:
        return {*map(" ".join, things(text))}

    def missing(self) -> Iterator[tuple[str, ...]]:
        """What each thought names by number that no opening, act or observation had named."""
        began = opening(self.run)
        seen = {kind for step in self.steps for kind, _ in things(step.observation)}
        checked = {*TRAITS, *FITS, *seen}
        if not began:  # then nobody knows which places there are
            checked -= FITS.keys()
        known = set(things(began))
        for step in self.steps:
            told = [s for s in sentences(step.thought or "") if not EXPECTS.search(lower(s))]
            named = {name for sentence in told for name in things(sentence)}
            absent = {name for name in named - known if name[0] in checked}
            yield tuple(sorted(map(" ".join, absent)))
            known.update(things(step.action), things(step.observation))

    def pieces(self, answers: Sequence[str] = ()) -> Iterator[list[Piece]]:
        """Each step's observation in pieces: what the task is about, and where nothing came."""
        kinds = (self.goal.object, self.goal.lamp) if self.goal else ()
        for step in self.steps:
            text = step.observation or ""
            wanted = [found.span() for found in THING.finditer(lower(text)) if found[1] in kinds]
            nothing = [(0, len(text))] if self.failed(step) else []
            yield list(cut_text(text, {"wanted": wanted, "nothing": nothing}))

    def failed(self, step: Step) -> bool:
        seen = lower(step.observation or "")
        return step.action is not None and bool(self.empty) and seen.startswith(self.empty)

    # ------------------------------------------------------------------ rules

    def of_success(self, pages: Pages | None) -> Rules:
        if unseen := self.first_unseen[1]:
            yield "false positive", f"{self.won}, and a thought names what was not seen: {unseen}"
        yield "true positive", f"{self.won}, and no thought names what was not seen"

    def of_failure(self, pages: Pages | None) -> Rules:
        (at, unseen), (again, act) = self.first_unseen, self.first_again
        if at and not 0 < again < at:
            yield "hallucination", f"the thought of step {at} names what was not seen: {unseen}"
        if again:
            yield "reasoning error", f"at step {again} it does again what led nowhere: {act}"
        if goal := self.goal:
            seen = self.first_seen(goal.object)
            if not self.first_seen(goal.object, goal.count):
                lacking = f"a second {goal.object}" if seen else goal.object
                yield "search result error", f"it never saw {lacking}"
            elif goal.lamp and not self.first_seen(goal.lamp):
                yield "search result error", f"it never saw {goal.lamp}"
            else:
                yield "reasoning error", f"it saw {goal.object} at step {seen}, and did not win"
        yield "reasoning error", "nothing in sight kept it from winning"

    def first_seen(self, kind: str, many: int = 1) -> int:
        """The step at which the thing was first in sight (many: so many of them); 0 for never."""
        found = set[tuple[str, str]]()
        for i, step in enumerate(self.steps, 1):
            found.update(name for name in things(step.observation) if name[0] == kind)
            if len(found) >= many:
                return i
        return 0

    @property
    def first_again(self) -> tuple[int, str]:
        """The first step whose act has shown the same too often, or failed twice on end."""
        rounds, last = Counter[tuple[str, str | None]](), ""
        for i, step in enumerate(self.steps, 1):
            if step.action is not None:
                rounds[step.action, step.observation] += 1
                stuck = last == step.action and self.failed(step)
                if stuck or rounds[step.action, step.observation] > AGAIN:
                    return i, step.action
                last = step.action
        return 0, ""


# ---------------------------------------------------------------------- evidence, in a shop

BUTTONS = {"buy", "now", "back", "search", "prev", "next", "click"}  # on every page of a shop
MODE_OF = {  # what a purchase lacked, as a mode: could it have been bought from what it saw?
    **dict.fromkeys(("no purchase", "too dear", "option passed by"), "reasoning error"),
    **dict.fromkeys(("wrong kind", "no such option", "attribute"), "search result error"),
}


class ShopEvidence(GameEvidence):
    """What each thought names that stood on no page before, and which acts could not be done."""

    least, won = 2, "it earned all"

    def keys(self, text: str) -> set[str]:
        return words(text) - BUTTONS

    def missing(self) -> Iterator[tuple[str, ...]]:
        """The numbers and wares each thought names that stood on no page before it."""
        known = set(WARE.findall(lower(self.run.task.text)))
        for step in self.steps:
            yield tuple(sorted(set(WARE.findall(lower(step.thought or ""))) - known))
            known.update(WARE.findall(lower(f"{step.action or ''} {step.observation or ''}")))

    def cut(self, step: Step) -> list[str]:
        return (step.observation or "").splitlines(keepends=True)

    def failed(self, step: Step) -> bool:
        return step.observation == INVALID

    def of_failure(self, pages: Pages | None) -> Rules:
        at, unseen = self.first_unseen
        if at:
            yield "hallucination", f"the thought of step {at} names what was not seen: {unseen}"
        with contextlib.suppress(EnvError, ValueError):  # where the run's shop is not here
            cause = cause_of(self.run, world_of(kind_of(self.run.task.kind)))
            if cause in MODE_OF:
                yield MODE_OF[cause], CAUSES[cause]
        yield "reasoning error", "nothing in sight kept it from buying the right thing"


def evidence_of(run: Trajectory) -> Evidence:
    """What a run has seen, and what its thoughts draw on, as its kind of task has it."""
    by_grade = GameEvidence if is_game(run) else Evidence
    found: Evidence = (load(kind_of(run.task.kind).evidence) or by_grade)(run)
    return found


# ---------------------------------------------------------------------- sentences and words


def sentences(text: str) -> list[str]:
    return [sentence for _, sentence in place_sentences(text)]


@lru_cache(128)  # a run shows many a text twice, and each is looked at more than once
def place_sentences(text: str) -> list[tuple[int, str]]:
    """Every sentence, and where it begins."""
    from sentencex import get_sentence_boundaries

    at, found = 0, list[tuple[int, str]]()
    for part in parts(text):
        for one in get_sentence_boundaries("en", part):
            if sentence := one["text"].strip():
                found.append((at + one["start_index"] + one["text"].index(sentence), sentence))
        at += len(part)
    return found


def words(text: str) -> set[str]:
    """The words and numbers that say something; `18th` is 18, `U.S.` and single letters nothing."""
    found = set(WORD.findall(lower(text))) - COMMON
    return {word for word in found if len(word) > 1 or word.isdigit()}


def lower(text: str) -> str:
    """In small letters, and as long as before: the small İ would be two characters."""
    return text.replace("İ", "i").lower()


def closed_answers() -> list[str]:
    return [normalise(answer) for kind in KINDS.values() for answer in kind.closed]


def is_closed(answer: str) -> bool:
    """Is it one of the few that stand on no page, whatever was asked: yes, no, a label?"""
    return normalise(answer) in closed_answers()


def claims(thought: str) -> set[str]:
    """The names and numbers that a thought states; what it only plans to do states nothing.

    >>> sorted(claims("It was Paris in 1889. I need to search Rome."))
    ['1889', 'paris']
    """
    found = list[str]()
    for sentence in sentences(thought):
        plain = [] if PLANS.search(sentence) else WORD.findall(sentence)
        found += [w for i, w in enumerate(plain) if w.isdigit() or (i and w[0].isupper())]
    return words(" ".join(found)) - words(" ".join(closed_answers()))


def things(text: str | None) -> list[tuple[str, str]]:
    """The things that a text names by kind and number: (drawer, 3)."""
    return THING.findall(lower(text or ""))


def spans(text: str, mark: str) -> list[tuple[int, int]]:
    """Where a marked string stands, in small or capital letters."""
    found = re.finditer(re.escape(lower(mark)), lower(text)) if mark else ()
    return [one.span() for one in found]


def cut_text(text: str, marks: Mapping[str, Sequence[tuple[int, int]]]) -> Iterator[Piece]:
    """The text, cut where a marked stretch begins or ends; of overlapping marks the last wins."""
    kinds, names = bytearray(len(text)), ["", *marks]  # each character's kind, by its number
    for number, places in enumerate(marks.values(), 1):
        for start, end in places:
            kinds[start:end] = bytes([number]) * (end - start)
    for found in STRETCH.finditer(kinds):
        yield text[found.start() : found.end()], names[kinds[found.start()]]
