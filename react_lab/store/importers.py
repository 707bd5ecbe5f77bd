"""Runs of strangers as trajectories: scored, labelled and plotted as our own."""

from __future__ import annotations

import ast
import hashlib
import json
import re
import warnings
import zipfile
import zlib
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple

from .. import records
from ..chat.tool_calls import act_of
from ..layouts import Numbered
from ..support.files import checked
from ..types import ENDS, End, Step, Task, Trajectory, split_act

LARGEST = 1 << 28  # bytes of a file
SAID = 20  # so many of the parts that could not be read are listed


Found = Iterator["Trajectory | Passed"]


class Passed(NamedTuple):
    """What could not be read: where it stands, and why."""

    where: str
    why: str


def read_transcript(
    path: str | PathLike[str], kind: str = "authors-fever", task_kind: str = "multihop"
) -> list[Trajectory]:
    """The runs in a file of others', in its order; what cannot be read is listed in a warning.

    kind: "authors-fever", "authors-hotpotqa", "authors-alfworld" or "authors-webshop", what the
    notebooks of the paper print (the text, or the notebook); "inspect", a log of Inspect (.json or
    .eval); "openai", lists of chat messages (JSON or JSON lines; a row may have its "gold").
    task_kind: as what the last two are graded; multihop compares the answer with the gold one.
    """
    if kind not in READERS:
        raise ValueError(f"no transcripts of kind {kind!r}; there are: {', '.join(READERS)}")
    path = Path(path).expanduser()
    if checked(path).stat().st_size > LARGEST:
        raise ValueError(f"{path} has more than {LARGEST >> 20} MB: give it in parts")
    runs, passed, listed = list[Trajectory](), 0, list[str]()
    for one in read_rows(path, kind, task_kind):
        if not isinstance(one, Passed):
            runs.append(one)
            continue
        passed += 1
        if passed <= SAID:
            listed.append(f"{one.where}: {one.why[:300]}")
    said = "; ".join([*listed, "..."] if passed > SAID else listed)
    if not runs:
        why = f" ({said})" if passed else ""
        raise ValueError(f"{path.name} holds no episode of kind {kind!r}{why}")
    if passed:
        warnings.warn(f"{path.name}: {passed} passed over: {said}", stacklevel=2)
    return runs


def read_rows(path: Path, kind: str, task_kind: str) -> Found:
    """Runs that can be kept, and what was passed over."""
    for row in READERS[kind].rows(path):
        if isinstance(row, Passed):
            yield row
            continue
        try:
            for one in READERS[kind].runs(row, task_kind):
                yield one if isinstance(one, Passed) else records.RUN.read(records.RUN.write(one))
        except ValueError as error:
            yield Passed(row.where, str(error))


# ------------------------------------------------------------------ printed

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


def printout(content: str) -> str:
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


def episodes(opener: str, kind: str, source: str, text: str) -> Found:
    """Episodes that begin with a question and end with a line of scores."""
    start, lines, begins = 0, Lines(text), re.compile(rf"^(\d+) {opener}: (.*)$", re.M)
    for scores in SCORES.finditer(text):
        part = text[start : scores.start()]
        try:
            yield episode(part, scores[0], begins, kind, source)
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


def episode(text: str, scored: str, begins: re.Pattern[str], kind: str, source: str) -> Trajectory:
    try:
        scores = SCORED.of_row(ast.literal_eval(scored.strip()))
    except (ValueError, SyntaxError, MemoryError, RecursionError) as error:
        raise ValueError(f"a line of scores cannot be read ({error}): {scored[:100]!r}") from None
    asked = begins.search(text)
    if asked is None:
        raise ValueError(f"an episode has scores and no task: {str(scores)[:200]}")
    task = Task(f"{source}-{asked[1]}", kind, asked[2].strip(), scores.gt_answer)
    steps = tuple(printed_steps(*without_tries(text[asked.end() :])))
    calls = sum(1 + step.rescued for step in steps)
    return printed_run(
        text, task, "react", f"authors-{source}", steps, calls=calls, answer=scores.answer or None,
        end="finished" if scores.answer else "step_limit",
    )  # fmt: skip


def printed_run(
    text: str, task: Task, method: str, source: str, steps: tuple[Step, ...], **more: Any
) -> Trajectory:
    """The run of an episode; its id is a hash of what was printed."""
    name = hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:16]
    about: dict[str, Any] = {"calls": len(steps), "tokens_in": None, "tokens_out": None} | more
    return Trajectory(name, task, method, MODEL, {"source": source}, steps, **about)


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


