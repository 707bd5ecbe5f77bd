"""What the authors' notebooks print, episode by episode: HotpotQA and FEVER, ALFWorld, WebShop.

A reader yields runs and, for what it cannot read, a `Passed` that says where and why.
"""

from __future__ import annotations

import ast
import hashlib
import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from .. import records
from ..types import End, Step, Task, Trajectory
from .messages import judged, method_of

__all__ = ["Passed", "alfworld", "fever", "hotpotqa", "printed", "webshop"]

SCORES = re.compile(r"^\{'steps'.*\}\s*$", re.M)
CUE = re.compile(r"^(Thought|Action|Observation) (\d+): ?", re.M)
TRIED = re.compile(r"^ohh\.\.\. ", re.M)  # a reply without its act
GAME_END = re.compile(r"^\d+ r (\S+) rs \[.*\n-+$", re.M)
GAME_CUE = re.compile(r"^(Act|Obs) \d+: ?", re.M)
GOAL = "Your task is to: "
SHOP_START = re.compile(r"^-{17}\n(\d+)$", re.M)
SHOP_END = re.compile(r"^\d+ [\d.e-]+ [\d.e-]+ [\d.e-]+$", re.M)
SHOP_CUE = re.compile(r"^Action: ", re.M)
EARNED = "Your score (min 0.0, max 1.0): "
MODEL = "gpt-3 (the authors' transcript)"


class Passed(NamedTuple):
    """What could not be read: where it stands, and why."""

    where: str
    why: str


def printed(content: str) -> str:
    """A notebook's printed output; any other text as it is."""
    if not content.lstrip().startswith("{"):
        return content
    try:
        cells = records.parsed(content)["cells"]
        outputs = [out for cell in cells for out in cell.get("outputs", ())]
        parts = [part for out in outputs for part in out.get("text", ())]
        return "".join(parts)
    except (ValueError, LookupError, TypeError, AttributeError):
        return content


class Lines:
    """The number of the line in which a character stands."""

    def __init__(self, text: str) -> None:
        self.ends = [end.start() for end in re.finditer("\n", text)]

    def at(self, place: int) -> str:
        return f"line {bisect_left(self.ends, place) + 1}"


# ---------------------------------------------------------------------- questions and claims


def fever(text: str) -> Iterator[Trajectory | Passed]:
    return asked(text, "Claim", "claims", "fever")


def hotpotqa(text: str) -> Iterator[Trajectory | Passed]:
    return asked(text, "Question", "multihop", "hotpotqa")


def asked(text: str, opener: str, kind: str, source: str) -> Iterator[Trajectory | Passed]:
    """Episodes that begin with a question and end with a line of scores."""
    start, lines, begins = 0, Lines(text), re.compile(rf"^(\d+) {opener}: (.*)$", re.M)
    for scores in SCORES.finditer(text):
        part = text[start : scores.start()]
        try:
            yield episode(part, begins, kind, source, scores_in(scores[0]))
        except ValueError as error:
            yield Passed(lines.at(scores.start()), str(error))
        start = scores.end()
    if left := begins.search(text, start):
        yield Passed(lines.at(left.start()), "an episode without scores: it was cut short")


@dataclass(frozen=True)
class Scores:
    """What the log prints under an episode; `em` and the like are not taken over."""

    gt_answer: str
    answer: str | None


SCORED = records.Record(Scores, lambda _: "")


def scores_in(line: str) -> Scores:
    try:
        return SCORED.of_row(ast.literal_eval(line.strip()))
    except (ValueError, SyntaxError, MemoryError, RecursionError) as error:
        raise ValueError(f"a line of scores cannot be read ({error}): {line[:100]!r}") from None


def episode(
    text: str, begins: re.Pattern[str], kind: str, source: str, scores: Scores
) -> Trajectory:
    asked = begins.search(text)
    if asked is None:
        raise ValueError(f"an episode has scores and no task: {str(scores)[:200]}")
    task = Task(f"{source}-{asked[1]}", kind, asked[2].strip(), scores.gt_answer)
    body, rescued = without_tries(text[asked.end() :])
    steps = tuple(steps_in(body, rescued))
    calls = sum(1 + step.rescued for step in steps)
    return run_of(
        text, task, "react", f"authors-{source}", steps, calls=calls, answer=scores.answer or None,
        end="finished" if scores.answer else "step_limit",
    )  # fmt: skip


def run_of(
    text: str, task: Task, method: str, source: str, steps: tuple[Step, ...], **more: Any
) -> Trajectory:
    """The run of an episode; its id is a hash of what was printed."""
    name = hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:16]
    settings = {"source": source}
    counts: dict[str, Any] = {"calls": len(steps), "tokens_in": None, "tokens_out": None}
    return Trajectory(name, task, method, MODEL, settings, steps, **(counts | more))


def without_tries(text: str) -> tuple[str, set[str]]:
    """A text without its replies that had no act, and the numbers of the steps that had them."""
    thoughts = [cue for cue in CUE.finditer(text) if cue[1] == "Thought"]
    kept, rescued, at = list[str](), set[str](), 0
    for tried in TRIED.finditer(text):
        if tried.start() >= at and (thought := next_of(thoughts, tried.end())):
            kept.append(text[at : tried.start()])
            rescued.add(thought[2])
            at = thought.start()
    return "".join([*kept, text[at:]]), rescued


