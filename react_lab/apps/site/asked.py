"""What a lesson asks, to be answered in the page: predictions, a quiz, hints, a report.

The words are those of the lesson; lesson.js shows and hides, and keeps what was chosen.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from ... import models, running
from ...lessons import (
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
from ...teach import Lesson, Question
from .markup import escape, fill


def start_lesson() -> Lesson:
    """With the run at the top of the first notebook, from its recorded replies."""
    run = running.run("react", start.task(), models.recorded("00_start_here", "replay"))
    return start.lesson(run)


MAKERS: Mapping[str, Callable[[], Lesson]] = {
    "00": start_lesson, "01": prompting.lesson, "02": loop.lesson, "03": multihop.lesson,
    "04": claims.lesson, "05": voting.lesson, "06": errors.lesson, "07": household.lesson,
    "08": shop.lesson, "09": tuning.lesson, "10": today.lesson,
}  # fmt: skip


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


def draw(asked: Asked, lesson: Lesson, twin: str) -> str | None:
    """The call as elements of the page; None where what the notebook holds says it all.

    twin: the text of the recorded output, which names the options of a prediction.
    """
    match asked:
        case Asked("predict", (str(key), str(question), *_)):
            return draw_prediction(key, question, twin)
        case Asked("recall", (str(key), *_)):
            came = escape(asked.outcome or "see what stands above")
            inside = f"<h4>Your prediction</h4>{SAID}<p hidden>It came out: <b>{came}</b></p>"
            return box("recall", inside, key=key)
        case Asked("quiz"):
            return draw_quiz(lesson.questions)
        case Asked("help", (str(number), *_)):
            return draw_help(lesson, number)
        case Asked("check"):
            return '<p class="aside">The notebook checks this: it runs your code.</p>'
        case Asked("report"):
            return box("report", fill("report"), exercises=json.dumps([*lesson.exercises]))
    return None


SAID = '<p class="said" role="status"></p>'


def box(kind: str, inside: str, **known: str) -> str:
    data = "".join(f' data-{name}="{escape(value)}"' for name, value in known.items())
    return f'<section class="ask {kind}" data-ask="{kind}"{data}>{inside}</section>'


def radio(group: str, value: str, words: str) -> str:
    field = f'<input type="radio" name="{escape(group)}" value="{escape(value)}">'
    return f'<label class="option">{field}<span>{escape(words)}</span></label>'


def fieldset(legend: str, inside: str) -> str:
    return f"<fieldset><legend>{escape(legend)}</legend>{inside}</fieldset>"


def draw_prediction(key: str, question: str, twin: str) -> str | None:
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
    shown = fieldset(f"Predict. {question}", inside + keep)
    return box("predict", shown + SAID, key=key, question=question)


def draw_quiz(questions: Sequence[Question]) -> str:
    asked = "".join(draw_choice(f"{i}", question) for i, question in enumerate(questions, 1))
    return f'<div class="quiz" data-quiz>{asked}<p class="score" role="status"></p></div>'


def draw_choice(number: str, question: Question) -> str:
    """A question: its options, a button that checks, and why each is right or not."""
    options = [(str(i), *option) for i, option in enumerate(question.options)]
    inside = "".join(radio(f"quiz {number}", i, text) for i, text, _, _ in options)
    whys = "".join(
        f'<p class="why {"right" if right else "wrong"}" data-option="{i}" hidden>'
        f"<b>Option {int(i) + 1}: {'right' if right else 'not quite'}.</b> {escape(why)}</p>"
        for i, _, right, why in options
    )
    check = '<button type="button">Check</button>'
    shown = fieldset(f"Question {number}. {question.text}", inside + check)
    return box("choice", f'{shown}<div role="status">{whys}</div>', question=question.text)


def draw_help(lesson: Lesson, number: str) -> str:
    """Hints, then the solution: each waits for a click."""
    exercise = lesson.find(number)
    many = len(exercise.hints)
    hints = "".join(
        f'<details data-hint="{i}"><summary>Hint {i} of {many}</summary>'
        f"<p>{escape(hint)}</p></details>"
        for i, hint in enumerate(exercise.hints, 1)
    )
    code = f'<pre tabindex="0">{escape(exercise.solution)}</pre>'
    solution = f"<details><summary>Solution</summary>{code}</details>"
    return box("help", f"<h4>Help with {escape(number)}</h4>{hints}{solution}", number=number)
