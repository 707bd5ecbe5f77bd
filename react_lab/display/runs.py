"""A run in named pieces: its head, its steps, its end. `blocks` draws them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, takewhile, zip_longest

from ..kinds import kind_of
from ..languages import say, word
from ..prompts import CHAT
from ..types import Part, Step, Trajectory, normalise
from .html import COLUMNS, MOST, Block, Page, beside, details, frame, html_of, note, text_of

PARTS: tuple[Part, ...] = ("thought", "action", "observation")


def show(run_or_runs: Trajectory | Iterable[Trajectory]) -> Page:
    """One run from top to bottom, or up to 12 side by side under the question they share.

    What all have in common (question, model, settings) stands once, above; then a column per run,
    aligned by step, or one run after the other where it is narrow. A run that was edited stands
    beside the run it was made of, if both are given, and its column begins where they part.
    """
    several = (run_or_runs,) if isinstance(run_or_runs, Trajectory) else run_or_runs
    runs = list(islice(several, MOST + 1))
    if not runs:
        return note(say("show.no_runs"), say("show.nothing"))
    if len(runs) > MOST:
        raise ValueError(f"a page holds up to {MOST} runs: show(runs[:{MOST}])")
    if len(runs) > 1:
        return side_by_side(runs)
    [run] = runs
    blocks = [
        Block(word("parts", kind_of(run.task.kind).opener), run.task.text),
        Block(say("show.method_of", method=run.method), facts=facts(run)),
        *blocks_of(run.steps, 1),
        *result(run),
    ]
    return Page(frame(html_of(blocks)), text_of(blocks))


def result(run: Trajectory) -> Iterator[Block]:
    """What stands below the steps."""
    if run.votes:
        yield Block(say("show.votes"), facts=tuple(count(run.votes)))
    if run.samples:
        texts = enumerate(run.samples, 1)
        samples = (Block(say("show.sample", i=i), text, "thought") for i, text in texts)
        yield Block(say("show.samples"), folded=tuple(samples))
    if run.error is not None:
        yield Block(say("show.error"), " ".join(run.error.split()), "wrong")
    if run.answer is not None:
        yield Block(word("parts", "answer"), run.answer, "answer")


def facts(run: Trajectory) -> tuple[tuple[str, str], ...]:
    """The head of a run: how it ended and what it cost."""
    return told(named(run))


def named(run: Trajectory) -> Iterator[tuple[str, str]]:
    yield "model", run.model
    yield "ended", ended(run.end)
    if run.answer is None and kind_of(run.task.kind).grade == "reward":
        yield "reward", say("show.none") if run.reward is None else f"{run.reward:g}"
    elif run.answer is not None or run.reward is None:
        yield "answer", say("show.no_answer") if run.answer is None else run.answer
    if run.branch is not None:
        yield "answered_by", run.branch
    if run.reward is not None and kind_of(run.task.kind).grade != "reward":
        yield "reward", f"{run.reward:g}"
    yield "calls", f"{run.calls:,}"
    yield "tokens", tokens(run.tokens_in, run.tokens_out)
    yield "time", duration(run.seconds)
    if run.parent is not None:
        yield "parent", run.parent
    if run.flags:
        yield "flags", say("parts.comma").join(word("flags", flag) for flag in run.flags)
    if isinstance(shortened := run.settings.get("shortened"), Mapping):
        yield "shortened", str(shortened.get("from"))


def tokens(read: int | None, written: int | None) -> str:
    """What the server did not tell is unknown, never 0."""
    counts = [say("show.unknown") if c is None else f"{c:,}" for c in (read, written)]
    if read is written is None:
        return counts[0]
    return say("show.tokens_both", read=counts[0], written=counts[1])


def duration(seconds: float) -> str:
    """Whole seconds, so that a replay reads the same each time."""
    minutes, rest = divmod(round(seconds), 60)
    if seconds < 1:
        return say("show.at_once")
    return say("show.minutes", n=minutes, rest=rest) if minutes else say("show.seconds", rest=rest)


def count(votes: Sequence[str | None]) -> Iterator[tuple[str, str]]:
    """Answers and their votes, the most first; spellings that compare equal are one answer."""
    spellings: dict[str, list[str]] = {}
    nothing = f"({say('show.no_answer')})"
    for vote in votes:
        same = (normalise(vote) or vote.strip()) if vote else ""
        spellings.setdefault(same, []).append(vote if vote and same else nothing)
    for names in sorted(spellings.values(), key=len, reverse=True):
        yield " / ".join(dict.fromkeys(names)), say("show.of", n=len(names), of=len(votes))


def step_blocks(step: Step, i: int) -> Iterator[Block]:
    """Thought i, Action i, Observation i; where neither could be read, the model's own text."""
    if step.thought is None and step.action is None and step.raw is not None:
        yield Block(numbered("unreadable text", i), step.raw, "wrong", tuple(befell(step)))
    for part in PARTS:
        if part == "observation" and step.private:
            inner = Block(numbered("private", i), step.private)
            yield Block(inner.name, folded=(inner,))
        text, human = getattr(step, part), part in step.human
        if text is None and not human:
            continue
        marks = [say("player.taken_out" if text is None else "player.written")] if human else []
        raw: tuple[Block, ...] = ()
        if text is not None and part == ("thought" if step.action is None else "action"):
            marks += befell(step)  # by the last part of the model's text
            if step.raw is not None and (step.rescued or step.repairs):
                raw = (Block(say("show.own_text", i=i), step.raw),)
        yield Block(numbered(part, i), text, part, tuple(marks), folded=raw, human=human)


