"""Lesson 10: today's models: the loop with tools, a tool of one's own, and what others send."""

from __future__ import annotations

import json
import re
import sys
import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .. import data, display, store, tasks, teach
from ..analysis.preview import Price, preview_of
from ..chat.tool_calls import schemas
from ..chat.turns import ChatTranscript
from ..envs.tools import Tools
from ..kinds import kind_of
from ..running import prompt_of
from ..support.text import visible
from ..transcript import tokens
from ..types import Reply, Task, Trajectory
from . import words
from .boundaries import rounded

if TYPE_CHECKING:
    import pandas as pd

TASKS: Mapping[str, tuple[str, str]] = {
    "first": ("How many degrees warmer is it in Cairo than in Paris?", "13"),
    "nowhere": ("How warm is it in Atlantis?", "unknown"),
}
MINE = """question,answer
How warm is it in Tokyo?,12
How many degrees colder is it in Oslo than in Lima?,24
"Is Dublin windier than Paris? Answer yes or no.",yes
What is 48 times 27?,1296
How many minutes are 14 hours?,840
"A hall has 23 rows of 31 chairs. How many chairs is that?",713
How warm is it in Nairobi in degrees Fahrenheit?,78.8
Which day of the week is it?,Monday
"""
WRITERS = {"written": "turns written by hand", "bundled": "SmolLM2-135M-Instruct, no adapter"}
AGENTS = {"react-tools": "ours", "LangGraph": "LangGraph", "DSPy": "DSPy"}


def task(name: str = "first") -> Task:
    """A question of this lesson."""
    text, gold = TASKS[name]
    return tasks.question(text, gold, kind="tools")


class Screen:
    """Writes what a model says as it comes: `Thought:` before each turn, no line too wide."""

    def __init__(self) -> None:
        self.column, self.word, self.begun = 0, "", False

    def turn(self) -> None:
        """What is said from now on is a turn of its own."""
        self.begun = False

    def __call__(self, piece: str) -> None:
        if not self.begun:
            if not (piece := piece.lstrip()):
                return
            self.begun, piece = True, f"Thought: {piece}"
        for part in re.split("([ \n])", visible(piece)):
            if part in (" ", "\n"):
                self._flush(part)
            else:
                self.word += part

    def _flush(self, mark: str) -> None:
        """The word that is whole now, on this line or the next, and what follows it."""
        if mark == "\n" and not self.word and not self.column:
            return  # no empty lines
        if self.column + len(self.word) >= teach.WIDE:  # the mark takes a place, too
            sys.stdout.write("\n    ")
            self.column = 4
        sys.stdout.write(self.word + mark)
        self.column = 0 if mark == "\n" else self.column + len(self.word) + 1
        self.word = ""
        sys.stdout.flush()


# ---------------------------------------------------------------------- what is sent


def instruction(method: str, world: Tools | None = None) -> str:
    """What a chat's model is told before the question."""
    return prompt_of(method, "tools", world=world).head


def schema(world: Tools, name: str) -> str:
    """One tool of a world, as the chat API takes it: set in so little that no text is broken."""
    told = {tool["function"]["name"]: tool for tool in schemas(world.actions)}
    text = json.dumps(told[name], indent=1, separators=(",", ":"), ensure_ascii=False)
    return re.sub("^ ", "", text, flags=re.MULTILINE)


def called(name: str, given: str, thought: str = "") -> Reply:
    """A turn that calls a tool, as a server would send it: for turns written by hand."""
    call = {"id": "1", "type": "function", "function": {"name": name, "arguments": given}}
    return Reply(thought, tool_calls=(call,))


# ---------------------------------------------------------------------- what others send


def folder() -> Path:
    return data.folder("runs", "agents")


def measured() -> Any:
    return json.loads((folder() / "measured.json").read_text(encoding="utf-8"))


def agents(model: str = "written") -> pd.DataFrame:
    """What each agent sent for the five questions, in all.

    model: "written", the turns written by hand and the same for all; "bundled", the model itself.
    """
    import pandas as pd

    rows = pd.DataFrame(row for row in measured()["rows"] if row["model"] == model)
    rows["failed"] = rows["error"].notna()
    columns = ["calls", "read", "wrote", "bytes", "right", "failed"]
    kept = columns if model == "bundled" else [name for name in columns if name != "wrote"]
    return rows.groupby("agent", sort=False)[kept].sum().astype(int)


def most_sent() -> str:
    """Which agent's requests have the most tokens, for the same turns."""
    return str(agents()["read"].idxmax())


def request(agent: str, number: int) -> display.Page:
    """The first or second request (1, 2) of an agent for the first question, by messages.

    The tools that go beside them are named in a line.
    """
    kept = json.loads((folder() / "sent.json").read_text(encoding="utf-8"))[f"{agent} written"]
    if not 1 <= number <= len(kept):
        raise ValueError(f"request {number} is not kept: there are 1 to {len(kept)}")
    sent = kept[number - 1]
    notes = [display.note(message["role"], said(message)) for message in sent["messages"]]
    names = ", ".join(tool["function"]["name"] for tool in sent.get("tools", ()))
    return display.together([*notes, display.note("tools beside the messages", names or "none")])


