"""Our own package as the tab's Python unpacks it: the code, and the data that the tab shows.

Sentences are cut here: the cutter is compiled, and not for a browser.
"""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from statistics import mean
from typing import Any

from ... import data
from ...envs.pages import bundled
from ...envs.wiki import parts
from ...languages.language import CUTS, cut_of, key_of
from ...store import open as open_runs
from ...support.text import visible

__all__ = ["packed", "recorded", "typical"]

HOME = Path(__file__).resolve().parents[2]
NOT_THERE = ("evaluation", "finetune", "lessons", "site")
OURS = ("site/__init__.py", "site/live/__init__.py", "site/live/tab.py", "site/live/game.py")
TASKS = ("multihop/demo", "claims/demo", "household/unseen", "shop/dev")
PURE = "rapidfuzz"  # compiled here; the wheel also holds the same in Python
WHEN = (1980, 1, 1, 0, 0, 0)  # of every file in the zip: the same code is the same zip


def packed(out: Path) -> Path:
    """Write react_lab, its data for the tab, and rapidfuzz in Python, as one zip."""
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as box:
        for name, content in sorted([*code(), *our_data(), *pure()]):
            told = zipfile.ZipInfo(name, WHEN)
            told.compress_type = zipfile.ZIP_DEFLATED
            box.writestr(told, content)
    return out


def code() -> Iterator[tuple[str, bytes]]:
    for file in (*HOME.rglob("*.py"), *(HOME / "languages").rglob("*.toml")):
        inside = file.relative_to(HOME)
        if inside.as_posix() in OURS or inside.parts[0] not in (*NOT_THERE, "_data"):
            yield f"react_lab/{inside.as_posix()}", file.read_bytes()


def our_data() -> Iterator[tuple[str, bytes]]:
    base = data.folder()
    files = [*(base / "wiki").glob("*.jsonl"), *(base / "exemplars").rglob("*.txt")]
    files += [base / "shop" / "products.jsonl"]
    files += [base / "tasks" / f"{name}.jsonl" for name in TASKS]
    for file in files:
        yield f"react_lab/_data/{file.relative_to(base).as_posix()}", file.read_bytes()
    yield f"react_lab/_data/{CUTS}", json.dumps(cuts(), separators=(",", ":")).encode()


def cuts() -> dict[str, list[int]]:
    """Each bundled text, by its key: how long its sentences are."""
    texts = (row["text"] for row in bundled().rows.values() if row.get("text"))
    return {key_of(part): [*map(len, cut_of(part))] for text in texts for part in parts(text)}


def pure() -> Iterator[tuple[str, bytes]]:
    """rapidfuzz without what is compiled: it falls back to its own Python."""
    for file in metadata.files(PURE) or ():
        if file.suffix == ".py" and file.parts[0] == PURE:
            yield file.as_posix(), file.read_binary()
        elif "licenses" in file.parts or file.name == "LICENSE":
            yield f"{PURE}/{file.name}", file.read_binary()


def recorded() -> list[dict[str, Any]]:
    """Runs to watch while the model comes, as the page shows them, with what to look at."""
    folder = data.folder("runs", "first_questions")
    watch = json.loads((folder / "watch.json").read_text(encoding="utf-8"))
    return [shown(run, watch.get(run.task.text, "")) for run in open_runs(folder / "react.jsonl")]


def shown(run: Any, watch: str) -> dict[str, Any]:
    texts = ("thought", "action", "observation")
    rows = [{name: visible(getattr(step, name) or "") for name in texts} for step in run.steps]
    told = {"method": run.method, "kind": run.task.kind, "task": visible(run.task.text)}
    end = {"end": run.end, "answer": visible(run.answer or ""), "watch": visible(watch)}
    return told | end | {"steps": rows}


def typical() -> dict[str, float]:
    """A step of the recorded runs: about how many tokens are read and written, for estimates."""
    runs = [*open_runs(data.folder("runs", "first_questions", "react.jsonl"))]
    written = sum(run.tokens_out or 0 for run in runs) / sum(run.calls for run in runs)
    raw = sum(len(step.raw or "") for run in runs for step in run.steps)
    letters = raw / sum(run.tokens_out or 0 for run in runs)  # a token has so many
    seen = mean(len(step.observation or "") for run in runs for step in run.steps)
    return {"read": round(seen / letters + 8), "written": round(written)}