def befell(step: Step) -> Iterator[str]:
    if step.rescued:
        yield say("show.rescued" if step.action else "show.not_rescued")
    if step.repairs:
        yield say("show.repaired", what=say("parts.comma").join(step.repairs))


def blocks_of(steps: Iterable[Step], first: int) -> Iterator[Block]:
    for i, step in enumerate(steps, first):
        yield from step_blocks(step, i)


def numbered(part: str, i: int) -> str:
    """`Thought 3`."""
    return say("parts.numbered", part=word("parts", part), i=i)


def ended(end: str) -> str:
    return word("ends", end)


# ------------------------------------------------------------------ columns

SEEN, ROWS = 2, 12  # of the steps that runs share the last are seen, and so many after them
NAMES = ("method", "model")  # facts are known by the keys of their names
IN_HEAD = {"model", "ended", "answer", "reward"}
Facts = Mapping[str, str]
Cell = Sequence[Block]


def side_by_side(runs: Sequence[Trajectory]) -> Page:
    """What all runs share, once; then a column per run, aligned step by step."""
    tasks = [Block(word("parts", kind_of(run.task.kind).opener), run.task.text) for run in runs]
    first, *others = map(asked, runs)
    alike = {name: v for name, v in first.items() if all(one.get(name) == v for one in others)}
    one_task = all(task == tasks[0] for task in tasks)
    top = tasks[:1] if one_task else []
    if alike:
        name = say("show.both_runs") if len(runs) == 2 else say("show.all_runs", n=len(runs))
        top.append(Block(name, facts=told(alike.items())))
    groups = families(runs)
    branches = sorted((each for group in groups for each in group), key=lambda each: each.at)
    children = [each.upto for each in branches if each.parent is not None]
    shared = min(children) if len(groups) == 1 and children else 0
    top += in_common(runs[0].steps[:shared], len(runs))

    heads, cells = [verdict(branch, alike) for branch in branches], list[list[Cell]]()
    for branch in branches:
        intro = [] if one_task else [tasks[branch.at]]
        if branch.parent is not None:  # `Goes on from run 1 (a person wrote Thought 3)`
            name = say("show.goes_on", run=branch.parent + 1)
            intro.append(Block(name, marks=tuple(edited(branch))))
        cells.append([[*intro, cost(branch, alike)], *own_steps(branch, shared)])
    inside, texts = html_of(top), [text_of(top)] if top else []
    most = max(ROWS, max(children, default=0) - shared + SEEN)  # every edit is seen
    for start in range(0, len(runs), COLUMNS):
        few = slice(start, start + COLUMNS)
        intros, *rows = [[*row] for row in zip_longest(*cells[few], fillvalue=())]
        later = rows[most:] if len(rows) > most + SEEN else []  # they wait for a click
        inside += beside(heads[few], [intros, *rows[: len(rows) - len(later)]])
        if later:
            name = say("show.show_steps", first=shared + most + 1, last=shared + len(rows))
            inside += details(name, beside(heads[few], later))
    for head, column in zip(heads, cells, strict=True):
        texts.append(text_of([head, *(block for cell in column for block in cell)]))
    return Page(frame(inside), "\n\n".join(texts))


def asked(run: Trajectory) -> Facts:
    """What was asked of whom, and how."""
    settings = run.settings
    found = {"method": run.method, "model": run.model}
    if settings.get("bare"):
        found["prompt"] = say("show.no_prompt")
    elif run.method in CHAT:
        found["prompt"] = say("show.instruction")
    elif isinstance(prompts := settings.get("prompts"), str):
        found["prompt"] = prompts
    for name, key in (("exemplars", "shots"), ("steps_at_most", "max_steps")):
        if isinstance(n := settings.get(key), int):
            found[name] = f"{n:,}"
    return found


