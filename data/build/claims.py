"""Makes the claims of `train` from facts, in threes of one wording: true, a near miss, open.

    python data/build/claims.py        writes data/tasks/claims/train.jsonl

What an open claim says stands on no page, neither this nor anything against it. The three have the
same frame, so that no word tells the label.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from demonstrations import LABELS, bare, demonstrate, faults, rationale
from fitting import fitting, mentions, silent
from questions import Book, Fact, describe, fits, hop, joined, key_words, leads, tidy, write
from relations import RELATIONS

from react_lab import tasks
from react_lab.envs.pages import bundled
from react_lab.types import Task

Row = dict[str, Any]
SIZE = 2400
MOST = 600  # claims of each label that one family may give
LONGEST = 14  # words
# what was read and what is claimed stand side by side before anything follows: a small model that
# says "it is false" first finds a reason afterwards
SIDES = ("The claim has {claimed}, the page has {found}: ", "Claimed is {claimed}, found is {found}: ", "The page says {found}, the claim says {claimed}: ",
         "{found} is on the page, {claimed} in the claim: ", "I compare {found} with the claim's {claimed}: ")  # fmt: skip
TRUE = tuple(
    side + end
    for side in SIDES
    for end in ("the same, so the claim is true.", "they agree. The claim is true.")
)
FALSE = tuple(
    side + end
    for side in SIDES
    for end in ("not the same, so the claim is false.", "they differ. The claim is false.")
)
NEAR = (-40, -20, -11, -10, -7, -3, -2, -1, 1, 2, 3, 5, 9, 10, 12, 20, 30, 100)
OPEN = ("The page does not tell {seek}, so there is not enough information.", "Nothing is said of {seek}: there is not enough information.", "I cannot find {seek}, so there is not enough information.",
        "It stays open: the page is silent on {seek}. There is not enough information.", "The claim may be true or not, for nothing tells {seek}: not enough information.", "No sentence tells {seek}. There is not enough information.",
        "Without {seek} the claim cannot be judged: there is not enough information.", "The page leaves out {seek}, so there is not enough information.", "I have no way to know {seek}: there is not enough information.",
        "I looked for {seek} and did not find it, so there is not enough information.")  # fmt: skip


def statements(book: Book) -> Iterator[tuple[Fact, ...]]:
    """One fact of a page of the split, or the end of a chain of two."""
    for page in book.own():
        for fact in book.facts[page].values():
            yield (fact,)
            if leads(book, fact) and fact.value in book.named:
                yield from ((fact, last) for last in book.facts[fact.value].values())


def unsettled(book: Book) -> Iterator[tuple[Fact, ...]]:
    """The same without a last value: of a page that does not tell it."""

    def gaps(page: str) -> Iterator[Fact]:
        return (
            Fact(page, r, "", 0, "")
            for r in RELATIONS
            if silent(book.book, page, r) and fits(book, page, r)
        )

    for page in book.own():
        yield from ((gap,) for gap in gaps(page))
        for fact in book.facts[page].values():
            if leads(book, fact) and fact.value in book.named:
                yield from ((fact, gap) for gap in gaps(fact.value))


def wrong_values(book: Book, way: Sequence[Fact]) -> list[str]:
    """What a claim may say that is not true, or not told: it stands on none of the pages."""
    facts = {page: {r: f.value for r, f in own.items()} for page, own in book.facts.items()}
    last, pages = way[-1], [fact.page for fact in way]
    return [
        value for value in fitting(book.book, facts, last.page, last.relation)
        if bare(value).lower() not in {bare(page).lower() for page in pages}
        and not any(mentions(book.book, page, value) for page in pages)
        and (last.value or len(way) > 1 or "text" not in book.book.rows.get(value, {}) or not mentions(book.book, value, bare(last.page).split()[-1]))
    ]  # fmt: skip


def by_family(ways: Iterator[tuple[Fact, ...]]) -> dict[str, list[tuple[Fact, ...]]]:
    found: dict[str, list[tuple[Fact, ...]]] = defaultdict(list)
    for way in ways:
        if RELATIONS[way[-1].relation].says:
            found[">".join(fact.relation for fact in way)].append(way)
    return found


def threes(book: Book, pick: random.Random) -> dict[str, Iterator[tuple[Row, Row, Row]]]:
    settled, open_ones = by_family(statements(book)), by_family(unsettled(book))
    families = sorted(settled.keys() & open_ones.keys())
    return {f: worded(book, settled[f], open_ones[f], pick) for f in families}


def worded(
    book: Book,
    settled: list[tuple[Fact, ...]],
    open_ones: list[tuple[Fact, ...]],
    pick: random.Random,
) -> Iterator[tuple[Row, Row, Row]]:
    """Threes of one wording, of which each claim is borne out by the acts."""
    says, n = RELATIONS[settled[0][-1].relation].says, 0

    def rows(label: str, ways: list[tuple[Fact, ...]]) -> Iterator[Row]:
        for way in (
            way for _ in says * 3 for way in pick.sample(ways, len(ways))
        ):  # thrice a wording
            values = [way[-1].said] if label == "SUPPORTS" else wrong_values(book, way)
            if not values:
                continue
            found = row(book, way, book.name(pick.choice(values)), label, says[n % len(says)], pick)
            if sound(found, book):
                yield found

    made = rows("SUPPORTS", settled), rows("REFUTES", settled), rows("NOT ENOUGH INFO", open_ones)
    for n in range(MOST):
        three = tuple(next(each, None) for each in made)
        if None in three:
            return
        yield three  # type: ignore[misc]


def row(
    book: Book, way: tuple[Fact, ...], claimed: str, label: str, frame: str, pick: random.Random
) -> Row:
    *first, last = way
    relation = RELATIONS[last.relation]
    subject = describe(book, tuple(first), book.name(way[0].page), pick)
    text = tidy(book.words(frame, last).format(p=subject, v=claimed))
    seek = book.words(relation.seek, last).format(p=book.name(last.page))
    needs = [book.words(RELATIONS[f.relation].seek, f).format(p=book.name(f.page)) for f in first]
    needs += [
        book.words(relation.seek, last).format(
            p=book.pronoun(first[-1]) if first else book.name(last.page)
        )
    ]
    hops = [hop(book, fact) for fact in way if fact.value]
    found: Row = {
        "text": text[:1].upper() + text[1:], "gold": label, "family": f"{'>'.join(f.relation for f in way)}, {label}",
        "pages": [fact.page for fact in way], "claimed": claimed, "plan": joined(needs, pick) + ", to compare it with the claim", "hops": hops,
    }  # fmt: skip
    ends = {"SUPPORTS": TRUE, "REFUTES": FALSE, "NOT ENOUGH INFO": OPEN}[label]
    found["so"] = pick.choice(ends).format(
        claimed=claimed, found=hops[-1]["found"] if hops else "", seek=seek
    )
    if not last.value:
        found["not_told"] = {
            "ask": tidy(book.words(relation.asks[0], last).format(d=book.name(last.page))),
            "page": last.page,
            "keys": key_words(relation, pick),
        }
    return found


def draw(split: str, n: int, name: str) -> list[Row]:
    """n claims in equal thirds, three of every wording, most of one page, each played."""
    book, pick = Book(bundled(), split), random.Random(f"{name} 2026")
    rows: list[Row] = []
    texts: set[str] = set()
    made = threes(book, pick)
    turn = list(made)
    while turn and len(rows) < n:
        for family in list(turn):
            three = next(made[family], None)
            if three is None:
                turn.remove(family)
            elif (
                len(rows) < n
                and not texts & {r["text"] for r in three}
                and (">" not in family or pick.random() < 0.5)
            ):
                texts |= {r["text"] for r in three}
                rows += three
    pick.shuffle(rows)
    rows = [{"id": f"{name}-{k:04}", **r} for k, r in enumerate(rows, 1)]
    for r in rows:
        r["steps"], r["rationale"] = demonstrate(r, book.book, 5), rationale(r)
    return rows


def sound(row: Row, book: Book) -> bool:
    told = row.get("not_told")
    return (
        len(row["text"].split()) <= LONGEST
        and (not told or len(told["keys"]) == 2)
        and not next(faults({**row, "id": "x"}, book.book, 5), None)
    )


def twins(n: int) -> Iterator[Task]:
    """n settled claims of `train`, and each once more with what is claimed drawn anew, both ways.

    A true one gets another value of its family, or a number near its own; a false one what the page says.
    """
    pick, n_found = random.Random(11), 0
    settled = [t for t in tasks.load("claims", "train") if t.extra["hops"] and t.gold in LABELS[:2]]
    values = defaultdict[str, list[str]](list)
    for task in settled:
        values[task.extra["family"].split(",")[0]].append(task.extra["claimed"])
    pick.shuffle(settled)
    for task in settled:
        row, (*before, (thought, _)) = task.extra, task.extra["steps"]
        was, found = row["claimed"], row["hops"][-1]["found"]
        said = " ".join(part for step in before for part in step)
        if n_found == n or was not in task.text or was in said or row["so"] not in thought:
            continue
        if task.gold == "REFUTES":
            now, gold, ends = found, "SUPPORTS", TRUE
        elif was == found:
            others = [each for each in values[row["family"].split(",")[0]] if each != was]
            if was.isdigit():
                others = [str(int(was) + pick.choice(NEAR))]
            if not others:
                continue
            now = pick.choice(others)
            gold, ends = "REFUTES", FALSE
        else:
            continue
        so, n_found = pick.choice(ends).format(claimed=now, found=found), n_found + 1
        steps = [*before, [thought.replace(row["so"], so), f"Finish[{gold}]"]]
        extra = {**row, "steps": steps, "claimed": now, "so": so}
        text = task.text.replace(was, now)
        yield task
        yield replace(task, id=f"{task.id}-twin", text=text, gold=gold, extra=extra)


def main() -> None:
    rows = draw("train", SIZE, "claims-train")
    write("claims", "train", rows)
    print(
        len(rows),
        "claims,",
        round(sum(len(r["text"].split()) for r in rows) / len(rows), 1),
        "words",
    )


if __name__ == "__main__":
    main()
