"""Checks pages, questions and claims, and measures them: what a teacher runs after adding some.

python data/build/check.py        every fault, a sentence each; then sizes, shares and lengths
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from demonstrations import bare, demonstrate, faults
from direct import SHARES
from relations import RELATIONS

from react_lab import data, score, tasks
from react_lab.analysis import baselines
from react_lab.envs.pages import Encyclopedia, bundled, fold
from react_lab.envs.wiki import WikiEnv, sentences
from react_lab.finetune import demonstration
from react_lab.kinds import kind_of
from react_lab.records import objects
from react_lab.types import Task, normalise

SPLITS = ("train", "dev", "test", "hub")
WORD = re.compile(r"[\u4e00-\u9fff]|[^\W\u4e00-\u9fff]+")  # of Chinese, a character
SET_NAMES = ("multihop", "claims")
OTHER = frozenset((
    "birth_name", "field", "award", "ruled", "commanded_at", "voyage_on", "child", "publisher", "starring", "genre", "subject",
    "dedicated_to", "inspired_by", "continent", "island_group", "flows_through", "tributary", "currency", "currency_name", "sea",
    "owner", "industry", "product", "stadium", "sport", "motto", "campus_in", "victim", "leader", "loser", "cause", "family",
    "order", "eaten_by", "eats", "weight_kg", "operator", "crew", "landed_in", "designed", "painted", "composed", "directed",
    "founded", "pen_name", "first_line_place", "album", "destination", "discovered", "endemic_to", "explored_by", "first_described_by", "language", "lives_in", "invented", "lived_in", "patented_year", "student", "worked_at", "wrote",
))  # relations that stand on pages and of which no question is made  # fmt: skip


LABELS = ("SUPPORTS", "REFUTES", "NOT ENOUGH INFO")
LEARNED = {"multihop": ("train", "written", "natural"), "claims": ("train", "written")}
ASKED = {  # what nothing may be learned from
    "multihop": ("dev", "test", "hard", "spare", "unanswerable", "typed", "typed_unanswerable", "demo", "pool", "reworded", "dated"),
    "claims": ("dev", "test", "hard", "typed", "demo", "pool"),
}  # fmt: skip


def examine() -> list[str]:
    """Every fault of the bundled world, each a sentence; none is what we want."""
    book, chinese = bundled(), bundled("zh")
    return [
        *faults_of_pages(book),
        *faults_of_tasks(book),
        *faults_of_pages(chinese, run=18),  # characters
        *faults_of_chinese(chinese),
    ]


def faults_of_chinese(book: Encyclopedia) -> Iterator[str]:
    """Each question takes two pages, its evidence can be seen, and its answer not at once."""
    rows = tasks_of("multihop-zh", "dev")
    yield from copied({row["id"]: row["text"] for row in rows}, "questions")
    for row in rows:
        yield from (f"{row['id']}: {fault}" for fault in faults_of_split(row, "dev", book))
        run = demonstration(Task(row["id"], "multihop-zh", row["text"], row["gold"], row), book)
        seen = " ".join(step.observation or "" for step in run.steps)
        yield from (
            f"{row['id']}: no act shows the sentence {sentence!r}"
            for sentence in row["sentences"]
            if sentence not in seen
        )
        if len(set(row["pages"])) < 2 or any(step.outcome for step in run.steps):
            yield f"{row['id']}: its solution takes fewer than two pages, or an act of it fails"
        if run.answer != row["gold"]:
            yield f"{row['id']}: its solution ends in {run.answer!r}, not in {row['gold']!r}"
        if len(run.steps) > kind_of("multihop-zh").max_steps:
            yield f"{row['id']}: its solution has {len(run.steps)} steps"
        normalise = kind_of("multihop-zh").language.normalise
        if row["gold"] not in ("是", "否") and normalise(row["gold"]) not in normalise(seen):
            yield f"{row['id']}: no act shows its answer {row['gold']!r}"
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


def stated(value: str, text: str) -> bool:
    """Does the text hold the value, as a whole word?"""
    forms = {value, bare(value)}
    if value.isdecimal() and len(value) < 20:
        forms.add(f"{int(value):,}")
    return any(re.search(rf"(?<!\w){re.escape(form)}(?!\w)", text) for form in forms)


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
    return [row for _, row in objects(data.folder("tasks", name, f"{split}.jsonl"))]


def faults_of_tasks(book: Encyclopedia) -> Iterator[str]:
    for name in LEARNED:
        asked = {split: tasks_of(name, split) for split in ASKED[name]}
        learned = [row for split in LEARNED[name] for row in tasks_of(name, split)]
        for split in ("dev", "test", "hard", "spare", "typed"):
            for row in asked.get(split, ()):
                own = split_of(row, split, book)
                yield from (f"{row['id']}: {fault}" for fault in faults_of_task(row, own, book))
        yield from (f"{r['id']}: {fault}" for r in learned for fault in faults_of_learned(r, book))
        yield from twins([*learned, *(row for rows in asked.values() for row in rows)])
        pairs = {pair(row) for split in ("dev", "test") for row in asked[split]} - {None}
        yield from (
            f"{row['id']}: its pages are those of a question of dev or test"
            for row in learned
            if pair(row) in pairs
        )


def split_of(row: Mapping[str, Any], split: str, book: Encyclopedia) -> str:
    """To which pages a task must keep: of riddles it is in the name, of typed tasks on the pages."""
    if split == "typed":
        return (
            "test"
            if any(book.rows[page]["split"] == "test" for page in row["pages"] if page in book.rows)
            else "dev"
        )
    if split in ("hard", "spare"):
        name = str(row.get("of", row["id"])).split("-")[1]
        return str(book.rows[row["pages"][0]]["split"]) if name == "spare" else name
    return split


def pair(row: Mapping[str, Any]) -> frozenset[str] | None:
    pages = frozenset(row.get("pages", ()))
    return pages if len(pages) > 1 else None


def twins(rows: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """The same text twice: one of them is learned, the other asked."""
    first: dict[str, str] = {}
    for row in rows:
        name = first.setdefault(normalise(row["text"]), row["id"])
        if learnable(name) != learnable(row["id"]):
            yield f"{row['id']}: {name} asks the same, and a model may have learned from it"


def learnable(name: str) -> bool:
    return name.split("-")[1] in ("train", "written", "natural")


def faults_of_learned(row: Mapping[str, Any], book: Encyclopedia) -> Iterator[str]:
    """A task to learn from: its notes hold on today's pages, and its steps are those they make."""
    yield from faults_of_split(row, "train", book)
    most = kind_of(row["id"].split("-")[0]).max_steps
    found = [*faults(row, book, most)]
    yield from found
    if not found and demonstrate(row, book, most) != row["steps"]:
        yield "its steps are not those that its notes make: run data/build/learned.py"


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
    allowed = (split, "hub")
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
        absent = str(row.get("absent", "")).lower()
        yield from (
            f"{page} does mention {absent}"
            for page in row["pages"]
            if absent and absent in book.rows[page]["text"].lower()
        )
    elif row["gold"] in LABELS:
        if not row.get("sentences"):
            yield "a claim that can be settled names its evidence"
    elif (
        row.get("answerable") is False
        or row["type"] in ("choosing", "wrong first page")
        or row["gold"].isdecimal()
    ):
        if not row.get("sentences"):
            yield "a question names its evidence"
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


