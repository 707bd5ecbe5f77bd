"""Many tasks by many methods: survives a kill, goes on where it was, asks as fast as it may.

    plan -> what is done already -> the rest, some at a time -> on the disk -> counted

Two files: the runs, and beside them a log of the replies to episodes that have not ended.
"""

from __future__ import annotations

import os
import threading
import warnings
from collections import deque
from collections.abc import Iterable, Mapping
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import ExitStack, closing
from os import PathLike
from pathlib import Path
from typing import Any

from .. import data, store
from ..running import OnError, check_on_error, with_options
from ..store import Runs
from ..store.runs import heads
from ..support import Stopped
from ..support.files import lock, mend
from ..support.text import check_number
from ..types import FAULTS, Model, Task, World, whole_model
from .files import ReplyLog, Writer
from .limits import Budget, Prices, Throttle
from .runners import Bar, Elsewhere, Episode, Methods, Shared, Tally, Workers, plan_of, sending

__all__ = ["evaluate"]

WAIT = (
    "{} is in use by another evaluation: waiting for its end, or for the last calls of one that "
    "was stopped"
)
GUESSED = (
    "the server does not say how many tokens it takes: for the budget they were counted by "
    "characters, about"
)
MOST, FIRST = 64, 8  # calls at a time when nobody says how many: at most, and to begin with


@with_options
def evaluate(
    methods: Methods, tasks: Task | Iterable[Task], model: Model, path: str | PathLike[str], *,
    world: World | None = None, repeats: int = 1,
    workers: int | None = None, executor: Executor | None = None,
    budget: Mapping[str, float] | None = None, on_error: OnError = "record",
    prices: Prices | None = None, progress: bool = True, trace: bool = False, **options: Any,
) -> Runs:  # fmt: skip
    """Run every method on every task, and store the trajectories in the file `path`.

    The same call again goes on where it was stopped or killed, asks for nothing twice, and tries
    again what a fault ended. Beside it, PATH.calls keeps the replies of runs under way.

    methods: names in `METHODS`, or functions (task, kit) -> Events of your own. world: a maker of
    Envs; None is the bundled one of the tasks' kind. repeats: how often each. workers: at most so
    many calls at a time; None finds out how many. executor: a `concurrent.futures.Executor` whose
    workers run the episodes, 8 at a time unless told. budget: the most that this call may spend,
    {"calls": 1000}, or "tokens", "cost", "seconds". on_error: "record" a fault (no server, no
    network) as the end of its run, or "raise" it. prices: of a million tokens, read and written:
    {"gpt-4o-mini": (0.15, 0.6)}. progress: show a bar. trace: send each episode as OpenTelemetry
    spans to where the variable OTEL_EXPORTER_OTLP_ENDPOINT says (extra [trace]).
    """
    options |= {"world": world}
    model = whole_model(model)
    if not isinstance(prices or {}, Mapping):
        raise TypeError(f'prices are told by model, {{"m": (0.15, 0.6)}}, not {prices!r}')
    check_on_error(on_error)
    check_number("repeats", repeats, 1, 1)
    if not (executor is None or hasattr(executor, "submit")):
        raise TypeError(f"executor takes a concurrent.futures.Executor, not {executor!r}")
    path = data.resolve(path)
    try:
        plan = plan_of(methods, tasks, model, repeats, options)
        shared = Shared(
            Throttle(*places(FIRST if executor and workers is None else workers, model)),
            Budget(budget or {}, (prices or {}).get(model.name)),
            ReplyLog(Path(os.path.realpath(path))),
            trace,
        )
        elsewhere = Elsewhere(shared, executor, model, options) if executor else None
        with sending(trace):
            return complete(path, plan, shared, elsewhere, on_error, progress)
    except KeyboardInterrupt:
        kept = f"Stopped by hand. {path.name} keeps what was finished: the same call goes on."
        raise Stopped(kept) from None


def complete(
    path: Path, plan: Mapping[str, Episode], shared: Shared, elsewhere: Elsewhere | None,
    on_error: OnError, progress: bool,
) -> Runs:  # fmt: skip
    with ExitStack() as stack:  # what is to be done at the end, the last thing first
        stack.enter_context(lock(path, lambda: warnings.warn(WAIT.format(path), stacklevel=8)))
        tally = survey(path, plan)
        paid = shared.log.begin(tally.done)
        stack.callback(shared.log.end, tally.done)
        writer = Writer(path, tally.ended)
        stack.callback(writer.finish)  # when what is under way has ended, and the pool with it
        pool = stack.enter_context(ThreadPoolExecutor(shared.throttle.most, "react_lab"))
        todo = deque(episode for id, episode in plan.items() if id not in tally.done)
        workers = Workers(pool, shared, elsewhere, paid, writer, on_error, todo)
        stack.callback(workers.join)
        try:
            with closing(Bar(tally, shared.budget, len(plan), progress)) as bar:
                workers.run(bar)
        except BaseException:  # Ctrl-C, a fault: what is under way ends behind our back
            shared.throttle.stop()
            if elsewhere:
                elsewhere.stop()
            threading.Thread(target=stack.pop_all().close).start()
            raise
    starts = {id: start for start, id, _ in heads(path, path.stat().st_size)}
    runs = Runs(path, [starts[id] for id in plan if id in starts])  # in the order of the plan
    spent = workers.spent and f"{workers.spent} ({len(runs)} of {len(plan)} runs are stored)"
    guessed = GUESSED if shared.budget.guessed else ""
    for trouble in filter(None, (spent, guessed, tally.common_fault())):
        warnings.warn(trouble, stacklevel=3)
    return runs


def places(workers: int | None, model: Model) -> tuple[int, int]:
    """How many calls at a time: at most, and to begin with. A model may say what it can bear."""
    bears = check_number("model.workers", getattr(model, "workers", None), 1, None)
    most = check_number("workers", workers, 1, None) or bears or MOST
    return most, most if workers else min(most, FIRST)


def survey(path: Path, plan: Mapping[str, Episode]) -> Tally:
    """What is in the file already; what does not count is counted, in a warning."""
    tally, asked = Tally(), {(episode.task.id, episode.name) for episode in plan.values()}
    others = unreadable = 0
    if torn := mend(path, store.RUNS):
        warnings.warn(torn, stacklevel=4)
    for _, run in store.open(path).survey():
        if run is None:
            unreadable += 1
        elif run.id not in plan:
            others += (run.task.id, run.method) in asked
        elif run.end not in FAULTS:
            tally.count(run)
    if others:
        told = f"{others} runs in {path} were made under other settings: they are passed over"
        warnings.warn(told, stacklevel=4)
    if unreadable:
        warnings.warn(f"{unreadable} lines of {path} are no runs that can be read", stacklevel=4)
    return tally
