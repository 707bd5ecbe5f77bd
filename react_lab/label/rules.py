"""A mode suggested by rules, each with its reason. Shown only after a person's own label.

How often rules and people agree is a number (`agreement`), not a promise.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from .. import score
from ..analysis.household import Goal, read_task
from ..analysis.shop import CAUSES, account
from ..envs.household.game import FITS, TRAITS
from ..envs.pages import Pages, bundled
from ..envs.shop.world import INVALID
from ..envs.wiki import parts
from ..kinds import KINDS, kind_of, world_of
from ..types import Ask, EnvError, Model, Step, Trajectory, normalise, split_act
from .modes import grade, guideline, is_game, offered, searches, verdict

NAME = re.compile(r"[^\W\d_a-z][\w'-]*(?: (?:of |the |and |de )*[^\W\d_a-z][\w'-]*)*")
NEAR = 0.6  # an F1 from which two answers are likely the same one, in other words


class Suggestion(NamedTuple):
    """A mode that somebody or something suggests, and why."""

    mode: str
    reason: str
    by: str = "rules"


def suggest(
    run: Trajectory, *, pages: Pages | None = None, judge: Model | None = None
) -> Suggestion | None:
    """The mode that rules suggest for a run, or that a judge model does; None without a grade.

    pages: where thoughts without acts are compared with facts (None: the bundled encyclopedia).
    judge: a model that is asked with the guideline and the whole run instead.
    """
    if judge is not None:
        return judged(run, judge)
    graded = grade(run)
    if graded and is_game(run):
        modes, rules_of = offered(run), shop_rules if run.task.kind == "shop" else game_rules
        found = (Suggestion(*rule) for rule in rules_of(run, graded) if rule[0] in modes)
        return next(found)
    rules = {"success": of_success, "failure": of_failure}.get(graded or "")
    return next(rules(run, pages or bundled())) if rules else None


def of_success(run: Trajectory, pages: Pages) -> Iterator[Suggestion]:
    if made_up := unsupported(run, pages):
        yield Suggestion(
            "false positive",
            f"the answer is right, and nothing read says: {made_up}",
        )
    yield Suggestion("true positive", "the answer is right, and no thought lacks support")


def of_failure(run: Trajectory, pages: Pages) -> Iterator[Suggestion]:
    """The rules in their order; the first that fits is the suggestion."""
    if reason := other_words(run):
        yield Suggestion("label ambiguity", reason)
    if reason := in_circles(run):
        yield Suggestion("reasoning error", reason)
    if searches(run):
        yield from of_search(run, pages)
    elif made_up := unsupported(run, pages):
        yield Suggestion("hallucination", f"the encyclopedia does not say: {made_up}")
    yield Suggestion("reasoning error", "the facts seem to be there, and the answer is wrong")


def of_search(run: Trajectory, pages: Pages) -> Iterator[Suggestion]:
    seen = observed(run)
    if nothing_found(run):
        yield Suggestion("search result error", "no search and no look-up brought anything")
    answer = normalise(run.answer or "")
    closed = is_closed(answer)
    if closed and (made_up := unsupported(run, pages)):
        yield Suggestion("hallucination", f"nothing read says: {made_up}")
    if answer and not closed and answer not in normalise(" ".join(seen)):
        yield Suggestion("hallucination", "the answer stands in nothing that was read")


def other_words(run: Trajectory) -> str | None:
    """Is the wrong answer right in other words? By F1, or by the task's own list."""
    answer, gold = run.answer or "", run.task.gold or ""
    if score.accepted(run):
        return "the answer is on the task's list of other wordings"
    near = score.f1(answer, gold)
    return f"it is worded much like the gold answer (F1 {near:.2f})" if near >= NEAR else None


