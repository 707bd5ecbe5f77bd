"""Finds data/: in the checkout, else the copy that the wheel carries. Reads and adds JSON lines."""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

__all__ = ["add_line", "folder", "lines", "project", "resolve"]

HERE = Path(__file__).resolve().parent


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


def resolve(path: str | os.PathLike[str]) -> Path:
    """A run or label path: relative ones start at the project root, else at the working folder."""
    given = Path(path).expanduser()
    return given if given.is_absolute() else (project() or Path.cwd()) / given


def lines(path: Path) -> Iterator[dict[str, Any]]:
    """The rows of a JSON-lines file; a broken line is named by file and number."""
    with path.open(encoding="utf-8", newline="\n") as file:
        for number, line in enumerate(file, 1):
            if line.strip():
                yield parse_line(line, path, number)


def parse_line(line: str, path: Path, number: int) -> dict[str, Any]:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{path}, line {number}, is not JSON: {error}") from None
    if not isinstance(row, dict):
        raise ValueError(f"{path}, line {number}, is not a JSON object")
    return row


def add_line(path: Path, *rows: dict[str, Any], durable: bool = False) -> None:
    """Append a row, or several, by one write; `durable` waits until the disk has them."""
    path.parent.mkdir(parents=True, exist_ok=True)
    text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    line = text.encode("utf-8", "backslashreplace")  # a lone surrogate, as JSON writes it
    with path.open("ab", buffering=0) as file:
        if file.write(line) != len(line):
            raise OSError(errno.ENOSPC, "the disk is full: only a part of the row is in", str(path))
        if durable:
            os.fsync(file.fileno())
