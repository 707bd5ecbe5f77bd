"""Many tasks by many methods: survives a kill, goes on where it was, asks as fast as it may.

    plan -> what is done already -> the rest, some at a time -> on the disk -> counted

Two files: the runs, and beside them a journal of the calls of episodes that have not ended.
"""

from __future__ import annotations

import threading
import warnings
from collections.abc import Iterable, Mapping
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import ExitStack
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .. import data, store
from ..index import FAULTS, heads
from ..lab import OnError
from ..store import Runs
from ..types import Model, Task
from .crew import Crew
from .gate import Gate
from .hands import Elsewhere, Here
from .journal import Journal
from .pace import Pace
from .plan import Episode, Methods, planned
from .progress import Bar, Tally
from .spending import Prices, Spending
from .writer import Writer

if TYPE_CHECKING:
    from filelock import FileLock

__all__ = ["evaluate"]

MOST, FIRST = 64, 8  # calls at a time when nobody says how many: at most, and to begin with


def evaluate(
    tasks: Task | Iterable[Task],
    methods: Methods,
    model: Model,
    path: str | PathLike[str],
    world: Any = None,
    repeats: int = 1,
    workers: int | None = None,
    executor: Executor | None = None,
    budget: Mapping[str, float] | None = None,
    on_error: OnError = "record",
    *,
    prices: Prices | None = None,
    progress: bool = True,
    **options: Any,
) -> Runs:
    """Run every method on every task, and store the trajectories; options as for `run`.

    The same call again goes on where it was stopped or killed and asks for nothing twice. workers:
    at most so many calls at a time. executor: any `concurrent.futures.Executor`. budget: the most
    that this call may spend, {"calls": 1000}, or "tokens", "cost", "seconds". prices: of a million
    tokens, read and written: {"gpt-4o-mini": (0.15, 0.6)}.
    """
    options |= {"world": world}
    plan = planned(tasks, methods, model, repeats, **options)
    spending = Spending(budget or {}, (prices or {}).get(model.name))
    pace, path = Pace(*places(workers, model)), data.resolve(path)
    with ExitStack() as closing:  # what is to be done at the end, the last thing first
        closing.callback(alone(path).release)
        tally = survey(path, plan)
        journal = Journal(path.with_name(f"{path.name}.calls"))
        paid = journal.begin(tally.done)
        closing.callback(journal.end, tally.done)
        pool = closing.enter_context(ThreadPoolExecutor(pace.most, "react_lab"))
        gate = Gate(pace, spending, journal)
        hands = Elsewhere(executor, gate, model, options) if executor else Here(gate)
        writer = closing.enter_context(Writer(path, tally.add))
        crew = Crew(pool, hands, pace, paid, writer, on_error, tally.left(plan))
        work(crew, Bar(tally, spending, len(plan), progress), closing)
    return stored(path, plan, crew.spent)


def work(crew: Crew, bar: Bar, closing: ExitStack) -> None:
    """Do what is not done. When stopped, by Ctrl-C or a fault, what is under way ends behind our
    back, and is kept."""
    closing.callback(crew.drain)
    try:
        with bar:
            crew.work(bar)
    except BaseException:
        crew.stop()
        threading.Thread(target=closing.pop_all().close).start()
        raise


def places(workers: int | None, model: Model) -> tuple[int, int]:
    """How many calls at a time: at most, and to begin with. A model may say what it can bear."""
    bears: int | None = getattr(model, "workers", None)
    if workers is not None and workers < 1:
        raise ValueError(f"workers={workers}: at least one, or None to find out how many")
    most = workers or bears or MOST
    return most, most if workers else min(most, FIRST)


def alone(path: Path) -> FileLock:
    """The lock of the file of runs; while another evaluation holds it we say so, and wait."""
    from filelock import Timeout

    lock = store.lock(path)
    path.touch()  # a folder that cannot be written to is an error here, and nothing to wait for
    try:
        lock.acquire(timeout=0)
    except Timeout:
        warnings.warn(f"{path} is in use by another evaluation: waiting for its end", stacklevel=3)
        lock.acquire()
    return lock


def survey(path: Path, plan: Mapping[str, Episode]) -> Tally:
    """What is in the file already; what does not count is counted, and said."""
    tally, asked = Tally(), {(episode.task.id, episode.name) for episode in plan.values()}
    others = unreadable = 0
    store.mend(path)
    for _, run in store.open(path).survey():
        if run is None:
            unreadable += 1
        elif run.id not in plan:
            others += (run.task.id, run.method) in asked
        elif run.end not in FAULTS:
            tally.add(run)
    if others:
        warnings.warn(
            f"{others} runs in {path} were made under other settings: they are passed over",
            stacklevel=3,
        )
    if unreadable:
        warnings.warn(f"{unreadable} lines of {path} are no runs that can be read", stacklevel=3)
    return tally


def stored(path: Path, plan: Mapping[str, Episode], spent: str) -> Runs:
    """The runs of the plan, in its order, whatever the order in which they ended."""
    starts = {head.id: head.start for head in heads(path, path.stat().st_size)}
    runs = Runs(path, [starts[id] for id in plan if id in starts])
    if spent:
        warnings.warn(f"{spent} ({len(runs)} of {len(plan)} runs are stored)", stacklevel=3)
    return runs
