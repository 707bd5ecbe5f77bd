"""Every method, of Table 1 and after: a generator that yields Events and returns the Trajectory.

A combination is two methods, one after the other (section 3.2), when the first gives up.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from .agent import Events, Kit, Meter, episode, play, tokens_of
from .kinds import kind_of
from .prompts import KEEP, TWINS
from .transcript import TextTranscript, accept
from .types import Event, Reply, Seen, Task, Trajectory, normalise, split_act

Play = Callable[[Task, Kit], Events]  # also what a method of your own is

# The ends after which ReAct hands over to CoT-SC. A fault of the network, a spent budget or a
# stop button says nothing about what the model knows, so none of those is here.
GAVE_UP = ("step_limit", "repeated", "unreadable", "refused", "context_limit")


@dataclass(frozen=True)
class Method:
    """A method: how it runs, which prompts ask, and how it is named and drawn everywhere."""

    play: Play
    legs: tuple[str, ...]
    title: str  # in tables
    colour: str  # of Okabe and Ito's
    mark: str
    line: str

    def __call__(self, task: Task, kit: Kit) -> Events:
        return self.play(task, kit)


def alone(leg: str, *looks: str) -> Method:
    """The method of one prompt: the loop, asked by it alone."""
    return Method(partial(play, leg), (leg,), *looks)


def cot_sc(task: Task, kit: Kit) -> Events:
    """Self-consistency (Wang et al.): many chains of thought, and the majority's answer."""
    run, meter, replies = kit.start(task, "cot-sc", ["cot"]), Meter(kit.model), dict[int, Reply]()
    voted = votes(task, kit, meter, replies)
    run = yield from episode(run, voted, meter, with_vote, lambda run: elect(run, replies, kit))
    return replace(run, samples=tuple(replies[k].text for k in sorted(replies)))


def react_then_cot_sc(task: Task, kit: Kit) -> Events:
    """ReAct; if it gives no answer, CoT-SC."""
    start = kit.start(task, "react->cot-sc", ["react", "cot"])
    first = yield from play("react", task, kit)
    if not gave_up(first.end, first.answer):
        return combine(start, "react", first)
    second = yield from cot_sc(task, kit)
    return combine(start, "cot-sc", first, replace(second, steps=first.steps))


def cot_sc_then_react(task: Task, kit: Kit) -> Events:
    """CoT-SC; if fewer than half of the samples agree, ReAct."""
    start = kit.start(task, "cot-sc->react", ["cot", "react"])
    first = yield from cot_sc(task, kit)
    _, count, _ = majority_of(first.votes, first.task.kind)
    if stays(first.end, count >= kit.options.n / 2 and count > 0):  # exactly half is not fewer
        return combine(start, "cot-sc", first)
    second = yield from play("react", task, kit)
    second = replace(second, votes=first.votes, samples=first.samples)
    return combine(start, "react", first, second)


METHODS: dict[str, Method] = {
    "standard": alone("standard", "Standard", "#777777", "s", ":"),  # question, answer
    "cot": alone("cot", "CoT", "#56B4E9", "^", ":"),  # reason, do not act (Wei et al.)
    "cot-sc": Method(cot_sc, ("cot",), "CoT-SC", "#7A59FF", "o", "-"),
    "act": alone("act", "Act", "#E69F00", "v", "--"),  # act, do not reason
    "react": alone("react", "ReAct", "#D55E00", "D", "--"),  # reason and act
    # act, with the feedback of Inner Monologue (Huang et al.) in place of thoughts
    "react-im": alone("react-im", "ReAct-IM", "#CC79A7", "h", "--"),
    "react->cot-sc": Method(
        react_then_cot_sc, ("react", "cot"), "ReAct → CoT-SC", "#009E73", "P", "-"
    ),
    "cot-sc->react": Method(
        cot_sc_then_react, ("cot", "react"), "CoT-SC → ReAct", "#B0528E", "X", "-"
    ),
    # after the paper: a chat, zero-shot, whose acts are texts, or calls of tools
    "react-chat": alone("react-chat", "ReAct, chat", "#8C4A00", "<", "-."),
    "react-tools": alone("react-tools", "ReAct, tools", "#5B3A8C", ">", "-."),
    "act-tools": alone("act-tools", "Act, tools", "#8A7A00", "8", "-."),
}


def method_named(method: str | Play) -> Play:
    """A method of the table by its name; one of your own as it is."""
    if callable(method):
        return next((ours for ours in METHODS.values() if ours.play is method), method)
    if method not in METHODS:
        raise ValueError(f"no method {method!r}; there are: {', '.join(METHODS)}")
    return METHODS[method]


def name_of(method: str | Play) -> str:
    """A method's name; of one of your own, that of its function."""
    if isinstance(method, str):
        return method
    ours = (name for name, known in METHODS.items() if method in (known, known.play))
    if name := next(ours, None) or getattr(method, "__name__", ""):
        if name not in METHODS or method_named(method) is METHODS[name]:
            return str(name)
        raise ValueError(f"a method of your own cannot be called {name}: give its function a name")
    raise ValueError("a method of your own needs a name: make it with def")


