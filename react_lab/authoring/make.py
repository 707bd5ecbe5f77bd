"""Draws the generated splits, train and pool: questions and claims that the oracle can solve.

    python -m react_lab.authoring.make        writes data/tasks/{multihop,claims}/{train,pool}.jsonl

One encyclopedia and one seed always give the same files, byte for byte.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from .. import data
from ..envs.pages import Encyclopedia, bundled
from ..world.gold import SEED, gold_steps
from ..world.oracle import Lost
from .claims import threes
from .questions import Draft, bridges, by_family, comparisons, same

__all__ = ["draw", "draw_claims", "main", "row_of", "write"]

MIX = {"two hops": 0.60, "three hops": 0.20, "comparison": 0.14, "yes/no": 0.06}  # as HotpotQA
MOST_STEPS = 7
Drawn = TypeVar("Drawn")


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


def in_turn(families: Mapping[str, list[Drawn]]) -> Iterator[Drawn]:
    """One of every family, then a second of every family, and so on."""
    longest = max(map(len, families.values()), default=0)
    for k in range(longest):
        yield from (family[k] for family in families.values() if k < len(family))


def solvable(
    drafts: Iterable[Draft], book: Encyclopedia, wanted: int, pick: random.Random
) -> Iterator[dict[str, Any]]:
    """Rows that the oracle solves in the steps allowed; one answer to one question once."""
    taken: set[tuple[str, ...]] = set()
    for draft in drafts:
        if len(taken) == wanted:
            return
        key = (draft.family, draft.hops[0].page, draft.gold)
        row = row_of(draft, pick.choice(draft.wordings))
        if key not in taken and solved(row, book):
            taken.add(key)
            yield row


def draw_claims(book: Encyclopedia, split: str, n: int, name: str) -> list[dict[str, Any]]:
    """n claims in equal thirds, three of every wording, each solved within the paper's five steps."""
    pick = random.Random(f"{SEED} {name}")
    rows: list[dict[str, Any]] = []
    texts: set[str] = set()
    for three in in_turn(threes(book, split, pick)):
        fresh = {row["text"] for row in three} - texts
        if (
            len(rows) < n
            and len(fresh) == len(three)
            and all(solved(row, book, 5) for row in three)
        ):
            texts |= fresh
            rows += map(dict, three)
    if len(rows) < n:
        raise ValueError(f"only {len(rows)} claims can be made, not {n}")
    pick.shuffle(rows)
    return [{"id": f"{name}-{k:04}", **row} for k, row in enumerate(rows, 1)]


def solved(row: Mapping[str, Any], book: Encyclopedia, most: int = MOST_STEPS) -> bool:
    try:
        return len(gold_steps(row, book)) <= most
    except Lost:
        return False


def write(name: str, split: str, rows: Sequence[Mapping[str, Any]]) -> None:
    lines = (json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    data.write(data.folder("tasks", name, f"{split}.jsonl"), "".join(lines))


def main() -> None:
    book = bundled()
    write("multihop", "train", draw(book, "train", 4200, "multihop-train"))
    write("multihop", "pool", draw(book, "dev", 1000, "multihop-pool"))
    write("claims", "train", draw_claims(book, "train", 2100, "claims-train"))
    write("claims", "pool", draw_claims(book, "dev", 300, "claims-pool"))


if __name__ == "__main__":
    main()
