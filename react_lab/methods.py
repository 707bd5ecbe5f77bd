"""Every method of Table 1: a generator that yields Events and returns the Trajectory.

A combination is two methods, one after the other (section 3.2), when the first gives up.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from .agent import Growing, Kit, Meter, Run, accept, mark_cut, play, settle
from .types import Ask, Event, Halt, Reply, Seen, Step, Task, Trajectory, normalise, split_act

__all__ = ["METHODS", "Method", "legs_of", "majority"]

Method = Callable[[Task, Kit], Run]

# The ends after which ReAct hands over to CoT-SC. A fault of the network, a spent budget or a
# stop button says nothing about what the model knows, so none of those is here.
GAVE_UP = ("step_limit", "repeated", "unreadable", "refused", "context_limit")


def standard(task: Task, kit: Kit) -> Run:
    """Question, answer."""
    return (yield from play("standard", task, kit))


def cot(task: Task, kit: Kit) -> Run:
    """Chain-of-Thought (Wei et al.): reason, do not act."""
    return (yield from play("cot", task, kit))


def act(task: Task, kit: Kit) -> Run:
    """Act, do not reason."""
    return (yield from play("act", task, kit))


def react(task: Task, kit: Kit) -> Run:
    """Reason and act."""
    return (yield from play("react", task, kit))


def cot_sc(task: Task, kit: Kit) -> Run:
    """Self-consistency (Wang et al.): many chains of thought, and the majority's answer."""
    meter = Meter(kit.model)
    return (yield from settle(vote(task, kit, meter), meter))


def react_then_cot_sc(task: Task, kit: Kit) -> Run:
    """ReAct; if it gives no answer, CoT-SC."""
    name = "react->cot-sc"
    first = yield from react(task, kit)
    if not gave_up(first):
        return combine(name, task, kit, "react", first)
    second = yield from cot_sc(task, kit)
    return combine(name, task, kit, "cot-sc", first, replace(second, steps=first.steps))


def cot_sc_then_react(task: Task, kit: Kit) -> Run:
    """CoT-SC; if fewer than half of the samples agree, ReAct."""
    name = "cot-sc->react"
    first = yield from cot_sc(task, kit)
    winner, count, _ = majority(first.votes)
    sure = winner is not None and not count < kit.n / 2  # exactly half is not fewer
    if sure or first.end not in (*GAVE_UP, "finished"):
        return combine(name, task, kit, "cot-sc", first)
    second = yield from react(task, kit)
    second = replace(second, votes=first.votes, samples=first.samples)
    return combine(name, task, kit, "react", first, second)


METHODS: Mapping[str, Method] = {
    "standard": standard,
    "cot": cot,
    "cot-sc": cot_sc,
    "act": act,
    "react": react,
    "react->cot-sc": react_then_cot_sc,
    "cot-sc->react": cot_sc_then_react,
}


def legs_of(method: str) -> list[str]:
    """The prompts that a method asks with: `cot-sc->react` asks as cot and as react."""
    return [part.removesuffix("-sc") for part in method.split("->")]


def gave_up(run: Trajectory) -> bool:
    return run.end in GAVE_UP or (run.end == "finished" and not (run.answer or "").strip())


def majority(votes: Sequence[str | None]) -> tuple[int | None, int, bool]:
    """Which sample speaks for the majority, how many agree with it, and whether there was a tie.

    Answers count as the same when they are equal as HotpotQA compares them. Empty answers do not
    vote; one that is nothing but an article ("A") stays as it is.
    Of tied answers the one sampled first wins. With no answer at all there is no winner.
    """
    same = [normalise(vote) or vote.strip().lower() if vote else "" for vote in votes]
    counts = Counter(answer for answer in same if answer)
    if not counts:
        return None, 0, False
    (answer, count), *others = counts.most_common()  # equal counts stay in the order of sampling
    return same.index(answer), count, bool(others) and others[0][1] == count


def vote(task: Task, kit: Kit, meter: Meter) -> Growing:
    """Ask for n samples and let their answers vote; every text and every vote is kept."""
    run, prompt = kit.start(task, "cot-sc", ["cot"]), kit.prompts("cot")
    yield None, run
    page, asked = prompt.layout, prompt.head + kit.world(task).reset(task) + "\n"
    samples = tuple(range(kit.n))
    ask = Ask(asked + page.cue(1), page.stop(1), kit.temperature, samples, leg="cot", seed=kit.seed)
    try:
        replies = meter.complete(ask)
    except Halt as halt:  # the samples that came before the fault were paid for: keep them
        yield None, replace(run, samples=tuple(reply.text for reply in halt.paid))
        raise
    steps = [mark_cut(page.read(reply.text, 1), reply) for reply in replies]
    for k, step in enumerate(steps, 1):
        answer = answer_of(step)
        run = replace(run, votes=(*run.votes, answer), samples=(*run.samples, replies[k - 1].text))
        yield Event("cot", k, step, Seen("", done=True, answer=answer)), run
    yield None, elect(run, steps, replies, kit)


def elect(run: Trajectory, steps: list[Step], replies: Sequence[Reply], kit: Kit) -> Trajectory:
    """The majority's answer, and the settings that make it the paper's, or do not."""
    used = [reply.settings.get("temperature") for reply in replies]
    sampling = {
        "temperature_used": used[0] if used and len(set(used)) == 1 else used or None,
        "paper_setting": kit.n == 21 and set(used) == {0.7},
    }
    run = replace(run, settings={**run.settings, **sampling})
    winner, _, tied = majority(run.votes)
    if winner is None:
        for reply in replies:
            accept(reply)  # all declined: the end is `refused`
        return replace(run, end="unreadable")
    flags = (*run.flags, "tie") if tied else run.flags
    return replace(
        run, steps=(steps[winner],), answer=run.votes[winner], end="finished", flags=flags
    )


def answer_of(step: Step) -> str | None:
    act = split_act(step.action or "")
    return act[1].strip() or None if act else None


def combine(
    name: str,
    task: Task,
    kit: Kit,
    branch: str,
    first: Trajectory,
    second: Trajectory | None = None,
) -> Trajectory:
    """One trajectory of both parts: the last part's answer, the cost of both."""
    start, last = kit.start(task, name, legs_of(name)), second or first
    run = replace(
        last,
        id=start.id,
        method=name,
        branch=branch,
        settings={**start.settings, **first.settings, **last.settings, **asked_of(start)},
    )
    if second is None:
        return run
    return replace(
        run,
        flags=tuple(dict.fromkeys((*first.flags, *second.flags))),
        calls=first.calls + second.calls,
        tokens_in=plus(first.tokens_in, second.tokens_in),
        tokens_out=plus(first.tokens_out, second.tokens_out),
        seconds=round(first.seconds + second.seconds, 3),
    )


def asked_of(start: Trajectory) -> dict[str, Any]:
    """What both parts were asked with: the prompts and identities of all legs."""
    return {key: start.settings[key] for key in ("identity", "prompt", "bare")}


def plus(a: int | None, b: int | None) -> int | None:
    return None if a is None or b is None else a + b
