"""Acts as the calls of tools, and back: one declaration of an act serves a text and a tool alike.

`Search[entity]` is a tool Search with a text `entity`; `take X from Y` is a tool take_from with an
X and a Y. A run holds acts only, so a run by calls can be edited, replayed and learned from.
"""

from __future__ import annotations

import contextlib
import csv
import io
import json
import re
from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any, NamedTuple

from ..records import parsed, shallow, whole
from ..types import Action, ToolCall

ANSWERING = ("finish", "submit", "final_answer")  # tools that end a run
PLAIN = "command"  # the argument of an act that is written as it is: `go to shelf 1`
LONGEST = 2000  # characters of an act, as in a text
SLOT = re.compile(r"\b[XY]\b")
QUOTED = re.compile(r'\A\Z|\A\s|\s\Z|[,"\r\n]')  # one of several arguments that needs marks
BRACKETS = re.compile(r"([^\W\d]\w*)\[(.*)\]", re.S)


class Form(NamedTuple):
    """How an act is written: its name as a tool, its arguments, and what they are left out for."""

    name: str
    arguments: tuple[str, ...]
    defaults: Mapping[str, str] = {}
    pattern: str = ""  # of an act without brackets: `take (.+?) from (.+?)`

    def act(self, values: Mapping[str, str], usage: str) -> str:
        if self.pattern:
            return SLOT.sub(lambda slot: values[slot[0]], usage)
        return f"{self.name}[{joined([values[name] for name in self.arguments if name in values])}]"

    def values(self, act: str) -> dict[str, str] | None:
        """The arguments in an act of this form; None of another."""
        if self.pattern:
            found = re.fullmatch(self.pattern, act.strip(), re.I)
            return dict(zip(self.arguments, found.groups(), strict=True)) if found else None
        written = BRACKETS.fullmatch(act.strip())
        if written is None or same_name(written[1]) != same_name(self.name):
            return None
        given = values_in(written[2], len(self.arguments))
        needed = len(self.arguments) - len(self.defaults)
        if not needed <= len(given) <= len(self.arguments):
            return None
        return dict(zip(self.arguments, given, strict=False))


def form_of(action: Action) -> Form:
    """The form of a declared act.

    >>> form_of(Action("Convert[amount, unit=km]", "")).arguments
    ('amount', 'unit')
    """
    if written := BRACKETS.fullmatch(action.usage):
        parts = [part.strip().partition("=") for part in written[2].split(",") if part.strip()]
        defaults = {name: default for name, equals, default in parts if equals}
        return Form(written[1], tuple(name for name, _, _ in parts), defaults)
    slots = tuple(SLOT.findall(action.usage))
    words = re.findall(r"[^\W\d_]+", SLOT.sub(" ", action.usage))
    return Form("_".join(words), slots, {}, SLOT.sub("(.+?)", re.escape(action.usage)))


def same_name(name: str) -> str:
    """A name as it is compared: `convert_units` is `ConvertUnits`."""
    return name.replace("_", "").lower()


def schemas(actions: Sequence[Action]) -> tuple[dict[str, Any], ...]:
    """The declared acts as tools, in the JSON that the chat API takes."""
    tools = []
    for action in actions:
        form = form_of(action)
        types = {name: {"type": action.types.get(name, "string")} for name in form.arguments}
        needed = [name for name in form.arguments if name not in form.defaults]
        takes = {"type": "object", "properties": types, "required": needed}
        told = {"name": form.name, "description": f"It {action.effect}.", "parameters": takes}
        tools.append({"type": "function", "function": told})
    return tuple(tools)


# ---------------------------------------------------------------------- from a call to an act


def calls_in(raw: Sequence[Any]) -> list[ToolCall]:
    """The calls in a reply, whatever a server put there: what names no tool is passed over."""
    found = []
    for call in raw:
        told = call.get("function", call) if isinstance(call, dict) else None
        if not isinstance(told, dict) or not isinstance(told.get("name"), str):
            continue
        given = told.get("arguments", told.get("parameters"))
        text = given if isinstance(given, str) else json.dumps({} if given is None else given)
        found.append(ToolCall(str(call.get("id") or ""), told["name"], text))
    return found


