"""A world of your own functions: each is an act, and its docstring says what it does.

    def price(item: str) -> str:
        "Tells what an item costs in the school shop."
        return {"pen": "2 euros"}[item]

    world = rl.envs.Tools(price)

A model may give a function any text, so a function does what it does for anybody who writes to it.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import inspect
import math
import re
import typing
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from ..chat.tool_calls import same_name, values_in
from ..kinds import kind_of
from ..records import whole
from ..types import Action, Env, Halt, Seen, Task, short
from .toolbox import calculate, clock, convert, weather
from .wiki import one_line

Function = Callable[..., Any]
LONGEST = 2000  # characters of a result; more would push the task out of a prompt
TYPES: Mapping[Any, str] = {str: "string", int: "integer", float: "number", bool: "boolean"}
FINISH = Action("Finish[answer]", "gives the answer and ends the task")
ACT = re.compile(r"\s*([^\W\d]\w*)\s*\[(.*)\]\s*", re.S)
YES, NO = ("true", "yes", "1"), ("false", "no", "0")


class Tool(NamedTuple):
    """A function, and the act that it is."""

    do: Function
    action: Action
    takes: Mapping[str, type]
    needed: int

    @property
    def name(self) -> str:
        return self.action.usage.partition("[")[0]


class Tools:
    """The world of some functions; of none, of those for the lesson: clock, weather and sums.

    replayable: False if what they do has effects (a message is sent, a robot moves): then it is not
    done again where a run is replayed.
    """

    def __init__(self, *functions: Function, replayable: bool = True) -> None:
        self.functions: tuple[Function, ...] = functions or (clock, weather, convert, calculate)
        self.replayable = replayable
        self.tools = {same_name(tool.name): tool for tool in map(tool_of, self.functions)}
        if len(self.tools) < len(self.functions):
            raise ValueError("two of these functions have the same name")
        if "finish" in self.tools:
            raise ValueError("Finish ends a task in every world: call your function something else")

    @property
    def actions(self) -> Sequence[Action]:
        return *(tool.action for tool in self.tools.values()), FINISH

    @property
    def snapshot(self) -> str:
        """The names of the functions, and a hash of what they are made of."""
        made_of = "\n".join(source_of(function) for function in self.functions)
        names = ", ".join(tool.name for tool in self.tools.values())
        return f"tools {names} {hashlib.sha256(made_of.encode('utf-8', 'replace')).hexdigest()[:8]}"

    def __call__(self, task: Task) -> Env:
        return ToolsEnv(self, kind_of(task.kind).start)

    def __reduce__(self) -> tuple[Any, ...]:
        return functools.partial(Tools, replayable=self.replayable), self.functions

    def __repr__(self) -> str:
        return f"Tools({', '.join(tool.name for tool in self.tools.values())})"


class ToolsEnv:
    """One episode. A function that fails is an observation, and no exception."""

    def __init__(self, world: Tools, start: str = "Question: ") -> None:
        self.tools, self.actions, self.start = world.tools, world.actions, start
        self.replayable = world.replayable

    def reset(self, task: Task) -> str:
        return f"{self.start}{one_line(task.text)}"

    def step(self, action: str) -> Seen:
        act = ACT.fullmatch(action)
        name = same_name(act[1]) if act else ""
        if act and name == "finish":
            answer = one_line(act[2])
            if answer.lower() == "answer":
                return self.invalid(action, "the template itself, not filled in")
            return Seen("", done=True, answer=answer)
        if act is None or name not in self.tools:
            return self.invalid(action, "not one of the acts")
        tool = self.tools[name]
        try:
            given = arguments(tool, act[2])
        except ValueError as error:
            told = f"Invalid action: {tool.action.usage} {error}."
            return Seen(told, why="an argument that it does not take")
        try:
            result = tool.do(*given)
            told = one_line(whole(str("done" if result is None else result)))
        except Halt:  # a tool may say itself that its network is broken, or that somebody stops it
            raise
        except (Exception, SystemExit) as error:  # noqa: BLE001  (a user's function raises anything)
            failed = f"{tool.name} failed: {one_line(whole(words_of(error)))[:LONGEST]}."
            return Seen(failed, why="the tool failed")
        return Seen(told if len(told) <= LONGEST else f"{told[:LONGEST]} ... (cut)")

    def invalid(self, action: str, why: str) -> Seen:
        acts = ", ".join(a.usage for a in self.actions)
        return Seen(f"Invalid action: {one_line(action)[:200]}. Use one of {acts}.", why=why)


def words_of(error: BaseException) -> str:
    """What an exception says; its name where that is nothing, or fails."""
    words = ""
    if len(error.args) == 1 and isinstance(error.args[0], str):  # str() would quote a KeyError's
        words = error.args[0]
    elif error.args != (None,):
        with contextlib.suppress(Exception):
            words = str(error)
    return words.strip().rstrip(".") or type(error).__name__


# ---------------------------------------------------------------------- from a function to an act


def tool_of(function: Function) -> Tool:
    """The act that a function is; a sentence where it cannot be one."""
    named = getattr(function, "__name__", "")
    name = "".join(part[:1].upper() + part[1:] for part in named.split("_"))
    if not re.fullmatch(r"[^\W\d_]+", name):
        raise ValueError(f"a tool is called by a word of letters, and not {short(named)}")
    effect = (inspect.getdoc(function) or "").strip().partition("\n")[0].rstrip(". ")
    if not effect:
        raise ValueError(f"{named} needs a docstring: its first line tells a model what it does")
    takes, defaults = dict[str, type](), dict[str, Any]()  # the types; what may be left out
    hints = typing.get_type_hints(function)
    for key, parameter in inspect.signature(function).parameters.items():
        of = hints.get(key, str)
        if parameter.kind is not parameter.POSITIONAL_OR_KEYWORD or of not in TYPES:
            raise ValueError(
                f"{named} takes {key}: a tool takes named arguments of the types str, int, float "
                "and bool, since a model can only write a text"
            )
        takes[key] = of
        if parameter.default is not parameter.empty:
            defaults[key] = parameter.default
    written = (f"{key}={defaults[key]}" if key in defaults else key for key in takes)
    types = {key: TYPES[of] for key, of in takes.items() if of is not str}
    action = Action(f"{name}[{', '.join(written)}]", effect[0].lower() + effect[1:], types)
    return Tool(function, action, takes, len(takes) - len(defaults))


def arguments(tool: Tool, text: str) -> list[Any]:
    """What stands in the brackets, in the types that the function takes."""
    given = values_in(text, len(tool.takes)) if tool.takes else []
    if not tool.takes and text.strip():
        raise ValueError("takes nothing in its brackets")
    if len(tool.takes) == 1 and not text.strip():
        given = []
    if not tool.needed <= len(given) <= len(tool.takes):
        raise ValueError(f"takes {len(tool.takes)} of them, with commas between, not {len(given)}")
    typed = zip(given, tool.takes.items(), strict=False)
    return [of_type(value.strip(), of, key) for value, (key, of) in typed]


def of_type(text: str, of: type, name: str) -> Any:
    if of is str:
        return text
    if of is bool and text.lower() in (*YES, *NO):
        return text.lower() in YES
    if of is not bool and len(text) <= 40:
        with contextlib.suppress(ValueError):
            if math.isfinite(value := of(text)):
                return value
    what = {bool: "true or false", int: "a whole number", float: "a number"}[of]
    raise ValueError(f"takes {what} as {name}, not {short(text, 40)}")


def source_of(function: Function) -> str:
    try:
        return inspect.getsource(function)
    except (OSError, TypeError):  # typed at a prompt that keeps no source
        return getattr(function, "__qualname__", repr(type(function)))
