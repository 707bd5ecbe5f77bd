"""Checks pages, questions and claims: what a teacher runs after adding some.

An oracle that may only use the world's actions must be able to see every answer.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from .. import data
from ..envs.pages import Encyclopedia, bundled
from ..envs.wiki import WikiEnv, sentences
from ..kinds import kind_of
from ..records import objects
from ..types import Task, normalise
from .gold import LABELS, gold_run, gold_steps
from .natural import faults_of_natural
from .oracle import Lost, bare, stated
from .relations import RELATIONS

__all__ = ["examine", "faults_of_pages", "faults_of_tasks", "tasks_of", "written"]

SPLITS = ("train", "dev", "test", "hub")
WORD = re.compile(r"[\u4e00-\u9fff]|[^\W\u4e00-\u9fff]+")  # of Chinese, a character
SET_NAMES = ("multihop", "claims")
OTHER = frozenset((
    "birth_name", "field", "award", "ruled", "commanded_at", "voyage_on", "child", "publisher", "starring", "genre", "subject",
    "dedicated_to", "inspired_by", "continent", "island_group", "flows_through", "tributary", "currency", "currency_name", "sea",
    "owner", "industry", "product", "stadium", "sport", "motto", "campus_in", "victim", "leader", "loser", "cause", "family",
    "order", "eaten_by", "eats", "weight_kg", "operator", "crew", "landed_in", "designed", "painted", "composed", "directed",
    "founded", "pen_name", "first_line_place",
))  # relations that stand on pages and of which no question is made  # fmt: skip


def examine() -> list[str]:
    """Every fault of the bundled world, each a sentence; none is what we want."""
    book, chinese = bundled(), bundled("zh")
    return [
        *faults_of_pages(book),
        *faults_of_tasks(book),
        *faults_of_natural(tasks_of("multihop", "natural"), kept_apart("multihop"), book),
        *faults_of_pages(chinese, run=18),  # characters
        *faults_of_chinese(chinese),
    ]


def faults_of_chinese(book: Encyclopedia) -> Iterator[str]:
    """Each question takes two pages, its evidence can be seen, and its answer not at once."""
    rows = tasks_of("multihop-zh", "dev")
    yield from copied({row["id"]: row["text"] for row in rows}, "questions")
    for row in rows:
        faults = faults_of_written(row, "multihop-zh", book, "dev")
        yield from (f"{row['id']}: {fault}" for fault in faults)
        run = gold_run(Task(row["id"], "multihop-zh", row["text"], row["gold"], row), book)
        seen = " ".join(step.observation or "" for step in run.steps)
        yield from (
            f"{row['id']}: no act shows the sentence {sentence!r}"
            for sentence in row["sentences"]
            if sentence not in seen
        )
        if len(set(row["pages"])) < 2 or any(step.outcome for step in run.steps):
            yield f"{row['id']}: its solution takes fewer than two pages, or an act of it fails"
        if row["type"] == "bridge" and given_away(row, book):
            yield f"{row['id']}: its answer stands in the question or on its first page"


def given_away(row: Mapping[str, Any], book: Encyclopedia) -> bool:
    """Whether the answer can be read before the last page is found."""
    normalise = kind_of("multihop-zh").language.normalise
    first = book.rows[row["pages"][0]]["text"]
    return any(normalise(row["gold"]) in normalise(text) for text in (row["text"], first))


def faults_of_pages(book: Encyclopedia, run: int = 12) -> Iterator[str]:
    names = Counter(
        n.casefold() for title, row in book.rows.items() for n in (title, *row.get("aliases", ()))
    )
    yield from (f"the name {name!r} is given twice" for name, n in names.items() if n > 1)
    for title, row in book.rows.items():
        if row.get("split") not in SPLITS:
            yield f"{title}: its split is {row.get('split')!r}, not one of {', '.join(SPLITS)}"
        yield from (
            faults_of_options(title, row, book)
            if "options" in row
            else faults_of_page(title, row, book)
        )
    hubs = sum(row.get("split") == "hub" for row in book.rows.values())
    if hubs > 80:
        yield f"there are {hubs} hub pages: at most 80"
    yield from copied({t: r["text"] for t, r in book.rows.items() if "text" in r}, "pages", run)


def faults_of_options(title: str, row: Mapping[str, Any], book: Encyclopedia) -> Iterator[str]:
    if not 2 <= len(row["options"]) <= 5:
        yield f"{title}: a disambiguation has two to five options"
    yield from (
        f"{title}: no page {o!r}" for o in row["options"] if "text" not in book.rows.get(o, {})
    )


def faults_of_page(title: str, row: Mapping[str, Any], book: Encyclopedia) -> Iterator[str]:
    text = row.get("text", "")
    if not text or "\n" in text or "  " in text or text != text.strip():
        yield f"{title}: its text is empty, or has line ends or double spaces"
    for relation, values in row.get("facts", {}).items():
        if relation not in RELATIONS and relation not in OTHER:
            yield f"{title}: no relation {relation!r} is known"
        for value in values if isinstance(values, list) else [values]:
            yield from faults_of_fact(title, row, relation, str(value), book)


def faults_of_fact(
    title: str, row: Mapping[str, Any], relation: str, value: str, book: Encyclopedia
) -> Iterator[str]:
    if not stated(value, row["text"]) and not stated(value.partition(", ")[0], row["text"]):
        yield f"{title}: {relation} = {value} does not stand in its text"
    if other := book.rows.get(value):
        if "text" not in other:
            yield f"{title}: {relation} points to {value}, a disambiguation"
        elif other.get("split") not in (row.get("split"), "hub") and row.get("split") != "hub":
            yield f"{title} ({row.get('split')}) points to {value} ({other.get('split')})"
        elif row.get("split") == "hub" and other.get("split") != "hub":
            yield f"the hub {title} points to {value}, which is no hub"


def copied(texts: Mapping[str, str], what: str, run: int = 12) -> Iterator[str]:
    """Two texts that share so many words in a row, unless all of them are names."""
    first: dict[tuple[str, ...], str] = {}
    for name, text in texts.items():
        words = WORD.findall(text)
        for k in range(len(words) - run + 1):
            some = words[k : k + run]
            key = tuple(word.lower() for word in some)
            if first.setdefault(key, name) != name and not all(word[0].isupper() for word in some):
                yield f"two {what}, {first[key]} and {name}, share {' '.join(some)!r}"
                break


def tasks_of(name: str, split: str) -> list[dict[str, Any]]:
    path = data.folder("tasks", name, f"{split}.jsonl")
    return [row for _, row in objects(path)] if path.exists() else []


def written(name: str) -> list[tuple[str, dict[str, Any]]]:
    """The hand-written tasks of a set, each with its split."""
    return [(split, row) for split in ("dev", "test") for row in tasks_of(name, split)]


def kept_apart(name: str) -> dict[str, str]:
    """The questions of a set that nothing may be trained on, by id."""
    splits = ("dev", "test", "typed", "typed_unanswerable", "demo", "pool", "reworded", "dated")
    return {row["id"]: row["text"] for split in splits for row in tasks_of(name, split)}


def faults_of_tasks(book: Encyclopedia) -> Iterator[str]:
    texts = {row["id"]: row["text"] for name in SET_NAMES for _, row in written(name)}
    texts |= {row["id"]: row["text"] for name in SET_NAMES for row in tasks_of(name, "typed")}
    yield from copied(texts, "hand-written tasks")
    for name in SET_NAMES:
        yield from faults_of_typed(tasks_of(name, "typed"), name, book)
        for split, row in written(name):
            yield from (f"{row['id']}: {fault}" for fault in faults_of_task(row, split, book))
        for row in (*tasks_of(name, "written"), *tasks_of(name, "natural")):
            yield from (f"{row['id']}: {fault}" for fault in faults_of_written(row, name, book))
        for split in ("train", "pool"):
            for row in tasks_of(name, split):
                yield from (f"{row['id']}: {fault}" for fault in faults_of_made(row, split, book))


def faults_of_typed(
    rows: Iterable[Mapping[str, Any]], name: str, book: Encyclopedia
) -> Iterator[str]:
    """Tasks typed from titles alone: each within dev or within test, and none learned from."""
    learned = {
        normalise(row["text"]): row["id"]
        for split in ("train", "written", "natural")
        for row in tasks_of(name, split)
    }
    for row in rows:
        splits = [book.rows.get(page, {}).get("split") for page in row["pages"]]
        split = "test" if "test" in splits else "dev"
        yield from (f"{row['id']}: {fault}" for fault in faults_of_task(row, split, book))
        if twin := learned.get(normalise(row["text"])):
            yield f"{row['id']}: {twin} asks the same, and an adapter may have learned from it"


def faults_of_written(
    row: Mapping[str, Any], name: str, book: Encyclopedia, split: str = "train"
) -> Iterator[str]:
    """A task with a solution: its acts lead to pages of its split, and its answer was seen."""
    yield from faults_of_split(row, split, book)
    run = gold_run(Task(row["id"], name, row["text"], row["gold"], dict(row)), book)
    kind = kind_of(name)
    normalise = kind.language.normalise
    seen = normalise(" ".join([row["text"], *(step.observation or "" for step in run.steps)]))
    if run.answer != row["gold"]:
        yield f"its solution ends in {run.answer!r}, not in {row['gold']!r}"
    closed = (*LABELS, "yes", "no", *kind.closed)
    if row["gold"] not in closed and normalise(row["gold"]) not in seen:
        yield f"no act shows its answer {row['gold']!r}"
    if len(run.steps) > kind.max_steps:
        yield f"its solution has {len(run.steps)} steps"


def faults_of_task(row: Mapping[str, Any], split: str, book: Encyclopedia) -> Iterator[str]:
    """A hand-written task: its pages are of its split, its evidence can be seen, so can its answer."""
    missing = [page for page in row["pages"] if "text" not in book.rows.get(page, {})]
    if missing:
        yield f"no such page: {', '.join(missing)}"
        return
    yield from faults_of_split(row, split, book)
    seen: list[str] = []
    for page in row["pages"]:
        there = set(sentences(book.rows[page]["text"]))
        own = [sentence for sentence in row.get("sentences", ()) if sentence in there]
        seen += look(book, page, own)
    for sentence in row.get("sentences", ()):
        if not any(sentence in text for text in seen):
            yield f"no act shows the sentence {sentence!r}"
    yield from faults_of_answer(row, seen, book)


def faults_of_split(row: Mapping[str, Any], split: str, book: Encyclopedia) -> Iterator[str]:
    allowed = ("dev" if split == "pool" else split, "hub")
    beyond = [p for p in row["pages"] if book.rows[p].get("split") not in allowed]
    if beyond:
        yield f"{', '.join(beyond)} belongs to another split than {split}"


def look(book: Encyclopedia, page: str, evidence: Sequence[str]) -> Iterator[str]:
    """What the world shows of a page: the search, and a lookup for every sentence it left out."""
    env = WikiEnv(book)
    first = env.step(f"Search[{page}]").text
    yield first
    for sentence in evidence:
        words = sorted(set(re.findall(r"[^\W\d_]{4,}|\d{3,}", sentence)), key=len, reverse=True)
        shown = (
            (env.step(f"Lookup[{word}]").text for word in words for _ in range(3))
            if sentence not in first
            else iter(())
        )
        yield next((text for text in shown if sentence in text), "")


def faults_of_answer(
    row: Mapping[str, Any], seen: Iterable[str], book: Encyclopedia
) -> Iterator[str]:
    text = " ".join(seen)
    if row["gold"] == LABELS[2]:
        absent = row["absent"].lower()
        yield from (
            f"{page} does mention {absent}"
            for page in row["pages"]
            if absent in book.rows[page]["text"].lower()
        )
    elif row["gold"] in LABELS:
        if not row.get("sentences"):
            yield "a claim that can be settled names its evidence"
    elif row["type"] == "comparison":
        names = {
            normalise(name)
            for page in row["pages"]
            for name in (page, bare(page), *book.rows[page].get("aliases", ()))
        }
        if len(row["pages"]) < 2 or len(row.get("sentences", ())) < 2:
            yield "a comparison has two pages and two sentences"
        elif normalise(row["gold"]) not in names and normalise(row["gold"]) not in normalise(text):
            yield f"the answer {row['gold']!r} is neither of its pages nor on them"
    elif row["type"] == "yes/no":
        if row["gold"] not in ("yes", "no"):
            yield "the answer is yes or no"
    elif f" {normalise(row['gold'])} " not in f" {normalise(text)} ":
        yield f"no observation holds the answer {row['gold']!r}"


def faults_of_made(row: Mapping[str, Any], split: str, book: Encyclopedia) -> Iterator[str]:
    """A generated task: the oracle solves it within the paper's limit of steps."""
    yield from faults_of_split(row, split, book)
    try:
        steps = gold_steps(row, book)
    except Lost as lost:
        yield f"{lost}"
        return
    if steps[-1].action != f"Finish[{row['gold']}]" or len(steps) > (
        5 if row["gold"] in LABELS else 7
    ):
        yield "its gold trajectory is too long or ends elsewhere"
