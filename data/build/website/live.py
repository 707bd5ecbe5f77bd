"""The live tab: the agent in a browser, from static files. `write` makes its folder.

From npm comes Python for a browser (Pyodide) and llama.cpp for a browser (wllama), by pip the one
compiled package that our core imports. Both are asked where npm and pip are set up to ask.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import tomllib
import zipfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from importlib import metadata
from pathlib import Path
from statistics import mean
from string import Template
from typing import Any

import react_lab
from react_lab import data, store
from react_lab.data.downloads import Source, fetch
from react_lab.envs import wiki
from react_lab.envs.pages import bundled
from react_lab.languages.language import CUTS, cut_of, key_of
from react_lab.models import weights
from react_lab.support.files import lock
from react_lab.support.text import visible
from react_lab.types import EnvError, Trajectory
from react_lab.widgets.widget_model import script, style

from .tab import parts_of

Say = Callable[[str], None]
HERE = Path(__file__).resolve().parent
WORDS = HERE / "words"
READS = 4096  # tokens of the context: a longer one takes memory that a phone lacks
REPLY = 256
LEGS = ("act", "cot", "react", "standard")
SIZE, PACKING = weights.SIZES["135m"], "Q5_1"


def write(folder: Path, say: Say = print) -> None:
    """Write FOLDER/live: all that the tab needs, and nothing outside it."""
    fetch_parts(say)
    if not (weights.cache() / SIZE.file).exists():
        say("To fetch, this once: the 135M's weights, 100 MB.")
    model = weights.fetch(SIZE.name)
    live = folder / "live"
    shutil.rmtree(live, ignore_errors=True)
    live.mkdir(parents=True)
    for part in PARTS.values():
        if part.unpacked:
            unpack(part, live / part.name.rpartition("/")[2])
    shutil.copyfile(PARTS["msgspec"].path, live / "msgspec.whl")
    say(f"The live tab: the weights are packed as {PACKING} ...")
    repack(model, live / "weights.gguf")
    for leg in LEGS:
        shutil.copyfile(data.folder("adapters", "135m", f"{leg}.gguf"), live / f"{leg}.gguf")
    zip_package(live / "react_lab.zip")
    for file in [*(HERE / "static").iterdir(), HERE / "assets" / "opened.js"]:
        shutil.copyfile(file, live / file.name)
    data.write(live / "console.js", script("console"))  # the notebooks', for games by hand
    data.write(live / "console.css", style("console"))
    write_json(live / "recorded.json", recorded_runs())
    write_json(live / "about.json", about_model(live) | {"typical": typical_step()})
    parts = "\n".join(f"* {part}, {part.licence}: {part.home}" for part in PARTS.values())
    note = Template((WORDS / "licences.txt").read_text(encoding="utf-8"))
    known = {"parts": parts, "rapidfuzz": metadata.version("rapidfuzz"), "packing": PACKING}
    data.write(live / "LICENCES.txt", note.substitute(known))
    size = sum(file.stat().st_size for file in live.rglob("*") if file.is_file())
    say(f"The live tab is in {live}: {size / 1e6:.0f} MB.")


def about_model(live: Path) -> dict[str, Any]:
    """What the page must know of the model: what to load, how large it is, whose hashes it has."""
    files = {name: live / f"{name}.gguf" for name in ("weights", *LEGS)}
    hashes = {name: data.digest_of(file) for name, file in files.items()}
    python = [*(live / "pyodide").iterdir(), live / "react_lab.zip", live / "msgspec.whl"]
    return {
        "name": SIZE.file.replace("Q4_1.gguf", PACKING),
        "sha256": hashes["weights"],
        "adapters": {leg: hashes[leg] for leg in LEGS},
        "context": READS - REPLY,
        "reads": READS,
        "files": [
            {"name": name, "url": file.name, "bytes": file.stat().st_size, "sha256": hashes[name]}
            for name, file in files.items()
        ],
        "python": sum(file.stat().st_size for file in python),
    }


def write_json(file: Path, value: Any) -> None:
    data.write(file, json.dumps(value, ensure_ascii=False))


# ------------------------------------------------------------------ what others made

AGAIN = "run this once more with network, or put {} into {} yourself"


@dataclass(frozen=True)
class Part:
    """A file of somebody else, by its checksum: of a package of npm, or a wheel."""

    name: str
    version: str
    file: str
    size: int
    sha256: str
    licence: str
    home: str
    unpacked: Mapping[str, str] = field(default_factory=dict)  # of npm: what the page loads

    @property
    def path(self) -> Path:
        return data.cache() / self.file

    @property
    def here(self) -> bool:
        return self.path.is_file() and data.digest_of(self.path) == self.sha256

    @property
    def again(self) -> str:
        return AGAIN.format(self.file, self.path.parent)

    def __str__(self) -> str:
        return f"{self.name} {self.version}"


PARTS = {
    name: Part(name, **row)
    for name, row in tomllib.loads((WORDS / "parts.toml").read_text(encoding="utf-8")).items()
}


def missing_parts() -> list[Part]:
    """The parts that are not in the cache yet."""
    return [part for part in PARTS.values() if not part.here]


def fetch_parts(say: Say) -> None:
    """Every part at its place in the cache; sizes are said before anything is fetched."""
    missing = missing_parts()
    if missing:
        sizes = ", ".join(f"{part.name} {part.size / 1e6:.1f} MB" for part in missing)
        say(f"To fetch, this once: {sizes}.")
    for part in missing:
        (fetch_from_npm if part.unpacked else fetch_by_pip)(part)


def fetch_from_npm(part: Part) -> None:
    url = f"{registry_of(part.name)}/{part.name}/-/{part.file}"
    fetch(Source(str(part), url, part.again, part.sha256, part.size, name=part.file))


def registry_of(name: str) -> str:
    """Where npm asks for a package, as this machine is set up; so a school's mirror serves."""
    scope = [f"{name.partition('/')[0]}:registry"] if name.startswith("@") else []
    env = os.environ.get("NPM_CONFIG_REGISTRY") or os.environ.get("npm_config_registry")  # noqa: SIM112
    for found in (*map(npm_setting, [*scope, "registry"]), env or ""):
        if found.startswith("http"):
            return found.rstrip("/")
    raise EnvError(
        f"{name} is an npm package, and nothing here says where npm packages are: install npm, or "
        "set NPM_CONFIG_REGISTRY to your registry"
    )


