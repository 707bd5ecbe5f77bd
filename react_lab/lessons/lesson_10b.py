"""Lesson 10b: questions and models of one's own, and their bill before it is paid."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from ..analysis.preview import Price, preview_of
from ..chat.turns import ChatTranscript
from ..envs.tools import Tools
from ..kinds import kind_of
from ..replay import prompt_of
from ..transcript import tokens
from ..types import Trajectory

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