def legs_of(method: str, legs: Sequence[str] = tuple(KEEP)) -> tuple[str, ...]:
    """The prompts that a method asks with: `cot-sc->react` as cot and as react, your own as any."""
    known = METHODS.get(method)
    return known.legs if known else tuple(leg for leg in (*KEEP, *TWINS) if leg in legs)


def leg_of(run: Trajectory) -> str:
    """What wrote this run's steps: its method, or of a combination the leg whose steps it shows."""
    first, arrow, _ = run.method.partition("->")
    wrote = first if first in KEEP or not (arrow and run.branch) else run.branch
    return wrote.removesuffix("-sc")


def gave_up(end: str, answer: str | None) -> bool:
    """Does ReAct hand over to CoT-SC after a run that ended so?"""
    return end in GAVE_UP or (end == "finished" and not (answer or "").strip())


def stays(end: str, sure: bool) -> bool:
    """Does CoT-SC keep its answer, and not ask ReAct? After a fault nothing more is asked."""
    return sure or end not in (*GAVE_UP, "finished")


def majority(
    votes: Sequence[str | None], normalise: Callable[[str], str] = normalise
) -> tuple[int | None, int, bool]:
    """Which sample speaks for the majority, how many agree with it, and whether there was a tie.

    Answers count as the same when they are equal as HotpotQA compares them, or as `normalise` of
    another language makes them. Empty answers do not vote; one that is nothing but an article ("A")
    stays as it is. Of tied answers the one sampled first wins. With no answer at all there is no
    winner.
    """
    same = [normalise(vote) or vote.strip().lower() if vote else "" for vote in votes]
    counts = Counter(answer for answer in same if answer)
    if not counts:
        return None, 0, False
    (answer, count), *others = counts.most_common()  # equal counts stay in the order of sampling
    return same.index(answer), count, bool(others) and others[0][1] == count


def majority_of(votes: Sequence[str | None], kind: str) -> tuple[int | None, int, bool]:
    """The majority among votes on a kind of task, compared as its language compares answers."""
    return majority(votes, kind_of(kind).language.normalise)


def votes(task: Task, kit: Kit, meter: Meter, replies: dict[int, Reply]) -> Iterator[Event]:
    """Ask until `replies` has n samples; then one Event per vote."""
    transcript = TextTranscript(kit.prompts("cot"), kit.context)
    transcript.begin(kit.world(task).reset(task))
    ask = replace(transcript.ask(1), temperature=kit.options.temperature, seed=kit.options.seed)
    while missing := tuple(k for k in range(kit.options.n) if k not in replies):
        replies.update(meter.complete(replace(ask, samples=missing)))
    for k in range(kit.options.n):
        step = transcript.read(replies[k], 1)
        act = split_act(step.action or "")
        answer = (act and act[1].strip()) or None
        yield Event("cot", k + 1, step, Seen("", done=True, answer=answer))


def with_vote(run: Trajectory, event: Event) -> Trajectory:
    return replace(run, votes=(*run.votes, event.seen.answer))


def elect(run: Trajectory, replies: Mapping[int, Reply], kit: Kit) -> Trajectory:
    """The majority's answer, and the settings that make it the paper's, or do not."""
    used = [reply.settings.get("temperature") for reply in replies.values()]
    sampling = {
        "temperature_used": used[0] if used and len(set(used)) == 1 else used or None,
        "paper_setting": kit.options.n == 21 and set(used) == {0.7},
    }
    run = replace(run, settings={**run.settings, **sampling})
    winner, _, tied = majority_of(run.votes, run.task.kind)
    if winner is None:
        for reply in replies.values():
            accept(reply)  # one that declined makes the end `refused`
        return replace(run, end="unreadable")
    step = TextTranscript(kit.prompts("cot")).read(replies[winner], 1)
    flags = (*run.flags, "tie") if tied else run.flags
    return replace(run, steps=(step,), answer=run.votes[winner], end="finished", flags=flags)


def combine(
    start: Trajectory, branch: str, first: Trajectory, second: Trajectory | None = None
) -> Trajectory:
    """One trajectory of both parts: the last part's answer, the cost of both."""
    last = second or first
    asked = {key: start.settings[key] for key in ("identity", "prompt", "bare")}  # of all legs
    settings = {**start.settings, **first.settings, **last.settings, **asked}
    run = replace(last, id=start.id, method=start.method, branch=branch, settings=settings)
    if second is None:
        return run
    counted = {"cut", "retries"} & (first.settings.keys() | second.settings.keys())
    sums = {key: first.settings.get(key, 0) + second.settings.get(key, 0) for key in counted}
    flags = tuple(dict.fromkeys((*first.flags, *second.flags)))
    run = replace(run, settings={**settings, **sums}, flags=flags)
    calls, seconds = first.calls + second.calls, round(first.seconds + second.seconds, 3)
    return replace(run, calls=calls, seconds=seconds, **tokens_of((first, second)))