def in_circles(run: Trajectory) -> str | None:
    """Did an action come again and show the same? A look-up that shows its next result goes on."""
    rounds = Counter((s.action.lower(), s.observation) for s in run.steps if s.action)
    times = max(rounds.values(), default=0)
    if times > 1 or run.end == "repeated":
        return f"the same action comes {times} times and shows the same"
    if run.end == "step_limit" and not nothing_found(run):
        return "it used up its steps without an answer"
    return None


def observed(run: Trajectory) -> list[str]:
    return [step.observation for step in run.steps if step.action and step.observation]


def nothing_found(run: Trajectory) -> bool:
    """Did no act bring anything?"""
    empty = tuple(words.lower() for words in kind_of(run.task.kind).empty)
    return all(seen.lower().startswith(empty) for seen in observed(run))


def unsupported(run: Trajectory, pages: Pages) -> str:
    """Names and numbers in thoughts that nothing read (without acts: no page named) holds."""
    if searches(run):
        found = {word for support in Evidence(run).supports for word in support.missing}
    else:
        thoughts = " ".join(step.thought or "" for step in run.steps)
        found = claims(thoughts) - words(" ".join([run.task.text, *about(thoughts, pages)]))
    return ", ".join(sorted(found))


def about(text: str, pages: Pages) -> Iterator[str]:
    """The pages of everything that is named in a text: runs of capitalised words."""
    for sentence in sentences(text):
        for name in NAME.findall(sentence):
            yield name  # a page's own title is no claim
            yield pages.get(name.removesuffix("'s")) or ""


# ---------------------------------------------------------------------- a model as the judge


def judged(run: Trajectory, judge: Model) -> Suggestion | None:
    """A model asked with the guideline and the whole run. It reads hostile text: only a mode that
    is offered is taken from its reply, and nothing else."""
    modes = offered(run)
    ask = Ask(question(run, modes), ("\n\n",), max_tokens=120, leg="judge")
    reply = judge.complete(ask)[0].text
    found = re.search("|".join(map(re.escape, modes)), reply, re.I)
    if found is None:
        return None
    reason = " ".join(reply[found.end() :].split()).lstrip(".:,- ")
    return Suggestion(found[0].lower(), reason or "no reason given", judge.name)


def question(run: Trajectory, modes: tuple[str, ...]) -> str:
    meant = guideline(run.task.kind).modes
    meanings = "\n\n".join(f"{mode}: {meant[mode]}" for mode in modes)
    outcome = f"Answer: {run.answer}\nGold answer: {run.task.gold}\nGrade: {grade(run)}"
    if is_game(run):
        outcome = f"Ended: {run.end}\nThe game says: {verdict(run) or 'nothing'}"
    began = f"{text}\n" if is_game(run) and (text := opening(run)) else ""
    steps = "\n".join(
        f"{part.capitalize()} {i}: {text}"
        for i, step in enumerate(run.steps, 1)
        for part in ("thought", "action", "observation")
        if (text := getattr(step, part)) is not None
    )
    return (
        f"A program worked on a task. Say which of these modes its run shows.\n\n{meanings}\n\n"
        f"{kind_of(run.task.kind).opener}: {run.task.text}\n{began}{steps}\n{outcome}\n\n"
        f"One of {', '.join(modes)}; then a colon and the reason in one sentence.\nMode:"
    )


# ------------------------------------------------------------------ evidence

WORD = re.compile(r"\d+|[^\W\d_]+")
RESULT = re.compile(r"\(Result \d+ / \d+\) ")
STRETCH = re.compile(rb"\x00+|\x01+|\x02+|\x03+")
PLANS = re.compile(r"\b(need|should|let me|let's|search|look|find|try|so the answer)\b", re.I)
COMMON = {  # words that say nothing of what a sentence is about
    "a", "after", "also", "an", "and", "answer", "are", "as", "at", "be", "been", "before", "but",
    "by", "did", "do", "does", "first", "for", "from", "had", "has", "have", "he", "her", "his",
    "i", "in", "is", "it", "its", "not", "observation", "of", "on", "or", "page", "paragraph",
    "she", "so", "that", "the", "their", "then", "there", "they", "this", "to", "was", "were",
    "what", "when", "where", "which", "who", "whose", "with",
}  # fmt: skip


