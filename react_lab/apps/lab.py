"""JupyterLab on notebooks of your own: `python -m react_lab lab`, which is what `make lab` does.

Each notebook is copied into my_notebooks/ once, with the pictures and pages that it leads to. So
the teacher's stay as they are, and an update meets nothing that a pupil has changed. A copy shows
the run that opens it and no other output: who guesses first must not see how it ends.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from jupyter_core.utils import ensure_async
from jupyter_server.services.contents.largefilemanager import AsyncLargeFileManager

import react_lab as rl

from ..display import note
from ..languages import say
from ..support.files import write

MINE = "my_notebooks"
FIRST = "00_start_here.ipynb"
WIDGET = "application/vnd.jupyter.widget-view+json"


def open_lab(browser: bool = True) -> int:
    """Start JupyterLab on the first notebook; until Ctrl-C."""
    root = rl.data.project()
    if root is None or not (root / "notebooks").is_dir():
        raise ValueError("the notebooks are in a checkout of react_lab: clone it")
    copy_notebooks(root)
    command = [
        sys.executable, "-m", "jupyterlab", f"--ServerApp.root_dir={root}",
        f"--LabApp.default_url=/lab/tree/{MINE}/{FIRST}",
        f"--ServerApp.contents_manager_class={__name__}.Contents",
        *["--no-browser"] * (not browser),
        *["--allow-root"] * (getattr(os, "geteuid", os.getpid)() == 0),
    ]  # fmt: skip
    settings = {**os.environ, "JUPYTER_CONFIG_PATH": str(root / ".jupyter")}  # no news pop-up
    if os.name == "posix":
        os.execve(sys.executable, command, settings)  # so that Ctrl-C is JupyterLab's alone
    return subprocess.call(command, env=settings)


def copy_notebooks(root: Path) -> None:
    """What is in notebooks/ and not yet in my_notebooks/; what is there stays as it is."""
    for path in sorted((root / "notebooks").rglob("*")):
        inside = path.relative_to(root / "notebooks")
        copy = root / MINE / inside
        hidden = any(part.startswith(".") for part in inside.parts)  # checkpoints
        if path.is_file() and not hidden and not copy.exists():
            found = path.read_bytes()
            write(copy, unrun(found) if path.suffix == ".ipynb" else found)  # whole, or not there


def unrun(notebook: bytes) -> bytes:
    """A notebook without its outputs, but for that of the cell that opens it."""
    book = json.loads(notebook)
    for cell in book["cells"]:
        if cell["cell_type"] == "code" and "demo" not in cell["metadata"].get("tags", ()):
            cell["outputs"], cell["execution_count"] = [], None
    return (json.dumps(book, indent=1, ensure_ascii=False) + "\n").encode()


class Contents(AsyncLargeFileManager):
    """Files as JupyterLab has them; but a notebook whose kernel has ended shows words, no widgets.

    A widget lives in its kernel. Without it a saved one is "Error displaying widget: model not
    found", though what it held stands beside it in words.
    """

    async def get(self, path: str, *asked: Any, **named: Any) -> Any:
        model: Any = await super().get(path, *asked, **named)  # type: ignore[no-untyped-call]
        if model["type"] == "notebook" and model["content"]:
            server: Any = self.parent
            running = await ensure_async(server.session_manager.list_sessions())
            if not any(session["path"] == path.strip("/") for session in running):
                leave_words(model["content"])
        return model


def leave_words(notebook: dict[str, Any]) -> None:
    """Take each widget out of the outputs that also say in words or a picture what it shows."""
    for cell in notebook["cells"]:
        for output in cell.get("outputs", ()):
            found = output.get("data", {})
            if WIDGET in found and found.keys() - {WIDGET, "text/plain"}:
                del found[WIDGET]
                if "text/html" in found:
                    on = note(say("teach.to_go_on"), say("teach.kept"), "hint")
                    found["text/html"] += on.html
