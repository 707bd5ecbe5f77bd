"""Runs of strangers as trajectories: scored, labelled and plotted as our own.

Of each kind of file one function finds the episodes, and what makes a run of each (`READERS`).
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
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple

from .. import records
from ..chat.tool_calls import act_of
from ..kinds import kind_named
from ..layouts import Numbered
from ..support.files import checked, expand
from ..types import ENDS, End, Step, Task, Trajectory, split_act
from .runs import FAILED, with_outcome

LARGEST = 1 << 28  # bytes of a file
judged = partial(with_outcome, failed=(*FAILED, "Nothing happens"))
SAID = 20  # so many of the parts that could not be read are listed
Json = Mapping[str, Any]
RunOf = Callable[[str, re.Match[str]], Trajectory]  # of what was printed, and how it ends
Found = Iterator[tuple[str, Callable[[], Trajectory]]]  # where it stands; the run or a ValueError


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
    runs, passed = list[Trajectory](), list[str]()
    for where, run in READERS[kind](path, task_kind):
        try:
            runs.append(records.RUN.read(records.RUN.write(run())))
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

MODEL = "gpt-3 (the authors' transcript)"
SCORES = re.compile(r"^\{'steps'.*\}\s*$", re.M)
CUE = re.compile(r"^(Thought|Action|Observation) (\d+): ?", re.M)
ORDER = ("Thought", "Action", "Observation")
TRIED = "\nohh... "  # before a reply without its act, which is asked for again


def printout(path: Path) -> str:
    """A notebook's printed output, any other text as it is."""
    text = records.text(path)
    if text.lstrip().startswith("{"):
        with contextlib.suppress(ValueError, LookupError, TypeError, AttributeError):
            cells = records.parsed(text)["cells"]
            outputs = [out for cell in cells for out in cell.get("outputs", ())]
            text = "".join(part for out in outputs for part in out.get("text", ()))
    return text


def printed_run(
    text: str, task: Task, method: str, source: str, steps: tuple[Step, ...], **more: Any
) -> Trajectory:
    """The run of an episode; its id is a hash of what was printed."""
    name = hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:16]
    about: dict[str, Any] = {"calls": len(steps), "tokens_in": None, "tokens_out": None} | more
    return Trajectory(name, task, method, MODEL, {"source": f"authors-{source}"}, steps, **about)


def episodes(
    begins: re.Pattern[str], ends: re.Pattern[str], run_of: RunOf, path: Path, _: str
) -> Found:
    """Episodes that each end with a line of their own."""
    text, start, line = printout(path), 0, 1
    for end in ends.finditer(text):
        part = text[start : end.start()]
        line += part.count("\n")
        yield f"line {line}", partial(run_of, part, end)
        line, start = line + end[0].count("\n"), end.end()
    if begins.search(text, start):
        yield f"line {line}", cut_short


def cut_short() -> Trajectory:
    raise ValueError("an episode without its end: it was cut short")


def answers(kind: str, source: str) -> Callable[[Path, str], Found]:
    """The reader of the questions, or the claims, that the authors' notebooks ask."""
    begins = re.compile(rf"^(\d+) {kind_named(kind).opener}: (.*)$", re.M)

    def run_of(text: str, end: re.Match[str]) -> Trajectory:
        try:
            scores = ast.literal_eval(end[0].strip())
            gold, answer = scores["gt_answer"], scores["answer"] or None
        except (ValueError, SyntaxError, MemoryError, RecursionError, LookupError, TypeError) as no:
            raise ValueError(f"a line of scores cannot be read ({no}): {end[0][:100]!r}") from None
        asked = begins.search(text)
        if asked is None:
            raise ValueError(f"an episode has scores and no task: {str(scores)[:200]}")
        task = Task(f"{source}-{asked[1]}", kind, asked[2].strip(), gold)
        steps = tuple(printed_steps(text[asked.end() :]))
        return printed_run(
            text, task, "react", source, steps, calls=sum(1 + step.rescued for step in steps),
            answer=answer, end="finished" if answer else "step_limit",
        )  # fmt: skip

    return partial(episodes, begins, SCORES, run_of)


