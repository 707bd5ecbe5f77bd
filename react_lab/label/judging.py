"""A model as a labeller: one like any other, under the same guideline, blind to the outcome."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from ..kinds import kind_of
from ..transcript import tokens
from ..types import Ask, Model, Trajectory
from .events import LabelFile
from .failure_modes import BOTH, AnyModes, Modes, as_modes, grade, plain_name, tied
from .session import Path

WRITTEN = 160  # tokens of a reply, at most
ASKS = """Here is one run of an agent. Read it from the top, by the guideline above. You are not
told whether its answer is right. Say in one sentence what decides, then the step where it first
goes wrong (0 if nowhere), then {which}: {modes}.
"""
ONE, SEVERAL = "one of", f"one or several of, with {BOTH.strip()} between them"
SHAPE = "Reason: {reason}\nStep: {step}\nLabel: {label}\n"
PARTS = re.compile(
    r"\s*(?:Reason:)?\s*(.*?)\s*(?:Step:\s*(\d+))?\s*Label:\s*(\w[^\n]*)", re.S | re.I
)


def judge(
    runs: Sequence[Trajectory],
    model: Model,
    path: Path,
    *,
    modes: AnyModes = None,
    by: str | None = None,
    shots: Sequence[tuple[Trajectory, str, str]] = (),
    price: tuple[float, float] = (0.0, 0.0),
    go: bool = False,
    on_run: Callable[[int, int], None] | None = None,
) -> str:
    """A model labels these runs into a file of labels, as a person does into hers.

    First it only says what that will cost: go=True asks. modes: of one's own, as `label.Modes`
    takes them; None is Table 2's. by: the name its labels bear, else the model's. shots: runs with
    a label and the reason for it, shown before. price: of a million tokens read and written. What
    is labelled already is not asked again; a reply without a label leaves its run deferred, with
    the reply as its note. Then `label.agreement(label.merge([path, "labels/me.jsonl"]).runs)`.
    """
    taxonomy = as_modes(modes)
    if not go:
        read = sum(tokens(prompt(run, taxonomy, shots)) for run in runs)
        cost = (read * price[0] + len(runs) * WRITTEN * price[1]) / 1e6
        return (
            f"{len(runs)} runs: about {read:,} tokens read and at most {len(runs) * WRITTEN:,} "
            f"written, {cost:.2f} at your price. Nothing was asked: go=True asks."
        )
    file, silent = LabelFile(path, by or model.name, taxonomy), 0
    for i, run in enumerate(runs):
        id, digest = tied(run)
        mark = file.ledger.marks.get(("", id, digest))
        if mark is None or mark.label is None:
            ask = Ask(prompt(run, taxonomy, shots), ("\n\n",), max_tokens=WRITTEN)
            text = model.complete(ask)[0].text
            silent += not keep(file, i, run, text)
        if on_run:
            on_run(i + 1, len(runs))
    left = f"; {silent} replies held no label: deferred" if silent else ""
    return f"{len(file.ledger.labelled())} labels of {file.by} are in {file.path.name}{left}."


def prompt(run: Trajectory, modes: Modes, shots: Sequence[tuple[Trajectory, str, str]] = ()) -> str:
    """What the judge is asked: no gold answer, no grade, no method, no model."""
    shown = "".join(
        f"{text_of(each)}{SHAPE.format(reason=why, step=0, label=read_label(modes, label))}\n"
        for each, label, why in shots
    )
    asks = ASKS.format(which=SEVERAL if modes.several else ONE, modes=", ".join(modes.names))
    return f"{modes.guideline(run.task.kind).text.strip()}\n\n{asks}\n{shown}{text_of(run)}Reason:"


def text_of(run: Trajectory) -> str:
    kind = kind_of(run.task.kind)
    steps = "".join(kind.layout.show(step, i) for i, step in enumerate(run.steps, 1))
    return f"{kind.opener}: {run.task.text}\n{steps}Answer: {run.answer or 'none'}\n"


def keep(file: LabelFile, i: int, run: Trajectory, text: str) -> bool:
    """Put a reply into the file: as a label with its reason, or deferred. Was there a label?"""
    id, digest = tied(run)
    about = {"id": id, "digest": digest, "item": i, "method": run.method, "kind": run.task.kind,
             "grade": grade(run)}  # fmt: skip
    found = PARTS.match(text)
    label = read_label(file.modes, found[3]) if found else ""
    if not found or not label:
        file.append("defer", note=text[:1000], **about)
        return False
    step = min(int(found[2] or 0), len(run.steps))
    version = file.modes.guideline(run.task.kind).version
    beyond = not {*file.modes.split(label)} <= {*file.modes.offered(run)}
    file.append("label", label=label, step=step, note=found[1][:1000], override=beyond,
                guideline=version, **about)  # fmt: skip
    return True


def read_label(modes: Modes, text: str) -> str:
    """The label that a text begins with, `reasoning_error.` too; "" for none."""
    parts = text.split(BOTH.strip()) if modes.several else [text]
    return modes.join(
        name
        for part in parts
        for plain, name in modes.by_name.items()
        if re.match(rf"{re.escape(plain)}(?!\w| \w)", plain_name(part))
    )
