"""Small panels of a few controls over the package: ask a model, take a prompt apart.

rl.widgets.ask(model=model)                       # a field for a question or a claim of one's own
rl.widgets.ask([Proposed(run, "look here")], model=model)   # beside it, a list of what to try
rl.widgets.prompt_switches()                      # thoughts, acts, observations: on and off
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

from .. import display, teach
from ..envs.pages import bundled
from ..kinds import kind_named, kind_of, world_of
from ..label.rules import is_closed
from ..languages import say, word
from ..methods import METHODS
from ..prompts import KEEP, ablate, exemplar_text, instruction, read_exemplars, render
from ..support import ipywidgets
from ..support.text import inline
from ..tasks import claim, question
from ..teach.exercises import make_button
from ..types import Model, Part, Task, Trajectory, World, normalise, split_act
from .player import Player

LEGS = ("react", "act", "cot", "standard")
NOT_TOLD = "NOT ENOUGH INFO"  # what the bundled model answers where its pages do not tell
OWN = {"question": question, "claim": claim}
TIGHT = {"description_width": "initial"}  # a name before a field takes no more room than it needs
ROWS = 8  # of the list of proposed ones
BEGINS = 600  # characters of a page
FLOW = {"flex_flow": "row wrap"}
LONG = 2000  # characters of a question of one's own


class Proposed(NamedTuple):
    """A question to try: its run as it was when it was asked before, and what to watch in it."""

    run: Trajectory
    watch: str


class Asker:
    """Ask a model questions and claims, and watch it work: proposed ones, or one's own.

    A field for one's own, a list of what to try, and a player. A button is a method, too.
    Once something is asked the list folds away: the first thought is seen without scrolling.
    """

    def __init__(
        self, proposed: Sequence[Proposed] = (), *, model: Model, world: World | None = None
    ) -> None:
        self.proposed, self.player = list(proposed), Player(model=model, world=world)
        self.player.on_end = self.tell
        self.below = ipywidgets.VBox()
        self.watch, self.said = ipywidgets.HTML(), ipywidgets.HTML()
        self.method = ipywidgets.Dropdown(
            options=LEGS, description=say("asker.method"), style=TIGHT, layout={"width": "12em"}
        )
        self.rows = [self.proposed_row()] if self.proposed else []
        self.fold = make_button(say("asker.others"), self.unfold)
        self.fold.layout.display = "none"
        box = ipywidgets.VBox([self.own_row(), *self.rows, self.said, self.below])
        self.whole = teach.Interactive(box, self.words())

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
        """Ask a proposed one now, with what to watch above it; the first is 1."""
        one = self.one(number)
        self.begin(one.run.task, to_watch(one))

    def before(self, number: int) -> None:
        """Play what the model said to a proposed one when it was asked before."""
        self.player.open(run := self.one(number).run)
        self.said.value = ""
        self.show()
        self.tell(run)

    def one(self, number: int) -> Proposed:
        if not 1 <= number <= len(self.proposed):
            raise ValueError(say("asker.not_proposed", number=number, n=len(self.proposed)))
        return self.proposed[number - 1]

    def begin(self, task: Task, watch: str = "") -> None:
        """Another question clears the player; the same one by another method stands beside."""
        player, self.said.value = self.player, watch  # before it begins: it may end at once
        with player.lock, player.front.hold_sync():  # one message: no empty player in between
            if not player.runs or player.runs[0].task.text != task.text:
                player.open()
            player.live(task, self.method.value)
        self.show()

    def show(self) -> None:
        self.unfold(False)
        self.below.children = (self.player.front,)

    def unfold(self, wide: bool = True) -> None:
        """Show the list of what to try, or put it away."""
        for row in self.rows:
            if wide and self.chosen.value is None:
                self.chosen.value = 1
            row.layout.display = "" if wide else "none"
            self.fold.layout.display = "none" if wide else ""

    def tell(self, run: Trajectory) -> None:
        """Say in words what became of a run."""
        if self.player.runs and self.player.runs[-1] is run and (words := outcome(run)):
            self.said.value = display.note(say("asker.became"), words, "hint").html

    def proposed_row(self) -> Any:
        """The proposed questions in a list; beside it, what to watch in the chosen one."""
        names = [(name, i) for i, name in enumerate(self.names(), 1)]
        self.chosen = chosen = ipywidgets.Select(
            options=names, value=1, rows=min(ROWS, len(names)), description=say("asker.try"),
            style=TIGHT, layout={"flex": "3 1 30em"},
        )  # fmt: skip
        of_chosen = [
            make_button(say("asker.ask_now"), lambda: self.again(chosen.value), "primary"),
            make_button(say("asker.before"), lambda: self.before(chosen.value)),
        ]

        def look(_: Any = None) -> None:
            none = chosen.value is None
            for button in of_chosen:
                button.disabled = none
            self.watch.value = "" if none else to_watch(self.one(chosen.value))

        chosen.observe(look, names="value")
        look()
        beside = ipywidgets.VBox([self.watch], layout={"flex": "2 1 18em"})
        rows = ([chosen, beside], of_chosen)
        return ipywidgets.VBox([ipywidgets.HBox(row, layout=FLOW) for row in rows])

    def own_row(self) -> Any:
        """A field for one's own; Enter asks."""
        field = ipywidgets.Text(placeholder=say("asker.own_hint"), layout={"flex": "1 1 24em"})
        kind = ipywidgets.Dropdown(
            options=[(say(f"asker.kinds.{one}"), one) for one in OWN],
            description=say("asker.own"), style=TIGHT, layout={"width": "14em"},
        )  # fmt: skip

        def send(_: Any = None) -> None:
            try:
                self.live(field.value, kind.value)
            except ValueError as error:
                self.said.value = display.note(say("asker.not_asked"), str(error), "wrong").html

        field.on_msg(lambda _, said, __: send() if said.get("event") == "submit" else None)
        row = [kind, field, make_button(say("asker.ask"), send), self.method]
        rows = (row, [*self.titles(), self.fold])
        return ipywidgets.VBox([ipywidgets.HBox(row, layout=FLOW) for row in rows])

    def titles(self) -> list[Any]:
        """A field that finds a page by its title, and shows how it begins."""
        world = world_of(kind_named("multihop"), self.player.world)
        pages = getattr(world, "pages", None) or bundled(getattr(world, "lang", "en"))
        titles = sorted(getattr(pages, "rows", ()))
        field = ipywidgets.Combobox(
            options=titles, placeholder=say("asker.titles_hint", n=f"{len(titles):,}"),
            description=say("asker.titles"), style=TIGHT, layout={"flex": "1 1 24em"},
            continuous_update=False,
        )  # fmt: skip

        def look(_: Any) -> None:
            if not (title := field.value.strip()):
                return
            text = pages.get(title) or say("asker.no_page", title=inline(title))
            if len(text) > BEGINS:
                text = f"{text[:BEGINS].rpartition(' ')[0]} ..."
            self.said.value = display.note(title, text, "hint").html

        field.observe(look, names="value")
        return [field] if titles else []

    def words(self) -> display.Page:
        """For where no kernel runs: what can be tried, and what to watch."""
        several = zip(self.names(), self.proposed, strict=True)
        lines = [say("asker.to_ask"), *(f"{name}\n    {one.watch}" for name, one in several)]
        return display.note(say("asker.twin"), "\n".join(lines), "hint")

    def names(self) -> list[str]:
        """The proposed ones, numbered. A question needs no word before it."""
        named = []
        for i, task in enumerate((one.run.task for one in self.proposed), 1):
            name, opener = task.text, kind_of(task.kind).opener
            if opener != "Question":
                name = say("parts.pair", name=word("parts", opener), value=name)
            named.append(f"{i}. {inline(name)}")
        return named

    def __repr__(self) -> str:
        return f"<Asker: {len(self.proposed)} proposed>"

    def _repr_mimebundle_(self, **asked: Any) -> dict[str, Any]:
        return self.whole._repr_mimebundle_(**asked)


