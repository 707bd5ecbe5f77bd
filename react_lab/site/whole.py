"""The whole site in a folder: pages, runs, labels, and what makes them move."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

from .. import data
from ..label import merging
from ..widgets.widget_model import script, style
from .course import books, write_course
from .front import write_front
from .labels import write_labels
from .runs import sets, write_runs
from .shown import shown, written

__all__ = ["write_all", "write_assets"]

HERE = Path(__file__).parent
WIDGETS = ("player", "explorer", "labeller")
MARK = "react_lab-site.txt"
MARKED = """This folder was written by: python -m react_lab site FOLDER
To open it: python -m http.server --directory FOLDER, then http://localhost:8000 in a browser.
"""
Say = Callable[[str], None]


def write_all(folder: Path, say: Say, live: bool) -> Path:
    """The pages, the runs, the labels, and the live tab."""
    there = folder.expanduser().resolve()
    found = books()
    cleared(there)
    data.write(there / MARK, MARKED)
    write_assets(there)
    say("the recorded runs, a minute or two")
    recorded, played = sets(), shown()
    with tempfile.TemporaryDirectory() as place:
        write_runs(there, [*recorded, *written(Path(place), played)])
    say("the labelled set")
    sample = merging.drawn(data.folder("labels"))
    write_labels(there, sample)
    say(f"{len(found)} notebooks")
    write_course(there, found, live, played)
    write_front(there, found, recorded, len(sample), live)
    if live:
        from .live import write as write_live

        write_live(there, say)
    return there


def cleared(there: Path) -> None:
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