class Piece(NamedTuple):
    """A stretch of text, and what it is: answer, lookup, used, or nothing special."""

    text: str
    kind: str = ""


class Support(NamedTuple):
    """Where a thought has its facts from: a sentence seen before it, and what stands nowhere."""

    sentence: str | None
    missing: tuple[str, ...]


def sentences(text: str) -> tuple[str, ...]:
    return tuple(sentence for _, sentence in placed(text))


def placed(text: str) -> Iterator[tuple[int, str]]:
    """Every sentence, and where it begins."""
    from sentencex import get_sentence_boundaries

    at = 0
    for part in parts(text):
        for found in get_sentence_boundaries("en", part):
            if sentence := found["text"].strip():
                yield at + found["start_index"] + found["text"].index(sentence), sentence
        at += len(part)


def words(text: str) -> set[str]:
    """The words and numbers that say something; `18th` is 18, `U.S.` and single letters nothing."""
    found = set(WORD.findall(lower(text))) - COMMON
    return {word for word in found if len(word) > 1 or word.isdigit()}


def lower(text: str) -> str:
    """In small letters, and as long as before: the small İ would be two characters."""
    return text.replace("İ", "i").lower()


def verdicts() -> frozenset[str]:
    """The words of answers that stand on no page."""
    closed = (answer for kind in KINDS.values() for answer in kind.closed)
    return frozenset(words(" ".join(closed)))


def is_closed(answer: str) -> bool:
    """Is it one of the few answers that stand on no page, whatever was asked: yes, no, a label?"""
    closed = (known for kind in KINDS.values() for known in kind.closed)
    return normalise(answer) in map(normalise, closed)


def claims(thought: str) -> set[str]:
    """The names and numbers that a thought states; what it only plans to do states nothing.

    >>> sorted(claims("It was Paris in 1889. I need to search Rome."))
    ['1889', 'paris']
    """
    return stated(thought) - verdicts()


def stated(thought: str) -> set[str]:
    found = list[str]()
    for sentence in sentences(thought):
        stated = [] if PLANS.search(sentence) else WORD.findall(sentence)
        found += [w for i, w in enumerate(stated) if w.isdigit() or (i and w[0].isupper())]
    return words(" ".join(found))


class Evidence:
    """What a run has read, sentence by sentence, and what of it its thoughts draw on."""

    def __init__(self, run: Trajectory) -> None:
        self.steps = run.steps
        texts = [step.observation or "" for step in run.steps]
        once = {text: list(placed(text)) for text in set(texts)}  # what is seen again is cut once
        self.read = [once[text] for text in texts]
        self.supports = list(self.supported(words(run.task.text) | verdicts()))

    def supported(self, known: set[str]) -> Iterator[Support]:
        """What stands behind each step's thought, in the question and in what was seen before."""
        library = Library()
        for step, read in zip(self.steps, self.read, strict=True):
            thought = step.thought or ""
            missing = stated(thought) - known - library.holders.keys()
            yield Support(library.best(words(thought)), tuple(sorted(missing)))
            for _, sentence in read:
                library.add(sentence)

    def pieces(self, answers: Sequence[str]) -> Iterator[list[Piece]]:
        """Each step's observation in pieces: answers, the word looked up, sentences used later."""
        last = {s.sentence: i for i, s in enumerate(self.supports)}  # the last step to use it
        named = [answer for answer in answers if answer and not is_closed(answer)]
        for i, (step, read) in enumerate(zip(self.steps, self.read, strict=True)):
            text = step.observation or ""
            marks = {
                "used": [(at, at + len(s)) for at, s in repeated(read) if last.get(s, 0) > i],
                "lookup": [span for word in looked_up(step) for span in spans(text, word)],
                "answer": [span for answer in named for span in spans(text, answer)],
            }
            yield list(cut(text, marks))


