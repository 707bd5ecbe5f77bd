"""HotpotQA and FEVER in the files that their authors publish: where they are, and what they hold.

Nothing of them is in the package. A file is read from your disk, or fetched once.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..data import downloads
from ..data.downloads import Source
from ..records import objects, parsed, text

# The repository of the paper's authors, at its last commit: what lies there cannot change.
REACT = "https://raw.githubusercontent.com/ysymyth/ReAct/6bdb3a1fd38b8188fc7ba4102969fe483df8fdc9"
AGAIN = (
    "with network, `python -m react_lab fetch {name}` goes on from there; or get {url} by other "
    "means, and give that file: tasks.load({name!r}, path=...)"
)
SEED, OF = 233, 7405  # the authors' notebooks shuffle the numbers below OF with this seed


@dataclass(frozen=True)
class Benchmark:
    """A split of a benchmark: its file, how many tasks it has, and of what kind they are."""

    name: str
    url: str
    kind: str
    size: int
    tested: str = ""

    @property
    def source(self) -> Source:
        again = AGAIN.format(name=self.name, url=self.url)
        return Source(f"the file of {self.name}", self.url, again, tested=self.tested)


HOTPOTQA = "http://curtis.ml.cmu.edu/datasets/hotpot/hotpot_dev_distractor_v1.json"
SETS: dict[str, dict[str, Benchmark]] = {
    "hotpotqa": {
        "dev": Benchmark(
            "hotpotqa", f"{REACT}/data/hotpot_dev_v1_simplified.json", "multihop", 7405,
            "05001dcdeb2b2b2243a88f23daaf8de9237494cd387e13bc25854d3e031101d3",
        ),
        "dev-full": Benchmark("hotpotqa", HOTPOTQA, "multihop", 7405),
    },
    "fever": {
        "dev": Benchmark(
            "fever", "https://fever.ai/download/fever/paper_dev.jsonl", "claims", 9999,
            "41158707810008747946bf23471e82df53e77a513524b9e3ec1c2e674ef5ef8c",
        ),
    },
}  # fmt: skip


def fetch(
    name: str, split: str = "dev", on_bytes: downloads.OnBytes | None = None,
    folder: str | None = None,
) -> Path:  # fmt: skip
    """The file of a benchmark, fetched unless it is there; a login page in its place is refused.

    folder: one that has the file; None is the network.
    """
    splits = SETS[name]
    if split not in splits:
        raise ValueError(f"{name} has no split {split!r}; it has: {', '.join(splits)}")
    benchmark = splits[split]
    lines = benchmark.url.endswith(".jsonl")

    def check(path: Path) -> None:
        found = sum(fields_of(row, at)["kind"] == benchmark.kind for at, row in rows(path, lines))
        if found != benchmark.size:
            raise ValueError(f"it has {found} tasks, not {benchmark.size}")

    return downloads.fetch(benchmark.source, on_bytes, check, folder)


def rows(path: Path, lines: bool) -> Iterator[tuple[str, dict[str, Any]]]:
    """The rows of a file, JSON lines or one JSON list, each with the words for where it stands."""
    return objects(path) if lines else listed(path)


def listed(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    try:
        found = parsed(text(path))
    except ValueError as error:
        raise ValueError(f"{path} cannot be read: {error}") from None
    if not isinstance(found, list):
        raise ValueError(f"{path} holds no list of tasks (one task a line is a .jsonl file)")
    for number, row in enumerate(found, 1):
        if not isinstance(row, dict):
            raise ValueError(f"{path}, row {number}, is not a JSON object")
        yield f"{path}, row {number}", row


def fields_of(row: dict[str, Any], where: str) -> dict[str, Any]:
    """Kind, text, gold answer and type of a row: nothing else of it is for a model."""
    if "question" in row:
        gold, type = row.get("answer"), {"type": row.get("type")}
        return {"kind": "multihop", "text": row["question"], "gold": gold, "extra": type}
    if "claim" in row:
        return {"kind": "claims", "text": row["claim"], "gold": row.get("label"), "extra": {}}
    raise ValueError(f"{where}, has neither a question nor a claim")


def as_the_authors(n: int) -> list[int]:
    """The places in the file of the first n tasks that the authors' notebooks ask, in their order.

    Both notebooks, of HotpotQA and of FEVER, draw from the first 7,405; they ask 500.
    """
    places = list(range(OF))
    random.Random(SEED).shuffle(places)
    if not 0 <= n <= OF:
        raise ValueError(f"{n} tasks were asked for, and the authors drew from {OF:,}")
    return places[:n]