ask = Asker


def to_watch(one: Proposed) -> str:
    return display.note(say("asker.watch"), one.watch, "hint").html


def outcome(run: Trajectory) -> str:
    """What became of a run that was asked for, in words: on what its answer stands, or why it has
    none. Nothing of a fault or a stop, which the player tells.
    """
    told, answer = list[str](), normalise(run.answer or "")
    acts = [(step.action or "", step.outcome) for step in run.steps]
    if run.end in ("step_limit", "repeated"):
        act, times = Counter(act for act, _ in acts).most_common(1)[0]
        told.append(say("asker.circles", act=act, n=times) if times > 2 else say("asker.no_end"))
    elif run.end != "finished":
        return ""
    elif answer == normalise(NOT_TOLD):
        told.append(say("asker.gave_up"))
    elif not any(act.startswith("Search[") for act, _ in acts):
        told.append(say("asker.from_memory"))
    elif is_closed(answer) or answer in normalise(run.task.text):
        told.append(say("asker.closed"))
    else:
        texts = [normalise(step.observation or "") for step in run.steps]
        seen = [i for i, text in enumerate(texts, 1) if answer and answer in text]
        told.append(say("asker.stands", i=seen[-1]) if seen else say("asker.nowhere"))
    if answer in ("", normalise(NOT_TOLD)):
        missed = (split_act(act) for act, outcome in acts if outcome == "failed")
        titles = dict.fromkeys(act[1] for act in missed if act and act[0] == "Search")
        told += [say("asker.no_page", title=title) for title in [*titles][:2]]
    return " ".join(told)


