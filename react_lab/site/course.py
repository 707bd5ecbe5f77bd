"""The notebooks as pages: their words, code, recorded outputs and pictures, and what they ask."""

from __future__ import annotations

import base64
import io
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

from .. import data
from ..teach import Lesson
from .asked import asked_in, drawn, lesson_of
from .clean import Sheet, coloured, headed, marked
from .page import escaped, filled, put, shell
from .shown import Shown, address

__all__ = ["Book", "books", "rows_of_books", "write_course"]

MATH = re.compile(r"\$\$(.+?)\$\$", re.S)
OF_THE_NOTEBOOK = re.compile(
    r"^\*\*How to use this page\.\*\*.*$", re.M
)  # in a page it is otherwise
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


def books(folder: Path | None = None) -> list[Book]:
    """The notebooks of the checkout, in their order."""
    root = data.project()
    there = folder or (root / "notebooks" if root else None)
    found = sorted(there.glob("[0-9][0-9]_*.ipynb")) if there else []
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
    return Book(path.stem[:2], path.stem, title, goal, cells)


def write_course(
    folder: Path, found: Sequence[Book], live: bool, shown: Shown = MappingProxyType({})
) -> None:
    """A page for each notebook, and one that lists them. shown: the runs of their players."""
    sheet = Sheet()
    for i, book in enumerate(found):
        before, after = found[i - 1] if i else None, found[i + 1] if i + 1 < len(found) else None
        text = Rendering(book, folder, sheet, live, shown).page(before, after)
        put(folder, f"{HERE}{book.name}.html", text)
    put(folder, f"{HERE}index.html", contents(found, live))
    put(folder, "assets/outputs.css", sheet.css)


def contents(found: Sequence[Book], live: bool) -> str:
    return shell("The course", filled("course", books=rows_of_books(found)), HERE, live=live)


def rows_of_books(found: Sequence[Book], before: str = "") -> str:
    """A line for each notebook: its title, and the question it asks."""
    return "".join(
        f'<li><a href="{before}{book.name}.html">{escaped(book.title)}</a>'
        f"<span>{escaped(book.goal)}</span></li>"
        for book in found
    )


@dataclass
class Rendering:
    """One notebook on its way to a page."""

    book: Book
    folder: Path
    sheet: Sheet
    live: bool
    shown: Shown
    heads: list[tuple[int, str, str]] = field(default_factory=list)
    pictures: int = 0

    def page(self, before: Book | None, after: Book | None) -> str:
        lesson = lesson_of(self.book.number)
        body = "".join(self.cell(cell, lesson) for cell in self.book.cells)
        rows = (
            f'<li><a href="#{at}">{words}</a></li>' for level, at, words in self.heads if level == 2
        )
        inside = filled(
            "book", number=self.book.number, contents="".join(rows), body=body,
            turn=turn(before, after),
        )  # fmt: skip
        return shell(
            f"{self.book.title} · react_lab", inside, HERE, live=self.live, wide=True,
            styles=("course.css", "outputs.css"), scripts=("lesson.js",),
        )  # fmt: skip

    # ------------------------------------------------------------------ cells

    def cell(self, cell: Any, lesson: Lesson | None) -> str:
        if cell.cell_type == "markdown":
            return self.text(cell.source)
        if cell.cell_type != "code":
            return ""
        asked = asked_in(cell.source) if lesson else None
        outputs = list(cell.outputs)
        live = ""
        if asked and lesson and outputs:
            twin = "".join(outputs[-1].get("data", {}).get("text/plain", ""))
            live = drawn(asked, lesson, twin) or ""
        kept = outputs[:-1] if live else outputs
        shown = "".join(self.output(one, cell.source) for one in kept)
        return f'<div class="cell">{code(cell.source, bool(live))}{boxed(shown)}{live}</div>'

    def text(self, source: str) -> str:
        """Words of ours, and a formula as a picture that is named by what it says."""
        source = OF_THE_NOTEBOOK.sub("", source)
        formulas = MATH.findall(source)
        found, heads = headed(marked(MATH.sub("\ue000", source), self.sheet), len(self.heads))
        self.heads += heads
        for formula in formulas:
            found = found.replace("\ue000", self.formula(formula.strip()), 1)
        return f'<div class="words">{found}</div>'

    def formula(self, tex: str) -> str:
        from matplotlib.mathtext import math_to_image

        drawn = io.BytesIO()
        try:
            math_to_image(f"${tex}$", drawn, dpi=200, format="png")
        except ValueError:  # none that can be drawn
            return f"<code>{escaped(tex)}</code>"
        return self.picture(drawn.getvalue(), tex, "formula")

    def output(self, output: Any, source: str) -> str:
        """One output: text, a table or a page of ours, a picture."""
        if output.output_type in ("stream", "error"):
            text = output.get("text") or "\n".join(output.get("traceback", ()))
            return f'<pre tabindex="0">{escaped(str(text))}</pre>'
        found = output.get("data", {})
        if png := found.get("image/png"):
            return self.picture(base64.b64decode(png), "A picture; what it shows stands below.")
        inside = self.sheet.cleaned(str(found.get("text/html") or ""))
        inside = inside or f'<pre tabindex="0">{escaped(str(found.get("text/plain", "")))}</pre>'
        needs = "application/vnd.jupyter.widget-view+json" in found
        twin = str(found.get("text/html") or "")
        return self.needs(source, twin) * needs + inside

    def needs(self, source: str, twin: str) -> str:
        """What takes the place of a widget. twin: its recorded output, in words."""
        call, words, there, link = next(one for one in WIDGETS if one[0] in source)
        to = f"../{there}/index.html"
        if call == "player(" and (runs := address(self.book.name, self.shown, twin)):
            to, link = runs, "Watch it in this site's player"
        if there and (self.live or there != "live"):
            words = f'{words} <a href="{escaped(to)}">{link}</a>'
        return f'<p class="aside">{words}</p>'

    def picture(self, png: bytes, words: str, kind: str = "plot") -> str:
        self.pictures += 1
        name = f"{self.book.number}-{self.pictures}.png"
        there = self.folder / HERE / "pictures" / name
        there.parent.mkdir(parents=True, exist_ok=True)
        there.write_bytes(png)
        return f'<img class="{kind}" src="pictures/{name}" alt="{escaped(words)}" loading="lazy">'


def code(source: str, folded: bool) -> str:
    """A cell's code; where the page does its work, it is behind a click."""
    if folded:
        return (
            f'<details class="code"><summary>The cell\'s code</summary>{coloured(source)}</details>'
        )
    return f'<div class="code">{coloured(source)}</div>'


def boxed(shown: str) -> str:
    return f'<div class="output">{shown}</div>' if shown else ""


def turn(before: Book | None, after: Book | None) -> str:
    return "".join(
        f'<a class="{word.lower()}" href="{book.name}.html">'
        f"<small>{word}</small>{escaped(book.title)}</a>"
        for word, book in (("Before", before), ("Next", after))
        if book
    )
