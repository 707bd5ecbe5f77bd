"""Makes `dev` and `test`, asked directly, from notes; the riddles that they were are `hard`.

    python data/build/direct.py        writes data/tasks/{multihop,claims}/{dev,test,hard,spare,unanswerable}.jsonl

`direct_*.txt` has a direct wording of every riddle, `new_*.txt` a new question a line:

    type|twin|question|answer|Page 2, 3; Other page 1|other answers that are right; ...

The numbers say which sentences of a page are the evidence. Twins take the same searches.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from questions import write

from react_lab import tasks
from react_lab.envs.pages import bundled
from react_lab.envs.wiki import sentences

Row = dict[str, Any]
NOTES = Path(__file__).parent / "notes"
SIZE = {"dev": 150, "test": 300}
SHARES = {"bridge": 45, "comparison": 20, "three pages": 12, "yes/no": 8, "choosing": 8, "wrong first page": 7}  # fmt: skip
TYPES = {"b": "bridge", "c": "comparison", "3": "three pages", "y": "yes/no", "k": "choosing", "w": "wrong first page"}  # fmt: skip
NUMBERS = "none one two three four five six seven eight nine ten eleven twelve".split()
NOT_TOLD = "NOT ENOUGH INFO"
LABELS = ("SUPPORTS", "REFUTES", NOT_TOLD)
FIRST = {"multihop": 301, "claims": 201}  # of the new numbers: no id is given twice


def lines(name: str) -> list[list[str]]:
    text = (NOTES / f"{name}.txt").read_text(encoding="utf-8")
    return [line.split("|") for line in text.splitlines() if line]


def riddles(kind: str, split: str) -> list[Row]:
    """The old tasks of a split, from `hard`."""
    return [
        {"id": t.id, "text": t.text, "gold": t.gold, **t.extra}
        for t in tasks.load(kind, "hard") if t.id.startswith(f"{kind}-{split}-")
    ]  # fmt: skip


def direct(split: str) -> Iterator[Row]:
    """Each riddle in plain words: same answer, same pages."""
    for row, (_, text) in zip(riddles("multihop", split), lines(f"direct_{split}"), strict=True):
        type_ = "three pages" if row["type"] == "bridge" and len(row["pages"]) > 2 else row["type"]
        yield {**row, "text": text, "type": type_, "of": row["id"]}


def new(split: str) -> Iterator[Row]:
    for mark, twin, text, gold, evidence, *others in lines(f"new_{split}"):
        accepted = [each.strip() for each in "".join(others).split(";") if each.strip()]
        if gold.isdecimal() and "how many" in text.lower():
            accepted += NUMBERS[int(gold) : int(gold) + 1]
            accepted += [f"{gold} years"] if "years" in text else []
        row = {
            "text": text,
            "gold": gold,
            "accepted": accepted,
            "type": TYPES[mark],
            **proof(evidence),
        }
        yield {**row, **({"twin": f"{split}-{twin}"} if twin else {})}


def proof(evidence: str) -> Row:
    """`Page 2, 3; Other page 1` -> the pages, and those sentences of them."""
    pages: list[str] = []
    found: list[str] = []
    for each in evidence.split("; "):
        page, numbers = each, ""
        if each not in bundled().rows:
            page, numbers = re.fullmatch(r"(.*?) (\d+(?:, \d+)*)", each).groups()  # type: ignore[union-attr]
        text = sentences(bundled().rows[page]["text"])
        pages.append(page)
        found += [text[int(n) - 1] for n in numbers.split(", ") if n]
    return {"pages": pages, "sentences": found}


def chosen(split: str) -> tuple[list[Row], list[Row]]:
    """The questions of a split in its shares, twins together, and those for which there is no room."""
    rows, pick = [*direct(split), *new(split)], random.Random(f"direct {split}")
    kept: list[Row] = []
    for kind, share in SHARES.items():
        room = round(SIZE[split] * share / 100)
        own = [row for row in rows if row["type"] == kind]
        order = {row["text"]: pick.random() for row in own}
        own.sort(key=lambda row: ("twin" not in row, order[row["text"]]))
        kept += own[:room]
    more = sorted(
        (r for r in rows if r not in kept), key=lambda r: (r["type"] == "bridge", r["text"])
    )
    while len(kept) < SIZE[split]:  # rounding
        kept.append(more.pop(0))
    return [row for row in rows if row in kept], [row for row in rows if row not in kept]


def numbered(rows: list[Row], name: str, first: int, places: int = 3) -> list[Row]:
    return [{**row, "id": f"{name}-{k:0{places}}"} for k, row in enumerate(rows, first)]


def unanswerable() -> Iterator[Row]:
    """`question|Page; Other page|word, word`: what no page tells, and two words one may look up for it."""
    for text, pages, words in lines("unanswerable"):
        yield {
            "text": text, "gold": NOT_TOLD, "accepted": [], "type": "unanswerable",
            "pages": [p for p in pages.split("; ") if p], "absent": words.split(", "),
        }  # fmt: skip


def claims(split: str) -> list[Row]:
    """`label|claim|Page 2; Other page 1`, the label by its first letter."""
    labels = {label[0]: label for label in LABELS}
    return [
        {"text": text, "gold": labels[label], **proof(evidence)}
        for label, text, evidence in lines(f"claims_{split}")
    ]


def main() -> None:
    spare: list[Row] = []
    for split in SIZE:
        rows, left = chosen(split)
        spare += left
        write("multihop", split, numbered(rows, f"multihop-{split}", FIRST["multihop"]))
        write("claims", split, numbered(claims(split), f"claims-{split}", FIRST["claims"]))
        print(split, len(rows), "questions,", len(claims(split)), "claims")
    write("multihop", "spare", numbered(spare, "multihop-spare", 1))
    write("multihop", "unanswerable", numbered([*unanswerable()], "multihop-unanswerable", 1, 2))


if __name__ == "__main__":
    main()
