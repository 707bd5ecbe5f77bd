"""Finds data/, in the checkout or in the installed wheel."""

from __future__ import annotations

import hashlib
import os
import sys
from pathlib import Path

from ..support import files

__all__ = ["cache", "digest_of", "folder", "project", "resolve", "shared", "write"]

HERE = Path(__file__).resolve().parent.parent


def project() -> Path | None:
    """The checkout this package runs from, or None when it was installed from a wheel."""
    root = HERE.parent
    return root if (root / "pyproject.toml").exists() and (root / "data").is_dir() else None


def folder(*parts: str) -> Path:
    """A path below data/."""
    root = project()
    base = root / "data" if root else HERE / "_data"
    if not base.is_dir():
        raise FileNotFoundError(
            f"react_lab's own data is missing: no folder {base}. Install the package again."
        )
    return base.joinpath(*parts)


def cache() -> Path:
    """What is fetched once is kept here: REACT_LAB_CACHE, else the user's cache folder."""
    try:
        if given := os.environ.get("REACT_LAB_CACHE"):
            return Path(given).expanduser()
        if sys.platform == "win32":
            base = Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData/Local"))
        elif sys.platform == "darwin":
            base = Path.home() / "Library/Caches"
        elif not (base := Path(os.environ.get("XDG_CACHE_HOME", ""))).is_absolute():
            base = Path.home() / ".cache"  # as the standard has it
        return base / "react_lab"
    except RuntimeError:  # pathlib finds no home
        raise FileNotFoundError("you have no home folder") from None


def digest_of(file: Path) -> str:
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def resolve(path: str | os.PathLike[str]) -> Path:
    """A path as somebody typed it: a relative one starts where he stands, in the working folder."""
    return files.expand(path).absolute()


def shared(path: str | os.PathLike[str]) -> Path:
    """A path below the checkout (of an installed package: the working folder).

    For what all notebooks share, wherever they run: `rl.data.shared("runs/mine.jsonl")`.
    """
    return (project() or Path.cwd()) / path


def write(path: Path, text: str) -> None:
    """Write a text file in its folder, with our line ends on every system."""
    files.write(files.checked(path), text)
