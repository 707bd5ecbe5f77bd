"""Every recorded run as JSON, in sets: a table of rows, the runs as a player shows them, the lines.

runs/SET/rows.json    the table, and at which run each piece begins
runs/SET/0.json ...   pieces of about 200 KB, in which nothing is written twice
runs/SET/runs.jsonl   the lines as they were recorded: what `rl.store.open` reads
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .. import data, store
from ..label import merging
from ..support.text import inline
from ..types import Trajectory
from ..widgets.explorer import FACETS, NONE, Row, counts, rows_of
from ..widgets.run_view import run_view

__all__ = ["SETS", "Set", "packed", "sets", "write_runs"]

PIECE = 200_000  # characters, about, of one file of runs
SETS = (  # a file below data/, and what is in it: the order of the menu
    ("runs/first_questions/react", "First questions: 18 to try, with what to watch"),
    ("runs/comparison/multihop-tuned", "Table 1, questions, fine-tuned: all methods"),
    ("runs/comparison/multihop-prompted", "Table 1, questions, prompted"),
    ("runs/comparison/claims-tuned", "Table 1, claims, fine-tuned: all methods"),
    ("runs/comparison/claims-prompted", "Table 1, claims, prompted"),
    ("labels/runs", "Table 2: the runs that were labelled by hand"),
    ("runs/labelled/pool-react", "Table 2: ReAct, from which they were drawn"),
    ("runs/labelled/pool-cot", "Table 2: CoT, from which they were drawn"),
    ("runs/table3/unseen", "Table 3: household games"),
    ("runs/programs/household", "Table 3: our oracle, without a model"),
    ("runs/table4/test", "Table 4: the web shop"),
    ("runs/programs/shop", "Table 4: three shoppers without a model"),
    ("runs/figure3/test-multihop-react-tuned", "Figure 3, questions: ReAct, fine-tuned"),
    ("runs/figure3/test-multihop-act-tuned", "Figure 3, questions: Act, fine-tuned"),
    ("runs/figure3/test-multihop-cot-tuned", "Figure 3, questions: CoT, fine-tuned"),
    ("runs/figure3/test-multihop-standard-tuned", "Figure 3, questions: Standard, fine-tuned"),
    ("runs/figure3/test-multihop-react-prompted", "Figure 3, questions: ReAct, prompted"),
    ("runs/figure3/test-multihop-act-prompted", "Figure 3, questions: Act, prompted"),
    ("runs/figure3/test-multihop-cot-prompted", "Figure 3, questions: CoT, prompted"),
    ("runs/figure3/test-multihop-standard-prompted", "Figure 3, questions: Standard, prompted"),
    ("runs/figure3/test-claims-react-tuned", "Figure 3, claims: ReAct, fine-tuned"),
    ("runs/figure3/test-claims-act-tuned", "Figure 3, claims: Act, fine-tuned"),
    ("runs/figure3/test-claims-cot-tuned", "Figure 3, claims: CoT, fine-tuned"),
    ("runs/figure3/test-claims-standard-tuned", "Figure 3, claims: Standard, fine-tuned"),
    ("runs/figure3/test-claims-cot-prompted", "Figure 3, claims: CoT, prompted"),
    ("runs/figure3/test-claims-standard-prompted", "Figure 3, claims: Standard, prompted"),
    ("runs/figure3/generated-multihop-react-tuned", "Figure 3: ReAct on generated questions"),
    ("runs/figure3/reworded-multihop-react-tuned", "Figure 3: ReAct on reworded questions"),
    ("runs/first/multihop", "Over the pages and claims of 2026-11-22: questions"),
    ("runs/first/claims", "Over the pages and claims of 2026-11-22: claims"),
    ("runs/decoding/multihop-resample", "How a step is drawn: again, where it repeats"),
    ("runs/decoding/multihop-best-of-n", "How a step is drawn: the best of several"),
    ("runs/decoding/multihop-formed", "How a step is drawn: by a grammar"),
    ("runs/decoding/multihop-sampled", "How a step is drawn: at a temperature"),
    ("runs/decoding/household-resample", "How a step is drawn, household: again, where it repeats"),
    ("runs/decoding/household-best-of-n", "How a step is drawn, household: the best of several"),
    ("runs/decoding/household-formed", "How a step is drawn, household: by a grammar"),
    ("runs/decoding/household-admissible", "How a step is drawn, household: something happens"),
    ("runs/decoding/household-sampled", "How a step is drawn, household: at a temperature"),
    ("runs/own_states/react-own-1", "Learned on its own states: ReAct"),
    ("runs/own_states/react-own-2", "Learned on its own states, two rounds: ReAct"),
    ("runs/own_states/react-plain-1", "Learned as many plain lines: ReAct"),
    ("runs/own_states/react-plain-2", "Learned as many plain lines, two rounds: ReAct"),
    ("runs/own_states/act-own-1", "Learned on its own states: Act"),
    ("runs/typed/multihop", "Typed freely, four methods: questions"),
    ("runs/typed/claims", "Typed freely, four methods: claims"),
    ("runs/dated/old", "Pages of another day: as they were"),
    ("runs/dated/new", "Pages of another day: as they are"),
    ("runs/tools/dev", "Tools: practice questions"),
    ("runs/tools/test", "Tools: test questions"),
)  # fmt: skip


@dataclass(frozen=True)
class Set:
    """One file of recorded runs, as the site has it."""

    name: str
    title: str
    path: Path

    @property
    def runs(self) -> store.Runs:
        return store.open(self.path)


def sets() -> list[Set]:
    """The sets whose files are here."""
    found = (
        Set(name.removeprefix("runs/"), title, data.folder(f"{name}.jsonl")) for name, title in SETS
    )
    return [one for one in found if one.path.exists()]


def write_runs(folder: Path, found: Sequence[Set]) -> None:
    """Sets below runs/ of the site, and the list of them."""
    labels = list(map(str, merging.readers(data.folder("labels"))))
    index = []
    for one in found:
        runs = one.runs
        rows = rows_of(runs, labels)
        there = folder / "runs" / one.name
        starts = write_pieces(there, runs)
        dump(there / "rows.json", table(rows, len(runs), starts))
        data.write(there / "runs.jsonl", one.path.read_text(encoding="utf-8"))
        index.append({"name": one.name, "title": one.title, "runs": len(runs)})
    dump(folder / "runs" / "sets.json", index)


def dump(path: Path, found: Any) -> None:
    data.write(path, json.dumps(found, ensure_ascii=False, separators=(",", ":")))


def write_pieces(there: Path, runs: Iterable[Trajectory]) -> list[int]:
    """The numbered files of a set; at which run, from 0, each begins."""
    starts = []
    for k, (start, text) in enumerate(pieces(runs)):
        data.write(there / f"{k}.json", text)
        starts.append(start)
    return starts


def pieces(runs: Iterable[Trajectory]) -> Iterator[tuple[int, str]]:
    start, pool, held, size = 0, Pool(), list[str](), 0
    for i, run in enumerate(runs):
        text = json.dumps(packed(run_view(run), pool), ensure_ascii=False, separators=(",", ":"))
        held.append(text)
        size += len(text)
        if size + pool.size > PIECE:
            yield start, joined(pool, held)
            start, pool, held, size = i + 1, Pool(), [], 0
    if held:
        yield start, joined(pool, held)


def joined(pool: Pool, held: Sequence[str]) -> str:
    return f'{{"pool":[{",".join(pool.known)}],"runs":[{",".join(held)}]}}'


class Pool:
    """What comes more than once in a piece, once: a number stands for it."""

    def __init__(self) -> None:
        self.known: dict[str, int] = {}
        self.size = 0

    def number(self, found: Any) -> int:
        """The number of a value."""
        text = json.dumps(found, ensure_ascii=False, separators=(",", ":"))
        if text not in self.known:
            self.size += len(text)
        return self.known.setdefault(text, len(self.known))


def packed(found: dict[str, Any], pool: Pool) -> dict[str, Any]:
    """A sight whose prompt's head, pages, places and buttons are numbers of the pool."""
    prompt, world = dict(found["prompt"]), dict(found["world"])
    if "head" in prompt:
        prompt["head"] = pool.number(prompt["head"])
    world["pages"] = {title: pool.number(page) for title, page in world["pages"].items()}
    world["at"] = [packed_view(view, pool) for view in world["at"]]
    return {**found, "prompt": prompt, "world": world}


def packed_view(view: dict[str, Any], pool: Pool) -> dict[str, Any]:
    many = {key: view[key] for key in ("receptacles", "buttons") if view.get(key)}
    return {**view, **{key: [*map(pool.number, each)] for key, each in many.items()}}


# ---------------------------------------------------------------------- the table


def table(rows: Sequence[Row], of: int, starts: Sequence[int]) -> dict[str, Any]:
    menus = {
        name: [(inline(value), n) for value, n in count.most_common(50)]
        for name, count in counts(rows).items()
    }
    return {
        "columns": Row._fields, "facets": FACETS, "of": of, "lost": of - len(rows),
        "menus": menus, "starts": starts, "rows": [[*map(cell, row)] for row in rows],
    }  # fmt: skip


def cell(value: object) -> Any:
    """A value of a row; of flags and labels a list, empty where there is none."""
    if isinstance(value, tuple):
        return [] if value in NONE else [*map(inline, value)]
    return inline(value) if isinstance(value, str) else value