def printed_steps(text: str) -> Iterator[Step]:
    """A thought, then the act and the observation of its number; other cues are text in them."""
    before, *cues = CUE.split(text)
    found: list[tuple[str, dict[str, list[str]]]] = [("", {cue: [before] for cue in ORDER})]
    for cue, number, part in zip(cues[::3], cues[1::3], cues[2::3], strict=True):
        current, told = found[-1]
        whole = len(told) == len(ORDER)
        if whole and cue == "Thought":
            found.append((number, {cue: [part]}))
        elif not whole and (cue, number) == (ORDER[len(told)], current):
            told[cue] = [part]
        else:
            told[[*told][-1]] += [f"{cue} {number}: ", part]
    for (_, last), (_, told) in pairwise(found):
        if len(told) == len(ORDER):
            rescued = TRIED in "".join(last["Observation"])
            thought, act, seen = ("".join(told[cue]).partition(TRIED)[0].strip() for cue in ORDER)
            if act.startswith("Finish["):
                seen = ""  # its reward stands there: not for the eyes of who judges the run blind
            yield Step(thought, act, seen, rescued=rescued)


# ------------------------------------------------------------------ printed: games and purchases

GAME_END = re.compile(r"^\d+ r (\S+) rs \[.*\n-+$", re.M)
GAME_CUE = re.compile(r"^(Act|Obs) \d+: ?", re.M)
GOAL = "Your task is to: "
SHOP_START = re.compile(r"^-{17}\n(\d+)$", re.M)
SHOP_END = re.compile(r"^\d+ [\d.e-]+ [\d.e-]+ [\d.e-]+$", re.M)
EARNED = "Your score (min 0.0, max 1.0): "


def game(text: str, end: re.Match[str]) -> Trajectory:
    """A name, the room and the goal, `Act 1:`, `Obs 1:` ..., and whether it was won."""
    text, verdict = text.lstrip(), end[1]
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


def purchases(path: Path, _: str) -> Found:
    """Purchases: a number, `Action: reset` with the goal, the steps, and the mean so far."""
    before, *parts = SHOP_START.split(printout(path))
    line = 1 + before.count("\n")
    for number, part in zip(parts[::2], parts[1::2], strict=True):
        yield f"line {line}", partial(purchase, number, part)
        line += 1 + part.count("\n")


def purchase(number: str, text: str) -> Trajectory:
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
    return judged(Step(None, act, seen))


# ------------------------------------------------------------------ messages

ROLES = ("system", "developer", "user", "assistant", "tool")
SEEN = re.compile(r"\AObservation(?: \d+)?:\s*+")


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
    role = str(row.get("role") or "").lower()
    if role not in ROLES:
        raise ValueError(f"a message has the role {role[:50]!r}, which nobody knows")
    text = texts_in(row.get("content"), "text")
    apart = (texts_in(row.get("reasoning_content")), texts_in(row.get("content"), "reasoning"))
    private = "\n".join(filter(None, apart))
    about = tuple(calls_in(row)), str(row.get("tool_call_id") or "")
    return Said(role, text or private, *about, private=(private or None) if text else None)


def texts_in(content: Any, of: str = "text") -> str:
    """The texts of a type in a content, which is a text, or parts; pictures stay out."""
    parts = content if isinstance(content, list) else [content]
    if content is not None and not isinstance(content, str | list):
        raise ValueError(f"the content of a message must be a text, not {type(content).__name__}")
    whole = [{"type": "text", "text": part} if isinstance(part, str) else part for part in parts]
    texts = [object_in(part).get(of) for part in whole if object_in(part).get("type") == of]
    return "\n".join(text.strip() for text in texts if isinstance(text, str) and text)


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
        yield str(call.get("id") or ""), act_of(name, told.get("arguments"))


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
            yield judged(replace(read, observation=seen, private=message.private))
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
        yield judged(replace(said, action=act, observation=seen))
        said = Step()


def method_of(steps: Sequence[Step]) -> str:
    """The method whose parts these are; a run without a thought counts as act."""
    acts = any(step.action and not step.action.startswith("Finish[") for step in steps)
    thinks = any(step.thought for step in steps)
    return ("react" if thinks else "act") if acts else ("cot" if thinks else "standard")


def chats(path: Path, kind: str) -> Found:
    """The values of a JSON file, or of each of its lines."""
    text = records.text(path)
    try:
        whole = json_in(text)
    except ValueError:
        for number, line in enumerate(text.split("\n"), 1):
            if line.strip():
                where = f"line {number}"
                yield where, partial(chat, where, line, kind, raw=True)
        return
    several = isinstance(whole, list) and not any("content" in object_in(row) for row in whole)
    for number, row in enumerate(whole if several else [whole], 1):
        yield f"row {number}", partial(chat, f"row {number}", row, kind)


