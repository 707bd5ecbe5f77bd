"""What a lesson asks, to be answered in the page: predictions, a quiz, hints, a report.

The words are those of the lesson; lesson.js shows and hides, and keeps what was chosen.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Sequence
from typing import Any

from react_lab.teach import Lesson, Question

from .markup import escape, fill

NAMED = ("options", "outcome")


def draw(code: str, lesson: Lesson, before: str = "") -> str | None:
    """What the last line of a cell asks, `lesson.predict("key", "question", ...)`, as elements of
    the page; None where it asks nothing, or where what the notebook holds says it all.

    before: the code of the cell before, if the site has a Python that can run it.
    """
    try:
        last = ast.parse(code).body[-1:]
    except SyntaxError:  # a magic of IPython
        return None
    match last:
        case [ast.Expr(ast.Call(func=ast.Attribute(value=ast.Name("lesson"), attr=name)) as call)]:
            given = [literal(word) for word in call.args]
            named = {word.arg: literal(word.value) for word in call.keywords if word.arg in NAMED}
        case _:
            return None
    match name, given:
        case "predict", [str(key), str(question), *_]:
            return draw_prediction(key, question, **named)
        case "recall", [str(key), *_]:
            came = escape(named.get("outcome") or "see what stands above")
            inside = f"<h4>Your prediction</h4>{SAID}<p hidden>It came out: <b>{came}</b></p>"
            return box("recall", inside, key=key)
        case "quiz", _:
            asked = (draw_choice(f"{i}", one) for i, one in enumerate(lesson.questions, 1))
            score = '<p class="score" role="status"></p>'
            return f'<div class="quiz" data-quiz>{"".join(asked)}{score}</div>'
        case "help", [str(number), *_]:
            return draw_help(lesson, number)
        case "check", [str(number), _] if before:
            return draw_check(lesson, number, before, ast.unparse(call.args[1]))
        case "check", _:
            return '<p class="aside">The notebook checks this: it runs your code.</p>'
        case "report", _:
            return box("report", fill("report"), exercises=json.dumps([*lesson.exercises]))
    return None


def literal(node: ast.expr) -> Any:
    """A value that is written out; None where the kernel would say."""
    try:
        return ast.literal_eval(node)
    except ValueError:
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


def draw_prediction(key: str, question: str, options: Sequence[str] = ()) -> str | None:
    """Buttons for a guess, as the cell has them."""
    if not options:
        return None
    inside = "".join(radio(f"predict {key}", text, text) for text in options)
    keep = '<button type="button">Keep this prediction</button>'
    shown = fieldset(f"Predict. {question}", inside + keep)
    return box("predict", shown + SAID, key=key, question=question)


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


def draw_check(lesson: Lesson, number: str, code: str, answer: str) -> str:
    """A field for a student's code, and a button that runs it in the browser's own Python."""
    lines = code.count("\n") + 3
    named = f'spellcheck="false" aria-label="Exercise {escape(number)}: your code"'
    field = f'<textarea rows="{lines}" {named}>{escape(code)}</textarea>'
    buttons = '<button type="button">Check</button> <button type="button">Begin anew</button>'
    known = {"number": number, "answer": answer, "lesson": lesson.name}
    return box("check", f"{field}<p>{buttons}</p>{SAID}", **known)


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
