"""Ask a model something and watch its steps as they happen: proposed questions, or one's own.

rl.widgets.ask(model=model)                       # a field for a question or a claim of one's own
rl.widgets.ask([Proposed(run, "look here")], model=model)   # beside it, a list of what to try
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from .. import display, teach
from ..kinds import kind_of
from ..languages import say, word
from ..support.text import inline
from ..tasks import claim, question
from ..types import Model, Task, Trajectory, World
from .player import Player

__all__ = ["Asker", "Proposed", "ask"]

METHODS = ("react", "act", "cot", "standard")
OWN = {"question": question, "claim": claim}
TIGHT = {"description_width": "initial"}  # a name before a field takes no more room than it needs
MOST = 20  # proposed ones in sight: what a list hides, nobody looks for
LONG = 2000  # characters of a question of one's own


class Proposed(NamedTuple):
    """A question to try: its run as it was when it was asked before, and what to watch in it."""

    run: Trajectory
    watch: str


def ask(proposed: Sequence[Proposed] = (), *, model: Model, world: World | None = None) -> Asker:
    """Ask a model questions and claims, and watch it work: proposed ones, or one's own."""
    return Asker(proposed, model, world)


class Asker:
    """A list of what to try, a field for one's own, and a player. A button is a method, too."""

    def __init__(
        self, proposed: Sequence[Proposed], model: Model, world: World | None = None
    ) -> None:
        import ipywidgets

        self.proposed, self.player = list(proposed), Player(model=model, world=world)
        self.below = ipywidgets.VBox()
        self.watch, self.said = ipywidgets.HTML(), ipywidgets.HTML()
        self.method = ipywidgets.Dropdown(
            options=METHODS, description=say("asker.method"), style=TIGHT, layout={"width": "12em"}
        )
        rows = [self.tried()] if self.proposed else []
        box = ipywidgets.VBox([*rows, self.typed(), self.said, self.below])
        self.whole = teach.Interactive(box, self.words())

    # ------------------------------------------------------------------ what can be pressed

    def live(self, text: str, kind: str = "question") -> None:
        """Ask the model now, by the chosen method. kind: "question" or "claim"."""
        if not text.strip():
            raise ValueError(say("asker.none_yet"))
        if kind not in OWN:
            raise ValueError(f"kind={kind!r} is none of: {', '.join(OWN)}")
        self.begin(OWN[kind](text.strip()[:LONG]))
        if self.proposed:
            self.chosen.value = None  # what is in the player now is none of the list

    def again(self, number: int) -> None:
        """Ask a proposed one now; the first is 1."""
        self.begin(self.one(number).run.task)

    def before(self, number: int) -> None:
        """Play what the model said to a proposed one when it was asked before."""
        self.player.open(self.one(number).run)
        self.show()

    def one(self, number: int) -> Proposed:
        if not 1 <= number <= len(self.proposed):
            raise ValueError(say("asker.not_proposed", number=number, n=len(self.proposed)))
        return self.proposed[number - 1]

    def begin(self, task: Task) -> None:
        """Another question clears the player; the same one by another method stands beside."""
        player = self.player
        with player.lock, player.front.hold_sync():  # one message: no empty player in between
            if not player.runs or player.runs[0].task.text != task.text:
                player.open()
            player.live(task, self.method.value)
        self.show()

    def show(self) -> None:
        self.said.value = ""
        self.below.children = (self.player.front,)

    # ------------------------------------------------------------------ how it looks

    def tried(self) -> Any:
        """The proposed questions in a list; beside it, what to watch in the chosen one."""
        import ipywidgets

        names = [(f"{i}. {told(one.run.task)}", i) for i, one in enumerate(self.proposed, 1)]
        self.chosen = chosen = ipywidgets.Select(
            options=names,
            value=1,
            rows=min(MOST, len(names)),
            description=say("asker.try"),
            style=TIGHT,
            layout={"flex": "3 1 30em"},
        )

        of_chosen = [
            pressed(say("asker.ask_now"), lambda: self.again(chosen.value), "primary"),
            pressed(say("asker.before"), lambda: self.before(chosen.value)),
        ]  # fmt: skip

        def look(_: Any = None) -> None:
            for button in of_chosen:
                button.disabled = chosen.value is None
            self.watch.value = "" if chosen.value is None else self.watch_in(chosen.value)

        chosen.observe(look, names="value")
        look()
        beside = ipywidgets.VBox([self.watch], layout={"flex": "2 1 18em"})
        flow = {"flex_flow": "row wrap"}
        rows = ([chosen, beside], [*of_chosen, self.method])
        return ipywidgets.VBox([ipywidgets.HBox(row, layout=flow) for row in rows])

    def watch_in(self, number: int) -> str:
        return display.note(say("asker.watch"), self.one(number).watch, "hint").html

    def typed(self) -> Any:
        """A field for one's own; Enter asks."""
        import ipywidgets

        field = ipywidgets.Text(
            placeholder=say("asker.own_hint"),
            layout={"flex": "1 1 24em"},
        )
        kind = ipywidgets.Dropdown(
            options=[(say(f"asker.kinds.{one}"), one) for one in OWN],
            description=say("asker.own"),
            style=TIGHT,
            layout={"width": "14em"},
        )

        def send(_: Any = None) -> None:
            try:
                self.live(field.value, kind.value)
            except ValueError as error:
                self.said.value = display.note(say("asker.not_asked"), str(error), "wrong").html

        field.on_msg(lambda _, said, __: send() if said.get("event") == "submit" else None)
        row = [kind, field, pressed(say("asker.ask"), send)]
        row += [] if self.proposed else [self.method]
        return ipywidgets.HBox(row, layout={"flex_flow": "row wrap"})

    def words(self) -> display.Page:
        """For where no kernel runs: what can be tried, and what to watch."""
        lines = [
            f"{i}. {told(one.run.task)}\n    {one.watch}" for i, one in enumerate(self.proposed, 1)
        ]
        return display.note(say("asker.twin"), "\n".join([say("asker.to_ask"), *lines]), "hint")

    def __repr__(self) -> str:
        return f"<Asker: {len(self.proposed)} proposed>"

    def _repr_mimebundle_(self, **asked: Any) -> dict[str, Any]:
        return self.whole._repr_mimebundle_(**asked)


def told(task: Task) -> str:
    """A question needs no word before it."""
    opener = kind_of(task.kind).opener
    return inline(
        task.text
        if opener == "Question"
        else say("parts.pair", name=word("parts", opener), value=task.text)
    )


def pressed(words: str, act: Any, style: str = "") -> Any:
    import ipywidgets

    button = ipywidgets.Button(description=words, button_style=style, layout={"width": "auto"})
    button.on_click(lambda _: act())
    return button