def steps_in(text: str, rescued: set[str]) -> Iterator[Step]:
    """Each thought with the next act and observation of its number, up to the next thought."""
    cues: dict[tuple[str, str], list[re.Match[str]]] = {}
    for cue in CUE.finditer(text):
        cues.setdefault((cue[1], cue[2]), []).append(cue)
    thoughts, end = [cue for cue in CUE.finditer(text) if cue[1] == "Thought"], 0
    for thought in thoughts:
        act = next_of(cues.get(("Action", thought[2]), ()), thought.end())
        seen = act and next_of(cues.get(("Observation", thought[2]), ()), act.end())
        if thought.start() < end or not act or not seen:
            continue
        after = next_of(thoughts, seen.end())
        end = after.start() if after else len(text)
        yield step(
            text[thought.end() : act.start()].strip(),
            text[act.end() : seen.start()].strip(),
            text[seen.end() : end].strip(),
            rescued=thought[2] in rescued,
        )


def next_of(cues: Sequence[re.Match[str]], at: int) -> re.Match[str] | None:
    """The first that begins at `at` or behind it."""
    place = bisect_left(cues, at, key=re.Match.start)
    return cues[place] if place < len(cues) else None


def step(thought: str, act: str, seen: str, rescued: bool) -> Step:
    """After an answer the log prints its reward: not for the eyes of who judges the run blind."""
    return Step(thought, act, "" if act.startswith("Finish[") else seen, rescued=rescued)


# ---------------------------------------------------------------------- games and shops


def alfworld(text: str) -> Iterator[Trajectory | Passed]:
    """Games: a name, the room and the goal, `Act 1:`, `Obs 1:` ..., and whether it was won."""
    start, lines = 0, Lines(text)
    for end in GAME_END.finditer(text):
        part, start = text[start : end.start()].lstrip(), end.end()
        cues = list(GAME_CUE.finditer(part))
        head = part[: cues[0].start()] if cues else part
        if GOAL not in head or end[1] not in ("0", "1", "True", "False"):
            yield Passed(lines.at(end.start()), "a game ends here that had no goal")
            continue
        goal, won = head.partition(GOAL)[2].strip(), end[1] in ("1", "True")
        name = part.partition("\n")[0].strip()
        extra = {"type": name.partition("-")[0], "game": name}
        task = Task(name, "household", goal, extra=extra)
        steps = tuple(played(part, cues))
        yield run_of(
            part, task, method_of(steps), "authors-alfworld", steps, reward=float(won),
            end="finished" if won else "step_limit",
        )  # fmt: skip
    if left := GAME_CUE.search(text, start):
        yield Passed(lines.at(left.start()), "a game without its end: it was cut short")


def played(part: str, cues: Sequence[re.Match[str]]) -> Iterator[Step]:
    ends = [*(cue.start() for cue in cues[1:]), len(part)]
    texts = [(cue[1], part[cue.end() : end].strip()) for cue, end in zip(cues, ends, strict=True)]
    for (kind, act), (after, seen) in zip(texts, [*texts[1:], ("", "")], strict=True):
        if kind == "Act":
            yield done(act, seen if after == "Obs" else "", "think:", "")


def done(act: str, seen: str, think: str, close: str) -> Step:
    if act.startswith(think):
        return Step(act.removeprefix(think).removesuffix(close).strip(), None, seen)
    return judged(Step(None, act, seen))


def webshop(text: str) -> Iterator[Trajectory | Passed]:
    """Purchases: a number, `Action: reset` with the goal, the steps, and the mean so far."""
    starts, lines = list(SHOP_START.finditer(text)), Lines(text)
    for begin, after in zip(starts, [*starts[1:], None], strict=True):
        part = text[begin.end() : after.start() if after else len(text)]
        end = SHOP_END.search(part)
        turns = SHOP_CUE.split(part[: end.start()] if end else part)[1:]
        goal = re.search(r"Instruction:\s*+(.*)", turns[0]) if turns else None
        if end is None or goal is None:
            why = "no goal" if goal is None else "no end: it was cut short"
            yield Passed(lines.at(begin.start()), f"an episode of the shop has {why}")
            continue
        steps, earned = bought(turns[1:])
        task = Task(f"webshop-{begin[1]}", "shop", goal[1].strip())
        ended: End = "step_limit" if earned is None else "finished"
        yield run_of(
            part, task, method_of(steps), "authors-webshop", steps, reward=earned or 0.0, end=ended
        )


def bought(turns: Sequence[str]) -> tuple[tuple[Step, ...], float | None]:
    """The steps, and what the purchase earned; None where nothing was bought."""
    steps, earned = list[Step](), None
    for turn in turns:
        act, _, seen = turn.partition("\nObservation:")
        if seen.strip().startswith(EARNED) or act.strip() == "click[Buy Now]":
            number = re.match(r"[\d.]{1,20}", seen.strip().removeprefix(EARNED))
            earned, seen = float(number[0]) if number else 0.0, ""  # not for who judges it blind
        steps.append(done(act.strip(), seen.strip(), "think[", "]"))
    return tuple(steps), earned