def npm_setting(key: str) -> str:
    """What npm is set up to; without it, what its own file says."""
    if npm := shutil.which("npm"):
        asked = [npm, "config", "get", key]
        return subprocess.run(asked, capture_output=True, text=True, check=False).stdout.strip()
    file = Path("~/.npmrc").expanduser()
    lines = file.read_text(encoding="utf-8").splitlines() if file.is_file() else []
    return dict(line.replace(" ", "").split("=", 1) for line in lines if "=" in line).get(key, "")


def fetch_by_pip(part: Part) -> None:
    """A wheel for Pyodide, by pip: it knows a school's mirror."""
    part.path.parent.mkdir(parents=True, exist_ok=True)
    folder = tempfile.TemporaryDirectory(dir=part.path.parent, prefix="fetch-")
    with lock(Path(f"{part.path}.lock")), folder as place:
        wheel = download_wheel(part, Path(place))
        if (found := data.digest_of(wheel)) != part.sha256:
            raise EnvError(
                f"what came is not {part} (sha256 {found[:16]}..., not {part.sha256[:16]}...): ask "
                "who runs the mirror"
            )
        wheel.replace(part.path)


def download_wheel(part: Part, folder: Path) -> Path:
    _, _, python, _, platform = part.file.removesuffix(".whl").split("-")
    pip = [sys.executable, "-m", "pip", "download", "-q", "--disable-pip-version-check"]
    kind = ["--no-deps", "--only-binary=:all:", f"--platform={platform}", "--implementation=cp"]
    kind += [f"--python-version={python[2]}.{python[3:]}", f"--dest={folder}"]
    asked = [*pip, *kind, f"{part.name}=={part.version}"]
    done = subprocess.run(asked, capture_output=True, text=True, check=False)
    wheels = list(folder.glob("*.whl"))
    if done.returncode or not wheels:
        errors = [line for line in done.stderr.splitlines() if "ERROR" in line]
        why = f" ({errors[-1].removeprefix('ERROR: ')})" if errors else ""
        raise EnvError(f"{part} could not be downloaded{why}: {part.again}")
    return wheels[0]


def unpack(part: Part, folder: Path) -> None:
    """The files of an npm package that the page needs."""
    folder.mkdir()
    with tarfile.open(part.path) as box:
        for inside, outside in part.unpacked.items():
            found = box.extractfile(f"package/{inside}")
            assert found  # the checksum says that it is there
            with (folder / outside).open("wb") as file:
                shutil.copyfileobj(found, file)


def repack(model: Path, out: Path) -> None:
    """A model's Q4_1 tensors as Q5_1, which holds every such number exactly; all else is copied.

    llama.cpp has quick WebAssembly code for Q5_1, and none for Q4_1.
    """
    try:
        import gguf
    except ImportError:
        raise EnvError(
            "the live tab's weights are repacked with the package gguf: pip install -e '.[site]'"
        ) from None
    reader = gguf.GGUFReader(model)
    writer = gguf.GGUFWriter(out, reader.fields["general.architecture"].contents())
    for one in reader.fields.values():
        if not one.name.startswith("GGUF.") and one.name != "general.architecture":
            inner = one.types[-1] if len(one.types) > 1 else None
            writer.add_key_value(one.name, one.contents(), one.types[0], inner)
    for tensor in reader.tensors:
        numbers, packing = tensor.data, tensor.tensor_type
        if packing == gguf.GGMLQuantizationType.Q4_1:
            numbers, packing = widen(numbers), gguf.GGMLQuantizationType[PACKING]
        writer.add_tensor(tensor.name, numbers, raw_dtype=packing)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def widen(blocks: Any) -> Any:
    """Q4_1 as Q5_1: a scale, a minimum, sixteen bytes of half bytes; the fifth bits are all 0."""
    import numpy as np

    each = blocks.reshape(-1, 20)
    fifth = np.zeros((len(each), 4), np.uint8)
    return np.hstack([each[:, :4], fifth, each[:, 4:]]).reshape(blocks.shape[0], -1)


