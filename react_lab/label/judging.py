"""A model as a labeller: one like any other, under the same guideline, blind to the outcome."""

from __future__ import annotations

import re
from collections.abc import Sequence
from os import PathLike

from ..kinds import kind_of
from ..support.text import tokens
from ..types import Ask, Model, Trajectory, whole_model
from .about_runs import grade, is_game, opening, tied
from .events import LabelFile
from .failure_modes import BOTH, AnyModes, Modes, as_modes, plain_name

WRITTEN = 160  # tokens of a reply, at most
ASKS = """Here is one run of an agent. Read it from the top, by the guideline above. You are not
told whether its answer is right. Answer in three lines:
Reason: what decides, in one sentence
Step: the number of the step where it first goes wrong, 0 if nowhere
Label: {which} {modes}
"""
SEVERAL = f"one or several of, with {BOTH.strip()} between them"
PARTS = re.compile(
    r"\s*(?:Reason:)?\s*(.*?)\s*(?:Step:\s*(\d{1,9})\d*)?\s*Label:\s*(\w[^\n]*)", re.S | re.I
)


def judge(
    runs: Sequence[Trajectory],
    model: Model,
    path: str | PathLike[str],
    *,
    modes: AnyModes = None,
    by: str | None = None,
    shots: Sequence[tuple[Trajectory, str, str]] = (),
    price: tuple[float, float] = (0.0, 0.0),
    go: bool = False,
) -> str:
    """A model labels these runs into a file of labels, as a person does into hers.

    First it only says what that will cost: go=True asks. modes: of one's own, as `label.Modes`
    takes them; None is Table 2's. by: the name its labels bear, else the model's. shots: runs with
    a label and the reason for it, shown before. price: of a million tokens read and written. A
    reply ends in a line `Label: ...`; without one its run is deferred, with the reply as its note.
    What was asked is not asked again: the same call goes on. Then
    `label.agreement(label.merge([path, "labels/me.jsonl"]).runs)`.
    """
    model, taxonomy = whole_model(model), as_modes(modes)
    for _, label, _ in shots:
        [*map(taxonomy.find, taxonomy.split(label))]  # or a sentence
    file = LabelFile(path, by or model.name, taxonomy)
    left = [(i, run) for i, run in enumerate(runs) if ("", *tied(run)) not in file.ledger.marks]
    if not go:
        read = sum(tokens(prompt(run, taxonomy, shots)) for _, run in left)
        cost = (read * price[0] + len(left) * WRITTEN * price[1]) / 1e6
        return (
            f"{len(left)} runs: about {read:,} tokens read and at most {len(left) * WRITTEN:,} "
            f"written, {cost:.2f} at your price. Nothing was asked: go=True asks."
        )
    for i, run in left:
        ask = Ask(prompt(run, taxonomy, shots), ("\nReason:", "\n\n\n"), max_tokens=WRITTEN)
        label, step, note = read_reply(model.complete(ask)[0].text, taxonomy)
        id, digest = tied(run)
        told = {"id": id, "digest": digest, "item": i, "method": run.method,
                "kind": run.task.kind, "grade": grade(run), "note": note}  # fmt: skip
        if label:
            told |= {"label": label, "step": min(step, len(run.steps))}
            told["override"] = not {*taxonomy.split(label)} <= {*taxonomy.offered(run)}
            told["guideline"] = taxonomy.guideline(run.task.kind).version
        file.append("label" if label else "defer", **told)
    silent = sum(mark.deferred for mark in file.ledger.marks.values())
    no = f"; {silent} replies held no label: deferred" if silent else ""
    return f"{len(file.ledger.labelled())} labels of {file.by} are in {file.path.name}{no}."


def read_reply(text: str, modes: Modes) -> tuple[str, int, str]:
    """A model's label, the step where it first goes wrong, and the reason; no label: its reply."""
    found = PARTS.match(text.replace("*", ""))  # some write **Label:**
    parts = (found[3].split(BOTH.strip()) if modes.several else [found[3]]) if found else []
    label = modes.join(  # that a part begins with, `reasoning_error.` too
        name
        for part in parts
        for plain, name in modes.by_name.items()
        if re.match(rf"{re.escape(plain)}(?!\w| \w)", plain_name(part))
    )
    if not found or not label:
        return "", 0, text[:1000]
    return label, int(found[2] or 0), found[1][:1000]


def prompt(run: Trajectory, modes: Modes, shots: Sequence[tuple[Trajectory, str, str]] = ()) -> str:
    """What the judge is asked: no gold answer, no grade, no method, no model."""
    shown = ""
    for each, label, why in shots:
        named = modes.join(map(modes.find, modes.split(label)))
        shown += f"{text_of(each)}Reason: {why}\nStep: 0\nLabel: {named}\n\n"
    asks = ASKS.format(which=SEVERAL if modes.several else "one of", modes=", ".join(modes.names))
    guide = modes.guideline(run.task.kind, "en")  # as all else that it is asked
    return f"{guide.text.strip()}\n\n{asks}\n{shown}{text_of(run)}Reason:"


def text_of(run: Trajectory) -> str:
    kind = kind_of(run.task.kind)
    began = f"{text}\n" if (text := opening(run)) else ""
    steps = "".join(kind.layout.show(step, i) for i, step in enumerate(run.steps, 1))
    answer = "" if is_game(run) else f"Answer: {run.answer or 'none'}\n"
    return f"{kind.opener}: {run.task.text}\n{began}{steps}{answer}"
