"""The episodes of an experiment, each with the id that its run will have: the key of resume."""

from __future__ import annotations

import sys
import time
from collections import Counter, deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any

from .. import running
from ..agent import Kit
from ..kinds import KINDS, Kind
from ..methods import Play, name_of
from ..score import correct
from ..support.terminal import line
from ..support.text import inline
from ..types import FAULTS, Model, Task, Trajectory
from .limits import Budget

Methods = str | Play | Sequence[str | Play]


@dataclass(frozen=True)
class Episode:
    """One task, one method, once."""

    id: str
    task: Task
    method: str | Play
    name: str  # of the method
    kit: Kit | None  # of all tasks of its kind and type; elsewhere it is made anew
    repeat: int
    kind: Kind | None = None  # its record: elsewhere KINDS may not have it


def plan_of(
    methods: Methods, tasks: Task | Iterable[Task], model: Model, repeats: int,
    options: Mapping[str, Any],
) -> dict[str, Episode]:  # fmt: skip
    """Every task by every method, by id. All methods of a task come before the next task.

    So what a spent budget leaves undone is missing for all methods alike.
    """
    methods, tasks = listed(methods), listed(tasks)
    if any(isinstance(method, Task) for method in methods):
        raise TypeError("methods come before tasks: evaluate(methods, tasks, model, path)")
    plan: dict[str, Episode] = {}
    kits: dict[Any, Kit] = {}
    for task, repeat, method in product(tasks, range(repeats), methods):
        running.check_task(task)
        alike = (task.kind, repr(task.extra.get("type")), repeat)  # such tasks share their prompts
        if alike not in kits:
            kits[alike] = running.kit_for(task, model, repeat=repeat, **options)
        id = running.id_of(method, task, kits[alike])
        if id in plan and plan[id].method is not method and callable(method):
            raise ValueError(f"two methods are called {name_of(method)}: give each its own name")
        kind = KINDS.get(task.kind)
        plan[id] = Episode(id, task, method, name_of(method), kits[alike], repeat, kind)
    return plan


def listed(given: Any) -> list[Any]:
    """One method or task, or several."""
    return [given] if isinstance(given, str | Task) or callable(given) else list(given)


# ------------------------------------------------------------------ progress


@dataclass
class Tally:
    """Episodes that are on the disk, those of earlier calls among them."""

    done: set[str] = field(default_factory=set)  # ids, without those that a fault ended
    correct: int = 0
    ends: Counter[str] = field(default_factory=Counter)  # of this call's runs
    errors: dict[str, str | None] = field(default_factory=dict)  # the first of each end

    def left(self, plan: Mapping[str, Episode]) -> deque[Episode]:
        return deque(plan[id] for id in plan if id not in self.done)

    def count(self, run: Trajectory) -> None:
        self.done.add(run.id)
        self.correct += correct(run) is True

    def ended(self, run: Trajectory) -> None:
        """A run of this call is on the disk."""
        self.ends[run.end] += 1
        self.errors.setdefault(run.end, run.error)
        if run.end not in FAULTS:
            self.count(run)

    @property
    def faults(self) -> int:
        return sum(self.ends[end] for end in FAULTS)

    def common_fault(self) -> str:
        """One sentence when most runs of this call ended in the same fault, else ""."""
        end, total = max(FAULTS, key=self.ends.__getitem__), self.ends.total()
        if self.ends[end] <= total / 2:
            return ""
        first = inline(self.errors[end])
        return (
            f"{self.ends[end]} of {total} runs ended in {end!r} (the first: {first}): "
            "mend that and run the same call again, which tries those runs again"
        )


class Bar:
    """A line in a terminal or a widget in a notebook; nothing where nobody looks on."""

    def __init__(self, tally: Tally, budget: Budget, total: int, shown: bool):
        self.tally, self.budget, self.at = tally, budget, 0.0
        before, hidden = len(tally.done), not shown or getattr(sys.stderr, "closed", True)
        self.bar = line()(total=total, initial=before, unit="run", disable=hidden or None)

    def show(self, every: float = 0.2) -> None:
        now = time.monotonic()
        if not self.bar.disable and now - self.at >= every:
            self.at, self.bar.n = now, len(self.tally.done) + self.tally.faults
            self.bar.set_postfix_str(words(self.tally, self.budget))

    def close(self) -> None:
        self.show(every=0)
        self.bar.close()


def words(tally: Tally, budget: Budget) -> str:
    """The figures beside the bar; what is not known is called unknown.

    >>> words(Tally({"a"}, 1, Counter(error=1)), Budget({}))
    'correct 1, errors 1, tokens 0, cost unknown, 0.0 calls/s'
    """
    tokens = "unknown" if budget.tokens is None else f"{budget.tokens:,}"
    cost = "unknown" if budget.cost is None else f"{budget.cost:,.4f}"
    rate = budget.calls / max(budget.seconds, 0.01)
    found = f"correct {tally.correct}, errors {tally.faults}"
    return f"{found}, tokens {tokens}, cost {cost}, {rate:.1f} calls/s"
