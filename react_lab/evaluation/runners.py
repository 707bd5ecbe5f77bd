"""The episodes of an experiment, who runs them (a thread of ours or any executor's worker), what
limits their calls, and how far they are.
"""

from __future__ import annotations

import functools
import hashlib
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Any

from .. import running
from ..agent import Kit
from ..kinds import KINDS, Kind
from ..methods import Play, name_of
from ..records import RUN, replies_to
from ..running import OnError
from ..score import correct
from ..support.terminal import line
from ..support.text import described, inline
from ..types import FAULTS, Ask, Halt, Model, Reply, Task, Trajectory, Wrapped
from .files import Paid, ReplyLog, Writer
from .limits import Budget, Spent, Throttle

OnText = Callable[[str], None]
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
        id = running.start_of(method, task, kits[alike]).id
        if id in plan and plan[id].method is not method and callable(method):
            raise ValueError(f"two methods are called {name_of(method)}: give each its own name")
        kind = KINDS.get(task.kind)
        plan[id] = Episode(id, task, method, name_of(method), kits[alike], repeat, kind)
    return plan


def listed(given: Any) -> list[Any]:
    return [given] if isinstance(given, str | Task) or callable(given) else list(given)


# ------------------------------------------------------------------ one episode


@dataclass(frozen=True)
class Shared:
    """What every call of an evaluation passes: throttle and budget; and the log of its replies."""

    throttle: Throttle
    budget: Budget
    log: ReplyLog
    trace: bool = False  # is each episode sent as spans?


class LimitedModel(Wrapped):
    """A model, as one episode sees it: what this episode has paid for is not asked again."""

    def __init__(self, model: Model, shared: Shared, run: str, paid: Paid):
        super().__init__(model)
        self.shared, self.run, self.paid = shared, run, paid
        self.fresh: Paid = {}
        self.times = Counter[str]()  # how often asked: a method of your own may ask the same again

    def complete(self, ask: Ask, on_text: OnText | None = None) -> Mapping[int, Reply]:
        """Replies by sample: those paid for before a kill, else those of one request."""
        asks = {sample: log_key(ask, sample) for sample in ask.samples}
        keys = {sample: f"{key}.{self.times[key]}" for sample, key in asks.items()}
        paid = {i: self.paid[key] for i, key in keys.items() if key in self.paid}
        replies = paid or self.request(ask, keys, on_text)
        self.times.update(asks[sample] for sample in replies)
        return replies

    def request(
        self, ask: Ask, keys: Mapping[int, str], on_text: OnText | None
    ) -> Mapping[int, Reply]:
        """Ask for these samples, or for as many as the budget has left."""
        throttle, budget = self.shared.throttle, self.shared.budget
        with throttle.slot() as slot, budget.share(ask) as n:
            throttle.check()  # it may have been stopped while we waited for a share
            pause = functools.partial(throttle.wait, slot)
            try:
                request = replace(ask, samples=ask.samples[:n], on_wait=pause)
                replies = replies_to(request, self.model.complete(request, on_text))
            except Halt as halt:
                if halt.paid:
                    self.fresh[f"{keys[ask.samples[0]]}, unusable"] = halt.paid
                    budget.add(halt.paid, ask)
                raise
            for sample, reply in replies.items():
                if not reply.settings.get("replayed"):  # that a cache has is kept, and was free
                    budget.add(reply, ask)
                    self.fresh[keys[sample]] = reply
                    self.shared.log.keep(self.run, keys[sample], reply)
        return replies


def log_key(ask: Ask, sample: int) -> str:
    """An ask and a sample's index, in a reply log: the run's id covers model and exemplars."""
    text = f"{ask.prompt}\n{replace(ask, prompt='', samples=(sample,))}"  # a cache's key is slower
    return hashlib.sha256(text.encode("utf-8", "backslashreplace")).hexdigest()[:16]


def sending(trace: bool) -> AbstractContextManager[None]:
    """With `trace`, spans are sent meanwhile; it needs the extra [trace]."""
    if not trace:
        return nullcontext()
    from .trace import sending

    return sending()


def play(episode: Episode, paid: Paid, shared: Shared) -> tuple[Trajectory, Paid]:
    """A run, and the replies it asked for.

    Of a run that could not be read again, what is known without it and why: no other ends.
    """
    kit = episode.kit
    assert kit
    if shared.trace:
        from .trace import traced

        with traced(episode.name, episode.task, kit) as (kit, close):
            bare = replace(shared, trace=False)
            run, fresh = play(replace(episode, kit=kit), paid, bare)
            close(run)
        return run, fresh
    model = LimitedModel(kit.model, shared, episode.id, paid)
    events = running.play(episode.method, episode.task, replace(kit, model=model))
    run = replace(running.drain(events, "record"), id=episode.id)
    try:
        RUN.write(run)
    except ValueError as error:
        said, task = described(error), replace(episode.task, extra={})
        settings = {**kit.options.settings, "repeat": episode.repeat}
        known = (episode.id, task, episode.name, kit.model.name, settings)
        run = Trajectory(*known, end="error", error=f"this run could not be kept: {said}")
    return run, model.fresh


