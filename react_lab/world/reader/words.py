"""Which word to look up: one that a person thinks of, and that leads to the sentence soon."""

from __future__ import annotations

import functools
import random
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from ...envs.pages import Encyclopedia
from .needs import Need, Plan
from .reading import Reading, folded

__all__ = ["MOST", "away", "best_word", "thought_of"]

MOST = 3  # results to ask for
COMMON_PAGES = 12  # a word on so many pages comes to mind without having been read
DULL = frozenset(
    re.findall(
        r"\w+",
        "about after again also another before being between both came come comes could does done "
        "during each ever every first from gave give given goes have here into itself just made "
        "make many more most much must name named number once only other over part people person "
        "place said same says should since some such than that their them then there these they "
        "thing this those through time took under until upon used very was were what when where "
        "which while whom whose will with within without would year years your page pages tell",
    )
)
AKIN = {  # words of a question -> words that such a sentence may hold
    "wife": "married husband", "husband": "married wife", "spouse": "married wife husband", "marry": "married wife husband",
    "married": "wife husband", "die": "died death", "died": "death", "death": "died", "dead": "died", "buried": "grave tomb lies",
    "grave": "buried lies tomb", "bury": "buried grave", "born": "birth", "birthplace": "born", "birth": "born",
    "wrote": "author novel written", "author": "wrote novel written", "write": "wrote written", "writer": "wrote author",
    "taught": "pupil teacher studied", "teach": "taught professor", "teacher": "taught pupil studied", "pupil": "taught",
    "studied": "university school", "study": "studied university", "school": "educated studied", "high": "metres height",
    "height": "metres high", "tall": "metres height", "long": "length", "length": "long", "deep": "metres depth",
    "painted": "painter painting", "painter": "painted", "film": "picture", "prize": "award won", "award": "prize won",
    "founded": "established founder", "founder": "founded", "built": "builder architect", "architect": "designed built",
    "live": "lived home", "home": "lived house", "lived": "home settled", "work": "worked", "job": "worked trade",
    "children": "daughter sons", "child": "daughter", "mother": "daughter parents", "father": "daughter parents",
    "river": "flows bank", "ship": "sailed", "killed": "murder shot", "opened": "opening", "burned": "fire", "fire": "burned",
}  # fmt: skip
PROPER = re.compile(r"[A-Z]\w+(?: [A-Z]\w+)+")
ENDINGS = ("ings", "ing", "ied", "ies", "ers", "ed", "es", "er", "s", "d")


def best_word(plan: Plan, need: Need, reading: Reading) -> str | None:
    """A word not tried on this page that leads to the need within a few results, or None."""
    rated = list(rate(plan, need, reading))
    if not rated:
        return None
    least = min(score for score, _ in rated)
    best = [word for score, word in rated if score <= least + bool(need.sentences)]
    return random.Random(f"{plan.task.id} {need.page} {need.seek}").choice(best)


def rate(plan: Plan, need: Need, reading: Reading) -> Iterator[tuple[int, str]]:
    """Words with what speaks against them: how many results they take, how far-fetched they are."""
    page = reading.page
    tried = {word for at, word in reading.looked if at == page}
    for rank, word in thought_of(plan, need, reading.book):
        if word.casefold() in tried or reading.env.keyword == word.casefold():
            continue
        results = [s for s in reading.env.page if word.casefold() in s.casefold()]
        if not need.sentences:
            if not results:
                yield rank, word
            continue
        times = away(results, need)
        if times and times <= MOST:
            yield 3 * (times - 1) + rank, word


def away(results: Sequence[str], need: Need) -> int:
    """How many results until one says it; 0 if none does."""
    return next((k for k, s in enumerate(results, 1) if s in need.sentences), 0)


def thought_of(plan: Plan, need: Need, book: Encyclopedia) -> dict[tuple[int, str], None]:
    """Words that a person might look up, with how far-fetched each is."""
    found = dict[tuple[int, str], None]()
    known = [word for word in need.words if fits(word, need, plan)]
    found |= dict.fromkeys((0, word) for word in known)
    asked = [*content(f"{need.seek} {plan.task.text}")]
    titles = {part for page in pages_of(plan) for part in content(page)}
    asked = [word for word in asked if word.casefold() not in {t.casefold() for t in titles}]
    for name in PROPER.findall(plan.task.text):
        if name not in pages_of(plan) and fits(name, need, plan):
            found[1, name] = None
    for word in asked:
        if fits(word, need, plan):
            found[1 if word.islower() or word.isdecimal() else 2, word] = None
        for other in AKIN.get(word.lower(), "").split():
            found[1, other] = None
        if len(stem := stem_of(word)) > 3 and fits(stem, need, plan):
            found[2, stem] = None
    for sentence in need.sentences:
        for word in content(sentence):
            common = word.islower() and often(book)[word] >= COMMON_PAGES
            if common and len(word) > 4 and fits(word, need, plan):
                found[6, word] = None
    return found


def pages_of(plan: Plan) -> Iterable[str]:
    return dict.fromkeys(need.page for need in plan.needs)


def fits(word: str, need: Need, plan: Plan) -> bool:
    """It is no part of what is sought, unless the task says it, and was not taken from elsewhere."""
    hidden, asked = folded(need.value), folded(plan.task.text)
    return len(word) > 2 and (not hidden or folded(word) not in hidden or folded(word) in asked)


def content(text: str) -> dict[str, None]:
    """The words of a text that mean something, in order."""
    words = re.findall(r"[^\W_](?:[^\W_]|[-’'](?=\w))*", text)
    words = [re.sub(r"['’]s$", "", word) for word in words]
    return dict.fromkeys(w for w in words if len(w) > 3 and w.lower() not in DULL)


def stem_of(word: str) -> str:
    """A word without its ending: painted -> paint."""
    return next((word[: -len(e)] for e in ENDINGS if word.endswith(e)), word)


@functools.cache
def often(book: Encyclopedia) -> Counter[str]:
    """On how many pages each word stands."""
    texts = (row["text"] for row in book.rows.values() if "text" in row)
    return Counter(word for text in texts for word in set(re.findall(r"[^\W\d_]+", text)))
