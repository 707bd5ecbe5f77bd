"""The whole site in a folder: pages, runs, labels, and what makes them move."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Sequence
from os import PathLike
from pathlib import Path

from react_lab import data
from react_lab.label import merging
from react_lab.support.files import expand
from react_lab.types import Trajectory
from react_lab.widgets.widget_model import script, style

from . import course, live, runs
from .markup import escape, fill, frame_page

HERE = Path(__file__).parent
WIDGETS = ("player", "explorer", "labeller")
SEEN = 190  # characters of an observation on the first page
MARK = "react_lab-site.txt"
MARKED = """This folder was written by: python -m react_lab site FOLDER
To open it: python -m http.server --directory FOLDER, then http://localhost:8000 in a browser.
"""
Say = Callable[[str], None]


def build(
    folder: str | PathLike[str], say: Say = lambda words: None, with_live: bool = True
) -> Path:
    """Write the site into a folder. with_live: with the model in it, which is fetched once.

    A folder that holds anything else is refused; a site of ours in it is written anew.
    """
    there = expand(folder).resolve()
    books = course.books()
    clear(there)
    data.write(there / MARK, MARKED)
    write_assets(there)
    say("the recorded runs, a minute or two")
    sets, replayed = runs.sets(), course.replay_players()
    with tempfile.TemporaryDirectory() as place:
        runs.write_runs(there, [*sets, *course.set_of(replayed, Path(place))])
    say("the labelled set")
    sample = merging.drawn(data.folder("labels"))
    runs.write_labels(there, sample)
    say(f"{len(books)} notebooks")
    course.write_course(there, books, with_live, replayed)
    write_pages(there, books, sets, len(sample), with_live)
    if with_live:
        live.write(there, say)
    return there


def clear(there: Path) -> None:
    """An empty folder: a site that an earlier call wrote is taken away."""
    if there.exists() and not there.is_dir():
        raise ValueError(f"{there} is a file: name a folder for the site")
    if not there.is_dir() or not any(there.iterdir()):
        return
    if not (there / MARK).is_file():
        raise ValueError(f"{there} holds other files: name an empty folder, or a new one")
    for name in ("assets", "course", "runs", "label"):
        shutil.rmtree(there / name, ignore_errors=True)


def write_assets(there: Path) -> None:
    """Scripts and styles: the site's own, and those of the widgets."""
    assets = there / "assets"
    assets.mkdir(parents=True, exist_ok=True)
    for path in sorted((HERE / "assets").iterdir()):
        shutil.copyfile(path, assets / path.name)
    for name in WIDGETS:
        data.write(assets / f"{name}.js", script(name))
        data.write(assets / f"{name}.css", style(name))


def write_pages(
    folder: Path, books: Sequence[course.Book], sets: Sequence[runs.Set], labelled: int, live: bool
) -> None:
    """All pages that are no notebook: the run browser, the player, the labeller, the front page."""
    known = {"labelled": str(labelled)}

    def page(name: str, words: str, title: str, script: str, *styles: str) -> None:
        text = frame_page(
            f"{title} · react_lab", fill(words, **known), f"{name.partition('/')[0]}/",
            live=live, wide=True, styles=styles, scripts=(script,),
        )  # fmt: skip
        data.write(folder / f"{name}.html", text)

    page("runs/index", "runs", "Recorded runs", "browse.js", "explorer.css", "player.css")
    page("runs/player", "player", "A run", "play.js", "player.css")
    page("label/index", "label", "Labeller", "label.js", "labeller.css")
    first = fill(
        "front", **known, first=books[0].name, strip=strip(sets[0].runs[0]),
        runs=f"{sum(len(one.runs) for one in sets):,}", live=fill("live") if live else "",
        books=course.rows_of(books, "course/"),
        tab="; the live tab, where the small model runs on your own device" * live,
    )  # fmt: skip
    front = frame_page("react_lab: take apart the ReAct paper", first, "", live=live)
    data.write(folder / "index.html", front)


def strip(run: Trajectory) -> str:
    """The beginning of a recorded run, as it was."""
    step, seen = run.steps[0], run.steps[0].observation or ""
    if len(seen) > SEEN:
        seen = f"{seen[: seen.rfind(' ', 0, SEEN)]} …"
    parts = {"thought": step.thought or "", "action": step.action or "", "observation": seen}
    rows = "".join(
        f'<div class="{kind}"><dt>{kind.capitalize()} 1</dt><dd>{escape(text)}</dd></div>'
        for kind, text in parts.items()
    )
    return fill("strip", question=escape(run.task.text), parts=rows)
