"""What a lesson needs beside its text: predictions, exercises with hints, multiple choice.

A `Lesson` is made of data (`Exercise`, `Question`) and remembers what a student did, so nothing is
kept in a module. Its words stand in a file of their own; its module holds the checks, and one
function that makes it afresh:

    def lesson() -> teach.Lesson:
        return words.lesson_of("01", {"1.1": teach.cases((("Ulm",), "ULM"))})

All of it reads without a kernel too: widgets carry a static twin.
"""

from __future__ import annotations

import copy
import reprlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from numbers import Number
from typing import Any

from react_lab import display

__all__ = ["Exercise", "Feedback", "Interactive", "Lesson", "Question", "cases"]

Check = Callable[[Any], str | None]
Option = tuple[str, bool, str]  # the text, whether it is right, and why


@dataclass(frozen=True)
class Exercise:
    """A task for a student. `check` says what is wrong with an answer, or `None` if it is right."""

    task: str
    check: Check
    solution: str
    hints: tuple[str, ...] = ()
    minutes: int = 5
    dots: int = 1  # how hard, from 1 to 5

    def __post_init__(self) -> None:
        if not 1 <= self.dots <= 5:
            raise ValueError(f"dots go from 1 to 5, not {self.dots}")


@dataclass(frozen=True)
class Question:
    """A multiple-choice question. Every option explains why it is right or wrong."""

    text: str
    options: tuple[Option, ...]

    def __post_init__(self) -> None:
        if not any(right for _, right, _ in self.options):
            raise ValueError(f"no option is right: {self.text}")
        if not all(why for *_, why in self.options):
            raise ValueError(f"an option has no explanation: {self.text}")


@dataclass(frozen=True, repr=False)
class Feedback(display.Page):
    """Inert text for a student. `passed` is None where nothing was judged."""

    passed: bool | None = None


@dataclass(frozen=True, repr=False)
class Interactive:
    """A box of ipywidgets, and its static twin for where no kernel runs: GitHub, a printout."""

    box: Any
    twin: display.Page

    def _repr_mimebundle_(self, **asked: Any) -> dict[str, Any]:
        words = {"text/plain": self.twin.text, "text/html": self.twin.html}
        return {**self.box._repr_mimebundle_(**asked), **words}

    def __repr__(self) -> str:
        return self.twin.text


class Lesson:
    """One class hour: what is asked, and what this student has done so far."""

    def __init__(
        self,
        name: str,
        exercises: Mapping[str, Exercise] | None = None,
        quiz: Sequence[Question] = (),
    ) -> None:
        self.name, self.exercises, self.questions = name, dict(exercises or {}), tuple(quiz)
        self.predictions: dict[str, tuple[str, Any]] = {}  # key -> question, guess
        self.chosen: dict[str, int] = {}  # the text of a question -> the option taken
        self.hinted: dict[str, int] = {}  # the number of an exercise -> hints seen
        self.passed: set[str] = set()

    def __repr__(self) -> str:
        return f"<Lesson {self.name}: {len(self.passed)} of {len(self.exercises)} exercises passed>"

    def predict(
        self,
        key: str,
        question: str,
        options: Sequence[str] | None = None,
        low: float | None = None,
        high: float | None = None,
    ) -> Interactive:
        """Ask for a guess before the result is shown; `recall(key)` brings it back."""

        def keep(guess: Any) -> display.Page:
            if guess is None:
                return display.note("Your prediction", "none yet")
            self.predictions[key] = (question, guess)
            return display.note("Your prediction", in_words(guess), "right")

        _, guess = self.predictions.get(key, (question, None))
        if options is not None:
            control, words = buttons(options, options, guess), listed(options)
        elif low is not None and high is not None:
            control, words = slider(low, high, guess), f"A number from {low} to {high}."
        else:
            raise ValueError("a prediction needs options, or low and high")
        asked = display.note("Predict", f"{question}\n{words}", "hint")
        return answered(asked, control, keep, guess if control.value == guess else None)

    def recall(self, key: str, outcome: object = None) -> Feedback:
        """The prediction kept under this key, and what came out."""
        if key not in self.predictions:
            return feedback("Your prediction", f"There is none under {key!r} yet.", "hint")
        question, guess = self.predictions[key]
        came = "" if outcome is None else f"\nIt came out: {outcome}"
        return feedback("Your prediction", f"{question}\nYou said: {in_words(guess)}{came}", "hint")

    def exercise(self, number: str) -> Feedback:
        """The task, how long it takes and how hard it is."""
        found = self.find(number)
        effort = f"about {found.minutes} minutes, difficulty {found.dots} of 5"
        dots = "●" * found.dots + "○" * (5 - found.dots)
        return feedback(f"Exercise {number}", found.task, marks=(f"{dots} {effort}",))

    def check(self, number: str, answer: object) -> Feedback:
        """Whether the answer is right, and if not, what is wrong with it."""
        found = self.find(number)
        if answer is ...:
            return feedback(f"Exercise {number}", "Nothing to check yet: replace the dots.", "hint")
        fault = found.check(answer)
        if fault is None:
            self.passed.add(number)
            return feedback(f"Exercise {number}: right", "Well done.", "right", passed=True)
        words = f"{fault}\nYou gave: {short(answer)}"
        return feedback(f"Exercise {number}: not yet", words, "wrong", passed=False)

    def hint(self, number: str) -> Feedback:
        """The next hint; each call gives one more."""
        hints, seen = self.find(number).hints, self.hinted.get(number, 0)
        if not hints:
            return feedback("Hint", f"Exercise {number} has none.", "hint")
        self.hinted[number] = seen = min(seen + 1, len(hints))
        return feedback(f"Hint {seen} of {len(hints)}", hints[seen - 1], "hint")

    def solution(self, number: str) -> Feedback:
        """The solution, once the exercise is passed or every hint has been seen."""
        found = self.find(number)
        left = len(found.hints) - self.hinted.get(number, 0)
        if left > 0 and number not in self.passed:
            words = f"Try the hints first ({left} left): lesson.hint({number!r})"
            return feedback(f"Solution {number}", words, "hint")
        return feedback(f"Solution {number}", found.solution, "code")

    def find(self, number: str) -> Exercise:
        if number not in self.exercises:
            known = ", ".join(self.exercises) or "none"
            raise ValueError(f"lesson {self.name} has no exercise {number!r}, but: {known}")
        return self.exercises[number]

    def quiz(self, questions: Sequence[Question] | None = None) -> Interactive:
        """Multiple choice: taking an option shows why it is right or wrong."""
        import ipywidgets

        asked = self.questions if questions is None else tuple(questions)
        score = ipywidgets.HTML(self.score(asked).html)

        def choose(question: Question, option: int | None) -> display.Page:
            if option is None:
                return display.Page("", "")
            self.chosen[question.text] = option
            score.value = self.score(asked).html
            _, right, why = question.options[option]
            name = f"Option {option + 1}: {'right' if right else 'not quite'}"
            return display.note(name, why, "right" if right else "wrong")

        rows = []
        for i, question in enumerate(asked, start=1):
            texts, taken = [text for text, *_ in question.options], self.chosen.get(question.text)
            head = display.note(f"Question {i}", f"{question.text}\n{listed(texts)}")
            control = buttons(texts, range(len(texts)), taken)
            rows += [answered(head, control, partial(choose, question), taken)]
        twin = display.together(row.twin for row in rows)
        return Interactive(ipywidgets.VBox([*(row.box for row in rows), score]), twin)

    def score(self, questions: Sequence[Question] | None = None) -> Feedback:
        """How many questions are answered, and how many rightly."""
        asked = self.questions if questions is None else questions
        taken = [q.options[self.chosen[q.text]] for q in asked if q.text in self.chosen]
        good = sum(right for _, right, _ in taken)
        return feedback("Score", f"{good} right, {len(taken)} of {len(asked)} answered")