# ---------------------------------------------------------------------- sizes and shares


def names_of(book: Encyclopedia) -> set[str]:
    """Titles and aliases as people type them: without brackets, articles and RMS; surnames."""
    names = {n for t, row in book.rows.items() for n in (t, bare(t), *row.get("aliases", ()))}
    names |= {re.sub(r"^(The|RMS|HMS|HMHS) ", "", name) for name in names}
    people = (
        t
        for t, row in book.rows.items()
        if row.get("facts", {}).keys() & {"birth_year", "death_year"}
    )
    names |= {last for t in people if len(last := bare(t).split()[-1]) > 4}
    return {" ".join(re.findall(r"\w+", fold(name))) for name in names if len(name) > 1}


def names_a_page(text: str, names: set[str]) -> bool:
    words = re.findall(r"\w+", fold(text))
    return any(
        " ".join(words[i:j]) in names
        for i in range(len(words))
        for j in range(i + 1, len(words) + 1)
    )


def line(name: str, rows: Sequence[Mapping[str, Any]], names: set[str]) -> str:
    lengths = [len(row["text"].split()) for row in rows]
    named = sum(names_a_page(row["text"], names) for row in rows)
    return (f"{name:24}{len(rows):6}{sum(lengths) / len(rows):8.1f}{max(lengths):6}"
            f"{sum(n > 20 for n in lengths):6}{100 * named / len(rows):8.0f}")  # fmt: skip


def table(book: Encyclopedia) -> str:
    """One line per set: how many, how long, how many name a page; then types and baselines."""
    names = names_of(book)
    lines = [f"{'':24}{'n':>6}{'words':>8}{'most':>6}{'> 20':>6}{'named %':>8}"]
    for kind in LEARNED:
        splits = ("dev", "test", "hard", "spare", "unanswerable", "typed", *LEARNED[kind])
        lines += [
            line(f"{kind} {s}", rows, names)
            for s in splits
            if s in tasks.names()[kind] and (rows := tasks_of(kind, s))
        ]
    for split in ("dev", "test"):
        rows = tasks_of("multihop", split)
        types = Counter(row["type"] for row in rows)
        right = Counter(
            t.extra["type"]
            for t in tasks.load("multihop", split)
            if score.correct(baselines.one_search(t, book))
        )
        lines.append(f"\n{split}: {len({r['twin'] for r in rows if 'twin' in r})} pairs of twins")
        lines += [
            f"  {kind:18}{types[kind]:5} = {100 * types[kind] / len(rows):3.0f}% (wanted {share}%), one search has {right[kind]} right"
            for kind, share in SHARES.items()
        ]
        claims = tasks.load("claims", split)
        told = sum(bool(score.correct(baselines.by_words(claim))) for claim in claims)
        lines.append(
            f"  claims: {dict(Counter(c.gold for c in claims))}, their words alone tell {told} = {100 * told / len(claims):.0f}%"
        )
    learned = [row for split in LEARNED["multihop"] for row in tasks_of("multihop", split)]
    astray = sum(any(len(step) > 2 for step in row["steps"]) or recovers(row) for row in learned)
    lines.append(f"\nto learn from: {len(learned)} questions ({100 * astray / len(learned):.0f}% recover from a wrong turn), "
                 f"{sum(len(tasks_of('claims', s)) for s in LEARNED['claims'])} claims; {dict(Counter(row['type'] for row in learned))}")  # fmt: skip
    return "\n".join(lines)


def recovers(row: Mapping[str, Any]) -> bool:
    """Does it take one title for another, or a second word where the first brought nothing?"""
    acts = [step[1] for step in row["steps"]]
    lookups = [act for act in acts if act.startswith("Lookup")]
    searches = [act for act in acts if act.startswith("Search")]
    return len(set(lookups)) < len(lookups) or len(searches) > len(
        {hop["page"] for hop in row["hops"]}
    )


def main() -> None:
    found = examine()
    print("\n".join(found[:50]) or "The bundled world has no fault that a machine can see.")
    print(f"{len(found)} faults" if len(found) > 50 else "")
    print(table(bundled()))
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
