"""The notebooks as pages: their words, code, recorded outputs and pictures, and what they ask."""

from __future__ import annotations

import base64
import html
import io
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any

from react_lab import data, models, replay, running, store
from react_lab.display import show
from react_lab.lessons import (
    lesson_00,
    lesson_02,
    lesson_06,
    lesson_07,
    lesson_08,
    lesson_named,
    words,
)
from react_lab.teach import Lesson
from react_lab.types import EnvError, ModelError, Task, Trajectory

from .asked import draw
from .markup import Sheet, add_anchors, escape, fill, frame_page, highlight, render_markdown
from .runs import Set

MATH = re.compile(r"\$\$(.+?)\$\$", re.S)
IMAGE = re.compile(r"!\[(.*?)\]\((pictures/[\w.-]+)\)")  # drawn by us, beside the notebooks
NOT_HERE = re.compile(r"^\*\*How to use this page\.\*\*.*$", re.M)  # a notebook's, not a page's
HERE = "course/"
# What an output that needs a kernel becomes: a word of its cell, what to say, and where to go.
WIDGETS = (
    ("Labeller(", "In the notebook you label here.", "label", "The labeller of this site"),
    ("widgets.ask(", "In the notebook you type a question here.", "live", "The live tab"),
    ("player(", "In the notebook this is a player.", "runs", "The player on recorded runs"),
    ("Console(", "In the notebook you play this by hand, act by act.", "live", "The live tab"),
    ("", "In the notebook this has buttons or sliders; below is what they show at first.", "", ""),
)


@dataclass(frozen=True)
class Book:
    """A notebook: its number, its file's name, its title, its question, and its cells."""

    number: str
    name: str
    title: str
    goal: str
    cells: Sequence[dict[str, Any]]


def books() -> list[Book]:
    """The notebooks of the checkout, in their order."""
    root = data.project()
    found = sorted((root / "notebooks").glob("[0-9]*_*.ipynb")) if root else []
    if not found:
        raise ValueError("the site is made of the notebooks: run this in a checkout of react_lab")
    return [book_of(path) for path in found]


def book_of(path: Path) -> Book:
    import nbformat

    cells = nbformat.read(path, as_version=4).cells
    first = "".join(cells[0].source) if cells else ""
    lines = [line for line in first.splitlines() if line.strip()]
    title = lines[0].lstrip("# ").strip() if lines else path.stem
    goal = next((line.strip("* ") for line in lines[1:] if line.startswith("**")), "")
    return Book(path.stem.partition("_")[0], path.stem, title, goal, cells)


def rows_of(found: Sequence[Book], before: str = "") -> str:
    """A line for each notebook: its title, and the question it asks."""
    return "".join(
        f'<li><a href="{before}{book.name}.html">{escape(book.title)}</a>'
        f"<span>{escape(book.goal)}</span></li>"
        for book in found
    )


# ------------------------------------------------------------------ the runs of players

NAME = "notebooks"  # of their set in the run browser
TITLE = "The notebooks: what they show in a player"
Runs = Sequence[Trajectory]
Players = Mapping[str, Runs]  # a notebook -> the runs of its player


def run_first(name: str) -> Runs:
    return (running.run("react", lesson_00.task(), models.recorded(name, "replay")),)


def run_mended(name: str) -> Runs:
    tuned = models.recorded(name, "replay")
    lost = running.run("react", lesson_02.task("mended"), tuned)
    return lost, replay.resume(replay.rethink(lost, at=2, thought=lesson_02.THOUGHT), tuned)


def run_pair(task: Callable[[str], Task], name: str) -> Runs:
    model, apart = models.recorded(name, "replay"), task("apart")
    return [running.run(method, apart, model) for method in ("act", "react")]


PLAYERS: Mapping[str, Callable[[str], Runs]] = {
    "00_start_here": run_first,
    "02_the_loop_by_hand": run_mended,
    "06_where_it_fails": lambda _: (lesson_06.labelled().first,),
    "07_household": partial(run_pair, lesson_07.task),
    "08_web_shop": partial(run_pair, lesson_08.task),
}


def replay_players() -> dict[str, Runs]:
    """What each notebook shows in a player, made again from its recorded replies."""
    found = {}
    for name, make in PLAYERS.items():
        try:
            found[name] = make(name)
        except (ModelError, EnvError):  # the notebooks are older than the recordings, or newer
            continue
    return found


def set_of(players: Players, folder: Path) -> list[Set]:
    """They as a set of the run browser, in one file of a folder; no set where there are none."""
    path = folder / f"{NAME}.jsonl"
    for runs in players.values():
        for run in runs:
            store.append(path, run)
    return [Set(NAME, TITLE, path)] if path.exists() else []


def address(name: str, players: Players, twin: str) -> str:
    """Where the player shows a notebook's runs; "" where its recorded output says otherwise."""
    runs = players.get(name, ())
    if not runs or words_in(show(list(runs)).html) != words_in(twin):
        return ""
    first = 1 + sum(len(runs) for runs in [*players.values()][: [*players].index(name)])
    asked = [f"{key}={NAME}:{first + i}" for i, key in enumerate(("run", "beside")[: len(runs)])]
    return f"../runs/player.html?{'&'.join(asked)}"


def words_in(output: str) -> str:
    """What an output says, but for how long it took."""
    text = html.unescape(re.sub(r"<[^>]*>", " ", output))
    return " ".join(re.sub(r"Time:\s+(?:under )?[\d.,]+ \w+", "", text).split())


# ------------------------------------------------------------------ pages


