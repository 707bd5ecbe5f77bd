"""Lesson 03: an ageing benchmark. Questions whose answer has changed since it was written down
(Figure 4), each with an old and a new text of its page.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from .. import data, display, score, store, tasks
from ..envs.pages import bundled
from ..envs.wiki import Wiki
from ..prompts import parts_of
from ..types import Task, Trajectory
from .compared import table_of

if TYPE_CHECKING:
    import pandas as pd

When = Literal["old", "new"]
KEYS = {"old": "right by the old label", "new": "right by the new one"}
LABEL = "the label"
OF_THE_PAGE = "right by the page's own time"


def dated() -> list[Task]:
    """The eight questions. Their `gold` is the old answer, as in a benchmark that has aged."""
    return tasks.load("multihop", "dated")


def world(when: When) -> Wiki:
    """The bundled encyclopedia with the eight pages as they were then, or as they are now."""
    return Wiki(bundled().edited({t.extra["pages"][0]: t.extra[when]["text"] for t in dated()}))


def pages(task: Task) -> display.Page:
    """The old page beside the new one."""
    title, editions = task.extra["pages"][0], [task.extra[when] for when in KEYS]
    heads = [f"{when}, {task.extra[when]['year']}" for when in KEYS]
    texts = [f"{title}\n{each['text']}" for each in editions]
    return table_of([heads, texts])


def runs(when: When) -> store.Runs:
    """The recorded runs: four methods over the old pages; over the new ones those that look."""
    return store.open(data.folder("runs", "dated", f"{when}.jsonl"))


def answers(old: Iterable[Trajectory], new: Iterable[Trajectory]) -> pd.DataFrame:
    """Per question the label, and what each method answered: `old → new`, of label and pages."""
    import pandas as pd

    rows = {t.id: {LABEL: [t.gold, t.extra["now"]]} for t in dated()}
    texts = {task.id: task.text for task in dated()}
    for name, run in by_sight(old, new):
        rows[run.task.id].setdefault(name.partition(",")[0], []).append(run.answer or "–")
    table = pd.DataFrame(rows.values(), index=[texts[id] for id in rows])
    return table.map(lambda said: " → ".join(said) if isinstance(said, list) else "–")


def by_sight(
    old: Iterable[Trajectory], new: Iterable[Trajectory]
) -> Iterator[tuple[str, Trajectory]]:
    """Each run, and the words for its method and the pages that it could look into, if any."""
    for when, found in (("old", old), ("new", new)):
        for run in found:
            looks = "observation" in parts_of(run.method)
            yield (f"{run.method}, {when} pages" if looks else run.method), run


def scored(old: Iterable[Trajectory], new: Iterable[Trajectory]) -> pd.DataFrame:
    """How many are right by the old label, by the new one, and by that of the page's own time:
    the last only where a page was there to look into.
    """
    import pandas as pd

    counts: dict[str, dict[str, int]] = {}
    for name, run in by_sight(old, new):
        now = replace(run.task, gold=str(run.task.extra["now"]))
        by = {KEYS["old"]: run.task, KEYS["new"]: now}
        right = {label: score.reward(task, run.answer) == 1.0 for label, task in by.items()}
        for when, label in KEYS.items():
            if name.endswith(f"{when} pages"):
                right[OF_THE_PAGE] = right[label]
        row = counts.setdefault(name, {"questions": 0})
        for column, one in {"questions": True, **right}.items():
            row[column] = row.get(column, 0) + one
    columns = ["questions", *KEYS.values(), OF_THE_PAGE]
    rows = {name: [row.get(column, "–") for column in columns] for name, row in counts.items()}
    return pd.DataFrame(rows, index=columns).T
