"""What a lesson asks, to be answered in the page: predictions, a quiz, hints, a report.

The words are those of the lesson; lesson.js shows and hides, and keeps what was chosen.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..lessons import (
    claims,
    errors,
    household,
    loop,
    multihop,
    prompting,
    shop,
    start,
    today,
    tuning,
    voting,
)
from ..teach import Lesson, Question
from .page import escaped, filled

__all__ = ["Asked", "asked_in", "drawn", "lesson_of"]

MAKERS: Mapping[str, Callable[[], Lesson]] = {
    "00": lambda: start.lesson(first_run()), "01": prompting.lesson, "02": loop.lesson,
    "03": multihop.lesson, "04": claims.lesson, "05": voting.lesson, "06": errors.lesson,
    "07": household.lesson, "08": shop.lesson, "09": tuning.lesson, "10": today.lesson,
}  # fmt: skip


def first_run() -> Any:
    """The run at the top of the first lesson, from its recorded replies."""
    from .. import models, running

    model = models.recorded("00_start_here", "replay")
    return running.run("react", start.task(), model)


def lesson_of(number: str) -> Lesson | None:
    """What a notebook asks; None of a notebook that asks nothing."""
    return MAKERS[number]() if number in MAKERS else None


@dataclass(frozen=True)
class Asked:
    """A call of the lesson at the end of a cell: `lesson.predict("key", "question", ...)`."""

    name: str
    words: tuple[str | None, ...]  # its arguments in order; None where the kernel would say
    outcome: str | None = None


def asked_in(code: str) -> Asked | None:
    """What the last line of a cell asks the lesson for; None where it asks for nothing."""
    try:
        body = ast.parse(code).body
    except SyntaxError:  # a magic of IPython
        return None
    call = body[-1].value if body and isinstance(body[-1], ast.Expr) else None
    match call:
        case ast.Call(func=ast.Attribute(value=ast.Name(id="lesson"), attr=name)):
            known = {word.arg: literal(word.value) for word in call.keywords}
            return Asked(name, tuple(map(literal, call.args)), known.get("outcome"))
    return None


def literal(node: ast.expr) -> str | None:
    try:
        found = ast.literal_eval(node)
    except ValueError:
        return None
    return found if isinstance(found, str) else None


def drawn(asked: Asked, lesson: Lesson, twin: str) -> str | None:
    """The call as elements of the page; None where what the notebook holds says it all.

    twin: the text of the recorded output, which names the options of a prediction.
    """
    match asked:
        case Asked("predict", (str(key), str(question), *_)):
            return prediction(key, question, twin)
        case Asked("recall", (str(key), *_)):
            return recalled(key, asked.outcome)
        case Asked("quiz"):
            return quiz(lesson.questions)
        case Asked("help", (str(number), *_)):
            return helped(lesson, number)
        case Asked("check"):
            return told("The notebook checks this: it runs your code.")
        case Asked("report"):
            return report(lesson)
    return None


def told(words: str) -> str:
    return f'<p class="aside">{escaped(words)}</p>'


def box(kind: str, inside: str, **known: str) -> str:
    data = "".join(f' data-{name}="{escaped(value)}"' for name, value in known.items())
    return f'<section class="ask {kind}" data-ask="{kind}"{data}>{inside}</section>'


def radio(group: str, value: str, words: str) -> str:
    key, shown = escaped(group), escaped(value)
    field = f'<input type="radio" name="{key}" value="{shown}">'
    return f'<label class="option">{field}<span>{escaped(words)}</span></label>'


def fields(legend: str, inside: str) -> str:
    return f"<fieldset><legend>{escaped(legend)}</legend>{inside}</fieldset>"


SAID = '<p class="said" role="status"></p>'


def prediction(key: str, question: str, twin: str) -> str | None:
    """Buttons or a slider for a guess, as the cell has them."""
    options = re.findall(r"^\s+\d+\. (.+)$", twin, re.M)
    span = re.search(r"A number from (-?\d+) to (-?\d+)", twin)
    if options:
        inside = "".join(radio(f"predict {key}", text, text) for text in options)
    elif span:
        field = f'<input type="range" min="{span[1]}" max="{span[2]}" step="1"><output></output>'
        inside = f'<label class="slider">Your prediction {field}</label>'
    else:
        return None
    keep = '<button type="button">Keep this prediction</button>'
    shown = fields(f"Predict. {question}", inside + keep)
    return box("predict", shown + SAID, key=key, question=question)


def recalled(key: str, outcome: str | None) -> str:
    came = outcome or "see what stands above"
    inside = f"<h4>Your prediction</h4>{SAID}<p hidden>It came out: <b>{escaped(came)}</b></p>"
    return box("recall", inside, key=key)


def quiz(questions: Sequence[Question]) -> str:
    asked = "".join(choice(f"{i}", question) for i, question in enumerate(questions, 1))
    return f'<div class="quiz" data-quiz>{asked}<p class="score" role="status"></p></div>'


def choice(number: str, question: Question) -> str:
    """A question: its options, a button that checks, and why each is right or not."""
    options = [(str(i), *option) for i, option in enumerate(question.options)]
    inside = "".join(radio(f"quiz {number}", i, text) for i, text, _, _ in options)
    whys = "".join(
        f'<p class="why {"right" if right else "wrong"}" data-option="{i}" hidden>'
        f"<b>Option {int(i) + 1}: {'right' if right else 'not quite'}.</b> {escaped(why)}</p>"
        for i, _, right, why in options
    )
    check = '<button type="button">Check</button>'
    shown = fields(f"Question {number}. {question.text}", inside + check)
    return box("choice", f'{shown}<div role="status">{whys}</div>', question=question.text)


def helped(lesson: Lesson, number: str) -> str:
    """Hints, then the solution: each waits for a click."""
    exercise = lesson.find(number)
    many = len(exercise.hints)
    hints = "".join(
        f'<details data-hint="{i}"><summary>Hint {i} of {many}</summary>'
        f"<p>{escaped(hint)}</p></details>"
        for i, hint in enumerate(exercise.hints, 1)
    )
    code = f'<pre tabindex="0">{escaped(exercise.solution)}</pre>'
    solution = f"<details><summary>Solution</summary>{code}</details>"
    return box("help", f"<h4>Help with {escaped(number)}</h4>{hints}{solution}", number=number)


def report(lesson: Lesson) -> str:
    """A name, and a button that writes the file that `lesson.report` writes."""
    return box("report", filled("report"), exercises=json.dumps([*lesson.exercises]))