# ---------------------------------------------------------------------- the parts of a lesson


def feedback(
    name: str, text: str, kind: str = "", *, marks: tuple[str, ...] = (), passed: bool | None = None
) -> Feedback:
    words = display.note(name, text, kind, marks)
    return Feedback(words.html, words.text, passed)


def cases(*pairs: tuple[tuple[Any, ...], Any]) -> Check:
    """A check that calls a student's function: `cases((("the cat",), "cat"), ...)`."""

    def check(answer: Any) -> str | None:
        if not callable(answer):
            return "This exercise asks for a function."
        return next(filter(None, (wrong(answer, *pair) for pair in pairs)), None)

    return check


def wrong(function: Callable[..., Any], given: tuple[Any, ...], expected: Any) -> str | None:
    call = f"For {', '.join(map(short, given))},"
    try:
        got = function(*copy.deepcopy(given))
    except Exception as fault:  # noqa: BLE001 (a student's function may raise anything)
        return f"{call} it raised {type(fault).__name__}: {fault}"
    return None if got == expected else f"{call} it gave {short(got)}, not {short(expected)}"


class Short(reprlib.Repr):
    """A short repr. An object gives its kind only: a task's repr would show its gold answer."""

    def repr_instance(self, x: Any, level: int) -> str:
        if x is None or isinstance(x, Number):
            return repr(x)
        return str(getattr(x, "__name__", f"<{type(x).__name__}>"))


def short(answer: object) -> str:
    shortener = Short()
    shortener.maxstring = shortener.maxother = 200
    return shortener.repr(answer)


# ---------------------------------------------------------------------- widgets and their twins


def answered(
    asked: display.Page, control: Any, reply: Callable[[Any], display.Page], answer: Any
) -> Interactive:
    """A question, a control, and below them the reply to the answer (None: none yet)."""
    import ipywidgets

    below = ipywidgets.HTML(reply(answer).html)

    def tell(change: Mapping[str, Any]) -> None:
        below.value = reply(change["new"]).html

    control.observe(tell, names="value")
    return Interactive(ipywidgets.VBox([ipywidgets.HTML(asked.html), control, below]), asked)


def in_words(guess: object) -> str:
    return f"{guess:g}" if isinstance(guess, float) else str(guess)


def listed(options: Sequence[str]) -> str:
    return "\n".join(f"{i}. {text}" for i, text in enumerate(options, start=1))


def buttons(options: Sequence[str], values: Sequence[Any], taken: Any) -> Any:
    """Numbered buttons, one per option: on a letter JupyterLab itself would add or cut a cell."""
    import ipywidgets

    numbered = [(str(i), value) for i, value in enumerate(values, start=1)]
    known = taken if taken in values else None
    more = {"tooltips": list(options), "style": {"button_width": "4em"}}
    return ipywidgets.ToggleButtons(options=numbered, value=known, **more)


def slider(low: float, high: float, guess: Any) -> Any:
    """Between two whole numbers a slider of whole numbers."""
    import ipywidgets

    whole = isinstance(low, int) and isinstance(high, int)
    kind = ipywidgets.IntSlider if whole else ipywidgets.FloatSlider
    step, middle = (1, (low + high) // 2) if whole else ((high - low) / 100, (low + high) / 2)
    value = guess if isinstance(guess, type(middle)) else middle
    return kind(value=value, min=low, max=high, step=step, continuous_update=False)
