"""Runs of strangers as trajectories: scored, labelled and plotted as our own.

Of each kind of file one function makes rows, and another one run of each row (`READERS`).
"""

from __future__ import annotations

import ast
import contextlib
import hashlib
import json
import re
import warnings
import zipfile
import zlib
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice, pairwise
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple

from .. import records
from ..chat.tool_calls import act_of
from ..layouts import Numbered
from ..support.files import checked, expand
from ..types import ENDS, End, Step, Task, Trajectory, split_act

LARGEST = 1 << 28  # bytes of a file
SAID = 20  # so many of the parts that could not be read are listed
Json = Mapping[str, Any]


Rows = Iterator[tuple[str, Any]]  # where it stands, and what a run is read from, or a ValueError
RunOf = Callable[[str, Any, str], Trajectory]


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
    path = expand(path)
    if checked(path).stat().st_size > LARGEST:
        raise ValueError(f"{path} has more than {LARGEST >> 20} MB: give it in parts")
    rows_of, run_of = READERS[kind]
    runs, passed = list[Trajectory](), list[str]()
    for where, row in rows_of(path):
        try:
            if isinstance(row, ValueError):
                raise row
            runs.append(records.RUN.read(records.RUN.write(run_of(where, row, task_kind))))
        except ValueError as error:
            passed.append(f"{where}: {str(error)[:300]}")
    said = "; ".join(passed[:SAID] + ["..."] * (len(passed) > SAID))
    if not runs:
        why = f" ({said})" if passed else ""
        raise ValueError(f"{path.name} holds no episode of kind {kind!r}{why}")
    if passed:
        warnings.warn(f"{path.name}: {len(passed)} passed over: {said}", stacklevel=2)
    return runs


# ------------------------------------------------------------------ printed: questions and claims

SCORES = re.compile(r"^\{'steps'.*\}\s*$", re.M)
CUE = re.compile(r"^(Thought|Action|Observation) (\d+): ?", re.M)
TRIED = re.compile(r"^ohh\.\.\. ", re.M)  # a reply without its act
MODEL = "gpt-3 (the authors' transcript)"


def printout(path: Path) -> tuple[str, Callable[[int], str]]:
    """A notebook's printed output, any other text as it is; and the words for a place in it."""
    text = records.text(path)
    if text.lstrip().startswith("{"):
        with contextlib.suppress(ValueError, LookupError, TypeError, AttributeError):
            cells = records.parsed(text)["cells"]
            outputs = [out for cell in cells for out in cell.get("outputs", ())]
            text = "".join(part for out in outputs for part in out.get("text", ()))
    ends = [end.start() for end in re.finditer("\n", text)]
    return text, lambda place: f"line {bisect_left(ends, place) + 1}"


def printed_run(
    text: str, task: Task, method: str, source: str, steps: tuple[Step, ...], **more: Any
) -> Trajectory:
    """The run of an episode; its id is a hash of what was printed."""
    name = hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:16]
    about: dict[str, Any] = {"calls": len(steps), "tokens_in": None, "tokens_out": None} | more
    return Trajectory(name, task, method, MODEL, {"source": f"authors-{source}"}, steps, **about)


def episodes(begins: re.Pattern[str], ends: re.Pattern[str], lacks: str, path: Path) -> Rows:
    """Episodes, each with the match of the line that it ends with."""
    (text, line), start = printout(path), 0
    for end in ends.finditer(text):
        yield line(end.start()), (text[start : end.start()], end)
        start = end.end()
    if left := begins.search(text, start):
        yield line(left.start()), ValueError(f"{lacks}: it was cut short")


def episode(
    begins: re.Pattern[str],
    kind: str,
    source: str,
    _: str,
    row: tuple[str, re.Match[str]],
    *__: str,
) -> Trajectory:
    text, scored = row[0], row[1][0]
    try:
        scores = ast.literal_eval(scored.strip())
        gold, answer = scores["gt_answer"], scores["answer"] or None
    except (ValueError, SyntaxError, MemoryError, RecursionError, LookupError, TypeError) as error:
        raise ValueError(f"a line of scores cannot be read ({error}): {scored[:100]!r}") from None
    asked = begins.search(text)
    if asked is None:
        raise ValueError(f"an episode has scores and no task: {str(scores)[:200]}")
    task = Task(f"{source}-{asked[1]}", kind, asked[2].strip(), gold)
    steps = tuple(printed_steps(*without_tries(text[asked.end() :])))
    return printed_run(
        text, task, "react", source, steps, calls=sum(1 + step.rescued for step in steps),
        answer=answer, end="finished" if answer else "step_limit",
    )  # fmt: skip


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


