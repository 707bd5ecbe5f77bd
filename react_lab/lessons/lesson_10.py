"""Lesson 10: today's models: the loop with tools, a tool of one's own, and what others send. Then
questions and models of one's own, and their bill before it is paid.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import react_lab as rl

from .. import display
from ..analysis.preview import Price, preview_of
from ..chat.tool_calls import schemas
from ..chat.turns import ChatTranscript
from ..display.html import Block, beside, frame, text_of
from ..envs.tools import Tools
from ..languages import say
from ..support import pd
from ..support.text import tokens, visible
from ..types import Reply, Task, Trajectory
from . import words

TASKS: Mapping[str, tuple[str, str]] = {
    "first": ("How many degrees colder is it in Paris than in Cairo?", "13"),
    "nowhere": ("How warm is it in Atlantis?", "unknown"),
}
AGENTS = ("react-tools", "LangGraph", "DSPy")
COLOUR = {"assistant": "thought", "tool": "observation"}  # of a message, by who speaks


def task(name: str = "first") -> Task:
    text, gold = TASKS[name]
    return rl.tasks.question(text, gold, kind="tools")


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
        *words, self.word = re.split("(?<=[ \n])", self.word + visible(piece))
        for word in words:  # each with the mark that ends it
            if word == "\n" and not self.column:
                continue  # no empty lines
            if self.column + len(word) > rl.teach.WIDE:
                sys.stdout.write("\n    ")
                self.column = 4
            sys.stdout.write(word)
            self.column = 0 if word.endswith("\n") else self.column + len(word)
        sys.stdout.flush()


# ---------------------------------------------------------------------- what is sent


def instruction(method: str, world: Tools | None = None) -> str:
    """What a chat's model is told before the question."""
    return str(rl.prompt_of(method, "tools", world=world).head)


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


def measured(name: str = "measured") -> Any:
    return json.loads(rl.data.folder("runs", "agents", f"{name}.json").read_text(encoding="utf-8"))


def agents() -> pd.DataFrame:
    """What each agent sent for the five questions, in all: the turns were written by hand."""
    rows = pd.DataFrame(row for row in measured()["rows"] if row["model"] == "written")
    rows["failed"] = rows["error"].notna()
    kept = ["calls", "read", "bytes", "right", "failed"]
    return rows.groupby("agent", sort=False)[kept].sum().astype(int)


def most_sent() -> str:
    """Which agent's requests have the most tokens, for the same turns."""
    return str(agents()["read"].idxmax())


def requests(number: int) -> display.Page:
    """The request with this number (1, 2) of each agent for the first question, side by side."""
    kept = measured("sent")
    heads = [Block(name) for name in AGENTS]
    cells = [list(parts_of(kept[f"{agent} written"][number - 1])) for agent in AGENTS]
    texts = (text_of([head, *cell]) for head, cell in zip(heads, cells, strict=True))
    return display.Page(frame(beside(heads, [cells])), "\n\n".join(texts))


def parts_of(request: Mapping[str, Any]) -> Iterator[Block]:
    """The messages of a request, and the names of the tools beside them."""
    for message in request["messages"]:
        yield Block(message["role"], said(message), COLOUR.get(message["role"], ""))
    names = [tool["function"]["name"] for tool in request.get("tools", ())]
    yield Block("tools beside the messages", ", ".join(names) or "none")


def said(message: Mapping[str, Any]) -> str:
    content = message.get("content") or ""
    text = content if isinstance(content, str) else " ".join(part["text"] for part in content)
    called = (call["function"] for call in message.get("tool_calls") or ())
    calls = [f"calls {call['name']} {call['arguments']}" for call in called]
    return "\n".join([*([text] if text else []), *calls])


def check_tool(answer: Any) -> str | None:
    """The check of 10.1, by the world itself."""
    if answer is ...:
        return rl.teach.UNDONE
    if not callable(answer):
        return say("teach.asks_for_a_function")
    try:
        world = Tools(answer)
    except ValueError as error:
        return words.said("10", "no_tool", error=error)
    env, name = world(task()), world.actions[0].usage.partition("[")[0]
    right, wrong = env.step(f"{name}[Snowdon]"), env.step(f"{name}[Mount Doom]")
    if "1085" not in right.text:
        return words.said("10", "gave", act=f"{name}[Snowdon]", got=rl.teach.short(right.text))
    if not wrong.why:
        known = {"act": f"{name}[Mount Doom]", "got": rl.teach.short(wrong.text)}
        return words.said("10", "should_raise", **known)
    return None


lesson = partial(words.lesson_of, "10", {"10.1": check_tool})


# ---------------------------------------------------------------------- a model of one's own

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


def sent_as(method: str, runs: Iterable[Trajectory]) -> list[Trajectory]:
    """These runs, with about the tokens that a chat would read and write for their very steps."""
    prompt, world = rl.prompt_of(method, "tools"), Tools()
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
        f"{n} {rl.kinds.kind_of(kind).noun}, at {price[0]:g} and {price[1]:g} per million tokens, "
        "in the currency of your price:"
    ]
    for method in methods:
        mine = [run for run in runs if run.method == method]
        cost = preview_of(mine, {kind: n}, [method], price, 1).amount("cost")
        whole = f"{cost.whole:.2f} ({cost.low:.2f} to {cost.high:.2f})" if cost else "unknown"
        lines.append(f"  {method:12} {whole}")
    return "\n".join(lines)