def act_by(call: ToolCall, actions: Sequence[Action]) -> tuple[str, list[str]]:
    """The act that a call stands for, and what had to be put right to read it.

    A call of no tool of this world is an act too: the world says that it knows none such.
    """
    known = next((a for a in actions if same_name(form_of(a).name) == same_name(call.name)), None)
    given, repairs = arguments_in(call.arguments)
    if known is None:
        return cut(act_of(call.name, given), [*repairs, "no such tool"])
    form = form_of(known)
    if not isinstance(given, dict):
        texts = [given] if isinstance(given, str) else []
        if len(texts) != len(form.arguments):
            return cut(act_of(form.name, given), repairs or ["arguments without names"])
        given = dict(zip(form.arguments, texts, strict=True))
    texts_by_name = {name: as_text(value) for name, value in given.items()}
    if len(form.arguments) == len(given) == 1 and form.arguments[0] not in given:
        repairs.append("argument of another name")
        texts_by_name = {form.arguments[0]: next(iter(texts_by_name.values()))}
    needed = [name for name in form.arguments if name not in form.defaults]
    if not texts_by_name.keys() <= set(form.arguments) or not texts_by_name.keys() >= set(needed):
        return cut(act_of(form.name, given), [*repairs, "other arguments"])
    return cut(form.act({**form.defaults, **texts_by_name}, known.usage), repairs)


def arguments_in(text: str) -> tuple[Any, list[str]]:
    """What a call was given. Models write JSON that is none: then it is one text."""
    if not text.strip():
        return {}, []
    try:
        given = parsed(text)
    except ValueError:
        return whole(text), ["arguments are no JSON"]
    return (given, []) if shallow(given) else (whole(text), ["arguments nested too deep"])


def as_text(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return " ".join(whole(text).split())


def cut(act: str, repairs: list[str]) -> tuple[str, list[str]]:
    act = " ".join(whole(act).split())
    if len(act) <= LONGEST:
        return act, repairs
    return act[:LONGEST], [*repairs, f"cut at {LONGEST} characters"]


def act_of(name: str, given: Any) -> str:
    """`Search[Ulm]` for the call of a tool: one text as it is, more of them as JSON."""
    if isinstance(given, str):
        with contextlib.suppress(ValueError):  # no JSON: it stands in the act as it is
            given = parsed(given)
    if isinstance(given, dict) and len(given) == 1:
        ((key, value),) = given.items()
        if key == PLAIN and isinstance(value, str):
            return value
        given = value if isinstance(value, str) else given
    words = given if isinstance(given, str) else json.dumps(given or {}, ensure_ascii=False)
    name = "Finish" if name.lower() in ANSWERING else name
    return f"{name}[{words}]"


# ---------------------------------------------------------------------- from an act to a call


def call_for(act: str, actions: Sequence[Action], id: str) -> ToolCall | None:
    """The call that an act stands for; None where it is no act of this world."""
    for action in actions:
        form = form_of(action)
        if (values := form.values(act)) is not None:
            typed = {name: as_typed(text, action.types.get(name)) for name, text in values.items()}
            return ToolCall(id, form.name, json.dumps(typed, ensure_ascii=False))
    return None


def as_typed(text: str, kind: str | None) -> Any:
    with contextlib.suppress(ValueError):
        value = parsed(text.lower()) if kind in ("number", "integer", "boolean") else text
        return value if isinstance(value, int | float) else text
    return text


def joined(values: Sequence[str]) -> str:
    """Several arguments in brackets: a comma between them, quotation marks where one has a comma.

    >>> joined(["5", "km", "miles"]), joined(["Paris, France"])
    ('5, km, miles', 'Paris, France')
    """
    if len(values) == 1:
        return values[0]
    doubled = [(value, value.replace('"', '""')) for value in values]
    return ", ".join(f'"{two}"' if QUOTED.search(one) else one for one, two in doubled)


def values_in(text: str, most: int) -> list[str]:
    """The arguments in brackets: one is the whole text, several stand between commas.

    >>> values_in('5, "a, b", miles', 3)
    ['5', 'a, b', 'miles']
    """
    if most == 1:
        return [text]
    if not text.strip():
        return []
    try:
        rows = list(islice(csv.reader(io.StringIO(text, newline=""), skipinitialspace=True), 2))
    except csv.Error:
        return []
    return [value.strip() for value in rows[0]] if len(rows) == 1 else []