# ------------------------------------------------------------------ printed: games and purchases

GAME_END = re.compile(r"^\d+ r (\S+) rs \[.*\n-+$", re.M)
GAME_CUE = re.compile(r"^(Act|Obs) \d+: ?", re.M)
GOAL = "Your task is to: "
SHOP_START = re.compile(r"^-{17}\n(\d+)$", re.M)
SHOP_END = re.compile(r"^\d+ [\d.e-]+ [\d.e-]+ [\d.e-]+$", re.M)
EARNED = "Your score (min 0.0, max 1.0): "


def game(_: str, row: tuple[str, re.Match[str]], *__: str) -> Trajectory:
    """A name, the room and the goal, `Act 1:`, `Obs 1:` ..., and whether it was won."""
    text, verdict = row[0].lstrip(), row[1][1]
    head, *turns = GAME_CUE.split(text)  # then in turn Act or Obs, and its text
    if GOAL not in head or verdict not in ("0", "1", "True", "False"):
        raise ValueError("a game ends here that had no goal")
    name, won = head.partition("\n")[0].strip(), verdict in ("1", "True")
    extra = {"type": name.partition("-")[0], "game": name}
    task = Task(name, "household", head.partition(GOAL)[2].strip(), extra=extra)
    told = [*zip(turns[::2], map(str.strip, turns[1::2]), strict=True), ("", "")]
    steps = tuple(
        printed_step(act, seen if after == "Obs" else "", "think:", "")
        for (cue, act), (after, seen) in pairwise(told)
        if cue == "Act"
    )
    return printed_run(
        text, task, method_of(steps), "alfworld", steps, reward=float(won),
        end="finished" if won else "step_limit",
    )  # fmt: skip


def purchases(path: Path) -> Rows:
    """Purchases: a number, `Action: reset` with the goal, the steps, and the mean so far."""
    text, line = printout(path)
    starts = list(SHOP_START.finditer(text))
    for begin, after in zip(starts, [*starts[1:], None], strict=False):  # there may be none
        part = text[begin.end() : after.start() if after else len(text)]
        yield line(begin.start()), (begin[1], part)


def purchase(_: str, row: tuple[str, str], *__: str) -> Trajectory:
    number, text = row
    end = SHOP_END.search(text)
    _, *turns = re.split(r"^Action: ", text[: end.start()] if end else text, flags=re.M)
    goal = re.search(r"Instruction:\s*+(.*)", turns[0]) if turns else None
    if end is None or goal is None:
        why = "no goal" if goal is None else "no end: it was cut short"
        raise ValueError(f"an episode of the shop has {why}")
    steps, earned = list[Step](), None
    for turn in turns[1:]:
        act, _, seen = (part.strip() for part in turn.partition("\nObservation:"))
        if seen.startswith(EARNED) or act == "click[Buy Now]":
            score = re.match(r"[\d.]{1,20}", seen.removeprefix(EARNED))
            earned, seen = float(score[0]) if score else 0.0, ""  # not for who judges it blind
        steps.append(printed_step(act, seen, "think[", "]"))
    ended: End = "step_limit" if earned is None else "finished"
    return printed_run(
        text, Task(f"webshop-{number}", "shop", goal[1].strip()), method_of(steps), "webshop",
        tuple(steps), reward=earned or 0.0, end=ended,
    )  # fmt: skip


def printed_step(act: str, seen: str, think: str, close: str) -> Step:
    if act.startswith(think):
        return Step(act.removeprefix(think).removesuffix(close).strip(), None, seen)
    return with_outcome(Step(None, act, seen))


# ------------------------------------------------------------------ messages