def printed_steps(text: str, rescued: set[str]) -> Iterator[Step]:
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
        did, saw = text[act.end() : seen.start()].strip(), text[seen.end() : end].strip()
        if did.startswith("Finish["):
            saw = ""  # its reward stands there: not for the eyes of who judges the run blind
        thinks = text[thought.end() : act.start()].strip()
        yield Step(thinks, did, saw, rescued=thought[2] in rescued)


def next_of(cues: Sequence[re.Match[str]], at: int) -> re.Match[str] | None:
    """The first that begins at `at` or behind it."""
    place = bisect_left(cues, at, key=re.Match.start)
    return cues[place] if place < len(cues) else None


# ---------------------------------------------------------------------- games and shops


def alfworld(text: str) -> Found:
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
        steps = tuple(game_steps(part, cues))
        yield printed_run(
            part, task, method_of(steps), "authors-alfworld", steps, reward=float(won),
            end="finished" if won else "step_limit",
        )  # fmt: skip
    if left := GAME_CUE.search(text, start):
        yield Passed(lines.at(left.start()), "a game without its end: it was cut short")


def game_steps(part: str, cues: Sequence[re.Match[str]]) -> Iterator[Step]:
    ends = [*(cue.start() for cue in cues[1:]), len(part)]
    texts = [(cue[1], part[cue.end() : end].strip()) for cue, end in zip(cues, ends, strict=True)]
    for (kind, act), (after, seen) in zip(texts, [*texts[1:], ("", "")], strict=True):
        if kind == "Act":
            yield game_step(act, seen if after == "Obs" else "", "think:", "")


def game_step(act: str, seen: str, think: str, close: str) -> Step:
    if act.startswith(think):
        return Step(act.removeprefix(think).removesuffix(close).strip(), None, seen)
    return with_outcome(Step(None, act, seen))


def webshop(text: str) -> Found:
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
        steps, earned = purchase_steps(turns[1:])
        task = Task(f"webshop-{begin[1]}", "shop", goal[1].strip())
        ended: End = "step_limit" if earned is None else "finished"
        yield printed_run(
            part, task, method_of(steps), "authors-webshop", steps, reward=earned or 0.0, end=ended
        )


def purchase_steps(turns: Sequence[str]) -> tuple[tuple[Step, ...], float | None]:
    """The steps, and what the purchase earned; None where nothing was bought."""
    steps, earned = list[Step](), None
    for turn in turns:
        act, _, seen = turn.partition("\nObservation:")
        if seen.strip().startswith(EARNED) or act.strip() == "click[Buy Now]":
            number = re.match(r"[\d.]{1,20}", seen.strip().removeprefix(EARNED))
            earned, seen = float(number[0]) if number else 0.0, ""  # not for who judges it blind
        steps.append(game_step(act.strip(), seen.strip(), "think[", "]"))
    return tuple(steps), earned


# ------------------------------------------------------------------ messages

ROLES = {  # what others call them
    "human": "user", "ai": "assistant", "aimessagechunk": "assistant", "function": "tool",
    "developer": "system",
}  # fmt: skip
PARTS = ("text", "reasoning", "thinking")  # of a content in parts; pictures and the like stay out
SEEN = re.compile(r"\AObservation(?: \d+)?:\s*+")
FAILED = ("Could not find", "Invalid action", "Nothing happens")


class Said(NamedTuple):
    """One message, whoever's format it was in."""

    role: str
    text: str
    calls: tuple[tuple[str, str], ...] = ()  # of tools: the id, and the call written as an act
    answers: str = ""  # the call that it is the result of


def read_message(row: Any) -> Said:
    """A message as OpenAI or Inspect write it."""
    if not isinstance(row, dict):
        raise ValueError(f"a message must be an object, not {type(row).__name__}")
    role = str(row.get("role") or row.get("type") or "").lower()
    role = ROLES.get(role, role)
    if role not in ("system", "user", "assistant", "tool"):
        raise ValueError(f"a message has the role {role[:50]!r}, which nobody knows")
    text = content_of(row.get("content"))
    if thinking := row.get("reasoning_content"):
        text = "\n".join(filter(None, (content_of(thinking), text)))
    return Said(role, text, tuple(calls_in(row)), str(row.get("tool_call_id") or ""))