class Library:
    """The sentences read so far, each with a bit of its own."""

    def __init__(self) -> None:
        self.sentences, self.known = list[str](), set[str]()
        self.holders: dict[str, int] = {}  # a word -> the bits of the sentences that hold it

    def add(self, sentence: str) -> None:
        if sentence not in self.known:
            self.known.add(sentence)
            self.hold(sentence, words(sentence))

    def hold(self, sentence: str, keys: Iterable[str]) -> None:
        """One more sentence, to be found by these keys."""
        bit = 1 << len(self.sentences)
        self.sentences.append(sentence)
        for key in keys:
            self.holders[key] = self.holders.get(key, 0) | bit

    def best(self, thought: set[str]) -> str | None:
        """The first that shares most with the words of a thought: at least three and a third."""
        most, left = self.most(thought)
        enough = most >= 3 and 3 * most >= len(thought)
        return self.sentences[(left & -left).bit_length() - 1] if enough else None

    def most(self, keys: Iterable[str]) -> tuple[int, int]:
        """How many of the keys a sentence has at most, and the bits of those that have so many.

        All sentences are counted at once: bit k of `digits` is digit k of every sentence's count.
        """
        digits: list[int] = []
        for key in keys:
            carry = self.holders.get(key, 0)
            for k, digit in enumerate(digits):
                digits[k], carry = digit ^ carry, digit & carry
            digits += [carry] if carry else []
        most, left = 0, (1 << len(self.sentences)) - 1
        for k in reversed(range(len(digits))):
            if left & digits[k]:
                most, left = most + (1 << k), left & digits[k]
        return most, left