ROLES = {  # what others call them
    "human": "user", "ai": "assistant", "aimessagechunk": "assistant", "function": "tool",
    "developer": "system",
}  # fmt: skip
TEXT, APART = ("text",), ("reasoning", "thinking")  # of a content in parts; pictures stay out
SEEN = re.compile(r"\AObservation(?: \d+)?:\s*+")
FAILED = ("Could not find", "Invalid action", "Nothing happens")


class Said(NamedTuple):
    """One message, whoever's format it was in."""

    role: str
    text: str
    calls: tuple[tuple[str, str], ...] = ()  # of tools: the id, and the call written as an act
    answers: str = ""  # the call that it is the result of
    private: str | None = None  # what was thought beside a text; without one, it is the text


def read_message(row: Any) -> Said:
    """A message as OpenAI or Inspect write it."""
    if not isinstance(row, dict):
        raise ValueError(f"a message must be an object, not {type(row).__name__}")
    role = str(row.get("role") or row.get("type") or "").lower()
    role = ROLES.get(role, role)
    if role not in ("system", "user", "assistant", "tool"):
        raise ValueError(f"a message has the role {role[:50]!r}, which nobody knows")
    text, apart = content_of(row.get("content")), content_of(row.get("content"), APART)
    private = "\n".join(filter(None, (content_of(row.get("reasoning_content")), apart)))
    about = tuple(calls_in(row)), str(row.get("tool_call_id") or "")
    return Said(role, text or private, *about, private=(private or None) if text else None)


def content_of(content: Any, types: Sequence[str] = TEXT) -> str:
    """The texts of these types in a content; one that is not in parts is a text."""
    match content:
        case None:
            return ""
        case str():
            return content.strip() if types == TEXT else ""
        case list():
            whole = [{"type": "text", "text": p} if isinstance(p, str) else p for p in content]
            parts = [p.get(p["type"]) for p in whole if object_in(p).get("type") in types]
            return "\n".join(part.strip() for part in parts if isinstance(part, str) and part)
    raise ValueError(f"the content of a message must be a text, not {type(content).__name__}")


def calls_in(row: Json) -> Iterator[tuple[str, str]]:
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
        if message.calls:
            yield from call_steps(message, after)
            continue
        seen = SEEN.sub("", "\n".join(one.text for one in after))
        read = Numbered().read(message.text, i) if by_text else Step(message.text)
        if read.action is not None:
            yield with_outcome(replace(read, observation=seen, private=message.private))
        elif i == len(turns) and not after:
            yield Step(None, f"Finish[{message.text}]", "")
        else:
            yield Step(message.text, None, seen, private=message.private)


def call_steps(message: Said, after: Sequence[Said]) -> Iterator[Step]:
    """A step for each call, with the result that names it, else with the next that names none."""
    results = [one for one in after if one.role == "tool"] or list(after)
    by_id = {one.answers: one.text for one in results if one.answers}
    loose = iter([one.text for one in results if not one.answers])
    said = Step(message.text or None, private=message.private)
    for id, act in message.calls:
        seen = by_id[id] if id in by_id else next(loose, "")
        seen = "" if act.startswith("Finish[") else seen
        yield with_outcome(replace(said, action=act, observation=seen))
        said = Step()


def with_outcome(step: Step) -> Step:
    """The step, which says so if its act led nowhere."""
    failed = (step.observation or "").startswith(FAILED)
    return replace(step, outcome="failed") if failed else step


def method_of(steps: Sequence[Step]) -> str:
    """The method whose parts these are; a run without a thought counts as act."""
    acts = any(step.action and not step.action.startswith("Finish[") for step in steps)
    thinks = any(step.thought for step in steps)
    return ("react" if thinks else "act") if acts else ("cot" if thinks else "standard")


def run_of_messages(where: str, row: Any, kind: str) -> Trajectory:
    about = object_in(row)
    return conversation([where, row], about.get("messages", row), about, kind, "openai")


