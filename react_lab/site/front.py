"""The front page, and the pages of the run browser, the player and the labeller."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ..types import Trajectory
from .course import Book, rows_of_books
from .page import escaped, filled, put, shell
from .runs import Set

__all__ = ["write_front"]

SEEN = 190  # characters of an observation on the first page


def write_front(
    folder: Path, books: Sequence[Book], found: Sequence[Set], labelled: int, live: bool
) -> None:
    """All pages that are no notebook."""
    known = {"labelled": str(labelled)}

    def page(name: str, title: str, script: str, *styles: str) -> None:
        part, words = name.split("/")
        body = filled("label" if part == "label" else words.replace("index", part), **known)
        more = {"styles": styles, "scripts": (script,)}
        text = shell(f"{title} · react_lab", body, f"{part}/", live=live, wide=True, **more)
        put(folder, f"{name}.html", text)

    page("runs/index", "Recorded runs", "browse.js", "explorer.css", "player.css")
    page("runs/player", "A run", "play.js", "player.css")
    page("label/index", "Labeller", "label.js", "labeller.css")
    first = filled(
        "front", **known, first=books[0].name, strip=strip(found[0].runs[0]),
        runs=f"{sum(len(one.runs) for one in found):,}", live=filled("live") if live else "",
        books=rows_of_books(books, "course/"),
        tab="; the live tab, where the small model runs on your own device" * live,
    )  # fmt: skip
    put(folder, "index.html", shell("react_lab: take apart the ReAct paper", first, "", live=live))


def strip(run: Trajectory) -> str:
    """The beginning of a recorded run, as it was."""
    step = run.steps[0]
    parts = {
        "thought": step.thought or "",
        "action": step.action or "",
        "observation": cut(step.observation or ""),
    }
    rows = "".join(
        f'<div class="{kind}"><dt>{kind.capitalize()} 1</dt><dd>{escaped(text)}</dd></div>'
        for kind, text in parts.items()
    )
    return filled("strip", question=escaped(run.task.text), parts=rows)


def cut(text: str) -> str:
    return text if len(text) <= SEEN else f"{text[: text.rfind(' ', 0, SEEN)]} …"