@dataclass
class Elsewhere:
    """Runs episodes in other processes, perhaps on other machines, each with a budget of its own.

    What they are sent pickles as settings. An episode gets a share of the budget, so small that all
    of them together stay inside it, to a call each, and asks for another when that is spent.
    """

    shared: Shared
    pool: Executor
    model: Model
    options: Mapping[str, Any]
    lent: dict[str, dict[str, float]] = field(default_factory=dict)
    futures: dict[str, Future[tuple[Trajectory, Paid, Spent]]] = field(default_factory=dict)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def play(self, episode: Episode, paid: Paid) -> Trajectory:
        budget, log, trace = self.shared.budget, self.shared.log, self.shared.trace
        bare, told = replace(episode, kit=None), (budget.limits, budget.price)
        with self.lock:
            share = self.lent[episode.id] = self.share()
            future = self.futures[episode.id] = self.pool.submit(
                play_there, bare, paid, self.model, self.options, told, share, log, trace
            )
        run, fresh, spent = future.result()
        with self.lock:
            del self.lent[episode.id], self.futures[episode.id]
            budget.take(spent)
        if run.end == "budget" and fresh and not self.shared.throttle.stopped.is_set():
            return self.play(episode, paid | fresh)
        return run

    def share(self) -> dict[str, float]:
        """A part of what is free; of calls whole ones, and one at least while there is one."""
        free, most = self.shared.budget.left, self.shared.throttle.most
        for what in free.keys() - {"seconds"}:
            free[what] -= sum(share[what] for share in self.lent.values())
            part = free[what] / most
            free[what] = max(part // 1, min(1, free[what] // 1)) if what == "calls" else part
        return {what: max(0, most) for what, most in free.items()}

    def stop(self) -> None:
        with self.lock:
            for future in self.futures.values():
                future.cancel()


def play_there(
    episode: Episode, paid: Paid, model: Model, options: Mapping[str, Any],
    told: tuple[Mapping[str, float], tuple[float, float] | None], share: dict[str, float],
    log: ReplyLog, trace: bool,
) -> tuple[Trajectory, Paid, Spent]:  # fmt: skip
    kit = running.kit_for(episode.task, model, repeat=episode.repeat, kind=episode.kind, **options)
    budget = Budget(*told)
    budget.limits = share
    with sending(trace):
        shared = Shared(Throttle(1), budget, log, trace)
        return *play(replace(episode, kit=kit), paid, shared), budget.spent


# ------------------------------------------------------------------ progress


@dataclass
class Tally:
    """Episodes that are on the disk, those of earlier calls among them."""

    done: set[str] = field(default_factory=set)  # ids, without those that a fault ended
    correct: int = 0
    ends: Counter[str] = field(default_factory=Counter)  # of this call's runs
    errors: dict[str, str | None] = field(default_factory=dict)  # the first of each end

    def count(self, run: Trajectory) -> None:
        self.done.add(run.id)
        self.correct += correct(run) is True

    def ended(self, run: Trajectory) -> None:
        self.ends[run.end] += 1
        self.errors.setdefault(run.end, run.error)
        if run.end not in FAULTS:
            self.count(run)

    @property
    def faults(self) -> int:
        return sum(self.ends[end] for end in FAULTS)

    def common_fault(self) -> str:
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
        shape = {"total": total, "initial": len(tally.done), "unit": "run"}
        self.bar = line()(disable=None if shown else True, **shape)

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


# ------------------------------------------------------------------ workers


@dataclass
class Workers:
    """Threads, each of which runs episode after episode and gives the runs to the writer."""

    pool: Executor  # of threads
    shared: Shared
    elsewhere: Elsewhere | None
    paid: dict[str, Paid]  # by earlier calls of `evaluate`, for episodes that have not ended
    writer: Writer
    on_error: OnError
    todo: deque[Episode]
    futures: set[Future[None]] = field(default_factory=set)  # one per worker
    threads: set[threading.Thread] = field(default_factory=set)  # of those at work
    working: int = 0
    spent: str = ""  # why the budget ended the work
    lock: threading.Lock = field(default_factory=threading.Lock)

    def run(self, bar: Bar) -> None:
        """Until every run is on the disk, or the budget is spent."""
        while self.todo or self.futures:
            self.add()
            ended, self.futures = wait(self.futures, 0.2, FIRST_COMPLETED)
            for future in ended:
                future.result()  # what our own code raised is raised
            self.writer.check()
            bar.show()
        self.writer.finish()
        self.writer.check()

    def add(self) -> None:
        with self.lock:
            more = min(len(self.todo), int(self.shared.throttle.limit) - self.working)
            self.working += max(0, more)
        self.futures |= {self.pool.submit(self.work) for _ in range(more)}

    def work(self) -> None:
        """A worker, in its thread: episode after episode, as a future for each would cost more."""
        self.threads.add(me := threading.current_thread())
        try:
            while episode := self.next():
                try:
                    paid, there = self.paid.get(episode.id, {}), self.elsewhere
                    run = (
                        there.play(episode, paid) if there else play(episode, paid, self.shared)[0]
                    )
                except Exception as error:
                    error.add_note(f"(in {inline(episode.name)} on task {inline(episode.task.id)})")
                    raise
                with self.lock:
                    self.settle(run)
        finally:
            self.threads.discard(me)

    def join(self) -> None:
        """Wait for who is at work: a pool does not know a thread that a stop met as it started."""
        while self.threads:
            time.sleep(0.05)

    def next(self) -> Episode | None:
        """What to run now; none when all is done, or the throttle has fallen."""
        with self.lock:
            throttle = self.shared.throttle
            room = self.working <= int(throttle.limit)
            if self.todo and room and not throttle.stopped.is_set():
                return self.todo.popleft()
            self.working -= 1
            return None

    def settle(self, run: Trajectory) -> None:
        """Store what has ended; a run that was stopped, or met the budget, goes on next time."""
        if run.end == "budget":
            self.spent = run.error or ""
            self.todo.clear()
        elif run.end in FAULTS and self.on_error == "raise":
            running.checked(run)
        elif run.end != "cancelled":
            self.writer.put(run)