def conversation(
    found: list[Any], messages: Any, about: Json, kind: str, source: str
) -> Trajectory:
    """found: where it stands and what stands there, which make its id."""
    if not isinstance(messages, list) or not messages:
        raise ValueError("it has no list of messages")
    told = [read_message(message) for message in messages]
    first = next((i for i, one in enumerate(told) if one.role == "assistant"), len(told))
    asked = "\n".join(one.text for one in told[:first] if one.role == "user")
    steps = tuple(steps_in(told))
    last = split_act(steps[-1].action or "") if steps else None
    answer = last[1] if last and last[0].lower() == "finish" else None
    seen = json.dumps(found, default=str).encode()
    name, own = hashlib.sha256(seen).hexdigest()[:16], about.get("id")
    target = about.get("gold", about.get("target", about.get("ideal")))
    several = target if isinstance(target, list) else [target]
    golds = [str(one) for one in several if isinstance(one, str | int | float) and one != ""]
    extra = {"source": source} | ({"accepted": golds} if len(golds) > 1 else {})
    task = Task(
        str(own)[:300] if isinstance(own, str | int) and own != "" else f"{source}-{name}",
        kind, asked, golds[0] if golds else None, extra,
    )  # fmt: skip
    model = about.get("model")
    return Trajectory(
        name, task, method_of(steps), model if isinstance(model, str) and model else "not said",
        {"source": source}, steps, answer, end="unfinished" if answer is None else "finished",
        calls=sum(one.role == "assistant" for one in told), tokens_in=None, tokens_out=None,
    )  # fmt: skip


def object_in(value: Any, *names: str) -> Json:
    """What stands in an object under these names, one inside the other, if it is an object."""
    for name in names:
        value = value.get(name) if isinstance(value, dict) else None
    return value if isinstance(value, dict) else {}


def rows_of_json(path: Path) -> Rows:
    """The values of a JSON file, or of each of its lines."""
    text = records.text(path)
    try:
        whole = checked_json(text)
    except ValueError as error:
        if all(isinstance(row, ValueError) for _, row in islice(lines(text), 20)):  # no JSON lines
            raise ValueError(f"{path.name} cannot be read: {error}") from None
        yield from lines(text)
        return
    several = isinstance(whole, list) and not any(map(is_message, whole))
    for number, row in enumerate(whole if several else [whole], 1):
        yield f"row {number}", row


def lines(text: str) -> Rows:
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            yield f"line {number}", json_in(line)


def json_in(text: str | bytes) -> Any:
    """What it holds, or the ValueError that says why it cannot be read."""
    try:
        return checked_json(text)
    except ValueError as error:
        return error


def checked_json(text: str | bytes) -> Any:
    value = records.parsed(text)
    if not records.shallow(value, 100):
        raise ValueError("lists inside lists, too many to follow")
    return value


def is_message(row: Any) -> bool:
    return isinstance(row, dict) and "content" in row and "messages" not in row


# ------------------------------------------------------------------ Inspect

VERDICTS = {"C": 1.0, "I": 0.0}  # what its scorers say
FEW = 1 << 62  # more tokens than that nobody counted
MEMBER, WHOLE, MEMBERS = 1 << 26, 1 << 29, 100_000  # bytes unpacked of one, of all; how many
UNREADABLE = (  # what zipfile raises over a file that is damaged, locked or of a newer kind
    zipfile.BadZipFile, zlib.error, ValueError, NotImplementedError, RuntimeError, EOFError,
    OSError,
)  # fmt: skip


def samples(path: Path) -> Rows:
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
        yield f"sample {number}", (sample, log["eval"])


def unzip_samples(path: Path) -> Rows:
    try:
        with zipfile.ZipFile(path) as file:
            names = [name for name in file.namelist() if name.endswith(".json")]
            if len(names) > MEMBERS:
                raise ValueError(f"it holds {len(names)} files, more than {MEMBERS}")
            # what a log says of all its samples; of a run that was stopped, what it said first
            heads = [name for name in ("header.json", "_journal/start.json") if name in names]
            found = (object_in(checked_json(unpack(file, name))).get("eval") for name in heads)
            about = next((one for one in found if isinstance(one, dict)), None)
            if about is None:
                raise ValueError("it is no log of Inspect: it has no header")
            left = WHOLE
            for name in names:
                if name.startswith("samples/"):
                    content = unpack(file, name)
                    left -= len(content)
                    if left < 0:
                        raise ValueError(f"it unpacks to more than {WHOLE >> 20} MB")
                    yield name, (json_in(content), about)
    except UNREADABLE as error:
        raise ValueError(f"{path.name} cannot be read: {error}") from None


