"""The live tab: the agent in a browser, from static files. `write` makes its folder."""

from __future__ import annotations

import json
import shutil
import tarfile
from collections.abc import Callable
from importlib import metadata
from pathlib import Path
from typing import Any

__all__ = ["write"]

Say = Callable[[str], None]
HERE = Path(__file__).resolve().parent
READS = 4096  # tokens of the context: a longer one takes memory that a phone lacks
REPLY = 256
LEGS = ("act", "cot", "react", "standard")
NEEDED = {  # of each npm package: what the page loads, and its licence
    "pyodide": {
        "pyodide.mjs": "pyodide.mjs",
        "pyodide.asm.mjs": "pyodide.asm.mjs",
        "pyodide.asm.wasm": "pyodide.asm.wasm",
        "python_stdlib.zip": "python_stdlib.zip",
        "pyodide-lock.json": "pyodide-lock.json",
    },
    "@wllama/wllama": {
        "esm/index.min.js": "wllama.js",
        "esm/wasm/wllama.wasm": "wllama.wasm",
        "LICENCE": "LICENCE.txt",
    },
}
NOTE = """\
Beside react_lab itself (MIT), this folder holds:

{parts}
* rapidfuzz {rapidfuzz}, MIT, in react_lab.zip: https://github.com/rapidfuzz/RapidFuzz
* SmolLM2-135M-Instruct, Apache-2.0 (https://www.apache.org/licenses/LICENSE-2.0), in weights.gguf;
  changed: its numbers are repacked from Q4_1 to {packing}.
  https://huggingface.co/HuggingFaceTB/SmolLM2-135M-Instruct

The source of Pyodide, which is under the Mozilla Public License 2.0 (https://mozilla.org/MPL/2.0/),
is at the address above, under the tag of its version. It contains CPython (PSF-2.0) and SQLite
(public domain). wllama contains llama.cpp (MIT). The licence of msgspec is in msgspec.whl, a zip.
"""


def write(folder: Path, say: Say = print, packing: str = "Q5_1") -> None:
    """Write FOLDER/live: all that the tab needs, and nothing outside it."""
    from . import packed, parts, quicker

    files = parts.fetched(say)
    weights = parts.bundled_weights(say)
    live = folder / "live"
    shutil.rmtree(live, ignore_errors=True)
    live.mkdir(parents=True)
    for name in NEEDED:
        unpack(files[name], name, live / name.rpartition("/")[2])
    shutil.copyfile(files["msgspec"], live / "msgspec.whl")
    say(f"The live tab: the weights are packed as {packing} ...")
    quicker.repacked(weights, live / "weights.gguf", packing)
    for leg in LEGS:
        shutil.copyfile(adapter(leg), live / f"{leg}.gguf")
    packed.packed(live / "react_lab.zip")
    for file in (HERE / "static").iterdir():
        shutil.copyfile(file, live / file.name)
    borrow(live)
    put(live / "recorded.json", packed.recorded())
    put(live / "about.json", about(live, packing) | {"typical": packed.typical()})
    note = NOTE.format(
        parts="\n".join(credit(part) for part in parts.PARTS.values()),
        rapidfuzz=metadata.version("rapidfuzz"), packing=packing,
    )  # fmt: skip
    (live / "LICENCES.txt").write_text(note, encoding="utf-8", newline="\n")
    size = sum(file.stat().st_size for file in live.rglob("*") if file.is_file())
    say(f"The live tab is in {live}: {size / 1e6:.0f} MB.")


def credit(part: Any) -> str:
    return f"* {part.name} {part.version}, {part.licence}: {part.home}"


def adapter(leg: str) -> Path:
    from ... import data

    return data.folder("adapters", f"{leg}.gguf")


def borrow(live: Path) -> None:
    """Not the tab's own: the notebooks' console, for games by hand, and a script of the site."""
    from ... import data
    from ...widgets.widget_model import script, style

    data.write(live / "console.js", script("console"))
    data.write(live / "console.css", style("console"))
    shutil.copyfile(HERE.parent / "assets" / "opened.js", live / "opened.js")


def unpack(package: Path, name: str, folder: Path) -> None:
    """The files of an npm package that the page needs."""
    folder.mkdir()
    with tarfile.open(package) as box:
        for inside, outside in NEEDED[name].items():
            found = box.extractfile(f"package/{inside}")
            assert found  # the checksum says that it is there
            with (folder / outside).open("wb") as file:
                shutil.copyfileobj(found, file)


def about(live: Path, packing: str) -> dict[str, Any]:
    """What the page must know of the model: what to load, how large it is, whose hashes it has."""
    from ...data import digest_of
    from ...models.weights import SIZES

    names = ["weights", *LEGS]
    files = [live / f"{name}.gguf" for name in names]
    hashes = [digest_of(file) for file in files]
    rows = [
        {"name": name, "url": file.name, "bytes": file.stat().st_size, "sha256": sha256}
        for name, file, sha256 in zip(names, files, hashes, strict=True)
    ]
    return {
        "name": SIZES["135m"].file.replace("Q4_1.gguf", packing),
        "sha256": hashes[0],
        "adapters": dict(zip(LEGS, hashes[1:], strict=True)),
        "context": READS - REPLY,
        "reads": READS,
        "files": rows,
        "python": sum(file.stat().st_size for file in python_files(live)),
    }


def python_files(live: Path) -> list[Path]:
    """What is loaded beside the model."""
    return [*(live / "pyodide").iterdir(), live / "react_lab.zip", live / "msgspec.whl"]


def put(file: Path, value: Any) -> None:
    file.write_text(json.dumps(value, ensure_ascii=False), encoding="utf-8", newline="\n")
