"""What runs in the tab, under Pyodide: the package's own loop, worlds and repairs.

The loop is synchronous and the tab's model is not. So what is not answered yet leaves the loop as
`Pending`; the page has it answered, and the loop runs again from its start on the replies that are
known: milliseconds, in every browser. Every message is JSON, and every text in it is only shown.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from react_lab import tasks
from react_lab.records import RUN
from react_lab.replay import going_on, rethink
from react_lab.running import kit_for, play
from react_lab.score import correct
from react_lab.support.text import visible
from react_lab.types import (
    Ask,
    Cancelled,
    Event,
    Halt,
    Model,
    ModelError,
    Reply,
    Step,
    Task,
    Trajectory,
)

if TYPE_CHECKING:
    from react_lab.teach import Lesson

    from .game import InPage

OFFERED = ("react", "act", "cot", "standard")
SHOTS = 2  # exemplars that the plain model is shown: it reads slowly here
Row = dict[str, Any]


class Pending(BaseException):
    """Nothing failed: the episode waits for a reply."""


class Known:
    """The model in this tab, as far as its replies are known. See `react_lab.types.Model`."""

    def __init__(self, about: Mapping[str, Any], plain: bool) -> None:
        self.name: str = about["name"]
        self.sha256: str = about["sha256"]
        self.adapters: dict[str, str] = {} if plain else dict(about["adapters"])
        self.context: int = about["context"]
        self.tuned = frozenset(self.adapters)
        self.replies: dict[Ask, Reply] = {}
        self.halt: Halt | None = None  # what comes instead of a reply

    def identity(self, leg: str) -> str:
        """Weights and adapter by their hashes, as of the bundled model elsewhere."""
        adapter = self.adapters.get(leg)
        return f"{self.name} {self.sha256[:16]} adapter={adapter[:16] if adapter else None}"

    def complete(self, ask: Ask, on_text: Callable[[str], None] | None = None) -> dict[int, Reply]:
        if ask in self.replies:
            return {0: self.replies[ask]}
        if self.halt:
            raise self.halt
        raise Pending(ask)


class Episode:
    """A run that the page moves on: `ask` is what it waits for, and None once there is a `run`."""

    def __init__(
        self, about: Mapping[str, Any], method: str, task: Task, plain: bool = False,
        edited: Trajectory | None = None,
    ) -> None:  # fmt: skip
        self.model, self.method, self.task, self.plain = Known(about, plain), method, task, plain
        self.edited, self.seconds = edited, 0.0
        self.events: list[Event] = []
        self.ask: Ask | None = None
        self.run: Trajectory | None = None
        self.advance()

    def advance(self) -> None:
        """Run from the start on what is known, to the next question or to the end."""
        self.events, self.ask, self.run = [], None, None
        model: Model = self.model
        if self.edited:
            events = going_on(self.edited, model, self.method)
        else:
            kit = kit_for(self.task, model, shots=SHOTS if self.plain else None)
            events = play(self.method, self.task, kit)
        try:
            while True:
                self.events.append(next(events))
        except StopIteration as stop:
            self.run = replace(stop.value, seconds=round(self.seconds, 3))
        except Pending as pending:
            (self.ask,) = pending.args

    def tell(self, reply: Row) -> None:
        """A reply has come: {text, why, tokens_in, tokens_out, seconds, settings}."""
        if self.ask is None:
            return
        self.seconds += reply["seconds"]
        self.model.replies[self.ask] = Reply(
            reply["text"], reply["why"], reply["tokens_in"], reply["tokens_out"], reply["settings"]
        )
        self.advance()

    def stop(self, fault: str = "", seconds: float = 0.0) -> None:
        """Somebody pressed stop, or the model failed: what there is becomes the run."""
        self.seconds += seconds
        self.model.halt = ModelError(fault) if fault else Cancelled("stopped by hand")
        self.advance()

    def rethought(self, at: int, thought: str | None, action: str | None) -> Row:
        """What another episode needs to go on from here, changed by hand."""
        if self.run is None:
            raise ValueError("it still runs: stop it first")
        edited = rethink(self.run, at, thought=thought, action=action)
        return {"method": self.method, "task": self.task, "plain": self.plain, "edited": edited}

    def view(self) -> Row:
        """What the page shows: plain texts, in which no odd character is hidden."""
        return {
            "method": self.method,
            "kind": self.task.kind,
            "task": visible(self.task.text),
            "plain": self.plain,
            "steps": [step_of(event) for event in self.events],
            "ask": self.ask and asked(self.ask, self.model),
            "end": self.run and ended(self.run),
            "edited": self.edited and len(self.edited.steps),
        }


def parts_of(step: Step) -> Row:
    return {n: visible(getattr(step, n) or "") for n in ("thought", "action", "observation")}


def step_of(event: Event) -> Row:
    why = visible(event.seen.why or "")
    return parts_of(event.step) | {
        "i": event.i,
        "human": event.step.human,
        "why": why,
        "done": event.seen.done,
    }


def asked(ask: Ask, model: Known) -> Row:
    """A request as llama.cpp takes it: each adapter is named, what is not named would apply too."""
    scales = [float(leg == ask.leg and leg in model.tuned) for leg in sorted(OFFERED)]
    cue = str(ask.prompt).rpartition("\n")[2]
    return {
        "prompt": ask.prompt,
        "stop": ask.stop,
        "max_tokens": ask.max_tokens,
        "temperature": ask.temperature,
        "scales": scales,
        "cue": visible(cue),
    }


def ended(run: Trajectory) -> Row:
    names = ("id", "end", "parent", "calls", "tokens_in", "tokens_out", "seconds", "flags")
    row: Row = {name: getattr(run, name) for name in names}
    texts = {name: visible(getattr(run, name) or "") for name in ("answer", "error")}
    right = {"right": correct(run), "gold": visible(run.task.gold or "")}
    return row | texts | right


class Desk:
    """The page's one way in: `handle` takes a message and gives the answer, both JSON."""

    def __init__(self, about: str = "null") -> None:
        self.about = json.loads(about)  # the model's name, hashes and context
        self.episodes: list[Episode] = []
        self.game: InPage | None = None
        self.lessons: dict[str, Lesson] = {}

    def handle(self, message: str) -> str:
        told = json.loads(message)
        try:
            found = getattr(self, f"do_{told.pop('do')}")(**told)
        except (ValueError, Halt) as error:  # in a sentence, for the person who did it
            found = {"wrong": visible(str(error))}
        return json.dumps(found)

    # ------------------------------------------------------------------ questions and claims

    def do_offers(self) -> Row:
        """Tasks to try."""
        found = {kind: tasks.load(kind, "demo") for kind in ("multihop", "claims")}
        return {k: [visible(task.text) for task in each] for k, each in found.items()}

    def do_ask(self, kind: str, text: str, method: str, plain: bool = False) -> Row:
        """Begin a run."""
        if not text.strip():
            raise ValueError("Type a question or a claim first.")
        demo = (task for task in tasks.load(kind, "demo") if task.text == text.strip())
        made = tasks.question if kind == "multihop" else tasks.claim
        return self.added(Episode(self.about, method, next(demo, None) or made(text), plain))

    def do_tell(self, at: int, reply: Row) -> Row:
        self.episodes[at].tell(reply)
        return self.seen(at)

    def do_stop(self, at: int, fault: str = "", seconds: float = 0.0) -> Row:
        self.episodes[at].stop(fault, seconds)
        return self.seen(at)

    def do_edit(
        self, at: int, step: int, thought: str | None = None, action: str | None = None
    ) -> Row:
        """Go on from a changed step, as another run."""
        given = self.episodes[at].rethought(step, thought, action)
        return self.added(Episode(self.about, **given))

    def do_lines(self, ats: list[int]) -> Row:
        """Runs that are over, as lines of a file that `rl.store.open` reads."""
        runs = [self.episodes[at].run for at in ats]
        return {"text": "".join(RUN.write(run).decode() + "\n" for run in runs if run)}

    def added(self, episode: Episode) -> Row:
        self.episodes.append(episode)
        return self.seen(len(self.episodes) - 1)

    def seen(self, at: int) -> Row:
        return self.episodes[at].view() | {"at": at}

    # ------------------------------------------------------------------ exercises

    def do_check(self, lesson: str, number: str, code: str, answer: str) -> Row:
        """Run a person's own code, in the person's own tab, and say if its answer is right."""
        import react_lab
        from react_lab import lessons
        from react_lab.teach.exercises import raised

        known = self.lessons.setdefault(lesson, lessons.lesson_named(lesson))
        scope: Row = {"rl": react_lab, f"lesson_{lesson}": getattr(lessons, f"lesson_{lesson}")}
        try:
            exec(compile(code, "your code", "exec"), scope)  # noqa: S102 (see above: one's own)
        except SyntaxError as error:
            raise ValueError(f"Python cannot read line {error.lineno}: {error.msg}") from None
        except Exception as error:  # noqa: BLE001 (a person's code may raise anything)
            raise ValueError(f"Your code did not come to its end: {raised(error)}") from None
        said = known.check(number, scope.get(answer, ...))
        return {"text": visible(said.text), "passed": said.passed}

    # ------------------------------------------------------------------ games and shopping goals

    def do_games(self, kind: str, split: str) -> list[Row]:
        """The games there are."""
        return [{"id": t.id, "text": visible(t.text)} for t in tasks.load(kind, split)]

    def do_play(self, kind: str, split: str, id: str) -> Row:
        """Begin a game."""
        from .game import InPage

        found = (task for task in tasks.load(kind, split) if task.id == id)
        if (task := next(found, None)) is None:
            raise ValueError(f"there is no game {id!r}")
        self.game = InPage(task)
        return {"still": self.game.front.still, "view": self.game.front.view}

    def do_act(self, **message: Any) -> Row:
        """A line or a click: the new view."""
        if self.game is None:
            raise ValueError("Choose a game first.")
        self.game.receive(None, message, None)
        view: Row = self.game.front.view
        return view

    def do_played(self) -> Row:
        """The game so far, as a line of a file of runs."""
        return {"text": RUN.write(self.game.run).decode() + "\n" if self.game else ""}