def repeated(read: Iterable[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """The sentences; a look-up repeats one of a page behind the number of its result."""
    for at, sentence in read:
        yield at, sentence
        if number := RESULT.match(sentence):
            yield at + number.end(), sentence[number.end() :]


def looked_up(step: Step) -> Iterator[str]:
    act = split_act(step.action or "")
    if act and act[0].lower() == "lookup" and act[1].strip():
        yield act[1].strip()


def spans(text: str, mark: str) -> Iterator[tuple[int, int]]:
    """Where a marked string stands, in small or capital letters."""
    text, mark = lower(text), lower(mark)
    at = text.find(mark)
    while at >= 0:
        yield at, at + len(mark)
        at = text.find(mark, at + len(mark))


def cut(text: str, marks: Mapping[str, Sequence[tuple[int, int]]]) -> Iterator[Piece]:
    """The text, cut where a marked stretch begins or ends; of overlapping marks the last wins."""
    kinds, names = bytearray(len(text)), ["", *marks]  # each character's kind, by its number
    for number, places in enumerate(marks.values(), 1):
        for start, end in places:
            kinds[start:end] = bytes([number]) * (end - start)
    for found in STRETCH.finditer(kinds):
        yield Piece(text[found.start() : found.end()], names[kinds[found.start()]])


# ------------------------------------------------------------------ thoughts

# The first rule whose words a thought has is its kind; what it is for, as a reader is told.
KINDS_OF_THOUGHTS: dict[str, tuple[str, str]] = {
    "concludes": (
        r"\b(the answer|so it is|therefore|buy now|supports|refutes|not enough info)\b",
        "puts together what is known, and ends",
    ),
    "changes course": (
        r"\b(nothing happen\w*|no page|not find|not found|could not|do(es)? not (tell|say)|instead|"
        r"i try|no (more )?results?|another|again|wrong|but not|did not)\b",
        "notices that something failed, and tries another way",
    ),
    "calculates": (
        r"\b(\d+ (years?|days?)|earlier than|later than|older|younger|more than|fewer|less than|"
        r"longer|larger|higher|minus|plus)\b",
        "compares or does arithmetic",
    ),
    "draws on what was seen": ("", "keeps a fact out of an observation"),
    "uses common sense": (
        r"\b(likely|usually|often|probably|may be|might be|most (people|places)|normally)\b",
        "adds what everybody knows",
    ),
    "plans": (
        r"\b(need|first|then|next|should|have to|look for|looks? up|search|find|go to|i take)\b",
        "says what to do, and in which order",
    ),
    "other": ("", "none of the words that the rules look for"),
}
BUTTONS = words("Buy Now Back to Search Prev Next click")  # on every page of a shop
RULES = {kind: re.compile(rule) for kind, (rule, _) in KINDS_OF_THOUGHTS.items() if rule}


def kind_of_thought(thought: str, draws: bool = False) -> str:
    """What a thought is for. draws: it has its facts from a sentence that was seen before.

    >>> kind_of_thought("There is no page Darius. I search Darius III instead.")
    'changes course'
    """
    text = lower(thought)
    found = (kind for kind in KINDS_OF_THOUGHTS if fits(kind, text, draws))
    return next(found, "other")


def fits(kind: str, text: str, draws: bool) -> bool:
    return bool(RULES[kind].search(text)) if kind in RULES else kind.startswith("draws") and draws


class Origin(NamedTuple):
    """Of a thought: the step (0: none) and the place of the sentence it draws on; what is nowhere.

    `at` counts the sentences of that step's observation, as `sentences_in` gives them.
    """

    step: int = 0
    at: int = 0
    missing: tuple[str, ...] = ()


def origins(run: Trajectory) -> list[Origin]:
    """Where each step's thought has its facts from, by the rules of the kind of task.

    On pages, the first sentence that shares at least three words with the thought, and a third of
    its words. In a house, the last one that shows most of the things it names by number. In a shop,
    the last line that shares most words with it, two at least.
    """
    if run.task.kind == "household":
        missing = GameEvidence(run).supports
        found = list(last_that_shows(run, lambda text: {*map(" ".join, names(text))}, 1))
    elif run.task.kind == "shop":
        missing = ShopEvidence(run).supports
        found = list(last_that_shows(run, lambda text: words(text) - BUTTONS, 2))
    else:
        evidence = Evidence(run)
        missing, first = evidence.supports, dict[str, tuple[int, int]]()
        for i, step in enumerate(run.steps, 1):
            for at, sentence in enumerate(sentences_in(run, step)):
                first.setdefault(sentence.strip(), (i, at))
        found = [first.get(support.sentence or "", (0, 0)) for support in missing]
    return [Origin(*at, support.missing) for at, support in zip(found, missing, strict=True)]


def last_that_shows(
    run: Trajectory, keys: Callable[[str], set[str]], least: int
) -> Iterator[tuple[int, int]]:
    """For each step the last sentence before it that shares most keys with its thought."""
    library, places = Library(), list[tuple[int, int]]()
    for i, step in enumerate(run.steps, 1):
        most, left = library.most(keys(step.thought or ""))
        yield places[left.bit_length() - 1] if most >= least else (0, 0)
        for at, sentence in enumerate(sentences_in(run, step)):
            places.append((i, at))
            library.hold(sentence, keys(sentence))


def sentences_in(run: Trajectory, step: Step) -> list[str]:
    """A step's observation, cut behind each sentence (in a shop: line). Together it is whole."""
    text = step.observation or ""
    if run.task.kind == "shop":
        return text.splitlines(keepends=True)
    ends = [at for at, _ in placed(text)][1:]
    return [text[a:b] for a, b in zip([0, *ends], [*ends, len(text)], strict=True) if a < b]


# ------------------------------------------------------------------ games

THING = re.compile(r"\b([a-z]+) (\d+)\b")  # drawer 3
EXPECTS = re.compile(r"\b(may|might|could|likely|maybe|perhaps|if|whether|possibly|or)\b")
AGAIN = 3  # times that the same act may show the same: a player passes a place more than once


def opening(run: Trajectory) -> str:
    """How the game began, from its world made anew; "" where that world is not here."""
    kind = kind_of(run.task.kind)
    if not kind.world or not isinstance(kind.world, str):
        return ""
    try:
        text = world_of(kind)(run.task).reset(run.task)
    except EnvError:
        return ""
    before, task, after = text.partition("\nYour task is to: ")
    return before if task and after.strip() == run.task.text.strip() else ""


def goal_of(run: Trajectory) -> Goal | None:
    """What the task asks for; None of a task that is worded as none of ours is."""
    try:
        return read_task(f"Your task is to: {run.task.text}")
    except ValueError:
        return None


def names(text: str | None) -> list[tuple[str, str]]:
    """The things that a text names by kind and number: (drawer, 3)."""
    return THING.findall(lower(text or ""))


class GameEvidence:
    """What each thought names that had not been seen, and where the wanted things came in sight."""

    def __init__(self, run: Trajectory) -> None:
        self.steps, self.goal, self.opening = run.steps, goal_of(run), opening(run)
        self.empty = tuple(words.lower() for words in kind_of(run.task.kind).empty)
        seen = {name for step in run.steps for name in names(step.observation)}
        checked = {*TRAITS, *FITS, *(kind for kind, _ in seen)}
        if not self.opening:  # then nobody knows which places there are
            checked -= FITS.keys()
        self.supports = list(self.supported(checked))

    def supported(self, checked: set[str]) -> Iterator[Support]:
        known = set(names(self.opening))
        for step in self.steps:
            named = [name for said in spoken_sentences(step.thought) for name in names(said)]
            missing = {name for name in named if name[0] in checked and name not in known}
            yield Support(None, tuple(sorted(map(" ".join, missing))))
            known.update(names(step.action), names(step.observation))

    def pieces(self, answers: Sequence[str] = ()) -> Iterator[list[Piece]]:
        """Each step's observation in pieces: what the task is about, and where nothing came."""
        for step in self.steps:
            text = step.observation or ""
            named = THING.finditer(lower(text))
            wanted = [found.span() for found in named if found[1] in self.wanted]
            nothing = [(0, len(text))] if self.failed(step) else []
            yield list(cut(text, {"wanted": wanted, "nothing": nothing}))

    @property
    def wanted(self) -> tuple[str, ...]:
        return (self.goal.object, self.goal.lamp) if self.goal else ()

    def failed(self, step: Step) -> bool:
        seen = lower(step.observation or "")
        return step.action is not None and bool(self.empty) and seen.startswith(self.empty)

    def first_seen(self, kind: str, many: int = 1) -> int:
        """The step at which the thing was first in sight (many: so many of them); 0 for never."""
        found = set[tuple[str, str]]()
        for i, step in enumerate(self.steps, 1):
            found.update(name for name in names(step.observation) if name[0] == kind)
            if len(found) >= many:
                return i
        return 0

    @property
    def first_unseen(self) -> tuple[int, str]:
        """The first step whose thought names what had not been seen, and what; (0, "") for none."""
        found = ((i, ", ".join(s.missing)) for i, s in enumerate(self.supports, 1) if s.missing)
        return next(found, (0, ""))

    @property
    def first_again(self) -> tuple[int, str]:
        """The first step whose act has shown the same too often, or failed twice on end."""
        rounds = Counter[tuple[str, str | None]]()
        last: Step | None = None
        for i, step in enumerate(self.steps, 1):
            if step.action is None:
                continue
            rounds[step.action, step.observation] += 1
            stuck = last is not None and last.action == step.action and self.failed(step)
            if stuck or rounds[step.action, step.observation] > AGAIN:
                return i, step.action
            last = step
        return 0, ""


def spoken_sentences(thought: str | None) -> Iterator[str]:
    """The sentences that say how things are; what is only expected states nothing."""
    return (said for said in sentences(thought or "") if not EXPECTS.search(lower(said)))


# ---------------------------------------------------------------------- what rules say


def game_rules(run: Trajectory, grade: str) -> Iterator[tuple[str, str]]:
    """Modes with their reasons, in the order of the rules: the first one is the suggestion."""
    found = GameEvidence(run)
    at, unseen = found.first_unseen
    if grade == "success":
        if at:
            yield "false positive", f"it is won, and a thought names what was not seen: {unseen}"
        yield "true positive", "it is won, and no thought names what was not seen"
        return
    again, act = found.first_again
    if at and not 0 < again < at:
        yield "hallucination", f"the thought of step {at} names what was not seen: {unseen}"
    if again:
        yield "reasoning error", f"at step {again} it does again what led nowhere: {act}"
    if lacking := never_seen(found):
        yield "search result error", f"it never saw {lacking}"
    elif found.goal:
        seen = found.first_seen(found.goal.object)
        yield "reasoning error", f"it saw {found.goal.object} at step {seen}, and did not win"
    yield "reasoning error", "nothing in sight kept it from winning"


def never_seen(found: GameEvidence) -> str:
    """What the task needs and was never in sight."""
    goal = found.goal
    if goal is None:
        return ""
    if not found.first_seen(goal.object, goal.count):
        return f"a second {goal.object}" if found.first_seen(goal.object) else goal.object
    return goal.lamp if goal.lamp and not found.first_seen(goal.lamp) else ""


# ------------------------------------------------------------------ shopping

CHECKED = re.compile(r"\bb[0-9a-z]{9}\b|(?<![\w.])\d+(?:\.\d+)?(?![\w.])|(?<![\w.])\d+\.\d+")
MODE_OF = {  # what a purchase lacked, as a mode: could it have been bought from what it saw?
    "no purchase": "reasoning error",
    "too dear": "reasoning error",
    "option passed by": "reasoning error",
    "wrong kind": "search result error",
    "no such option": "search result error",
    "attribute": "search result error",
}


class ShopEvidence:
    """What each thought names that stood on no page before, and which acts could not be done."""

    def __init__(self, run: Trajectory) -> None:
        self.steps = run.steps
        known = set(CHECKED.findall(lower(run.task.text)))
        self.supports = []
        for step in run.steps:
            named = set(CHECKED.findall(lower(step.thought or "")))
            self.supports.append(Support(None, tuple(sorted(named - known))))
            known.update(CHECKED.findall(lower(f"{step.action or ''} {step.observation or ''}")))

    def pieces(self, answers: Sequence[str] = ()) -> Iterator[list[Piece]]:
        """Each step's observation; an act that could not be done is marked."""
        for step in self.steps:
            text = step.observation or ""
            yield list(cut(text, {"nothing": [(0, len(text))] if text == INVALID else []}))

    @property
    def first_unseen(self) -> tuple[int, str]:
        """The first step whose thought names what stood on no page; (0, "") for none."""
        found = ((i, ", ".join(s.missing)) for i, s in enumerate(self.supports, 1) if s.missing)
        return next(found, (0, ""))


def shop_rules(run: Trajectory, grade: str) -> Iterator[tuple[str, str]]:
    """Modes with their reasons, in the order of the rules: the first one is the suggestion."""
    at, unseen = ShopEvidence(run).first_unseen
    if grade == "success":
        if at:
            yield (
                "false positive",
                f"it earned all, and a thought names what was not seen: {unseen}",
            )
        yield "true positive", "it earned all, and no thought names what was not seen"
        return
    if at:
        yield "hallucination", f"the thought of step {at} names what was not seen: {unseen}"
    cause = cause_of(run)
    if cause in MODE_OF:
        yield MODE_OF[cause], CAUSES[cause]
    yield "reasoning error", "nothing in sight kept it from buying the right thing"


def cause_of(run: Trajectory) -> str:
    """What the purchase lacked; "" where the run's shop is not here."""
    kind = kind_of(run.task.kind)
    try:
        return account(run, world_of(kind)).cause or ""
    except (EnvError, ValueError):
        return ""