# ------------------------------------------------------------------ our own package

HOME = Path(react_lab.__file__).parent
NOT_THERE = ("apps", "evaluation", "_data")
OURS = ("__init__.py", "game.py", "tab.py")  # of this folder
TASKS = ("multihop/demo", "claims/demo", "household/unseen", "shop/dev", "shop/old")
PURE = "rapidfuzz"  # compiled here; the wheel also holds the same in Python
WHEN = (1980, 1, 1, 0, 0, 0)  # of every file in the zip: the same code is the same zip


def zip_package(out: Path) -> None:
    """Write react_lab, its data for the tab, and rapidfuzz in Python, as one zip."""
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as box:
        for name, content in sorted([*our_code(), *our_data(), *pure_rapidfuzz()]):
            info = zipfile.ZipInfo(name, WHEN)
            info.compress_type = zipfile.ZIP_DEFLATED
            box.writestr(info, content)


def our_code() -> Iterator[tuple[str, bytes]]:
    for file in (
        *HOME.rglob("*.py"),
        *(HOME / "languages").rglob("*.toml"),
        *(HOME / "envs").rglob("*.toml"),
        *(HOME / "lessons").rglob("*.toml"),
    ):
        inside = file.relative_to(HOME)
        if inside.parts[0] not in NOT_THERE:
            yield f"react_lab/{inside.as_posix()}", file.read_bytes()
    for name in OURS:
        yield f"{HERE.name}/{name}", (HERE / name).read_bytes()


def our_data() -> Iterator[tuple[str, bytes]]:
    base = data.folder()
    files = [*(base / "wiki").glob("*.jsonl"), *(base / "exemplars").rglob("*.txt")]
    files += [base / "shop" / name for name in ("products.jsonl", "old.jsonl.gz")]
    files += [base / "tasks" / f"{name}.jsonl" for name in TASKS]
    for file in files:
        yield f"react_lab/_data/{file.relative_to(base).as_posix()}", file.read_bytes()
    yield f"react_lab/_data/{CUTS}", json.dumps(cuts(), separators=(",", ":")).encode()


def cuts() -> dict[str, list[int]]:
    """Each bundled text, by its key: how long its sentences are. No browser has what cuts them."""
    texts = (row["text"] for row in bundled().rows.values() if row.get("text"))
    return {key_of(part): [*map(len, cut_of(part))] for text in texts for part in wiki.parts(text)}


def pure_rapidfuzz() -> Iterator[tuple[str, bytes]]:
    """It without what is compiled: it falls back to its own Python."""
    for file in metadata.files(PURE) or ():
        if file.suffix == ".py" and file.parts[0] == PURE:
            yield file.as_posix(), file.read_binary()
        elif "licenses" in file.parts or file.name == "LICENSE":
            yield f"{PURE}/{file.name}", file.read_binary()


# ------------------------------------------------------------------ runs to watch meanwhile


def first_questions() -> store.Runs:
    return store.open(data.folder("runs", "first_questions", "react.jsonl"))


def recorded_runs() -> list[dict[str, Any]]:
    """Runs to watch while the model comes, as the page shows them, with what to look at."""
    path = data.folder("runs", "first_questions", "watch.json")
    watch = json.loads(path.read_text(encoding="utf-8"))
    return [texts_of(run, watch.get(run.task.text, "")) for run in first_questions()]


def texts_of(run: Trajectory, watch: str) -> dict[str, Any]:
    return {
        "method": run.method, "kind": run.task.kind, "task": visible(run.task.text),
        "end": run.end, "answer": visible(run.answer or ""), "watch": visible(watch),
        "steps": [*map(parts_of, run.steps)],
    }  # fmt: skip


def typical_step() -> dict[str, float]:
    """A step of the recorded runs: about how many tokens are read and written, for estimates."""
    runs = [*first_questions()]
    tokens, calls = sum(run.tokens_out or 0 for run in runs), sum(run.calls for run in runs)
    raw = sum(len(step.raw or "") for run in runs for step in run.steps)
    seen = mean(len(step.observation or "") for run in runs for step in run.steps)
    return {"read": round(seen / (raw / tokens) + 8), "written": round(tokens / calls)}
