"""Every recorded run as JSON: sets for the player and the run browser, and the one to label.

runs/SET/rows.json    the table, and at which run each piece begins
runs/SET/0.json ...   pieces of about 200 KB, in which nothing is written twice
runs/SET/runs.jsonl   the lines as they were recorded: what `rl.store.open` reads
label/set.json        the labelled set, with all that Python would say of each run
"""

from __future__ import annotations

import json
import tempfile
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from react_lab import data, store
from react_lab.label import merging
from react_lab.label.about_runs import grade, tied, verdict_words
from react_lab.label.failure_modes import MODES, Sample, guideline, offered
from react_lab.label.results import shares_of
from react_lab.label.session import Session, fixed, run_in_sight
from react_lab.languages import say
from react_lab.lessons import lesson_06
from react_lab.methods import METHODS
from react_lab.support.text import inline
from react_lab.types import Trajectory
from react_lab.widgets.explorer import FACETS, NONE, Row, counts, rows_of
from react_lab.widgets.run_view import run_view

PIECE = 200_000  # characters, about, of one file of runs
WORDS = Path(__file__).parent / "words" / "sets.toml"
SETS: dict[str, str] = tomllib.loads(WORDS.read_text(encoding="utf-8"))


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
        Set(name.removeprefix("runs/"), title, data.folder(f"{name}.jsonl"))
        for name, title in SETS.items()
    )
    return [one for one in found if one.path.exists()]


def write_runs(folder: Path, found: Sequence[Set]) -> None:
    """Sets below runs/ of the site, and the list of them."""
    labels = list(map(str, merging.readers(data.folder("labels"))))
    index = []
    for one in found:
        runs, there = one.runs, folder / "runs" / one.name
        starts = []
        for k, (start, text) in enumerate(pieces(runs)):
            data.write(there / f"{k}.json", text)
            starts.append(start)
        data.write(there / "rows.json", as_json(table(rows_of(runs, labels), len(runs), starts)))
        data.write(there / "runs.jsonl", one.path.read_text(encoding="utf-8"))
        index.append({"name": one.name, "title": one.title, "runs": len(runs)})
    data.write(folder / "runs" / "sets.json", as_json(index))


def as_json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def pieces(runs: Iterable[Trajectory]) -> Iterator[tuple[int, str]]:
    """The numbered files of a set; at which run, from 0, each begins."""
    start, pool, held, size = 0, Pool(), list[str](), 0
    for i, run in enumerate(runs):
        held.append(as_json(pack(run_view(run), pool)))
        size += len(held[-1])
        if size + pool.size > PIECE:
            yield start, join(pool, held)
            start, pool, held, size = i + 1, Pool(), [], 0
    if held:
        yield start, join(pool, held)


def join(pool: Pool, held: Sequence[str]) -> str:
    return f'{{"pool":[{",".join(pool.known)}],"runs":[{",".join(held)}]}}'


class Pool:
    """What comes more than once in a piece, once: a number stands for it."""

    def __init__(self) -> None:
        self.known: dict[str, int] = {}
        self.size = 0

    def number(self, value: Any) -> int:
        text = as_json(value)
        if text not in self.known:
            self.size += len(text)
        return self.known.setdefault(text, len(self.known))


def pack(found: dict[str, Any], pool: Pool) -> dict[str, Any]:
    """A run view whose prompt's head, pages, places and buttons are numbers of the pool."""
    prompt, world = dict(found["prompt"]), dict(found["world"])
    if "head" in prompt:
        prompt["head"] = pool.number(prompt["head"])
    world["pages"] = {title: pool.number(page) for title, page in world["pages"].items()}
    world["at"] = [pack_view(view, pool) for view in world["at"]]
    return {**found, "prompt": prompt, "world": world}


def pack_view(view: dict[str, Any], pool: Pool) -> dict[str, Any]:
    many = {key: view[key] for key in ("receptacles", "buttons") if view.get(key)}
    return {**view, **{key: [*map(pool.number, each)] for key, each in many.items()}}


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


# ------------------------------------------------------------------ runs to label


def write_labels(folder: Path, sample: Sample) -> None:
    data.write(folder / "label" / "set.json", as_json(labelled_set(sample)))


def labelled_set(sample: Sample) -> dict[str, Any]:
    """A sample as the page's labeller needs it: each run as it is shown before it is judged, and
    after, with gold, method and grade; and where in it those of a labelling party are."""
    places = {tied(run): at for at, run in enumerate(sample.runs)}
    party = [places[tied(run)] for run in lesson_06.labelled().for_class if tied(run) in places]
    with tempfile.TemporaryDirectory() as there:
        before = Session(sample, Path(there) / "before.jsonl", "nobody", blind=True)
        after = Session(sample, Path(there) / "after.jsonl", "nobody")
        return {
            "still": fixed(after), "modes": MODES, "guideline": guideline().version,
            "sample": sample.drawn_how, "party": party,
            "table": [[METHODS[s.method].title, s.method, s.mode, s.paper] for s in shares_of(())],
            "runs": [to_label(run, at, before, after) for at, run in enumerate(sample.runs)],
        }  # fmt: skip


def to_label(run: Trajectory, at: int, before: Session, after: Session) -> dict[str, Any]:
    before.at = after.at = at
    id, digest = tied(run)
    who, graded = verdict_words(run)
    says = f"{who} says {graded or say('label.nothing')}".lower()
    return {
        "id": id, "digest": digest, "method": run.method, "kind": run.task.kind,
        "grade": grade(run), "says": says, "text": run.task.text.lower(),
        "offered": offered(run), "every": offered(run, override=True),
        "before": run_in_sight(before), "after": run_in_sight(after),
    }  # fmt: skip