def chat(where: str, row: Any, kind: str, raw: bool = False) -> Trajectory:
    """raw: the row is JSON yet to be read."""
    row = json_in(row) if raw else row
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


def json_in(text: str | bytes) -> Any:
    value = records.parsed(text)
    if not records.shallow(value, 100):
        raise ValueError("lists inside lists, too many to follow")
    return value


# ------------------------------------------------------------------ Inspect

VERDICTS = {"C": 1.0, "I": 0.0}  # what its scorers say
MEMBER, WHOLE = 1 << 26, 1 << 29  # bytes unpacked of one file in a zip, of all
UNREADABLE = (  # what zipfile raises over a file that is damaged, locked or of a newer kind
    zipfile.BadZipFile, zlib.error, ValueError, NotImplementedError, RuntimeError, EOFError,
    OSError,
)  # fmt: skip


def samples(path: Path, kind: str) -> Found:
    """The samples of a log, which is one JSON, or a zip with a file for each."""
    with records.blame(f"{path.name} cannot be read", UNREADABLE):
        if zipfile.is_zipfile(path):
            with zipfile.ZipFile(path) as file:
                yield from zipped_samples(file, kind)
            return
        log = json_in(records.text(path))
        about, found = object_in(log).get("eval"), object_in(log).get("samples") or []
        if not isinstance(about, dict):
            raise ValueError("it is no log of Inspect: it has no eval")
        if not isinstance(found, list):
            raise ValueError("it is no log of Inspect: its samples are no list")
    for number, row in enumerate(found, 1):
        yield f"sample {number}", partial(sample, f"sample {number}", row, kind, about)


def zipped_samples(file: zipfile.ZipFile, kind: str) -> Found:
    names = [name for name in file.namelist() if name.endswith(".json")]
    # what a log says of all its samples; of a run that was stopped, what it said first
    heads = [name for name in ("header.json", "_journal/start.json") if name in names]
    found = (object_in(json_in(unpack(file, name))).get("eval") for name in heads)
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
            yield name, partial(sample, name, content, kind, about, raw=True)


def unpack(file: zipfile.ZipFile, name: str) -> bytes:
    """A file in a zip; whatever size it claims, no more than so much is unpacked."""
    with file.open(name) as stream:
        content = stream.read(MEMBER + 1)
    if len(content) > MEMBER:
        raise ValueError(f"{name[:100]} unpacks to more than {MEMBER >> 20} MB")
    return content


def sample(where: str, row: Any, kind: str, log: Json, raw: bool = False) -> Trajectory:
    """A sample: its messages, its target, what it used and how it ended."""
    row = json_in(row) if raw else row
    if not isinstance(row, dict):
        raise ValueError("a sample must be an object")
    messages = restore(row.get("messages"), object_in(row, "attachments"))
    model = object_in(row, "output").get("model") or log.get("model")
    about = {**row, "gold": row.get("target"), "model": model}
    run = conversation([where, row], messages, about, kind, "inspect")
    used, took = object_in(row, "model_usage").values(), row.get("total_time")
    changes: dict[str, Any] = {
        "tokens_in": count(used, "input_tokens"), "tokens_out": count(used, "output_tokens"),
        "seconds": float(took) if isinstance(took, int | float) and 0 <= took < 1e9 else 0.0,
    }  # fmt: skip
    if run.task.gold is None:
        verdicts = map(reward_in, object_in(row, "scores").values())
        changes["reward"] = next((one for one in verdicts if one is not None), None)
    if row.get("error"):
        changes |= {"end": "error", "error": json.dumps(row["error"])[:1000]}
    elif row.get("limit") and run.answer is None:
        changes["end"] = "step_limit"
    told = object_in(row, "metadata")  # what `to_inspect` says of a run beside its messages
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
    whole = [n for n in found if type(n) is int and 0 <= n < 1 << 40]  # more nobody counted
    return sum(whole) if whole else None


def reward_in(score: Any) -> float | None:
    value = object_in(score).get("value")
    if isinstance(value, str):
        return VERDICTS.get(value)
    return float(value) if isinstance(value, int | float) and 0 <= value <= 1 else None


READERS: Mapping[str, Callable[[Path, str], Found]] = {
    "authors-fever": answers("claims", "fever"),
    "authors-hotpotqa": answers("multihop", "hotpotqa"),
    "authors-alfworld": partial(episodes, GAME_CUE, GAME_END, game),
    "authors-webshop": purchases,
    "inspect": samples,
    "openai": chats,
}