# ---------------------------------------------------------------------- a prompt, part by part

PARTS: tuple[Part, ...] = ("thought", "action", "observation")
LINE = re.compile(r"(Thought|Action|Observation|Answer)( \d+)?:")


def prompt_switches(kind: str = "multihop") -> teach.Interactive:
    """Three switches above one exemplar's prompt. The paper's four methods are four settings."""
    switches = {p: ipywidgets.ToggleButton(value=True, layout={"width": "11em"}) for p in PARTS}
    shown = ipywidgets.HTML()

    def draw(_: Any = None) -> None:
        # without an act the world has nothing to say
        switches["observation"].disabled = not switches["action"].value
        for part, switch in switches.items():
            on = switch.value and not switch.disabled
            switch.description = word("switches.on" if on else "switches.off", part)
        shown.value = picture(kind, frozenset(p for p, s in switches.items() if s.value)).html

    for switch in switches.values():
        switch.observe(draw, names="value")
    draw()
    box = ipywidgets.VBox([ipywidgets.HBox([*switches.values()]), shown])
    return teach.Interactive(box, picture(kind, KEEP["react"]))


def method_of(keep: frozenset[Part]) -> str:
    """Which of the paper's methods is prompted with just these parts; no acts, nothing seen."""
    keep = keep if "action" in keep else keep - {"observation"}
    return next(
        (METHODS[leg].title for leg, parts in KEEP.items() if parts == keep), say("switches.none")
    )


def ablated(kind: str, keep: frozenset[Part]) -> str:
    """The instruction and the first exemplar, with only these parts."""
    record = kind_named(kind)
    source = exemplar_text(record.exemplars_for())
    statement, exemplars = read_exemplars(source, record.layout, [record.start])
    shown = render(ablate(exemplars[0], keep), record.layout_for(keep, record.lead))
    words = instruction(world_of(record).actions, keep, record)
    return f"{statement.strip()}\n{words}\n{shown}"


def picture(kind: str, keep: frozenset[Part]) -> display.Page:
    """The prompt, a coloured line a part; without colours the words say the same."""
    text = ablated(kind, keep)
    size = len(text) + 1  # with the end of its last line, as it is sent
    head = say("switches.head", method=method_of(keep), n=size)
    rows = ""
    for line in text.splitlines():
        mark = LINE.match(line)
        colour = display.COLOURS[mark[1].lower() if mark else ""]
        style = f"border-left: 6px solid {colour}; padding: 1px 10px; line-height: 1.45"
        rows += f'<div style="{style}; min-height: 1em">{display.inert(line)}</div>'
    return display.Page(f"<div><b>{display.inert(head)}</b></div>{rows}", f"{head}\n{text}")
