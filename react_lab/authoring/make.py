"""Draws the generated splits: train and pool, questions and claims, each with a gold trajectory.

    python -m react_lab.authoring.make        writes data/tasks/{multihop,claims}/{train,pool}.jsonl

The same encyclopedia and the same seed give the same files, byte for byte.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from .. import data
from ..envs.pages import Encyclopedia, bundled
from ..types import Step, Task
from .claims import LABELS, NO, UNKNOWN, YES, claim_steps, claims
from .oracle import DONE, Hop, Lost, Oracle, capital, named, tidy
from .questions import Draft, bridges, by_family, comparisons, same

__all__ = ["draw", "draw_claims", "gold_steps", "main", "rationale", "row_of", "write"]

SEED = 20230501  # the month of the paper's conference
MIX = {"two hops": 0.60, "three hops": 0.20, "comparison": 0.14, "yes/no": 0.06}  # as HotpotQA
MOST_STEPS = 7


def gold_steps(
    task: Task | Mapping[str, Any], book: Encyclopedia | None = None
) -> tuple[Step, ...]:
    """The oracle's trajectory of a generated task, made anew by the acts of the world."""
    row = {**task.extra, "text": task.text, "gold": task.gold} if isinstance(task, Task) else task
    pick = random.Random(f"{SEED} {row['text']}")
    oracle = Oracle(book or bundled(), pick)
    if row["gold"] in LABELS:
        return claim_steps(row, oracle)
    hops = [Hop(*hop) for hop in row["hops"]]
    if row["type"] == "bridge":
        return oracle.bridge(hops, row["gold"], named(hops[0].page))
    return oracle.pair(hops, row["gold"], row["why"])


def rationale(task: Task) -> str:
    """The facts of a generated task one after another: what CoT has instead of the thoughts."""
    row, pick = task.extra, random.Random(f"{SEED} {task.text}")
    hops = [Hop(*hop) for hop in row.get("hops", ())]
    facts = [hop.fact(named(hop.page), pick) for hop in hops] + [row.get("why", "")]
    words = {"fact": " ".join(filter(None, facts)), "answer": task.gold, "term": row.get("absent")}
    if task.kind == "claims":
        ends = {LABELS[0]: YES, LABELS[1]: NO}.get(str(task.gold), UNKNOWN)
        words["claimed"] = named(str(row.get("claimed", "")))
        return capital(tidy(pick.choice(ends).format(**words)))
    return capital(tidy(pick.choice(DONE).format(**words)))


def row_of(draft: Draft, wording: str) -> dict[str, Any]:
    return {
        "text": wording,
        "gold": draft.gold,
        "type": draft.type,
        "family": draft.family,
        "pages": list(dict.fromkeys(hop.page for hop in draft.hops)),
        "hops": [[hop.page, hop.relation, hop.value] for hop in draft.hops],
        **({"why": draft.why} if draft.why else {}),
    }


def draw(book: Encyclopedia, split: str, n: int, name: str) -> list[dict[str, Any]]:
    """n questions in HotpotQA's mix, family by family in turn, each solved by the oracle."""
    pick = random.Random(f"{SEED} {name}")
    chains = list(bridges(book, split))
    kinds = {
        "two hops": [draft for draft in chains if len(draft.hops) == 2],
        "three hops": [draft for draft in chains if len(draft.hops) == 3],
        "comparison": comparisons(book, split),
        "yes/no": same(book, split),
    }
    rows: list[dict[str, Any]] = []
    for kind, drafts in kinds.items():
        rows += solvable(in_turn(by_family(drafts, pick)), book, round(n * MIX[kind]), pick)
    return [{"id": f"{name}-{k:04}", **row} for k, row in enumerate(rows, 1)]


def in_turn(families: Mapping[str, list[Draft]]) -> Iterator[Draft]:
    """One of every family, then a second of every family, and so on."""
    longest = max(map(len, families.values()), default=0)
    for k in range(longest):
        yield from (family[k] for family in families.values() if k < len(family))


def solvable(
    drafts: Iterable[Draft], book: Encyclopedia, wanted: int, pick: random.Random
) -> Iterator[dict[str, Any]]:
    """Rows that the oracle solves in the steps allowed; one answer to one question once."""
    asked: set[tuple[str, ...]] = set()
    for draft in drafts:
        if len(asked) == wanted:
            return
        key = (draft.family, draft.hops[0].page, draft.gold)
        row = row_of(draft, pick.choice(draft.wordings))
        if key not in asked and solved(row, book):
            asked.add(key)
            yield row


def draw_claims(book: Encyclopedia, split: str, n: int, name: str) -> list[dict[str, Any]]:
    """n claims in equal thirds, each solved by the oracle within the paper's five steps."""
    pick = random.Random(f"{SEED} {name}")
    rows: list[dict[str, Any]] = []
    for label, drafts in claims(book, split, pick).items():
        third = [dict(row) for row in varied(drafts) if solved(row, book, 5)]
        if len(third) < n // 3:
            raise ValueError(f"only {len(third)} claims of {label} can be made, not {n // 3}")
        rows += third[: n // 3]
    pick.shuffle(rows)
    return [{"id": f"{name}-{k:04}", **row} for k, row in enumerate(rows, 1)]


def varied(rows: Sequence[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    """One of every family, then a second of every family, each text once."""
    families: dict[str, list[Mapping[str, Any]]] = {}
    for row in {row["text"]: row for row in rows}.values():
        families.setdefault(row["family"], []).append(row)
    for k in range(max(map(len, families.values()), default=0)):
        yield from (family[k] for family in families.values() if k < len(family))


def solved(row: Mapping[str, Any], book: Encyclopedia, most: int = MOST_STEPS) -> bool:
    try:
        return len(gold_steps(row, book)) <= most
    except Lost:
        return False


def write(name: str, split: str, rows: Sequence[Mapping[str, Any]]) -> None:
    path = data.folder("tasks", name, f"{split}.jsonl")
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = (json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    path.write_text("".join(lines), encoding="utf-8", newline="\n")


def main() -> None:
    book = bundled()
    write("multihop", "train", draw(book, "train", 4200, "multihop-train"))
    write("multihop", "pool", draw(book, "dev", 1000, "multihop-pool"))
    write("claims", "train", draw_claims(book, "train", 2100, "claims-train"))
    write("claims", "pool", draw_claims(book, "dev", 300, "claims-pool"))


if __name__ == "__main__":
    main()