def write_course(
    folder: Path, found: Sequence[Book], live: bool, players: Players = MappingProxyType({})
) -> None:
    """A page for each notebook, and one that lists them. players: the runs of their players."""
    sheet = Sheet()
    for i, book in enumerate(found):
        before, after = found[i - 1] if i else None, found[i + 1] if i + 1 < len(found) else None
        text = Rendering(book, folder, sheet, live, players).page(before, after)
        data.write(folder / HERE / f"{book.name}.html", text)
    index = frame_page("The course", fill("course", books=rows_of(found)), HERE, live=live)
    data.write(folder / HERE / "index.html", index)
    data.write(folder / "assets/outputs.css", sheet.css)


@dataclass
class Rendering:
    """One notebook on its way to a page."""

    book: Book
    folder: Path
    sheet: Sheet
    live: bool
    players: Players
    heads: list[tuple[int, str, str]] = field(default_factory=list)
    pictures: int = 0
    before: str = ""  # the code of the cell before

    def page(self, before: Book | None, after: Book | None) -> str:
        asks = (words.HERE / f"{self.book.number}.toml").exists()
        lesson = lesson_named(self.book.number) if asks else None
        body = "".join(self.cell(cell, lesson) for cell in self.book.cells)
        rows = (
            f'<li><a href="#{at}">{name}</a></li>' for level, at, name in self.heads if level == 2
        )
        turn = "".join(
            f'<a class="{word.lower()}" href="{book.name}.html">'
            f"<small>{word}</small>{escape(book.title)}</a>"
            for word, book in (("Before", before), ("Next", after))
            if book
        )
        inside = fill("book", number=self.book.number, contents="".join(rows), body=body, turn=turn)
        return frame_page(
            f"{self.book.title} · react_lab", inside, HERE, live=self.live, wide=True,
            python=self.live and 'data-ask="check"' in body,
            styles=("course.css", "outputs.css"), scripts=("lesson.js",),
        )  # fmt: skip

    def cell(self, cell: Any, lesson: Lesson | None) -> str:
        """Words; or code, its outputs, and in place of the last one what the page asks itself."""
        if cell.cell_type == "markdown":
            return self.words(cell.source)
        if cell.cell_type != "code":
            return ""
        before, self.before = self.before, cell.source
        question = lesson and cell.outputs and draw(cell.source, lesson, before * self.live)
        kept = cell.outputs[:-1] if question else cell.outputs
        shown = "".join(self.output(one, cell.source) for one in kept)
        box = f'<div class="output">{shown}</div>' if shown else ""
        code = f'<div class="code">{highlight(cell.source)}</div>'
        if question:
            summary = "<summary>The cell's code</summary>"
            code = f'<details class="code">{summary}{highlight(cell.source)}</details>'
        return f'<div class="cell">{code}{box}{question or ""}</div>'

    def words(self, source: str) -> str:
        """Words of ours with their pictures; a formula is one, named by what it says."""
        source = NOT_HERE.sub("", source)
        text = render_markdown(IMAGE.sub("\ue001", MATH.sub("\ue000", source)), self.sheet)
        found, heads = add_anchors(text, len(self.heads))
        self.heads += heads
        for formula in MATH.findall(source):
            found = found.replace("\ue000", self.formula(formula.strip()), 1)
        for alt, name in IMAGE.findall(source):
            found = found.replace("\ue001", self.drawn(name, alt), 1)
        return f'<div class="words">{found}</div>'

    def drawn(self, name: str, words: str) -> str:
        here = (data.project() or Path()) / "notebooks"
        data.write(self.folder / HERE / name, (here / name).read_text(encoding="utf-8"))
        return f'<img class="plot" src="{escape(name)}" alt="{escape(words)}">'

    def formula(self, tex: str) -> str:
        from matplotlib.mathtext import math_to_image

        png = io.BytesIO()
        try:
            math_to_image(f"${tex}$", png, dpi=200, format="png")
        except ValueError:  # none that can be drawn
            return f"<code>{escape(tex)}</code>"
        return self.picture(png.getvalue(), tex, "formula")

    def output(self, output: Any, source: str) -> str:
        """One output: text, a table or a page of ours, a picture."""
        if output.output_type in ("stream", "error"):
            text = output.get("text") or "\n".join(output.get("traceback", ()))
            return f'<pre tabindex="0">{escape(str(text))}</pre>'
        found = output.get("data", {})
        if png := found.get("image/png"):
            return self.picture(base64.b64decode(png), "A picture; what it shows stands below.")
        twin = str(found.get("text/html") or "")
        inside = self.sheet.clean(twin)
        inside = inside or f'<pre tabindex="0">{escape(str(found.get("text/plain", "")))}</pre>'
        if "application/vnd.jupyter.widget-view+json" in found:
            return self.instead(source, twin) + inside
        return inside

    def instead(self, source: str, twin: str) -> str:
        """What takes the place of a widget. twin: its recorded output, in words."""
        call, words, there, link = next(one for one in WIDGETS if one[0] in source)
        to = f"../{there}/index.html"
        if call == "player(" and (runs := address(self.book.name, self.players, twin)):
            to, link = runs, "Watch it in this site's player"
        if there and (self.live or there != "live"):
            words = f'{words} <a href="{escape(to)}">{link}</a>'
        return f'<p class="aside">{words}</p>'

    def picture(self, png: bytes, words: str, kind: str = "plot") -> str:
        self.pictures += 1
        name = f"{self.book.number}-{self.pictures}.png"
        there = self.folder / HERE / "pictures" / name
        there.parent.mkdir(parents=True, exist_ok=True)
        there.write_bytes(png)
        return f'<img class="{kind}" src="pictures/{name}" alt="{escape(words)}" loading="lazy">'