def unpack(file: zipfile.ZipFile, name: str) -> bytes:
    """A file in a zip; whatever size it claims, no more than so much is unpacked."""
    with file.open(name) as stream:
        content = stream.read(MEMBER + 1)
    if len(content) > MEMBER:
        raise ValueError(f"{name[:100]} unpacks to more than {MEMBER >> 20} MB")
    return content


def run_of_sample(where: str, row: tuple[Any, Json], kind: str) -> Trajectory:
    """A sample: its messages, its target, what it used and how it ended."""
    sample, log = row
    if isinstance(sample, ValueError):
        raise sample
    if not isinstance(sample, dict):
        raise ValueError("a sample must be an object")
    messages = restore(sample.get("messages"), object_in(sample, "attachments"))
    model = object_in(sample, "output").get("model") or log.get("model")
    about = {**sample, "gold": sample.get("target"), "model": model}
    run = conversation([where, sample], messages, about, kind, "inspect")
    used, took = object_in(sample, "model_usage").values(), sample.get("total_time")
    changes: dict[str, Any] = {
        "tokens_in": count(used, "input_tokens"), "tokens_out": count(used, "output_tokens"),
        "seconds": float(took) if isinstance(took, int | float) and 0 <= took < 1e9 else 0.0,
    }  # fmt: skip
    if run.task.gold is None:
        verdicts = map(reward_in, object_in(sample, "scores").values())
        changes["reward"] = next((one for one in verdicts if one is not None), None)
    if sample.get("error"):
        changes |= {"end": "error", "error": json.dumps(sample["error"])[:1000]}
    elif sample.get("limit") and run.answer is None:
        changes["end"] = "step_limit"
    told = object_in(sample, "metadata")  # what `to_inspect` says of a run beside its messages
    if log.get("task") == "react_lab" and told.get("end") in ENDS:
        texts = {key: value for key, value in told.items() if isinstance(value, str)}
        changes |= {"end": told["end"], "answer": texts.get("answer")}
        changes |= {"method": texts["method"]} if "method" in texts else {}
    return replace(run, **changes)


def restore(value: Any, attached: Json) -> Any:
    """Long texts of a log lie apart, under their hashes."""
    match value:
        case str() if value.startswith("attachment://"):
            found = attached.get(value.removeprefix("attachment://"), value)
            return found if isinstance(found, str) else ""
        case dict():
            return {key: restore(inner, attached) for key, inner in value.items()}
        case list():
            return [restore(inner, attached) for inner in value]
    return value


def count(used: Iterable[Any], name: str) -> int | None:
    found = [object_in(one).get(name) for one in used]
    whole = [n for n in found if type(n) is int and 0 <= n < FEW]
    return min(sum(whole), FEW) if whole else None


def reward_in(score: Any) -> float | None:
    value = object_in(score).get("value")
    if isinstance(value, str):
        return VERDICTS.get(value)
    return float(value) if isinstance(value, int | float) and 0 <= value <= 1 else None


# ------------------------------------------------------------------ the kinds

CLAIM, QUESTION = (re.compile(rf"^(\d+) {what}: (.*)$", re.M) for what in ("Claim", "Question"))
UNSCORED = "an episode without scores"
READERS: Mapping[str, tuple[Callable[[Path], Rows], RunOf]] = {
    "authors-fever": (
        partial(episodes, CLAIM, SCORES, UNSCORED), partial(episode, CLAIM, "claims", "fever"),
    ),
    "authors-hotpotqa": (
        partial(episodes, QUESTION, SCORES, UNSCORED),
        partial(episode, QUESTION, "multihop", "hotpotqa"),
    ),
    "authors-alfworld": (partial(episodes, GAME_CUE, GAME_END, "a game without its end"), game),
    "authors-webshop": (purchases, purchase),
    "inspect": (samples, run_of_sample),
    "openai": (rows_of_json, run_of_messages),
}  # fmt: skip