def told(found: Iterable[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    """Facts by the names that a reader knows."""
    return tuple((say(f"show.{name}"), value) for name, value in found)


def in_common(steps: Sequence[Step], runs: int) -> Iterator[Block]:
    """The steps that all runs share: of many, only the last ones are seen at once."""
    if not steps:
        return
    same = say("player.same_in_both") if runs == 2 else say("show.same_in_all", n=runs)
    first = len(steps) - SEEN if len(steps) > SEEN + 1 else 0
    early = blocks_of(steps[:first], 1)
    yield Block(span(1, len(steps)), marks=(same,), folded=tuple(early))
    yield from blocks_of(steps[first:], first + 1)


def span(first: int, last: int) -> str:
    one = say("player.step", i=first)
    return one if first == last else say("show.steps_to", first=first, last=last)


@dataclass(frozen=True)
class Branch:
    """A run among others: its place in their list, and how far it is as another one."""

    at: int
    run: Trajectory
    parent: int | None = None  # the place of the run that it goes on from
    upto: int = 0  # the steps that it shares with its parent


def families(runs: Sequence[Trajectory]) -> list[list[Branch]]:
    """The runs in groups: all of a group go on from one another. A stranger is alone in its own."""
    place: dict[str, int] = {}
    for at, run in enumerate(runs):
        place.setdefault(run.id, at)
    group = [[at] for at in range(len(runs))]  # of each run, the places of its whole group
    found = []
    for at, run in enumerate(runs):
        parent, task = place.get(run.parent or ""), (run.task.kind, run.task.text)
        if parent is not None:  # an id alone proves nothing: they are of one task
            before = runs[parent].task
            parent = parent if task == (before.kind, before.text) else None
        if parent is None or group[parent] is group[at]:
            found.append(Branch(at, run))
            continue
        joined = sorted(group[parent] + group[at])
        for other in joined:
            group[other] = joined
        found.append(Branch(at, run, parent, same_steps(run, runs[parent])))
    groups = {id(places): places for places in group}
    return [[found[at] for at in places] for places in groups.values()]


def same_steps(one: Trajectory, other: Trajectory) -> int:
    def seen(step: Step) -> tuple[object, ...]:
        return step.thought, step.action, step.observation, step.human

    pairs = zip(map(seen, one.steps), map(seen, other.steps), strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def own_steps(branch: Branch, shared: int) -> list[Cell]:
    """A run's steps after those that all share, a cell each; what came of it is in the last one."""
    steps = list(enumerate(branch.run.steps, 1))
    cells: list[Cell] = [list(step_blocks(step, i)) for i, step in steps[shared:]]
    if branch.parent is not None and branch.upto > shared:
        same = Block(span(shared + 1, branch.upto), say("show.as_in", run=branch.parent + 1))
        cells[: branch.upto - shared] = [[same], *[[]] * (branch.upto - shared - 1)]
    *before, last = cells or [[]]
    return [*before, [*last, *result(branch.run)]]


def verdict(branch: Branch, alike: Facts) -> Block:
    """A run in a line: its method and model where they differ, its answer, how it ended."""
    run = branch.run
    if run.reward is not None or kind_of(run.task.kind).grade == "reward":
        nothing, keys = run.reward is None, ("show.reward_came", "show.no_reward")
    else:
        nothing, keys = run.answer is None, ("show.answer_came", "show.no_answer_came")
    came = say(keys[nothing], answer=run.answer, reward=f"{run.reward or 0:g}")
    kind = "right" if run.reward == 1 else "wrong" if nothing else "answer"
    if run.end == "unfinished":
        came, kind = say("show.not_finished"), ""
    stopped = "" if run.end in ("finished", "unfinished") else ended(run.end) + say("parts.comma")
    which = (v for name, v in asked(run).items() if name in NAMES and name not in alike)
    name = say("parts.comma").join([say("player.run", i=branch.at + 1), *which])
    steps = say("labeller.steps", n=len(run.steps))
    return Block(name, f"{came}{say('parts.semicolon')}{stopped}{steps}", kind)


def edited(branch: Branch) -> Iterator[str]:
    """What a person changed where a run leaves its parent: `a person wrote Thought 3`."""
    for i, step in enumerate(branch.run.steps[branch.upto :], branch.upto + 1):
        for part in step.human:
            did = "show.took_out" if getattr(step, part) is None else "show.wrote"
            yield say(did, part=numbered(part, i))


def cost(branch: Branch, alike: Facts) -> Block:
    """What a run took, what befell it, and how it was asked in another way than the others."""
    of_family = {"parent"} if branch.parent is not None else set()
    took = [fact for fact in named(branch.run) if fact[0] not in IN_HEAD | of_family]
    own = [fact for fact in asked(branch.run).items() if fact[0] not in {*alike, *NAMES}]
    return Block(say("show.took"), facts=told([*took, *own]))
