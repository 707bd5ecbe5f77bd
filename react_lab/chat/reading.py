"""A chat model's turn as a step: `Thought: … Action: …`, or `Final Answer: …`, however it is put.

As total as a layout's reading: any text gives a step. What only the world or a person may say (an
observation, a line of a system or of a user) is cut off, with all that follows it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..repairs import (
    ANSWER,
    LONGEST_ACT,
    drop_preamble,
    find_mark,
    first_act,
    first_line,
    first_turn,
    step_of,
    tidy,
)
from ..types import Action, Step, split_act
from .tool_calls import form_of, same_name

ROLE = re.compile(
    r"^[ \t>*#]{0,8}(system|user|human|tool|assistant)[ \t]{0,2}:[*]{0,2}", re.M | re.I
)
SPECIAL = re.compile(
    r"<\|(?:im_start|im_end|eot_id|start_header_id|user|system)\|>|<(?:start|end)_of_turn>", re.I
)
INPUT = re.compile(r"^[ \t>*#]{0,8}action input[ \t]?:[*]{0,2}[ \t]*", re.M | re.I)
NO_ACT = re.compile(
    r"\W*(?:none|no(?: further)? actions?(?: (?:is )?(?:needed|required))?|n/a|-*)\W*", re.I
)
ROUND = re.compile(r"([^\W\d]\w*)\((.*)\)\W*", re.S)
NAMED = re.compile(r"""[^\W\d]\w*[ ]?=[ ]?(?=["'])""")


def spoken(text: str, actions: Sequence[Action], opener: str, ends_with: str = "Finish") -> Step:
    """The first step in a turn; what follows it was a step too many."""
    tidied, repairs = tidy(text, opener)
    tidied = said_by_others(tidied, repairs)
    tidied = without_cue(tidied)
    act = find_mark(tidied, "action")
    if act:
        tidied, act = drop_preamble(tidied, act, 0, repairs)
    answer = ANSWER.search(tidied)
    if answer and (act is None or answer.start() < act.start() or no_act(tidied[act.end() :])):
        before = tidied[: min(mark.start() for mark in (answer, act) if mark)]
        return ended(before, tidied[answer.end() :], text, repairs, ends_with)
    if act is None:
        return unmarked(tidied, actions, text, repairs)
    thought, wanted = first_turn(tidied[: act.start()], repairs), tidied[act.end() :]
    if no_act(wanted):
        return step_of(thought, "", text, [*repairs, "no action"])
    return step_of(thought, act_in(wanted, actions, repairs), text, repairs)


def said_by_others(text: str, repairs: list[str]) -> str:
    """What stands before the first line that is not the model's to write."""
    special = SPECIAL.search(text)
    text = text[: special.start()] if special else text
    role = ROLE.search(text)
    if role and role.start() == 0 and role[1].lower() == "assistant":
        text = text[role.end() :].strip()  # its own name before its turn
        role = ROLE.search(text)
    if special or role:
        repairs.append("forged turn")
    return text[: role.start()].strip() if role else text.strip()


def no_act(text: str) -> bool:
    return bool(NO_ACT.fullmatch(first_line(text)[:80]))


def without_cue(text: str) -> str:
    """A turn without the `Thought:` that it begins with."""
    cue = find_mark(text, "thought")
    return text[cue.end() :].strip() if cue and cue.start() == 0 else text


def ended(before: str, answer: str, raw: str, repairs: list[str], ends_with: str) -> Step:
    """`Final Answer: …`, which is the act of finishing with it."""
    thought = first_turn(before, repairs)
    told = first_line(first_turn(answer, repairs))[:LONGEST_ACT]
    act = split_act(told)
    if not ends_with:
        return step_of(f"{thought}\n{told}", "", raw, repairs)
    if not (act and same_name(act[0]) == same_name(ends_with)):
        repairs.append("answer without its act")
        told = f"{ends_with}[{told}]" if told else ""
    return step_of(thought, told, raw, repairs)


def unmarked(text: str, actions: Sequence[Action], raw: str, repairs: list[str]) -> Step:
    """No `Action:` in sight: the line is the act itself, or all of it is a thought."""
    thought = first_turn(text, repairs)
    line = first_line(thought)
    act = act_in(line, actions, found := list[str]())
    if line == thought.strip() and any(form_of(a).values(act) is not None for a in actions):
        return step_of("", act, raw, [*repairs, *found, "act without its marker"])
    return step_of(thought, "", raw, repairs)


def act_in(text: str, actions: Sequence[Action], repairs: list[str]) -> str:
    """The act on the first line; also written as a call in round brackets, or in two parts."""
    if given := INPUT.search(text):
        repairs.append("act in two parts")
        name, value = first_line(text[: given.start()]), first_line(text[given.end() :])
        return f"{name[:100]}[{value[:LONGEST_ACT]}]"
    act = first_act(first_turn(text, repairs), repairs)
    called = ROUND.fullmatch(act)
    if called and any(same_name(form_of(a).name) == same_name(called[1]) for a in actions):
        repairs.append("round brackets")
        return f"{called[1]}[{unquoted(NAMED.sub('', called[2]))}]"
    return act


def unquoted(text: str) -> str:
    """One argument in quotation marks, without them."""
    text = text.strip()
    alone = len(text) > 1 and text[0] == text[-1] in "\"'" and text[0] not in text[1:-1]
    return text[1:-1] if alone else text
