"""Step through a household run: the map of the house beside what was thought, done and seen."""

from __future__ import annotations

import base64
import functools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from .. import display, teach
from ..display.html import details
from ..display.runs import numbered
from ..languages import say
from ..plots.house_map import House, one_run, replay
from ..plots.picture import DARK, drawing, few_colours
from ..types import Trajectory, World

__all__ = ["ByStep", "house_by_step"]

DPI, COLOURS = 90, 48  # of the map behind the slider
KEPT = 100  # maps that need not be drawn again


@dataclass(frozen=True, repr=False)
class ByStep(teach.Interactive):
    """Without a kernel the map of the last step is left, and the run in words."""

    png: bytes

    def _repr_mimebundle_(self, **asked: Any) -> dict[str, Any]:
        bundle = super()._repr_mimebundle_(**asked)
        del bundle["text/html"]  # where no widget runs, the picture is to be seen
        return {**bundle, "image/png": base64.b64encode(self.png).decode()}


def house_by_step(run: Trajectory, world: World | None = None, at: int = 0) -> ByStep:
    """The house of a household run, a step at a time: two buttons and a slider move it.

    world: of a game that does not come with react_lab, the world that the run was played in. at:
    the step that is shown first.
    """
    import ipywidgets

    found = House(replay(one_run(run), world))
    at, last = found.replay.step_number(at), found.replay.step_number(None)
    draw = functools.lru_cache(maxsize=KEPT)(functools.partial(png, found))
    row, slider = controls(at, last)
    most = f"{round(found.plan.width * DPI)}px"
    wide = {"flex": "3 1 640px", "max_width": most, "min_width": "20em"}
    shown = teach.exercises.image(say("by_step.map"), layout=wide)
    beside = {"flex": "1 1 18em", "min_width": "16em", "min_height": "9em"}
    words, below = ipywidgets.HTML(layout=beside), ipywidgets.HTML()

    dark = ipywidgets.HTML(DARK)

    def show(_: Any = None) -> None:
        picture, page = draw(slider.value), step_page(found, slider.value)
        shown.png, words.value = picture, page.html
        below.value = in_words(found, slider.value).html

    slider.observe(show, names="value")
    show()
    # the words beside the map; where that is too narrow above it, so that both are in sight
    flow = {"flex_flow": "row wrap-reverse", "align_items": "flex-end", "width": "100%"}
    box = ipywidgets.VBox([row, ipywidgets.HBox([shown, words], layout=flow), below, dark])
    return ByStep(box, twin(found), draw(last))


def controls(at: int, last: int) -> tuple[Any, Any]:
    """Back, Next and a slider in a row; and the slider, whose value is the step."""
    import ipywidgets

    slider = teach.exercises.slider(say("by_step.step"), at, 0, last)
    slider.layout.flex = "1 1 20em"

    def move(by: int, _: Any) -> None:
        slider.value = min(max(slider.value + by, 0), last)

    buttons = []
    for word, by in ((say("by_step.back"), -1), (say("by_step.next"), 1)):
        buttons.append(ipywidgets.Button(description=word, layout={"width": "6em"}))
        buttons[-1].on_click(functools.partial(move, by))
    return ipywidgets.HBox([*buttons, slider], layout={"max_width": "50em"}), slider


def png(house: House, at: int) -> bytes:
    with drawing():
        figure = house.figure(at)
        way, size = "FASTOCTREE", figure.bbox_inches
        return few_colours(figure, COLOURS, way, bbox_inches=size, dpi=DPI)  # type: ignore[arg-type]


def step_page(house: House, at: int) -> display.Page:
    """What the step was."""
    pages = [display.note(*block) for block in blocks(house, at)]
    return display.together([*caution(house, at), *pages])


def in_words(house: House, at: int) -> display.Page:
    """The map as text, behind a click."""
    whole = display.note(say("by_step.house"), house.words(at))
    return display.Page(details(say("by_step.in_words"), whole.html), whole.text)


def caution(house: House, at: int) -> Iterator[display.Page]:
    if words := house.replay.caution(at):
        yield display.note(say("by_step.careful"), words.removeprefix("CAREFUL: ").strip(), "wrong")


def blocks(house: House, at: int) -> Iterator[tuple[str, str, str]]:
    """The parts of a step, named as in `rl.show`."""
    if not at:
        yield say("player.slider"), say("by_step.nothing_yet"), "hint"
        return
    step, why = house.replay.run.steps[at - 1], house.replay.why(at)
    if step.thought is None and step.action is None:
        yield numbered("unreadable text", at), step.raw or "", "wrong"
    if step.thought is not None:
        yield numbered("thought", at), step.thought, "thought"
    if step.action is not None:
        yield numbered("action", at), step.action, "action"
        yield numbered("observation", at), step.observation or "", "observation"
    if why:
        yield say("by_step.why_not"), why, "wrong"


def twin(house: House) -> display.Page:
    """The whole run in words, then the house as it ended."""
    last = house.replay.step_number(None)
    pages = [*caution(house, last)]
    for at in range(1, last + 1):
        pages += [display.note(*block) for block in blocks(house, at)]
    return display.together([*pages, display.note(say("by_step.at_the_end"), house.words(last))])