def said(message: Mapping[str, Any]) -> str:
    content = message.get("content") or ""
    text = content if isinstance(content, str) else " ".join(part["text"] for part in content)
    called = (call["function"] for call in message.get("tool_calls") or ())
    calls = [f"calls {call['name']} {call['arguments']}" for call in called]
    return "\n".join([*([text] if text else []), *calls])


def read_back(agent: str, model: str = "written") -> list[Trajectory]:
    """The runs of another agent, read from its messages as trajectories.

    Messages do not say who wrote them nor how often somebody was asked: the measurement does.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        path = folder() / f"{agent.lower()}-{model}.jsonl"
        runs = store.read_transcript(path, "openai", "tools")
    about = {row["task"]: row for row in measured()["rows"]
             if (row["agent"], row["model"]) == (agent, model)}  # fmt: skip
    return [known(run, about[run.task.id]) for run in runs]


def known(run: Trajectory, row: Mapping[str, Any]) -> Trajectory:
    """The run with what was measured of it: who wrote its turns, its calls and its tokens.

    LangGraph's agent has no act to end with: there the last turn is the answer and no step.
    """
    *before, last = run.steps
    if last.action and last.action.startswith("Finish["):
        ends = () if row["agent"] == "LangGraph" else (replace(last, observation=None),)
        run = replace(run, steps=(*before, *ends))
    return replace(
        run, model=WRITERS[row["model"]], calls=row["calls"], tokens_in=row["read"],
        tokens_out=row["wrote"],
    )  # fmt: skip


# ---------------------------------------------------------------------- what it will cost


def sent_as(method: str, runs: Iterable[Trajectory]) -> list[Trajectory]:
    """These runs, with about the tokens that a chat would read and write for their very steps."""
    prompt, world = prompt_of(method, "tools"), Tools()
    found = []
    for run in runs:
        chat, read, wrote = ChatTranscript(prompt), 0, 0
        chat.begin(world(run.task).reset(run.task))
        for i, step in enumerate(run.steps, 1):
            said = step if chat.thinks else replace(step, thought=None)
            read += chat.size(0, ())
            wrote += tokens(f"{said.thought or ''}{said.action or ''}")
            chat.add(said, i)
        found.append(replace(run, method=method, tokens_in=read, tokens_out=wrote))
    return found


def preview(runs: Sequence[Trajectory], n: int, price: Price) -> str:
    """What n tasks will cost by each method of these runs, if a model reads and writes as much."""
    methods = list(dict.fromkeys(run.method for run in runs))
    kind = runs[0].task.kind
    lines = [
        f"{n} {kind_of(kind).noun}, at {price[0]:g} and {price[1]:g} per million tokens, "
        "in the currency of your price:"
    ]
    for method in methods:
        mine = [run for run in runs if run.method == method]
        cost = preview_of(mine, {kind: n}, [method], price, 1).cost
        low, high = cost.range if cost else (0.0, 0.0)
        whole = f"{cost.whole:.2f} ({low:.2f} to {high:.2f})" if cost else "unknown"
        lines.append(f"  {method:12} {whole}")
    return "\n".join(lines)


# ---------------------------------------------------------------------- exercises and questions


def lesson() -> teach.Lesson:
    """The exercises and the questions, made afresh."""
    return words.lesson_of("10", CHECKS)


def check_tool(answer: Any) -> str | None:
    """The check of 10.1, by the world itself."""
    if answer is ...:
        return teach.UNDONE
    if not callable(answer):
        return "This exercise asks for a function."
    try:
        world = Tools(answer)
    except ValueError as error:
        return f"This is no tool yet: {error}."
    env, name = world(task()), world.actions[0].usage.partition("[")[0]
    right, wrong = env.step(f"{name}[Snowdon]"), env.step(f"{name}[Mount Doom]")
    if "1085" not in right.text:
        return f"{name}[Snowdon] gave {teach.short(right.text)}."
    if not wrong.why:
        return f"{name}[Mount Doom] gave {teach.short(wrong.text)}: it should raise an error."
    return None


CALLS: Sequence[tuple[str, dict[str, Any], str]] = (
    ("Weather", {"city": "Oslo"}, "Weather[Oslo]"),
    ("Convert", {"amount": "5", "unit": "km", "into": "mile"}, "Convert[5, km, mile]"),
    ("Clock", {}, "Clock[]"),
)
BILLS = ((1000, 100, (1.0, 2.0), 10), (0, 500, (3.0, 15.0), 200), (2500, 0, (0.5, 9.0), 1000))


def bill(read: float, wrote: float, price: Price, n: int) -> float:
    """The solution of 10.3, by which the cases are made."""
    return n * (read * price[0] + wrote * price[1]) / 1e6


CHECKS: Mapping[str, teach.Check] = {
    "10.1": check_tool,
    "10.2": teach.cases(*(
        (({"name": name, "arguments": json.dumps(given)},), act) for name, given, act in CALLS
    )),
    "10.3": rounded(teach.cases(*((each, round(bill(*each), 3)) for each in BILLS))),
}  # fmt: skip