def content_of(content: Any) -> str:
    match content:
        case None:
            return ""
        case str():
            return content.strip()
        case list():
            parts = (
                part if isinstance(part, str) else part.get(str(part.get("type")), "")
                for part in content
                if isinstance(part, str) or (isinstance(part, dict) and part.get("type") in PARTS)
            )
            return "\n".join(part.strip() for part in parts if isinstance(part, str) and part)
    raise ValueError(f"the content of a message must be a text, not {type(content).__name__}")


def calls_in(row: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    calls = row.get("tool_calls") or ()
    if not isinstance(calls, list | tuple):
        raise ValueError("tool_calls must be a list")
    for call in calls:
        if not isinstance(call, dict):
            raise ValueError("a tool call must be an object")
        told = call["function"] if isinstance(call.get("function"), dict) else call
        name = told.get("name") or told.get("function")
        if not isinstance(name, str):
            raise ValueError("a tool call has no name")
        given = told.get("arguments", told.get("args"))
        yield str(call.get("id") or ""), act_of(name, given)


def steps_in(messages: Sequence[Said]) -> Iterator[Step]:
    """Each message of the model with what it saw next. A text at the very end is its answer.

    Where no tool is called, acts are read from the texts, as the paper writes them.
    """
    turns = list[tuple[Said, list[Said]]]()
    for message in messages:
        if message.role == "assistant":
            turns.append((message, []))
        elif turns:
            turns[-1][1].append(message)
    by_text = not any(message.calls for message in messages)
    for i, (message, after) in enumerate(turns, 1):
        last = i == len(turns) and not after
        if message.calls:
            yield from call_steps(message, after)
        else:
            yield text_step(message, after, i, by_text, last)


def call_steps(message: Said, after: Sequence[Said]) -> Iterator[Step]:
    results = [one for one in after if one.role == "tool"] or list(after)
    by_id = {one.answers: one.text for one in results if one.answers}
    loose = iter([one.text for one in results if not one.answers])
    thought = message.text or None
    for id, act in message.calls:
        seen = by_id[id] if id in by_id else next(loose, "")
        yield with_outcome(Step(thought, act, "" if act.startswith("Finish[") else seen))
        thought = None


def text_step(message: Said, after: Sequence[Said], i: int, by_text: bool, last: bool) -> Step:
    seen = SEEN.sub("", "\n".join(one.text for one in after))
    read = Numbered().read(message.text, i) if by_text else Step(message.text)
    if read.action is not None:
        step = Step(read.thought, read.action, seen, raw=read.raw, repairs=read.repairs)
        return with_outcome(step)
    return Step(None, f"Finish[{message.text}]", "") if last else Step(message.text, None, seen)


def with_outcome(step: Step) -> Step:
    """The step, which says so if its act led nowhere."""
    failed = (step.observation or "").startswith(FAILED)
    return replace(step, outcome="failed") if failed else step


def answer_in(steps: Sequence[Step]) -> str | None:
    act = split_act(steps[-1].action or "") if steps else None
    return act[1] if act and act[0].lower() == "finish" else None


def method_of(steps: Sequence[Step]) -> str:
    """The method whose parts these are; a run without a thought counts as act."""
    acts = any(step.action and not step.action.startswith("Finish[") for step in steps)
    thinks = any(step.thought for step in steps)
    return ("react" if thinks else "act") if acts else ("cot" if thinks else "standard")


# ------------------------------------------------------------------ strangers

VERDICTS = {"C": 1.0, "I": 0.0}  # what Inspect's scorers say
FEW = 1 << 62  # more tokens than that nobody counted


def of_messages(row: Row, kind: str) -> Iterator[Trajectory]:
    """A list of messages, or an object that has one."""
    about = row.content if isinstance(row.content, dict) else {}
    yield conversation(row, about.get("messages", row.content), about, kind, "openai")


def conversation(row: Row, messages: Any, about: Json, kind: str, source: str) -> Trajectory:
    if not isinstance(messages, list) or not messages:
        raise ValueError("it has no list of messages")
    told = [read_message(message) for message in messages]
    first = next((i for i, one in enumerate(told) if one.role == "assistant"), len(told))
    asked = "\n".join(one.text for one in told[:first] if one.role == "user")
    steps = tuple(steps_in(told))
    seen = json.dumps([row.where, row.content], default=str).encode()
    name, own, answer = hashlib.sha256(seen).hexdigest()[:16], about.get("id"), answer_in(steps)
    golds = texts(about.get("gold", about.get("target", about.get("ideal"))))
    extra = {"source": source} | ({"accepted": golds} if len(golds) > 1 else {})
    task = Task(
        str(own)[:300] if isinstance(own, str | int) and own != "" else f"{source}-{name}",
        kind, asked, golds[0] if golds else None, extra,
    )  # fmt: skip
    return Trajectory(
        name, task, method_of(steps), text_in(about.get("model")) or "not said",
        {"source": source}, steps, answer, end="unfinished" if answer is None else "finished",
        calls=sum(one.role == "assistant" for one in told), tokens_in=None, tokens_out=None,
    )  # fmt: skip


def object_in(row: Json, name: str) -> Json:
    value = row.get(name)
    return value if isinstance(value, dict) else {}


def texts(value: Any) -> list[str]:
    """A text, a number or several of them as texts."""
    several = value if isinstance(value, list) else [value]
    return [str(one) for one in several if isinstance(one, str | int | float) and one != ""]


def text_in(value: Any) -> str:
    return value if isinstance(value, str) else ""


def of_sample(row: Row, kind: str) -> Iterator[Trajectory]:
    """A sample of Inspect: its messages, its target, what it used and how it ended."""
    sample = row.content
    if not isinstance(sample, dict):
        raise ValueError("a sample must be an object")
    messages = restore(sample.get("messages"), object_in(sample, "attachments"))
    model = object_in(sample, "output").get("model") or row.about.get("model")
    about = {**sample, "gold": sample.get("target"), "model": model}
    run = conversation(row, messages, about, kind, "inspect")
    used = [one for one in object_in(sample, "model_usage").values() if isinstance(one, dict)]
    changes: dict[str, Any] = {
        "tokens_in": count(used, "input_tokens"), "tokens_out": count(used, "output_tokens"),
        "seconds": seconds_in(sample.get("total_time")),
    }  # fmt: skip
    if run.task.gold is None:
        verdicts = map(reward_in, object_in(sample, "scores").values())
        changes["reward"] = next((one for one in verdicts if one is not None), None)
    if sample.get("error"):
        changes |= {"end": "error", "error": json.dumps(sample["error"])[:1000]}
    elif sample.get("limit") and run.answer is None:
        changes |= {"end": "step_limit"}
    yield Trajectory(**(vars(run) | changes | ours_in(row)))


def ours_in(row: Row) -> dict[str, Any]:
    """What a log that `to_inspect` wrote says of a run beside its messages."""
    told = object_in(row.content, "metadata")
    if row.about.get("task") != "react_lab" or told.get("end") not in ENDS:
        return {}
    answer = told.get("answer")
    own = {"answer": answer if isinstance(answer, str) else None, "end": told["end"]}
    return own | ({"method": told["method"]} if isinstance(told.get("method"), str) else {})


def restore(value: Any, attached: Json) -> Any:
    """Long texts of a log lie apart, under their hashes."""
    match value:
        case str() if value.startswith("attachment://"):
            return text_in(attached.get(value.removeprefix("attachment://"), value))
        case dict():
            return {key: restore(inner, attached) for key, inner in value.items()}
        case list():
            return [restore(inner, attached) for inner in value]
    return value


def count(used: list[Any], name: str) -> int | None:
    found = [one.get(name) for one in used]
    whole = [n for n in found if type(n) is int and 0 <= n < FEW]
    return min(sum(whole), FEW) if whole else None


def seconds_in(value: Any) -> float:
    return float(value) if isinstance(value, int | float) and 0 <= value < 1e9 else 0.0


def reward_in(score: Any) -> float | None:
    value = score.get("value") if isinstance(score, dict) else None
    if isinstance(value, str):
        return VERDICTS.get(value)
    return float(value) if isinstance(value, int | float) and 0 <= value <= 1 else None


# ------------------------------------------------------------------ logs

DEEPEST = 100  # lists and objects inside each other
MEMBER, WHOLE, MEMBERS = 1 << 26, 1 << 29, 100_000  # bytes unpacked of one, of all; how many
UNREADABLE = (  # what zipfile raises over a file that is damaged, locked or of a newer kind
    zipfile.BadZipFile, zlib.error, ValueError, NotImplementedError, RuntimeError, EOFError,
    OSError,
)  # fmt: skip
Json = Mapping[str, Any]


class Row(NamedTuple):
    """What one run is read from, and the words for where it stands."""

    where: str
    content: Any
    about: Json = {}  # noqa: RUF012 (read only)


def rows(path: Path) -> Iterator[Row | Passed]:
    """The values of a JSON file, or of each of its lines."""
    text = records.text(path)
    try:
        whole = checked_json(text)
    except ValueError as error:
        if not any(isinstance(one, Row) for one in islice(lines(text), 20)):  # no JSON lines
            raise ValueError(f"{path.name} cannot be read: {error}") from None
        yield from lines(text)
        return
    several = isinstance(whole, list) and not any(is_message(one) for one in whole)
    for number, row in enumerate(whole if several else [whole], 1):
        yield Row(f"row {number}", row)


def lines(text: str) -> Iterator[Row | Passed]:
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            yield row_in(f"line {number}", line, {})


def row_in(where: str, text: str | bytes, about: Json) -> Row | Passed:
    try:
        return Row(where, checked_json(text), about)
    except ValueError as error:
        return Passed(where, str(error))


def checked_json(text: str | bytes) -> Any:
    value = records.parsed(text)
    if not records.shallow(value, DEEPEST):
        raise ValueError("lists inside lists, too many to follow")
    return value


def is_message(row: Any) -> bool:
    return isinstance(row, dict) and ("content" in row or "kwargs" in row) and "messages" not in row


def samples(path: Path) -> Iterator[Row | Passed]:
    """The samples of an Inspect log: of one JSON file, or of a zip that has one file for each."""
    if zipfile.is_zipfile(path):
        yield from unzip_samples(path)
        return
    try:
        log = checked_json(records.text(path))
    except ValueError as error:
        raise ValueError(f"{path.name} cannot be read: {error}") from None
    if not isinstance(log, dict) or not isinstance(log.get("eval"), dict):
        raise ValueError(f"{path.name} is no log of Inspect: it has no eval")
    found = log.get("samples") or []
    if not isinstance(found, list):
        raise ValueError(f"{path.name} is no log of Inspect: its samples are no list")
    for number, sample in enumerate(found, 1):
        yield Row(f"sample {number}", sample, log["eval"])


def unzip_samples(path: Path) -> Iterator[Row | Passed]:
    try:
        with zipfile.ZipFile(path) as file:
            names = [name for name in file.namelist() if name.endswith(".json")]
            if len(names) > MEMBERS:
                raise ValueError(f"it holds {len(names)} files, more than {MEMBERS}")
            about = head(file, names)
            left = WHOLE
            for name in names:
                if name.startswith("samples/"):
                    content = member(file, name)
                    left -= len(content)
                    if left < 0:
                        raise ValueError(f"it unpacks to more than {WHOLE >> 20} MB")
                    yield row_in(name, content, about)
    except UNREADABLE as error:
        raise ValueError(f"{path.name} cannot be read: {error}") from None


def head(file: zipfile.ZipFile, names: list[str]) -> Json:
    """What a log says of all its samples; of a run that was stopped, what it said first."""
    for name in ("header.json", "_journal/start.json"):
        if name in names:
            found = checked_json(member(file, name))
            if isinstance(found, dict) and isinstance(found.get("eval"), dict):
                return dict(found["eval"])
    raise ValueError("it is no log of Inspect: it has no header")


def member(file: zipfile.ZipFile, name: str) -> bytes:
    """A file in a zip; whatever size it claims, no more than so much is unpacked."""
    with file.open(name) as stream:
        content = stream.read(MEMBER + 1)
    if len(content) > MEMBER:
        raise ValueError(f"{name[:100]} unpacks to more than {MEMBER >> 20} MB")
    return content


class Reader(NamedTuple):
    """How a file becomes rows, and a row one run or several."""

    rows: Callable[[Path], Iterator[Row | Passed]]
    runs: Callable[[Row, str], Found]


def reader_of_text(read: Callable[[str], Found]) -> Reader:
    return Reader(
        lambda path: iter([Row("", printout(records.text(path)))]),
        lambda row, _: read(row.content),
    )


READERS: Mapping[str, Reader] = {
    "authors-fever": reader_of_text(partial(episodes, "Claim", "claims", "fever")),
    "authors-hotpotqa": reader_of_text(partial(episodes, "Question", "multihop", "hotpotqa")),
    "authors-alfworld": reader_of_text(alfworld),
    "authors-webshop": reader_of_text(webshop),
    "inspect": Reader(samples, of_sample),
    "openai": Reader(rows, of_messages),
}
