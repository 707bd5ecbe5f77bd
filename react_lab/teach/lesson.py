"""A lesson: what is asked, what this student has done so far, and a report of it."""

from __future__ import annotations

import inspect
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import partial
from os import PathLike
from pathlib import Path
from typing import Any

from react_lab import display
from react_lab.languages import say

from ..support import ipywidgets
from . import exercises, reports
from .exercises import Exercise, Feedback, Interactive, Question, answered, buttons, feedback


class Lesson:
    """One class hour: what is asked, and what this student has done so far.

    path: the file that the answers are kept in, so that they outlive the kernel; None: nowhere.
    """

    def __init__(
        self,
        name: str,
        exercises: Mapping[str, Exercise] | None = None,
        quiz: Sequence[Question] = (),
        path: Path | None = None,
    ) -> None:
        self.name, self.exercises, self.questions = name, dict(exercises or {}), tuple(quiz)
        self.predictions: dict[str, tuple[str, Any]] = {}  # key -> question, guess
        self.chosen: dict[str, int] = {}  # the text of a question -> the option taken
        self.hinted: dict[str, int] = {}  # the number of an exercise -> hints seen
        self.tried: dict[str, list[reports.Answer]] = {}  # the number of an exercise -> every check
        self.path = path
        for answer in reports.read_answers(path, name) if path else ():
            self.take(answer)

    @property
    def passed(self) -> set[str]:
        """The exercises that were right once."""
        return {number for number, tries in self.tried.items() if any(t.right for t in tries)}

    def __repr__(self) -> str:
        done = len(self.passed & self.exercises.keys())
        return f"<Lesson {self.name}: {done} of {len(self.exercises)} exercises passed>"

    def take(self, answer: reports.Answer) -> None:
        """An answer as it was given, now or on another day."""
        about, value = answer.about, answer.value
        if answer.event == "prediction" and value is not None:
            self.predictions[about] = (answer.given, value)
        elif answer.event == "check":
            self.tried.setdefault(about, []).append(answer)
        elif isinstance(value, int) and value >= 0:
            (self.chosen if answer.event == "choice" else self.hinted)[about] = value

    def note(
        self, event: str, about: str, value: Any, given: str = "", right: bool | None = None
    ) -> tuple[str, ...]:
        """Keep what was done now; what went wrong when it was stored, if anything did."""
        simple = value if isinstance(value, bool | int | float | str) else None
        now = time.strftime("%Y-%m-%dT%H:%M:%S%z")
        answer = reports.Answer(self.name, event, about, simple, given, right, now)
        self.take(answer)
        return reports.keep_answer(self.path, answer) if self.path else ()

    def predict(self, key: str, question: str, options: Sequence[str]) -> Interactive:
        """Ask for a guess before the result is shown; `recall(key)` brings it back."""

        def keep(guess: Any) -> display.Page:
            if guess is None:
                return display.note(say("teach.your_prediction"), say("teach.none_yet"))
            known = self.predictions.get(key) == (question, guess)
            trouble = () if known else self.note("prediction", key, guess, question)
            return display.note(say("teach.your_prediction"), str(guess), "right", trouble)

        control = buttons(options, options, self.predictions.get(key, ("", None))[1])
        said = [] if control.value is None else [say("teach.you_said", guess=control.value)]
        whole = "\n".join([question, exercises.listed(options), *said, say("teach.run")])
        name = say("teach.predict")
        asked, twin = (display.note(name, text, "hint") for text in (question, whole))
        return Interactive(answered(asked, control, keep, control.value), twin)

    def recall(self, key: str, outcome: object = None) -> Feedback:
        """The prediction kept under this key, and what came out."""
        if key not in self.predictions:
            return feedback(say("teach.your_prediction"), say("teach.none_made"), "hint")
        question, guess = self.predictions[key]
        came = "" if outcome is None else f"\n{say('teach.came_out', outcome=outcome)}"
        text = f"{question}\n{say('teach.you_said', guess=guess)}{came}"
        return feedback(say("teach.your_prediction"), text, "hint")

    def exercise(self, number: str) -> Feedback:
        """The task, how long it takes and how hard it is."""
        found, name = self.find(number), say("teach.exercise", number=number)
        effort = say("teach.effort", n=found.minutes, dots=found.dots)
        dots = "●" * found.dots + "○" * (5 - found.dots)
        return feedback(name, found.task, marks=(f"{dots} {effort}",))

    def check(self, number: str, answer: object) -> Feedback:
        """Whether the answer is right, and if not, what is wrong with it."""
        found = self.find(number)
        fault = exercises.UNDONE if answer is ... else exercises.within(found.check, answer)
        if fault == exercises.UNDONE:
            return feedback(say("teach.exercise", number=number), say("teach.undone"), "hint")
        trouble = self.note("check", number, None, as_text(answer), fault is None)
        if fault is None:
            name = say("teach.passed", number=number)
            return feedback(name, say("teach.well_done"), "right", marks=trouble, passed=True)
        name = say("teach.not_yet", number=number)
        if not callable(answer):
            fault += f"\n{say('teach.you_gave', answer=exercises.short(answer))}"
        return feedback(name, fault, "wrong", marks=trouble, passed=False)

    def help(self, number: str) -> Interactive:
        """A button for the next hint, and one for the solution."""
        hints = self.find(number).hints
        below = ipywidgets.HTML()

        def show_hints() -> None:
            """One hint more, below those that were seen already."""
            newest, name = self.hint(number), partial(say, "teach.hint_of", of=len(hints))
            seen = enumerate(hints[: self.hinted.get(number, 1) - 1], start=1)
            older = [display.note(name(i=i), text, "hint") for i, text in seen]
            below.value = display.together([*older, newest]).html

        def solve() -> None:
            below.value = self.solution(number).html

        row = [exercises.make_button(say("teach.hint"), show_hints)] if hints else []
        row.append(exercises.make_button(say("teach.solution"), solve))
        words = say("teach.behind_buttons", n=len(hints))
        twin = display.note(say("teach.help", number=number), f"{words} {say('teach.run')}", "hint")
        return Interactive(ipywidgets.VBox([ipywidgets.HBox(row), below]), twin)

    def hint(self, number: str) -> Feedback:
        """The next hint; each call gives one more."""
        hints, seen = self.find(number).hints, self.hinted.get(number, 0)
        if not hints:
            return feedback(say("teach.hint"), say("teach.has_none", number=number), "hint")
        seen = min(seen + 1, len(hints))
        self.note("hint", number, seen)
        return feedback(say("teach.hint_of", i=seen, of=len(hints)), hints[seen - 1], "hint")

    def solution(self, number: str) -> Feedback:
        """The solution, once the exercise is passed or every hint has been seen."""
        found = self.find(number)
        left = len(found.hints) - self.hinted.get(number, 0)
        if left > 0 and number not in self.passed:
            words = say("teach.hints_first", n=left, hint=say("teach.hint"))
            return feedback(say("teach.solution_of", number=number), words, "hint")
        return feedback(say("teach.solution_of", number=number), found.solution, "code")

    def find(self, number: str) -> Exercise:
        if number not in self.exercises:
            known = ", ".join(self.exercises) or "none"
            raise ValueError(f"lesson {self.name} has no exercise {number!r}, but: {known}")
        return self.exercises[number]

    def quiz(self) -> Interactive:
        """Multiple choice: taking an option shows why it is right or wrong."""
        score = ipywidgets.HTML(self.score().html)

        def choose(question: Question, option: int | None) -> display.Page:
            if option is None:
                return display.Page("", "")
            _, right, why = question.options[option]
            if self.chosen.get(question.text) != option:
                self.note("choice", question.text, option, "", right)
            score.value = self.score().html
            return display.note(judged(question, option), why, "right" if right else "wrong")

        rows, twins = [], []
        for i, question in enumerate(self.questions, start=1):
            texts, taken = [text for text, *_ in question.options], self.taken(question)
            control = buttons(texts, range(len(texts)), taken)
            name = say("teach.question", i=i)
            head = display.note(name, question.text)
            rows.append(answered(head, control, partial(choose, question), taken))
            said = "" if taken is None else f"\n{judged(question, taken)}"
            twins.append(display.note(name, f"{question.text}\n{exercises.listed(texts)}{said}"))
        twin = display.together([*twins, display.note(say("teach.quiz"), say("teach.run"), "hint")])
        return Interactive(ipywidgets.VBox([*rows, score]), twin)

    def taken(self, question: Question) -> int | None:
        """The option that was taken; None where the question has changed since."""
        option = self.chosen.get(question.text)
        return option if option is not None and option < len(question.options) else None

    def score(self) -> Feedback:
        """How many questions are answered, and how many rightly."""
        options = [(q, self.taken(q)) for q in self.questions]
        taken = [q.options[option][1] for q, option in options if option is not None]
        told = say("teach.scored", n=sum(taken), taken=len(taken), of=len(options))
        return feedback(say("teach.score"), told)

    def report(self, by: str, path: str | PathLike[str] | None = None) -> Feedback:
        """Write predictions, checks and answers to a file, to be handed in."""
        if not by.strip():
            return feedback(say("teach.report"), say("teach.name_missing"), "hint")
        report = self.so_far(by)
        row = reports.row_of(report)
        taken = sum(one.right is not None for one in report.quiz)
        words = say("teach.reported", file=reports.write(report, path), taken=taken, **row)
        return feedback(say("teach.report"), words, "right")

    def so_far(self, by: str) -> reports.Report:
        said = [reports.Predicted(key, q, str(g)) for key, (q, g) in self.predictions.items()]
        worked, chosen = list[reports.Worked](), list[reports.Chosen]()
        for number in self.exercises:
            tries, hints = self.tried.get(number, []), self.hinted.get(number, 0)
            best = max(reversed(tries), key=lambda t: bool(t.right), default=None)
            given = best.given if best else ""  # of the last right one, else of the last
            worked.append(reports.Worked(number, number in self.passed, len(tries), hints, given))
        for question in self.questions:
            option = self.taken(question)
            text, right, _ = ("", None, "") if option is None else question.options[option]
            chosen.append(reports.Chosen(question.text, text, right))
        return reports.Report(self.name, by, tuple(said), tuple(worked), tuple(chosen))


def judged(question: Question, option: int) -> str:
    right = question.options[option][1]
    return say("teach.option_right" if right else "teach.option_wrong", i=option + 1)


def as_text(answer: object) -> str:
    """A function's own lines, else the answer in a few words: for a person to read."""
    with suppress(OSError, TypeError):  # it was not written in a cell or a file
        if inspect.isfunction(answer):
            return inspect.getsource(answer)[:4_000]
    return exercises.short(answer)
